package io.bloomkit.testkit;

@Deep
class IntCountersFilterContractTest implements FlatCountingFilterContract<Long> {

  @Override
  public IntCountersFilter newFilter(long expectedInsertions, double fpp) {
    return new IntCountersFilter(expectedInsertions, fpp);
  }

  /** It counts a position as often as an element derives it. */
  @Override
  public boolean removesEveryPositive() {
    return false;
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
