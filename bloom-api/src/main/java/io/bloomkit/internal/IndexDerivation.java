package io.bloomkit.internal;

/**
 * Derives the positions of an element from the 64 bits of its hash. All flat filters, in which an
 * element may take any of the positions, use this class.
 *
 * <p>The hash, with its lowest bit set, is the first state of a multiplicative congruential
 * generator modulo 2<sup>64</sup>. A multiplication reduces the high bits of each state to a
 * position:
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
 * <p>The multiplier has good results in the spectral test (G. Steele, S. Vigna, <i>Computationally
 * easy, spectrally good multipliers for congruential pseudorandom number generators</i>, 2021), so
 * the positions behave as if they were independent. The positions of double hashing ({@code h1 + i
 * * h2}) do not: for 100 elements in 960 positions, seven hashes each, they make the false-positive
 * rate 1.2 times as high. The reduction is that of D. Lemire, <i>Fast random integer generation in
 * an interval</i>, 2019, section 3. It needs no division, and its bias is not measurable for up to
 * 2<sup>37</sup> positions.
 *
 * <p>The lowest bit of a hash is not used, because states must be odd: multiplications have a
 * shorter period on even states, and 0 would stay 0. Filter files depend on this class, so it never
 * changes; a new derivation would be a new class.
 */
public final class IndexDerivation {

  /** Congruent to 5 modulo 8, so odd states have the longest possible period, 2^62. */
  private static final long MULTIPLIER = 0xf1357aea2e62a9c5L;

  /** The powers of the multiplier, as many as the largest number of hashes of a filter. */
  private static final long[] JUMP_FACTORS = new long[64];

  static {
    JUMP_FACTORS[0] = 1;
    for (int i = 1; i < JUMP_FACTORS.length; i++) {
      JUMP_FACTORS[i] = JUMP_FACTORS[i - 1] * MULTIPLIER;
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
   * Returns the position of a state: ⌊⌊state / 2⌋ · positions / 2<sup>63</sup>⌋, where the state is
   * an unsigned number. The lowest bit of a state is always set, so it is left out.
   *
   * @param state a state from {@link #start} or {@link #next}
   * @param positions the number of positions, from 1 to 2<sup>37</sup>; not checked
   * @return a number from 0 to {@code positions - 1}
   */
  public static long position(long state, long positions) {
    // Without its lowest bit the state is never negative, so multiplyHigh needs no correction.
    // It is the second factor, whose register x86 overwrites; the first one is needed again.
    return Math.multiplyHigh(positions << 1, state >>> 1);
  }

  /**
   * Returns the state after a given one.
   *
   * @param state a state from {@link #start} or {@link #next}
   */
  public static long next(long state) {
    return state * MULTIPLIER;
  }

  /**
   * Returns the factor of several steps: {@code state * jumpFactor(steps)} is the result of that
   * many calls of {@link #next}. For computing the i-th position without those before it.
   *
   * @param steps from 0 to 63
   */
  public static long jumpFactor(int steps) {
    return JUMP_FACTORS[steps];
  }

  /**
   * Returns how many of the first positions of a hash equal a given position. For counting filters
   * in which an element that has a position several times increments its counter as often.
   *
   * @param position the position to look for
   * @param hash the hash
   * @param count the number of positions of the hash to compare, from the first
   * @param positions the number of positions of the filter
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
