package io.bloomkit.counting;

import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.FalsePositiveRateContract;
import java.util.Optional;

class CountingBloomFilterRateTest
    implements FalsePositiveRateContract<Long, CountingBloomFilter<Long>> {

  @Override
  public CountingBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return CountingBloomFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }

  @Override
  public Optional<Shape> shape(CountingBloomFilter<Long> filter) {
    return Optional.of(filter.shape());
  }

  @Override
  public long setPositions(CountingBloomFilter<Long> filter) {
    return filter.nonZeroCounters();
  }
}
