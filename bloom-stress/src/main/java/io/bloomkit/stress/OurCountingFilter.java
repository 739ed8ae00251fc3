package io.bloomkit.stress;

import io.bloomkit.Shape;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.BitSet;
import java.util.List;

/** Four counters of one word. */
final class OurCountingFilter extends OurDeletableFilter<CountingBloomFilter<Long>> {

  private static final Shape SHAPE = new Shape(4, 2);

  OurCountingFilter() {
    this(CountingBloomFilter.builder(HashStrategies.longs()).shape(SHAPE).concurrent().build());
  }

  private OurCountingFilter(CountingBloomFilter<Long> filter) {
    super(filter);
  }

  @Override
  public OurCountingFilter copy() {
    return new OurCountingFilter(filter.copy());
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
    return BitSet.valueOf(filter.toClassic().toLongArray());
  }

  @Override
  List<Object> figures() {
    return List.of(filter.elementCount(), filter.nonZeroCounters());
  }
}
