package io.bloomkit.cuckoo;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.ConcurrentDeletableFilterContract;
import io.bloomkit.testkit.DeletableFilterContract;

/** The contracts of a filter whose tables are allocated when it is built. */
class AllocatedDynamicCuckooFilterContractTest
    implements DeletableFilterContract<Long>, ConcurrentDeletableFilterContract<Long> {

  @Override
  public DynamicCuckooFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return DynamicCuckooFilter.builder(HashStrategies.longs())
        .expecting(expectedInsertions, fpp)
        .allocated()
        .build();
  }

  @Override
  public boolean removesEveryPositive() {
    return true;
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
