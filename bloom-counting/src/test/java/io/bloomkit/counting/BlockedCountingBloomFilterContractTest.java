package io.bloomkit.counting;

import io.bloomkit.BlockedShape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.BlockedFalsePositiveRateContract;
import io.bloomkit.testkit.FlatCountingFilterContract;

class BlockedCountingBloomFilterContractTest
    implements AllocationContract<Long>,
        FlatCountingFilterContract<Long>,
        BlockedFalsePositiveRateContract<Long, BlockedCountingBloomFilter<Long>> {

  @Override
  public BlockedCountingBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return BlockedCountingBloomFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }

  @Override
  public BlockedShape shape(BlockedCountingBloomFilter<Long> filter) {
    return filter.shape();
  }

  @Override
  public long setPositions(BlockedCountingBloomFilter<Long> filter) {
    return filter.nonZeroCounters();
  }
}
