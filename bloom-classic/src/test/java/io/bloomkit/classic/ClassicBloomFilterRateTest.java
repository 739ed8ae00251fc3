package io.bloomkit.classic;

import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.FalsePositiveRateContract;
import java.util.Optional;

class ClassicBloomFilterRateTest
    implements FalsePositiveRateContract<Long, ClassicBloomFilter<Long>> {

  @Override
  public ClassicBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return ClassicBloomFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }

  @Override
  public Optional<Shape> shape(ClassicBloomFilter<Long> filter) {
    return Optional.of(filter.shape());
  }

  @Override
  public long setPositions(ClassicBloomFilter<Long> filter) {
    return filter.setPositions();
  }
}
