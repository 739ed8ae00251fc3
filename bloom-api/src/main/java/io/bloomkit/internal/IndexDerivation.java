package io.bloomkit.internal;

/**
 * Derives the positions of an element from the 64 bits of its hash: the one place that does.
 *
 * <p>The hash becomes the odd state of a multiplicative congruential generator modulo
 * 2<sup>64</sup> and the top of each state, reduced by a multiplication, is a position:
 *
 * <pre>{@code
 * long state = IndexDerivation.start(hash);
 * for (int i = 0; i < k; i++) {
 *   long position = IndexDerivation.position(state, m);
 *   ...
 *   state = IndexDerivation.next(state);
 * }
 * }</pre>
 *
 * <p>The multiplier has a good spectrum in every dimension that a filter probes (G. Steele, S.
 * Vigna, <i>Computationally easy, spectrally good multipliers for congruential pseudorandom number
 * generators</i>, 2021), so the positions behave like independent ones; double hashing ({@code h1 +
 * i * h2}) does not in small filters. The reduction is that of D. Lemire, <i>Fast random integer
 * generation in an interval</i>, 2019, section 3: no division and no bias that could be measured,
 * for up to 2<sup>37</sup> positions.
 *
 * <p>The lowest bit of a hash is not used: an even state would lose its bits to the right one by
 * one and the state 0 would never move. Filter files depend on this class: it is never changed, a
 * new derivation would be a new class.
 */
public final class IndexDerivation {

  /** Congruent to 5 modulo 8, hence of the full period 2^62 over the odd states. */
  private static final long MULTIPLIER = 0xf1357aea2e62a9c5L;

  /** The first powers of the multiplier: a step for each hash that a filter may have. */
  private static final long[] LEAPS = new long[64];

  static {
    LEAPS[0] = 1;
    for (int i = 1; i < LEAPS.length; i++) {
      LEAPS[i] = LEAPS[i - 1] * MULTIPLIER;
    }
  }

  private IndexDerivation() {}

  /**
   * Returns the state that yields the first position of a hash.
   *
   * @param hash 64 well-mixed bits; the lowest is ignored
   */
  public static long start(long hash) {
    return hash | 1;
  }

  /**
   * Returns the position that a state stands for: ⌊⌊state / 2⌋ · positions / 2<sup>63</sup>⌋ with
   * the state read as an unsigned number, whose lowest bit is always set and says nothing.
   *
   * @param state a state from {@link #start} or {@link #next}
   * @param positions how many positions there are, from 1 to 2<sup>37</sup>; not checked
   * @return a number from 0 to {@code positions - 1}
   */
  public static long position(long state, long positions) {
    // Without its lowest bit the state is never negative, which spares multiplyHigh a correction.
    // It is the second factor, which x86 loses: the other one is needed again
    // (docs/lab/performance.md).
    return Math.multiplyHigh(positions << 1, state >>> 1);
  }

  /**
   * Returns the state after this one.
   *
   * @param state a state from {@link #start} or {@link #next}
   */
  public static long next(long state) {
    return state * MULTIPLIER;
  }

  /**
   * Returns the factor that takes a state several steps at once: {@code state * leap(steps)} is
   * {@link #next} as many times. For filters that want the i-th position without those before it.
   *
   * @param steps at least 0
   */
  public static long leap(int steps) {
    if (steps < 0) {
      throw new IllegalArgumentException("steps must be at least 0, got " + steps);
    }
    return steps < LEAPS.length
        ? LEAPS[steps]
        : LEAPS[LEAPS.length - 1] * leap(steps - LEAPS.length + 1);
  }

  /**
   * Returns how often a position is among the first few of a hash. For filters that count a
   * position as often as an element derives it.
   *
   * @param position the position to look for
   * @param hash the hash
   * @param count how many of its positions to look at, from the first
   * @param positions how many positions there are
   */
  public static int timesAmongFirst(long position, long hash, int count, long positions) {
    long state = start(hash);
    int times = 0;
    for (int i = 0; i < count; i++) {
      times += position(state, positions) == position ? 1 : 0;
      state = next(state);
    }
    return times;
  }
}
