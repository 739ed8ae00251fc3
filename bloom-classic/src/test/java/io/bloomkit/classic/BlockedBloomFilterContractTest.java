package io.bloomkit.classic;

import io.bloomkit.BlockedShape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.BlockedFalsePositiveRateContract;
import io.bloomkit.testkit.InsertableFilterContract;

class BlockedBloomFilterContractTest
    implements AllocationContract<Long>,
        InsertableFilterContract<Long>,
        BlockedFalsePositiveRateContract<Long, BlockedBloomFilter<Long>> {

  @Override
  public BlockedBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return BlockedBloomFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }

  @Override
  public BlockedShape shape(BlockedBloomFilter<Long> filter) {
    return filter.shape();
  }

  @Override
  public long setPositions(BlockedBloomFilter<Long> filter) {
    return filter.setPositions();
  }
}
