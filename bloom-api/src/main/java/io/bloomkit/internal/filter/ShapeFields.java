package io.bloomkit.internal.filter;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.internal.format.FilterReader;

/** Reads a shape from the fields in the header of a file, and checks it. */
public final class ShapeFields {

  private ShapeFields() {}

  /** Reads the fields 0, positions, and 1, hashes. */
  public static FlatShape readFlat(FilterReader reader, long maxPositions)
      throws FilterFormatException {
    return new FlatShape(
        reader.field(0, "positions", 1, maxPositions),
        (int) reader.field(1, "hashes", 1, FlatShape.MAX_HASHES));
  }

  /** Reads the field 0, blocks, and the field of an index, hashes. */
  public static BlockedShape readBlocked(
      FilterReader reader, int positionsPerBlock, int indexOfHashes, long maxPositions)
      throws FilterFormatException {
    long hashes = reader.field(indexOfHashes, "hashes", 2, BlockedShape.MAX_HASHES);
    if (hashes % 2 != 0) {
      throw reader.wrongField(indexOfHashes, "hashes must be even, got " + hashes);
    }
    long max = Math.min(maxPositions / positionsPerBlock, BlockedShape.MAX_BLOCKS);
    long blocks = reader.field(0, "blocks", 2, max);
    if (blocks % 2 != 0) {
      throw reader.wrongField(0, "blocks must be even, got " + blocks);
    }
    return new BlockedShape(blocks, positionsPerBlock, (int) hashes);
  }
}
