package io.bloomkit.internal;

/**
 * Keeps the compiler from removing loads whose only purpose is to bring memory into the cache. Such
 * loads take few instructions and do not depend on each other, so more of them overlap than in a
 * loop of whole operations.
 */
public final class Prefetch {

  /** A value that a mix of loaded words practically never has, which the compiler cannot know. */
  private static final long NEVER = 0x9d3ec61f27a84b05L;

  private Prefetch() {}

  /**
   * Uses a value that depends on all loaded words. Without this use, the compiler would remove the
   * loads.
   *
   * @param loaded any combination of the loaded words
   */
  public static void keep(long loaded) {
    if (loaded == NEVER) {
      Thread.onSpinWait(); // no visible effect
    }
  }
}
