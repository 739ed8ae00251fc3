package io.bloomkit.cuckoo;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.DeletableFilterContract;

/**
 * What holds for every filter that can forget, with room for what the tests add. {@link
 * CuckooFilterChurnTest} fills filters to the last element.
 */
class CuckooFilterContractTest implements AllocationContract<Long>, DeletableFilterContract<Long> {

  @Override
  public CuckooFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return CuckooFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
  }

  @Override
  public boolean isBounded() {
    return true;
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
