package io.bloomkit.counting;

import io.bloomkit.Shape;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterReader;

/** The shapes of {@link CountingBloomFilter}. */
record FlatShapes() implements CounterShapes<Shape> {

  @Override
  public Shape of(long expectedInsertions, double fpp) {
    return Shape.of(expectedInsertions, fpp);
  }

  @Override
  public void check(Shape shape) {
    if (shape.positions() > CounterArray.MAX_COUNTERS) {
      throw new IllegalArgumentException(
          "shape must have at most "
              + CounterArray.MAX_COUNTERS
              + " positions, the counters that an array holds, but is "
              + shape);
    }
  }

  @Override
  public Shape read(FilterReader reader) throws FilterFormatException {
    return new Shape(
        reader.field(0, "positions", 1, CounterArray.MAX_COUNTERS),
        (int) reader.field(1, "hashes", 1, Shape.MAX_HASHES));
  }

  @Override
  public long positions(Shape shape) {
    return shape.positions();
  }

  @Override
  public int padding() {
    return 0;
  }
}
