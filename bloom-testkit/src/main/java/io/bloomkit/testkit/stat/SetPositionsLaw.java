package io.bloomkit.testkit.stat;

import io.bloomkit.BlockedShape;
import io.bloomkit.Shape;

/** How the number of set positions of a filter of one size is distributed if its hash is ideal. */
public interface SetPositionsLaw {

  /**
   * Returns the law of a flat filter: as many set positions as kn independent throws into m
   * positions give.
   */
  static SetPositionsLaw of(Shape shape) {
    return new FlatSetPositions(shape);
  }

  /**
   * Returns the law of a blocked filter: as many set positions as elements give that each choose a
   * block, two different words of it and k/2 different positions in either. Mean and variance are
   * exact; the distribution takes each choice of words and positions as equally likely, which
   * {@link BlockedShape} does nearly: for up to ten elements a test cannot tell.
   */
  static SetPositionsLaw of(BlockedShape shape) {
    return new BlockedSetPositions(shape);
  }

  /** Returns k, how many positions an element takes. */
  int hashes();

  /** Returns the rate at a number of distinct elements. */
  double fpp(long elements);

  /** Returns the mean number of set positions after a number of distinct elements. */
  double mean(long elements);

  /** Returns the variance of the number of set positions. */
  double variance(long elements);

  /**
   * Returns P(X = x) at index x. Takes time and memory that grow fast with the elements of a
   * blocked filter: for some ten of them.
   */
  double[] distribution(long elements);

  /** Returns the size as a message shows it. */
  Record shape();
}
