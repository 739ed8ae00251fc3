package io.bloomkit;

import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.IndexDerivation;
import java.util.Objects;

/**
 * The size of a flat Bloom filter, in which an element may take any of the positions. {@link
 * Shape#of} computes the shape for a number of elements and a false-positive rate.
 *
 * @param positions m, the number of positions, from 1 to {@link #MAX_POSITIONS}
 * @param hashes k, the number of positions that an element takes, from 1 to {@link #MAX_HASHES}
 */
public record FlatShape(long positions, int hashes) implements Shape {

  /** The largest number of hashes, 64. */
  public static final int MAX_HASHES = 64;

  /**
   * Creates a shape.
   *
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public FlatShape {
    Arguments.checkRange(1, MAX_POSITIONS, positions, "positions");
    Arguments.checkRange(1, MAX_HASHES, hashes, "hashes");
  }

  /**
   * {@inheritDoc} The value is {@link BloomFormulas#exactFpp}.
   *
   * @throws IllegalArgumentException if n is negative, or k · n is not below 2<sup>63</sup>
   */
  @Override
  public double fpp(long elements) {
    return BloomFormulas.exactFpp(elements, positions, hashes);
  }

  /** {@inheritDoc} The value is {@link BloomFormulas#estimatedElements}. */
  @Override
  public double estimatedElements(long setPositions) {
    return BloomFormulas.estimatedElements(setPositions, positions, hashes);
  }

  /**
   * {@inheritDoc} The value is {@link BloomFormulas#expectedOverflowedCounters}.
   *
   * <p>The result divided by {@code positions} is the probability that a given counter overflows.
   * Example: take a shape that {@link Shape#of} returns for a rate of 1 %. With the planned number
   * of elements, this probability is 1.6·10<sup>-16</sup> if each element was added once,
   * 1.1·10<sup>-6</sup> if twice, 0.67 % if four times, and 17 % if eight times. If each element
   * was added sixteen times, every non-zero counter overflows. With four times the planned number
   * of elements, each added once, the probability is 8.7·10<sup>-8</sup>.
   */
  @Override
  public double expectedOverflowedCounters(long elements, long copies) {
    return BloomFormulas.expectedOverflowedCounters(elements, positions, hashes, copies);
  }

  /** {@inheritDoc} The positions are in the order of their derivation. Some may be equal. */
  @Override
  public void positionsOf(long hash, long[] into) {
    Objects.requireNonNull(into, "into");
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < hashes; i++) {
      into[i] = IndexDerivation.position(state, positions);
      state = IndexDerivation.next(state);
    }
  }

  @Override
  public long positionOf(long hash, int index) {
    Objects.checkIndex(index, hashes);
    return IndexDerivation.position(
        IndexDerivation.start(hash) * IndexDerivation.jumpFactor(index), positions);
  }
}
