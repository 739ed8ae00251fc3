package io.bloomkit.interop.spark;

/**
 * The versions of Spark's Bloom filter. The versions set different bits for the same element, and
 * have different file formats.
 */
public enum SparkVersion {

  /**
   * {@code BloomFilterImpl}, the only version before Spark 4.1. The index of a bit has 31 binary
   * digits, so a filter uses only its first 2<sup>31</sup> bits. Further bits do not lower the
   * false-positive rate.
   */
  V1(1),

  /**
   * {@code BloomFilterImplV2}, since Spark 4.1. The index of a bit is computed in 64-bit
   * arithmetic, so a filter uses all of its bits. The hash has a seed.
   */
  V2(2);

  private final int number;

  SparkVersion(int number) {
    this.number = number;
  }

  /** Returns the version number at the beginning of a written filter, 1 or 2. */
  public int number() {
    return number;
  }

  /** Returns the initial state of the sequence that yields the positions of a hash. */
  long start(long hash) {
    return this == V1 ? hash : (hash >> Integer.SIZE) * Integer.MAX_VALUE;
  }

  /**
   * Returns the difference between consecutive states. The difference is also added before the
   * first position.
   */
  long step(long hash) {
    return this == V1 ? hash << Integer.SIZE : (int) hash;
  }

  /** Returns the position of a state, from 0 to {@code positions} − 1. */
  long position(long state, long positions) {
    long number = state ^ (state >> (Long.SIZE - 1)); // if negative, all bits are flipped
    return (this == V1 ? number >>> Integer.SIZE : number) % positions;
  }

  /** Returns the number of usable positions of a filter. */
  long usedPositions(long positions) {
    return this == V1 ? Math.min(positions, 1L << (Integer.SIZE - 1)) : positions;
  }
}
