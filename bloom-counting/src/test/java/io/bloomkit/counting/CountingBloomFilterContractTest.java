package io.bloomkit.counting;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.FlatCountingFilterContract;

class CountingBloomFilterContractTest
    implements AllocationContract<Long>, FlatCountingFilterContract<Long> {

  @Override
  public CountingBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return CountingBloomFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
