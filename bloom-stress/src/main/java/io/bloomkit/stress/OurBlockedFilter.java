package io.bloomkit.stress;

import io.bloomkit.BlockedShape;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.BitSet;
import java.util.List;

/** Two lines of bits, of which an element sets two in each of two words. */
final class OurBlockedFilter extends OurFilter<BlockedBloomFilter<Long>> {

  private static final BlockedShape SHAPE = new BlockedShape(2, 512, 4);

  OurBlockedFilter() {
    super(BlockedBloomFilter.builder(HashStrategies.longs()).shape(SHAPE).concurrent().build());
  }

  @Override
  public long positions() {
    return SHAPE.positions();
  }

  @Override
  public int hashes() {
    return SHAPE.hashes();
  }

  @Override
  public BitSet taken() {
    return BitSet.valueOf(filter.toLongArray());
  }

  @Override
  List<Object> figures() {
    return List.of(filter.elementCount(), filter.setPositions());
  }
}
