package io.bloomkit.classic;

import io.bloomkit.Shape;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterReader;

/** The array and the file format of a {@link ClassicBloomFilter}. */
final class ClassicFormat extends BitFormat<Shape> {

  static final ClassicFormat INSTANCE = new ClassicFormat();

  private ClassicFormat() {
    super(ClassicKind.VARIANT, 2, 0);
  }

  @Override
  Shape sizeFor(long expectedInsertions, double fpp) {
    return Shape.of(expectedInsertions, fpp);
  }

  @Override
  long positions(Shape shape) {
    return shape.positions();
  }

  @Override
  int hashes(Shape shape) {
    return shape.hashes();
  }

  @Override
  long[] fields(Shape shape) {
    return new long[] {shape.positions(), shape.hashes()};
  }

  @Override
  Shape readFields(FilterReader reader, long mostPositions) throws FilterFormatException {
    return new Shape(
        reader.field(0, "positions", 1, mostPositions),
        (int) reader.field(1, "hashes", 1, Shape.MAX_HASHES));
  }
}
