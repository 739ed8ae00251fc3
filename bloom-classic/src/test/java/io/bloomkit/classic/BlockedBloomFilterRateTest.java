package io.bloomkit.classic;

import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.FalsePositiveRateContract;
import java.util.Optional;

class BlockedBloomFilterRateTest
    implements FalsePositiveRateContract<Long, BlockedBloomFilter<Long>> {

  @Override
  public BlockedBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return BlockedBloomFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }

  @Override
  public Optional<Shape> shape(BlockedBloomFilter<Long> filter) {
    return Optional.of(filter.shape());
  }

  @Override
  public long setPositions(BlockedBloomFilter<Long> filter) {
    return filter.setPositions();
  }
}
