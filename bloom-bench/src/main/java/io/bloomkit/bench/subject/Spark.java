package io.bloomkit.bench.subject;

import org.apache.spark.util.sketch.BloomFilter;

/** Creates Spark's filters. */
final class Spark implements Maker {

  @Override
  public LongFilter longs(int elements, double fpp) {
    BloomFilter filter = BloomFilter.create(elements, fpp);
    return new LongFilter() {
      @Override
      public boolean add(long key) {
        return filter.putLong(key);
      }

      @Override
      public boolean mightContain(long key) {
        return filter.mightContainLong(key);
      }

      @Override
      public long bits() {
        return filter.bitSize();
      }
    };
  }

  @Override
  public TextFilter texts(int elements, double fpp) {
    BloomFilter filter = BloomFilter.create(elements, fpp);
    return new TextFilter() {
      @Override
      public boolean add(String key) {
        return filter.putString(key);
      }

      @Override
      public boolean mightContain(String key) {
        return filter.mightContainString(key);
      }

      @Override
      public long bits() {
        return filter.bitSize();
      }
    };
  }
}
