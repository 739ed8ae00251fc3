package io.bloomkit.classic;

import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.LiveSnapshotContract;
import org.junit.jupiter.api.Nested;

/** Concurrent filters of this module are saved while other threads change them. */
class LiveSnapshotTest {

  @Nested
  class Classic implements LiveSnapshotContract {

    @Override
    public StorableFilter<Long> newFilter(long expectedInsertions, double fpp) {
      return ClassicBloomFilter.builder(HashStrategies.longs())
          .expecting(expectedInsertions, fpp)
          .concurrent()
          .build();
    }
  }

  @Nested
  class Blocked implements LiveSnapshotContract {

    @Override
    public StorableFilter<Long> newFilter(long expectedInsertions, double fpp) {
      return BlockedBloomFilter.builder(HashStrategies.longs())
          .expecting(expectedInsertions, fpp)
          .concurrent()
          .build();
    }
  }
}
