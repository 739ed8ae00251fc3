package io.bloomkit.durable;

import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.InsertableFilterContract;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A durable filter keeps the contract of the filter in memory. */
class DurableFilterContractTest implements InsertableFilterContract<Long> {

  FilterBuilder<Long> builder(long expectedInsertions, double fpp) {
    return ClassicBloomFilter.builder(HashStrategies.longs()).expecting(expectedInsertions, fpp);
  }

  @Override
  public InsertableFilter<Long> newFilter(long expectedInsertions, double fpp) {
    try {
      return Workload.open(
          new JournalStorage(),
          builder(expectedInsertions, fpp),
          SyncPolicy.ON_SYNC,
          Long.MAX_VALUE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
