package io.bloomkit.interop.guava;

/**
 * Guava's strategies, which derive the positions of an element from a 128-bit hash.
 *
 * <p>Both strategies use double hashing (A. Kirsch, M. Mitzenmacher, <i>Less hashing, same
 * performance: building a better Bloom filter</i>, 2006): each position comes from a state, and a
 * constant step leads from one state to the next. The 32-bit states of the older strategy are in
 * the upper half of a long here, so they overflow like an int.
 */
enum GuavaStrategy {
  /**
   * The only strategy before Guava 17. States have 32 bits, so positions are below 2<sup>31</sup>.
   */
  MURMUR128_MITZ_32(0),
  /** The default strategy since Guava 17. Positions are derived from 63 bits of a state. */
  MURMUR128_MITZ_64(1);

  private final int code;

  GuavaStrategy(int code) {
    this.code = code;
  }

  /** Returns the byte of this strategy in Guava's format. */
  int code() {
    return code;
  }

  /** Returns the state of the first position. */
  long start(Murmur3 hash) {
    // The 32-bit strategy adds the step before the first position, too.
    return this == MURMUR128_MITZ_32 ? (hash.low() << 32) + step(hash) : hash.low();
  }

  /** Returns the difference between the states of consecutive positions. */
  long step(Murmur3 hash) {
    return this == MURMUR128_MITZ_32 ? hash.low() >>> 32 << 32 : hash.high();
  }

  /** Returns the position of a state, from 0 to {@code positions} − 1. */
  long position(long state, long positions) {
    long number =
        this == MURMUR128_MITZ_32
            ? (state ^ state >> 63) >>> 32 // if negative, all bits are flipped
            : state & Long.MAX_VALUE;
    return number % positions; // only a division yields Guava's positions
  }
}
