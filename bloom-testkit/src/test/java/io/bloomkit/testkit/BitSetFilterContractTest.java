package io.bloomkit.testkit;

import io.bloomkit.Shape;
import java.util.Optional;

class BitSetFilterContractTest
    implements InsertableFilterContract<Long>, FalsePositiveRateContract<Long, BitSetFilter> {

  @Override
  public BitSetFilter newFilter(long expectedInsertions, double fpp) {
    return new BitSetFilter(expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }

  @Override
  public Optional<Shape> shape(BitSetFilter filter) {
    return Optional.of(filter.shape);
  }

  @Override
  public long setPositions(BitSetFilter filter) {
    return filter.setPositions();
  }
}
