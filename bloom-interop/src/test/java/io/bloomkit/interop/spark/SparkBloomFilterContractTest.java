package io.bloomkit.interop.spark;

import io.bloomkit.InsertableFilter;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.InsertableFilterContract;

/** Not the contract of rates: what double hashing gives is Spark's. */
class SparkBloomFilterContractTest
    implements AllocationContract<Long>, InsertableFilterContract<Long> {

  @Override
  public InsertableFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return SparkBloomFilter.create(SparkVersion.V2, SparkType.longs(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
