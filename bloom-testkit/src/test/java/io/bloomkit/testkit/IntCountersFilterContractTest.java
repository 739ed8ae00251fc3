package io.bloomkit.testkit;

@Deep
class IntCountersFilterContractTest implements FlatCountingFilterContract<Long> {

  @Override
  public IntCountersFilter newFilter(long expectedInsertions, double fpp) {
    return new IntCountersFilter(expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
