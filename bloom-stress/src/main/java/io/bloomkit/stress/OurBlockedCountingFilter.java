package io.bloomkit.stress;

import io.bloomkit.BlockedShape;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.BitSet;
import java.util.List;

/** Two lines of counters, of which an element takes two in each of two words. */
final class OurBlockedCountingFilter extends OurDeletableFilter<BlockedCountingBloomFilter<Long>> {

  private static final BlockedShape SHAPE = new BlockedShape(2, 128, 4);

  OurBlockedCountingFilter() {
    this(
        BlockedCountingBloomFilter.builder(HashStrategies.longs())
            .shape(SHAPE)
            .concurrent()
            .build());
  }

  private OurBlockedCountingFilter(BlockedCountingBloomFilter<Long> filter) {
    super(filter);
  }

  @Override
  public OurBlockedCountingFilter copy() {
    return new OurBlockedCountingFilter(filter.copy());
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
    return BitSet.valueOf(filter.toBlocked().toLongArray());
  }

  @Override
  List<Object> figures() {
    return List.of(filter.elementCount(), filter.nonZeroCounters());
  }
}
