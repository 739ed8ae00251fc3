package io.bloomkit.counting;

import io.bloomkit.BlockedShape;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterReader;
import io.bloomkit.internal.WordArrays;

/** The shapes of {@link BlockedCountingBloomFilter}. */
record BlockedShapes() implements CounterShapes<BlockedShape> {

  /** The counters of all blocks that an array holds. */
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
              + " counters in a block, as BlockedShape.ofCounters gives, but is "
              + shape);
    }
    if (shape.positions() > MOST_COUNTERS) {
      throw new IllegalArgumentException(
          "shape must have at most "
              + MOST_COUNTERS
              + " positions, the counters that an array holds, but is "
              + shape);
    }
  }

  @Override
  public BlockedShape read(FilterReader reader) throws FilterFormatException {
    long hashes = reader.field(1, "hashes", 2, BlockedShape.MAX_HASHES);
    if (hashes % 2 != 0) {
      throw reader.wrongField(1, "hashes must be even but is " + hashes);
    }
    long blocks = reader.field(0, "blocks", 2, MOST_COUNTERS / BlockedShape.COUNTERS_PER_BLOCK);
    if (blocks % 2 != 0) {
      throw reader.wrongField(0, "blocks must be even but is " + blocks);
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
