package io.bloomkit.bench.subject;

import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.time.Duration;

/** Creates Bloomkit's expiring cuckoo filters, whose elements live for longer than a run. */
final class BloomkitExpiring implements Maker {

  @Override
  public LongFilter longs(int elements, double fpp) {
    LongHashStrategy longs = HashStrategies.longs();
    ExpiringCuckooFilter<Long> filter =
        ExpiringCuckooFilter.create(longs, Math.max(1, elements), fpp, Duration.ofDays(1));
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
      public boolean remove(long key) {
        return filter.removeHash(longs.hashLong(key));
      }

      @Override
      public long bits() {
        return Byte.SIZE * filter.memoryBytes();
      }
    };
  }
}
