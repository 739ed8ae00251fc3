package io.bloomkit.bench.subject;

import bloomfilter.CanGenerateHashFrom;
import bloomfilter.mutable.BloomFilter;
import java.lang.ref.Cleaner;

/** Creates filters of bloom-filter-scala, which are off-heap and box numbers. */
final class BloomFilterScala implements Maker {

  /** Frees the memory of unreachable filters. */
  private static final Cleaner CLEANER = Cleaner.create();

  @Override
  public LongFilter longs(int elements, double fpp) {
    BloomFilter<Object> filter =
        BloomFilter.apply(elements, fpp, CanGenerateHashFrom.CanGenerateHashFromLong$.MODULE$);
    LongFilter adapter =
        new LongFilter() {
          @Override
          public boolean add(long key) {
            filter.add(key);
            return true;
          }

          @Override
          public boolean mightContain(long key) {
            return filter.mightContain(key);
          }

          @Override
          public long bits() {
            return filter.numberOfBits();
          }
        };
    CLEANER.register(adapter, filter::dispose);
    return adapter;
  }

  @Override
  public TextFilter texts(int elements, double fpp) {
    BloomFilter<String> filter =
        BloomFilter.apply(elements, fpp, CanGenerateHashFrom.canGenerateHashFromString());
    TextFilter adapter =
        new TextFilter() {
          @Override
          public boolean add(String key) {
            filter.add(key);
            return true;
          }

          @Override
          public boolean mightContain(String key) {
            return filter.mightContain(key);
          }

          @Override
          public long bits() {
            return filter.numberOfBits();
          }
        };
    CLEANER.register(adapter, filter::dispose);
    return adapter;
  }
}
