package io.bloomkit.classic;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.InsertableFilterContract;

class ClassicBloomFilterContractTest
    implements AllocationContract<Long>, InsertableFilterContract<Long> {

  @Override
  public ClassicBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return ClassicBloomFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
