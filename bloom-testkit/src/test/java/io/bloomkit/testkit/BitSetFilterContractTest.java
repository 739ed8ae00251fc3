package io.bloomkit.testkit;

import io.bloomkit.FlatShape;

class BitSetFilterContractTest
    implements InsertableFilterContract<Long>, FlatFalsePositiveRateContract<Long, BitSetFilter> {

  @Override
  public BitSetFilter newFilter(long expectedInsertions, double fpp) {
    return new BitSetFilter(expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }

  @Override
  public FlatShape shape(BitSetFilter filter) {
    return filter.shape;
  }

  @Override
  public long setPositions(BitSetFilter filter) {
    return filter.setPositions();
  }
}
