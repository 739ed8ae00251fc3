package io.bloomkit.stress;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.scalable.aging.AgingBloomFilter;
import io.bloomkit.scalable.aging.AgingShape;
import java.util.BitSet;

/** An aging filter with slices of one word. An element sets a bit in each of two slices. */
final class OurAgingFilter implements RacedFilter {

  private static final AgingShape SHAPE =
      new AgingShape(2, 2, Long.SIZE, Generations.ADDITIONS_OF_EACH);

  private final AgingBloomFilter<Long> filter =
      AgingBloomFilter.builder(HashStrategies.longs()).shape(SHAPE).concurrent().build();

  @Override
  public boolean add(long hash) {
    return filter.addHash(hash);
  }

  @Override
  public boolean mightContain(long hash) {
    return filter.mightContainHash(hash);
  }

  @Override
  public boolean holdsTheSameAs(RacedFilter other) {
    return other instanceof OurAgingFilter that && filter.equals(that.filter);
  }

  @Override
  public long positions() {
    return SoundAgingFilter.POSITIONS;
  }

  @Override
  public int hashes() {
    return SHAPE.hashes();
  }

  @Override
  public BitSet taken() {
    long[] slices = filter.toLongArray();
    return SoundAgingFilter.taken(slices[0], slices[1]);
  }
}
