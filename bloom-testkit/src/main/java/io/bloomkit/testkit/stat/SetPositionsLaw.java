package io.bloomkit.testkit.stat;

import io.bloomkit.BlockedShape;
import io.bloomkit.Shape;

/**
 * The distribution of X, the number of set (non-zero) positions of a filter of one size with an
 * ideal hash.
 */
public interface SetPositionsLaw {

  /**
   * Returns the distribution for a flat filter. Each element chooses k of m positions
   * independently, and may choose a position more than once.
   */
  static SetPositionsLaw of(Shape shape) {
    return new FlatSetPositions(shape);
  }

  /**
   * Returns the distribution for a blocked filter. Each element chooses a block, two different
   * words of it and k/2 different positions in each. Mean and variance are exact. {@link
   * #distribution} is approximate: it treats all choices of words and positions as equally likely,
   * which they nearly are in a {@link BlockedShape}. For up to ten elements, {@link
   * SetPositionsCheck#ofLaw} does not detect the difference.
   */
  static SetPositionsLaw of(BlockedShape shape) {
    return new BlockedSetPositions(shape);
  }

  /** Returns k, the number of positions per element. */
  int hashes();

  /** Returns the false-positive rate after a number of distinct elements. */
  double fpp(long elements);

  /** Returns the mean number of set positions after a number of distinct elements. */
  double mean(long elements);

  /** Returns the variance of the number of set positions after a number of distinct elements. */
  double variance(long elements);

  /**
   * Returns P(X = x) at index x after a number n of distinct elements, for every x from 0 to the
   * largest possible one. For a flat filter this takes time proportional to k·n·min(m, k·n). For a
   * blocked filter, time and memory grow fast with n: use it for up to ten elements.
   *
   * @throws ArithmeticException if a flat filter has 2<sup>31</sup> positions or more
   */
  double[] distribution(long elements);

  /** Returns the {@link Shape} or {@link BlockedShape}, for messages. */
  Record shape();
}
