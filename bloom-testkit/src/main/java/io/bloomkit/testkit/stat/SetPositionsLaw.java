package io.bloomkit.testkit.stat;

import io.bloomkit.BlockedShape;
import io.bloomkit.Shape;

/**
 * The distribution of X, the number of set positions of a filter of one size with an ideal hash.
 */
public interface SetPositionsLaw {

  /** Returns the distribution for a flat filter: that of kn independent throws into m positions. */
  static SetPositionsLaw of(Shape shape) {
    return new FlatSetPositions(shape);
  }

  /**
   * Returns the distribution for a blocked filter, where each element chooses a block, two
   * different words of it and k/2 different positions in each. Mean and variance are exact. {@link
   * #distribution} treats all choices of words and positions as equally likely, which they nearly
   * are in a {@link BlockedShape}: for up to ten elements a test cannot detect the difference.
   */
  static SetPositionsLaw of(BlockedShape shape) {
    return new BlockedSetPositions(shape);
  }

  /** Returns k, the number of positions per element. */
  int hashes();

  /** Returns the false-positive rate at a number of distinct elements. */
  double fpp(long elements);

  /** Returns the mean number of set positions after a number of distinct elements. */
  double mean(long elements);

  /** Returns the variance of the number of set positions after a number of distinct elements. */
  double variance(long elements);

  /**
   * Returns P(X = x) at index x, for every x from 0 to the largest possible one. Of a flat filter,
   * costs about k·n·min(m, k·n) steps. Of a blocked filter, time and memory grow fast with the
   * number of elements: use it for up to about ten elements.
   *
   * @throws ArithmeticException if a flat filter has 2<sup>31</sup> positions or more
   */
  double[] distribution(long elements);

  /** Returns the size, for messages. */
  Record shape();
}
