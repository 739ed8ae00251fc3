package io.bloomkit.cli.io;

import java.util.Locale;

/** What a line does that lacks a field. */
public enum Missing {
  PASS,
  STOP;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
