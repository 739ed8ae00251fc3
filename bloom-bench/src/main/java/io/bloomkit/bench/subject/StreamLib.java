package io.bloomkit.bench.subject;

import com.clearspring.analytics.stream.membership.BloomFilter;
import com.google.common.primitives.Longs;

/** Creates filters of stream-lib. */
final class StreamLib implements Maker {

  @Override
  public LongFilter longs(int elements, double fpp) {
    BloomFilter filter = new BloomFilter(elements, fpp);
    return new LongFilter() {
      @Override
      public boolean add(long key) {
        filter.add(Longs.toByteArray(key));
        return true;
      }

      @Override
      public boolean mightContain(long key) {
        return filter.isPresent(Longs.toByteArray(key));
      }

      @Override
      public long bits() {
        return filter.buckets();
      }
    };
  }

  @Override
  public TextFilter texts(int elements, double fpp) {
    BloomFilter filter = new BloomFilter(elements, fpp);
    return new TextFilter() {
      @Override
      public boolean add(String key) {
        filter.add(key);
        return true;
      }

      @Override
      public boolean mightContain(String key) {
        return filter.isPresent(key);
      }

      @Override
      public long bits() {
        return filter.buckets();
      }
    };
  }
}
