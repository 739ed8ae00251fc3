package io.bloomkit.cuckoo;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.ConcurrentDeletableFilterContract;

/** The promise of a concurrent filter, with real threads: tables grow, divide, shrink and join. */
class ConcurrentDynamicCuckooFilterTest implements ConcurrentDeletableFilterContract<Long> {

  @Override
  public DynamicCuckooFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return DynamicCuckooFilter.builder(HashStrategies.longs())
        .expecting(expectedInsertions, fpp)
        .build();
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
