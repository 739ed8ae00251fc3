package io.bloomkit.classic;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.InsertableFilterContract;

class BlockedBloomFilterContractTest
    implements AllocationContract<Long>, InsertableFilterContract<Long> {

  @Override
  public BlockedBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return BlockedBloomFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
