package io.bloomkit.counting;

import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterReader;

/**
 * What a shape means for the counters of one class of filters: which one a number of elements
 * needs, whether an array holds it, where its counters begin, how a file says it.
 *
 * @param <Z> the class of the shapes
 */
sealed interface CounterShapes<Z extends Record> permits FlatShapes, BlockedShapes {

  /** Returns the shape for a number of elements and a false-positive probability. */
  Z of(long expectedInsertions, double fpp);

  /** Throws an {@code IllegalArgumentException} if no filter can have this shape. */
  void check(Z shape);

  /** Reads a shape from the two fields of a file. */
  Z read(FilterReader reader) throws FilterFormatException;

  /** Returns the number of counters of a filter. */
  long positions(Z shape);

  /** Returns the number of counters of the array of a filter, padding included. */
  default long counters(Z shape) {
    return CounterWord.firstOf(padding()) + positions(shape);
  }

  /** Returns the number of words of zeros before the first counter. */
  int padding();
}
