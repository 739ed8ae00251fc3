package io.bloomkit.classic;

import io.bloomkit.BlockedShape;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterReader;
import io.bloomkit.internal.WordArrays;

/** The array and the file format of a {@link BlockedBloomFilter}. */
final class BlockedFormat extends BitFormat<BlockedShape> {

  static final BlockedFormat INSTANCE = new BlockedFormat();

  private BlockedFormat() {
    super(BlockedKind.VARIANT, 3, WordArrays.BLOCK_PADDING);
  }

  @Override
  BlockedShape sizeFor(long expectedInsertions, double fpp) {
    return BlockedShape.ofBits(expectedInsertions, fpp);
  }

  @Override
  long positions(BlockedShape shape) {
    return shape.positions();
  }

  @Override
  int hashes(BlockedShape shape) {
    return shape.hashes();
  }

  @Override
  long[] fields(BlockedShape shape) {
    return new long[] {shape.blocks(), shape.positionsPerBlock(), shape.hashes()};
  }

  @Override
  BlockedShape readFields(FilterReader reader, long mostPositions) throws FilterFormatException {
    long positionsPerBlock =
        reader.field(
            1, "positionsPerBlock", BlockedShape.COUNTERS_PER_BLOCK, BlockedShape.BITS_PER_BLOCK);
    if (positionsPerBlock != BlockedShape.COUNTERS_PER_BLOCK
        && positionsPerBlock != BlockedShape.BITS_PER_BLOCK) {
      throw reader.wrongField(1, "there are no blocks of " + positionsPerBlock + " positions");
    }
    long hashes = reader.field(2, "hashes", 2, BlockedShape.MAX_HASHES);
    if (hashes % 2 != 0) {
      throw reader.wrongField(2, "hashes must be even, got " + hashes);
    }
    long most = Math.min(mostPositions / positionsPerBlock, BlockedShape.MAX_BLOCKS);
    long blocks = reader.field(0, "blocks", 2, most);
    if (blocks % 2 != 0) {
      throw reader.wrongField(0, "blocks must be even, got " + blocks);
    }
    return new BlockedShape(blocks, (int) positionsPerBlock, (int) hashes);
  }
}
