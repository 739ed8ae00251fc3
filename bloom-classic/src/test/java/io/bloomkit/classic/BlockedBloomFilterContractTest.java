package io.bloomkit.classic;

import io.bloomkit.HashStrategies;
import io.bloomkit.testkit.FalsePositiveRateContract;
import io.bloomkit.testkit.InsertableFilterContract;

class BlockedBloomFilterContractTest
    implements InsertableFilterContract<Long>, FalsePositiveRateContract<Long> {

  @Override
  public BlockedBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return BlockedBloomFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
