package io.bloomkit.testkit.stat;

import io.bloomkit.BlockedShape;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;

/**
 * The distribution of X, the number of set positions (set bits or non-zero counters) of a filter
 * with an ideal hash. An instance is for filters of one size.
 */
public interface FillDistribution {

  /**
   * Returns the distribution for filters of a shape.
   *
   * <p>In a flat filter, each element makes k independent choices out of m positions, and may
   * choose a position more than once.
   *
   * <p>In a blocked filter, each element chooses a block, two different words of this block, and
   * k/2 different positions in each of the two words. Mean and variance are exact. {@link
   * #distribution} is approximate: it treats all pairs of words, and all sets of k/2 positions in a
   * word, as equally likely. In a {@link BlockedShape}, they are not (see {@link
   * io.bloomkit.BlockedFormulas}). For up to ten elements, {@link FillTest#ofLaw} does not detect
   * the difference.
   */
  static FillDistribution of(Shape shape) {
    return shape instanceof BlockedShape blocked
        ? new BlockedFillDistribution(blocked)
        : new FlatFillDistribution((FlatShape) shape);
  }

  /** Returns k, the number of positions per element. */
  int hashes();

  /** Returns the mean of X for a filter with a given number of distinct elements. */
  double mean(long elements);

  /** Returns the variance of X for a filter with a given number of distinct elements. */
  double variance(long elements);

  /**
   * Returns the distribution of X for a filter with n distinct elements. Index x of the array has
   * P(X = x), for every x from 0 to the largest possible one. For a flat filter of m positions, the
   * method takes time proportional to k·n·min(m, k·n). For a blocked filter, time and memory grow
   * fast with n: use the method for up to ten elements.
   *
   * @throws ArithmeticException if a flat filter has 2<sup>31</sup> positions or more
   */
  double[] distribution(long elements);

  /** Returns the shape of the filters as text, for messages. */
  @Override
  String toString();
}
