package io.bloomkit.interop.parquet;

import io.bloomkit.InsertableFilter;
import io.bloomkit.testkit.AllocationContract;
import io.bloomkit.testkit.InsertableFilterContract;

class ParquetBloomFilterContractTest
    implements AllocationContract<Long>, InsertableFilterContract<Long> {

  @Override
  public InsertableFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return ParquetBloomFilter.create(ParquetStrategies.int64(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
