package io.bloomkit.classic.guava;

/**
 * How Guava turns the 128 bits of an element into positions.
 *
 * <p>Both are double hashing (A. Kirsch, M. Mitzenmacher, <i>Less hashing, same performance:
 * building a better Bloom filter</i>, 2006): a state to which a step is added for every further
 * position. Here the 32-bit states of the older one stand in the upper half of a long, where they
 * wrap as an int does.
 */
enum GuavaStrategy {
  /** The only one before Guava 17: 32 bits a state, no position from 2<sup>31</sup> on. */
  MURMUR128_MITZ_32(0),
  /** The strategy of Guava since 17, with 63 bits per state. */
  MURMUR128_MITZ_64(1);

  private final int code;

  GuavaStrategy(int code) {
    this.code = code;
  }

  /** The byte that stands for this strategy in Guava's format. */
  int code() {
    return code;
  }

  /** The state of the first position. */
  long start(Murmur3 hash) {
    // The 32-bit strategy takes its first step before the first position.
    return this == MURMUR128_MITZ_32 ? (hash.low() << 32) + step(hash) : hash.low();
  }

  /** Returns the difference between the states of consecutive positions. */
  long step(Murmur3 hash) {
    return this == MURMUR128_MITZ_32 ? hash.low() >>> 32 << 32 : hash.high();
  }

  /** The position of a state, from 0 to {@code positions} − 1. */
  long position(long state, long positions) {
    long number =
        this == MURMUR128_MITZ_32
            ? (state ^ state >> 63) >>> 32 // if negative, all bits are flipped
            : state & Long.MAX_VALUE;
    return number % positions; // a division each: no other reduction gives Guava's positions
  }
}
