package io.bloomkit.counting;

import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.FalsePositiveRateContract;
import java.util.Optional;

class BlockedCountingBloomFilterRateTest
    implements FalsePositiveRateContract<Long, BlockedCountingBloomFilter<Long>> {

  @Override
  public BlockedCountingBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return BlockedCountingBloomFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }

  @Override
  public Optional<Shape> shape(BlockedCountingBloomFilter<Long> filter) {
    return Optional.of(filter.shape());
  }

  @Override
  public long setPositions(BlockedCountingBloomFilter<Long> filter) {
    return filter.nonZeroCounters();
  }
}
