package io.bloomkit.bench.subject;

import orestes.bloomfilter.BloomFilter;
import orestes.bloomfilter.CountingBloomFilter;
import orestes.bloomfilter.FilterBuilder;

/**
 * Creates filters of Orestes. They receive bytes, because they hash the string representation of
 * other objects.
 */
final class Orestes extends BytesMaker {

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
  BytesFilter bytes(int elements, double fpp) {
    BloomFilter<Object> filter = filter(elements, fpp);
    return new BytesFilter() {
      @Override
      public boolean add(byte[] key) {
        return filter.addRaw(key);
      }

      @Override
      public boolean mightContain(byte[] key) {
        return filter.contains(key);
      }

      @Override
      public boolean remove(byte[] key) {
        return ((CountingBloomFilter<Object>) filter).removeRaw(key);
      }

      @Override
      public long bits() {
        return (long) filter.getSize() * counterBits;
      }
    };
  }
}
