package io.bloomkit.testkit;

import io.bloomkit.BlockedShape;

@Deep
class BlockedBitSetFilterContractTest
    implements InsertableFilterContract<Long>,
        BlockedFalsePositiveRateContract<Long, BlockedBitSetFilter> {

  @Override
  public BlockedBitSetFilter newFilter(long expectedInsertions, double fpp) {
    return new BlockedBitSetFilter(expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }

  @Override
  public BlockedShape shape(BlockedBitSetFilter filter) {
    return filter.shape;
  }

  @Override
  public long setPositions(BlockedBitSetFilter filter) {
    return filter.setPositions();
  }
}
