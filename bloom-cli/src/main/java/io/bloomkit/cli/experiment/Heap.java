package io.bloomkit.cli.experiment;

import java.util.Locale;

/** Checks that the maximum heap is large enough. */
public final class Heap {

  /** The heap for everything that a run does not count. */
  private static final long RESERVE_BYTES = 32 << 20;

  private Heap() {}

  /**
   * Refuses a run that would run out of memory after some minutes.
   *
   * @param what the data that needs the memory, in the plural, for the message
   * @param bytes the size of all data that is live at the same time
   * @throws IllegalArgumentException if the data might not fit; the message proposes a value of
   *     -Xmx
   */
  public static void require(String what, long bytes) {
    // Collectors reserve a part of the heap for young objects, and large arrays need contiguous
    // memory.
    long needed = 2 * bytes + RESERVE_BYTES;
    long most = Runtime.getRuntime().maxMemory();
    if (needed > most) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s need a heap of %,d MiB but Java may use only %,d MiB: try java -Xmx%dm -jar",
              what,
              needed >> 20,
              most >> 20,
              (needed >> 20) + 64));
    }
  }
}
