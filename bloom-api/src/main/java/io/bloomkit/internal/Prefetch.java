package io.bloomkit.internal;

/**
 * Keeps loads that only bring memory into the cache. They need few instructions and do not wait for
 * each other, so more of them are under way at once than in a loop of whole operations.
 */
public final class Prefetch {

  /** A value that the words of a batch never have in common, but the compiler cannot know. */
  private static final long NEVER = 0x9d3ec61f27a84b05L;

  private Prefetch() {}

  /**
   * Uses a value that depends on all that was loaded; without a use the loads would be left out.
   *
   * @param loaded any mix of the loaded words
   */
  public static void keep(long loaded) {
    if (loaded == NEVER) {
      Thread.onSpinWait(); // does nothing
    }
  }
}
