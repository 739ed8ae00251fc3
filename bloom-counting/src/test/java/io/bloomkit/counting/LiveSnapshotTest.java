package io.bloomkit.counting;

import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.LiveSnapshotContract;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/** Concurrent filters of this module are saved while other threads change them. */
class LiveSnapshotTest {

  @Nested
  class Counting implements LiveSnapshotContract {

    @Override
    public StorableFilter<Long> newFilter(long expectedInsertions, double fpp) {
      return CountingBloomFilter.builder(HashStrategies.longs())
          .expecting(expectedInsertions, fpp)
          .concurrent()
          .build();
    }
  }

  @Nested
  class BlockedCounting implements LiveSnapshotContract {

    @Override
    public StorableFilter<Long> newFilter(long expectedInsertions, double fpp) {
      return BlockedCountingBloomFilter.builder(HashStrategies.longs())
          .expecting(expectedInsertions, fpp)
          .concurrent()
          .build();
    }
  }

  @Nested
  class DynamicCuckoo implements LiveSnapshotContract {

    @Override
    public StorableFilter<Long> newFilter(long expectedInsertions, double fpp) {
      return DynamicCuckooFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
    }
  }

  @Nested
  class ExpiringCuckoo implements LiveSnapshotContract {

    @Override
    public StorableFilter<Long> newFilter(long expectedInsertions, double fpp) {
      return ExpiringCuckooFilter.create(
          HashStrategies.longs(), expectedInsertions, fpp, Duration.ofHours(1));
    }
  }
}
