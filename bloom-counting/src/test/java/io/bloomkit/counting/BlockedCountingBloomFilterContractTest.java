package io.bloomkit.counting;

import io.bloomkit.HashStrategies;
import io.bloomkit.testkit.FalsePositiveRateContract;
import io.bloomkit.testkit.FlatCountingFilterContract;

class BlockedCountingBloomFilterContractTest
    implements FlatCountingFilterContract<Long>, FalsePositiveRateContract<Long> {

  @Override
  public BlockedCountingBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return BlockedCountingBloomFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
