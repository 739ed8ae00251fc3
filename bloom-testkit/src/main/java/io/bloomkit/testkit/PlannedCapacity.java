package io.bloomkit.testkit;

/** Plans filters for tests that add more elements than a filter is planned for. */
final class PlannedCapacity {

  private PlannedCapacity() {}

  /**
   * Returns the number of elements to plan a filter for.
   *
   * @param expectedInsertions the number for a filter that accepts elements beyond its plan
   * @param added the largest number of distinct elements that the test adds
   */
  static long of(InsertableFilterContract<?> contract, long expectedInsertions, long added) {
    return contract.isBounded() ? Math.max(expectedInsertions, added) : expectedInsertions;
  }
}
