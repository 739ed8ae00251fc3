package io.bloomkit.counting;

import io.bloomkit.HashStrategies;
import io.bloomkit.testkit.FalsePositiveRateContract;
import io.bloomkit.testkit.FlatCountingFilterContract;

class ConcurrentBlockedCountingBloomFilterContractTest
    implements FlatCountingFilterContract<Long>, FalsePositiveRateContract<Long> {

  @Override
  public BlockedCountingBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return BlockedCountingBloomFilter.builder(HashStrategies.longs())
        .expecting(expectedInsertions, fpp)
        .concurrent()
        .build();
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
