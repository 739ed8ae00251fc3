package io.bloomkit.bench.run;

/**
 * The conditions of a run.
 *
 * @param threads the number of threads that share the keys of an operation
 * @param strategies the number of hash functions that the filter's code has seen
 * @param kinds the number of kinds of filter that the call sites have seen
 * @param usualFlags whether the virtual machine compiles without {@code -XX:Tier3DelayOn}
 */
public record Conditions(int threads, int strategies, int kinds, boolean usualFlags) {

  /**
   * The plain conditions: one thread, one hash function, one kind of filter, and {@code
   * -XX:Tier3DelayOn}.
   */
  public static final Conditions PLAIN = new Conditions(1, 1, 1, false);
}
