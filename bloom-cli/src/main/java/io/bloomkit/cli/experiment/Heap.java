package io.bloomkit.cli.experiment;

import java.util.Locale;

/** Checks that the maximum heap is large enough. */
public final class Heap {

  /** For all but what a run counts. */
  private static final long RESERVE_BYTES = 32 << 20;

  private Heap() {}

  /**
   * Refuses a run that would use up the memory after some minutes.
   *
   * @param what needs it, in the plural
   * @param bytes of what lives at the same time
   * @throws IllegalArgumentException if it might not fit; the message says what to do
   */
  public static void require(String what, long bytes) {
    // Collectors keep a part of the heap for what is young, and large arrays need room in one
    // piece.
    long needed = 2 * bytes + RESERVE_BYTES;
    long most = Runtime.getRuntime().maxMemory();
    if (needed > most) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s need a heap of %,d MiB but Java may use %,d: try java -Xmx%dm -jar",
              what,
              needed >> 20,
              most >> 20,
              (needed >> 20) + 64));
    }
  }
}
