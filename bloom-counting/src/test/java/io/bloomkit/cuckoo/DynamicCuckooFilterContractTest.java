package io.bloomkit.cuckoo;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.DeletableFilterContract;

class DynamicCuckooFilterContractTest implements DeletableFilterContract<Long> {

  @Override
  public DynamicCuckooFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return DynamicCuckooFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
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
