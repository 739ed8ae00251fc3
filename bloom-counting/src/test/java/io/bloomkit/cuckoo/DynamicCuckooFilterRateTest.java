package io.bloomkit.cuckoo;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.FalsePositiveRateContract;

class DynamicCuckooFilterRateTest
    implements FalsePositiveRateContract<Long, DynamicCuckooFilter<Long>> {

  @Override
  public DynamicCuckooFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return DynamicCuckooFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
