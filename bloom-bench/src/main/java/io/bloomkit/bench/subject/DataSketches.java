package io.bloomkit.bench.subject;

import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;

/** Creates filters of DataSketches. */
final class DataSketches implements Maker {

  private static final long SEED = 1;

  @Override
  public LongFilter longs(int elements, double fpp) {
    BloomFilter filter = BloomFilterBuilder.createByAccuracy(elements, fpp, SEED);
    return new LongFilter() {
      @Override
      public boolean add(long key) {
        filter.update(key);
        return true;
      }

      @Override
      public boolean mightContain(long key) {
        return filter.query(key);
      }

      @Override
      public long bits() {
        return filter.getCapacity();
      }
    };
  }

  @Override
  public TextFilter texts(int elements, double fpp) {
    BloomFilter filter = BloomFilterBuilder.createByAccuracy(elements, fpp, SEED);
    return new TextFilter() {
      @Override
      public boolean add(String key) {
        filter.update(key);
        return true;
      }

      @Override
      public boolean mightContain(String key) {
        return filter.query(key);
      }

      @Override
      public long bits() {
        return filter.getCapacity();
      }
    };
  }
}
