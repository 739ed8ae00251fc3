package io.bloomkit.classic;

import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.FalsePositiveRateContract;
import io.bloomkit.testkit.InsertableFilterContract;
import java.util.Optional;

class ClassicBloomFilterContractTest
    implements AllocationContract<Long>,
        InsertableFilterContract<Long>,
        FalsePositiveRateContract<Long, ClassicBloomFilter<Long>> {

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
