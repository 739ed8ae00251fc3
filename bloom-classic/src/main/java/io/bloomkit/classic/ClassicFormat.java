package io.bloomkit.classic;

import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterReader;

/** The array and the file format of a {@link ClassicBloomFilter}. */
final class ClassicFormat extends BitFormat<FlatShape> {

  static final ClassicFormat INSTANCE = new ClassicFormat();

  private ClassicFormat() {
    super(ClassicKind.VARIANT, 2, 0);
  }

  @Override
  FlatShape sizeFor(long expectedInsertions, double fpp) {
    return Shape.of(expectedInsertions, fpp);
  }

  @Override
  long positions(FlatShape shape) {
    return shape.positions();
  }

  @Override
  int hashes(FlatShape shape) {
    return shape.hashes();
  }

  @Override
  long[] fields(FlatShape shape) {
    return new long[] {shape.positions(), shape.hashes()};
  }

  @Override
  FlatShape readFields(FilterReader reader, long mostPositions) throws FilterFormatException {
    return new FlatShape(
        reader.field(0, "positions", 1, mostPositions),
        (int) reader.field(1, "hashes", 1, FlatShape.MAX_HASHES));
  }
}
