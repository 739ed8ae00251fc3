package io.bloomkit.classic;

import io.bloomkit.FlatShape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.FlatFalsePositiveRateContract;
import io.bloomkit.testkit.InsertableFilterContract;

class ClassicBloomFilterContractTest
    implements AllocationContract<Long>,
        InsertableFilterContract<Long>,
        FlatFalsePositiveRateContract<Long, ClassicBloomFilter<Long>> {

  @Override
  public ClassicBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return ClassicBloomFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }

  @Override
  public FlatShape shape(ClassicBloomFilter<Long> filter) {
    return filter.shape();
  }

  @Override
  public long setPositions(ClassicBloomFilter<Long> filter) {
    return filter.setPositions();
  }
}
