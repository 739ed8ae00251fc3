package io.bloomkit.bench;

import com.clearspring.analytics.stream.membership.BloomFilter;
import com.google.common.primitives.Longs;

/** The filter of stream-lib. */
final class StreamLib implements Maker {

  @Override
  public LongFilter longs(int elements, double fpp, int strategy) {
    BloomFilter filter = new BloomFilter(elements, fpp);
    return new LongFilter() {
      @Override
      boolean add(long key) {
        filter.add(Longs.toByteArray(key));
        return true;
      }

      @Override
      boolean mightContain(long key) {
        return filter.isPresent(Longs.toByteArray(key));
      }

      @Override
      long bits() {
        return filter.buckets();
      }
    };
  }

  @Override
  public TextFilter texts(int elements, double fpp, int strategy) {
    BloomFilter filter = new BloomFilter(elements, fpp);
    return new TextFilter() {
      @Override
      boolean add(String key) {
        filter.add(key);
        return true;
      }

      @Override
      boolean mightContain(String key) {
        return filter.isPresent(key);
      }

      @Override
      long bits() {
        return filter.buckets();
      }
    };
  }
}
