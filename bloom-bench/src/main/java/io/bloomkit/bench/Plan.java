package io.bloomkit.bench;

import java.util.List;

/** What is measured. */
final class Plan {

  static final int QUICK_ROUNDS = 2;
  static final int FULL_ROUNDS = 5;

  private Plan() {}

  static List<Case> quick() {
    return List.of();
  }

  static List<Case> full() {
    return List.of();
  }
}
