package io.bloomkit.bench.subject;

import com.google.common.primitives.Longs;
import java.nio.charset.StandardCharsets;
import orestes.bloomfilter.BloomFilter;
import orestes.bloomfilter.CountingBloomFilter;
import orestes.bloomfilter.FilterBuilder;

/**
 * Creates filters of Orestes. They receive bytes, because they hash the string representation of
 * other objects.
 */
final class Orestes implements Maker {

  /** The number of bits per counter; 1 for a filter without counters. */
  private final int counterBits;

  private Orestes(int counterBits) {
    this.counterBits = counterBits;
  }

  static Orestes bloom() {
    return new Orestes(1);
  }

  static Orestes counting(int counterBits) {
    return new Orestes(counterBits);
  }

  private BloomFilter<Object> filter(int elements, double fpp) {
    FilterBuilder builder = new FilterBuilder(elements, fpp);
    return counterBits == 1
        ? builder.buildBloomFilter()
        : builder.countingBits(counterBits).buildCountingBloomFilter();
  }

  @Override
  public String longKeys() {
    return "a new array at each call";
  }

  @Override
  public LongFilter longs(int elements, double fpp, int strategy) {
    BloomFilter<Object> filter = filter(elements, fpp);
    return new LongFilter() {
      @Override
      public boolean add(long key) {
        return filter.addRaw(Longs.toByteArray(key));
      }

      @Override
      public boolean mightContain(long key) {
        return filter.contains(Longs.toByteArray(key));
      }

      @Override
      public boolean remove(long key) {
        return ((CountingBloomFilter<Object>) filter).removeRaw(Longs.toByteArray(key));
      }

      @Override
      public long bits() {
        return (long) filter.getSize() * counterBits;
      }
    };
  }

  @Override
  public TextFilter texts(int elements, double fpp, int strategy) {
    BloomFilter<Object> filter = filter(elements, fpp);
    return new TextFilter() {
      @Override
      public boolean add(String key) {
        return filter.addRaw(key.getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public boolean mightContain(String key) {
        return filter.contains(key.getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public boolean remove(String key) {
        return ((CountingBloomFilter<Object>) filter)
            .removeRaw(key.getBytes(StandardCharsets.UTF_8));
      }

      @Override
      public long bits() {
        return (long) filter.getSize() * counterBits;
      }
    };
  }
}
