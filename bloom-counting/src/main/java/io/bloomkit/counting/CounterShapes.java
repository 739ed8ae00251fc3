package io.bloomkit.counting;

import io.bloomkit.BlockedShape;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterReader;
import io.bloomkit.internal.WordArrays;

/**
 * What a class of filters does with its shapes: computes the shape for a number of elements, checks
 * that it fits into an array, reads it from a file, and knows the offset of its counters.
 *
 * @param <Z> the class of the shapes
 */
sealed interface CounterShapes<Z extends Record> permits CounterShapes.Flat, CounterShapes.Blocked {

  /** Returns the shape for a number of elements and a false-positive probability. */
  Z of(long expectedInsertions, double fpp);

  /** Throws an {@code IllegalArgumentException} if no filter can have this shape. */
  void check(Z shape);

  /** Reads a shape from the two fields of a file. */
  Z read(FilterReader reader) throws FilterFormatException;

  /** Returns the number of counters of a filter. */
  long positions(Z shape);

  /** Returns the number of counters in the array of a filter, padding included. */
  default long counters(Z shape) {
    return CounterWord.firstOf(padding()) + positions(shape);
  }

  /** Returns the number of words of zeros before the first counter. */
  int padding();

  /** The shapes of {@link CountingBloomFilter}. */
  record Flat() implements CounterShapes<FlatShape> {

    @Override
    public FlatShape of(long expectedInsertions, double fpp) {
      return Shape.of(expectedInsertions, fpp);
    }

    @Override
    public void check(FlatShape shape) {
      if (shape.positions() > CounterArray.MAX_COUNTERS) {
        throw new IllegalArgumentException(
            "shape must have at most "
                + CounterArray.MAX_COUNTERS
                + " positions, the counters that an array holds, got "
                + shape);
      }
    }

    @Override
    public FlatShape read(FilterReader reader) throws FilterFormatException {
      return new FlatShape(
          reader.field(0, "positions", 1, CounterArray.MAX_COUNTERS),
          (int) reader.field(1, "hashes", 1, FlatShape.MAX_HASHES));
    }

    @Override
    public long positions(FlatShape shape) {
      return shape.positions();
    }

    @Override
    public int padding() {
      return 0;
    }
  }

  /** The shapes of {@link BlockedCountingBloomFilter}. */
  record Blocked() implements CounterShapes<BlockedShape> {

    /** The largest number of counters of all blocks, without the padding. */
    private static final long MOST_COUNTERS =
        CounterArray.MAX_COUNTERS - (long) WordArrays.BLOCK_PADDING * CounterWord.COUNTERS;

    @Override
    public BlockedShape of(long expectedInsertions, double fpp) {
      return BlockedShape.ofCounters(expectedInsertions, fpp);
    }

    @Override
    public void check(BlockedShape shape) {
      if (shape.positionsPerBlock() != BlockedShape.COUNTERS_PER_BLOCK) {
        throw new IllegalArgumentException(
            "shape must have "
                + BlockedShape.COUNTERS_PER_BLOCK
                + " counters in a block, as BlockedShape.ofCounters gives, got "
                + shape);
      }
      if (shape.positions() > MOST_COUNTERS) {
        throw new IllegalArgumentException(
            "shape must have at most "
                + MOST_COUNTERS
                + " positions, the counters that an array holds, got "
                + shape);
      }
    }

    @Override
    public BlockedShape read(FilterReader reader) throws FilterFormatException {
      long hashes = reader.field(1, "hashes", 2, BlockedShape.MAX_HASHES);
      if (hashes % 2 != 0) {
        throw reader.wrongField(1, "hashes must be even, got " + hashes);
      }
      long blocks = reader.field(0, "blocks", 2, MOST_COUNTERS / BlockedShape.COUNTERS_PER_BLOCK);
      if (blocks % 2 != 0) {
        throw reader.wrongField(0, "blocks must be even, got " + blocks);
      }
      return new BlockedShape(blocks, BlockedShape.COUNTERS_PER_BLOCK, (int) hashes);
    }

    @Override
    public long positions(BlockedShape shape) {
      return shape.positions();
    }

    @Override
    public int padding() {
      return WordArrays.BLOCK_PADDING;
    }
  }
}
