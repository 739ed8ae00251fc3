package io.bloomkit.bench.subject;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.scalable.aging.AgingBloomFilter;

/** Creates Bloomkit's aging filters with a window of all elements. */
final class OurAging implements Maker {

  private final boolean concurrent;

  OurAging(boolean concurrent) {
    this.concurrent = concurrent;
  }

  @Override
  public String longKeys() {
    return "primitive, hashed by the caller";
  }

  @Override
  public LongFilter longs(int elements, double fpp, int strategy) {
    LongHashStrategy longs = HashStrategies.longs();
    AgingBloomFilter.Builder<Long> builder =
        AgingBloomFilter.builder(longs).expecting(elements, fpp);
    AgingBloomFilter<Long> filter = (concurrent ? builder.concurrent() : builder).build();
    return new LongFilter() {
      @Override
      public boolean add(long key) {
        return filter.addHash(longs.hashLong(key));
      }

      @Override
      public boolean mightContain(long key) {
        return filter.mightContainHash(longs.hashLong(key));
      }

      @Override
      public long bits() {
        return Byte.SIZE * filter.memoryBytes();
      }
    };
  }
}
