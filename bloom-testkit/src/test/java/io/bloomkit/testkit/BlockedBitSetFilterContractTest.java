package io.bloomkit.testkit;

import io.bloomkit.Shape;
import java.util.Optional;

@Deep
class BlockedBitSetFilterContractTest
    implements InsertableFilterContract<Long>,
        FalsePositiveRateContract<Long, BlockedBitSetFilter> {

  @Override
  public BlockedBitSetFilter newFilter(long expectedInsertions, double fpp) {
    return new BlockedBitSetFilter(expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }

  @Override
  public Optional<Shape> shape(BlockedBitSetFilter filter) {
    return Optional.of(filter.shape);
  }

  @Override
  public long setPositions(BlockedBitSetFilter filter) {
    return filter.setPositions();
  }
}
