package io.bloomkit.scalable;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.LiveSnapshotContract;

/** Concurrent filters are saved while other threads change them. */
class LiveSnapshotTest implements LiveSnapshotContract {

  @Override
  public ScalableBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return ScalableBloomFilter.builder(HashStrategies.longs())
        .expecting(expectedInsertions / 20, fpp)
        .concurrent()
        .build();
  }
}
