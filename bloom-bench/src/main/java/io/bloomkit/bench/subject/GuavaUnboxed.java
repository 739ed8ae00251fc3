package io.bloomkit.bench.subject;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;

/**
 * Creates Guava's filters without boxing: each key is written into a reused holder, which the
 * funnel reads. Reading keys that were boxed in advance would cost a memory access each; the holder
 * stays in the cache. Not thread-safe.
 */
final class GuavaUnboxed implements Maker {

  private static final Funnel<Holder> FUNNEL = (holder, into) -> into.putLong(holder.key);

  @Override
  public LongFilter longs(int elements, double fpp) {
    BloomFilter<Holder> filter = BloomFilter.create(FUNNEL, elements, fpp);
    Holder holder = new Holder();
    return new LongFilter() {
      @Override
      public boolean add(long key) {
        holder.key = key;
        return filter.put(holder);
      }

      @Override
      public boolean mightContain(long key) {
        holder.key = key;
        return filter.mightContain(holder);
      }

      @Override
      public long bits() {
        return Guava.writtenBits(filter);
      }
    };
  }

  private static final class Holder {
    private long key;
  }
}
