package io.bloomkit.scalable;

import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.LiveSnapshotContract;
import org.junit.jupiter.api.Nested;

/** Concurrent filters of this module are saved while other threads change them. */
class LiveSnapshotTest {

  @Nested
  class Scalable implements LiveSnapshotContract {

    @Override
    public StorableFilter<Long> newFilter(long expectedInsertions, double fpp) {
      return ScalableBloomFilter.builder(HashStrategies.longs())
          .expecting(expectedInsertions / 20, fpp)
          .concurrent()
          .build();
    }
  }
}
