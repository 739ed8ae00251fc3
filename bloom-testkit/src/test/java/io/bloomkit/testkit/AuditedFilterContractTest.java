package io.bloomkit.testkit;

/** The contracts hold for an audited filter as for the filter itself. */
@Deep
class AuditedFilterContractTest implements DeletableFilterContract<Long> {

  @Override
  public AuditedFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return new AuditedFilter<>(new IntCountersFilter(expectedInsertions, fpp));
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
