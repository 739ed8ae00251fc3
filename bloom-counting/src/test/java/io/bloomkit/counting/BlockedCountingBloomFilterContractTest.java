package io.bloomkit.counting;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.FlatCountingFilterContract;

class BlockedCountingBloomFilterContractTest
    implements AllocationContract<Long>, FlatCountingFilterContract<Long> {

  @Override
  public BlockedCountingBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return BlockedCountingBloomFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
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
