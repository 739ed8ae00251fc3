package io.bloomkit.interop.parquet;

import io.bloomkit.InsertableFilter;
import io.bloomkit.testkit.FalsePositiveRateContract;

class ParquetBloomFilterRateTest
    implements FalsePositiveRateContract<Long, InsertableFilter<Long>> {

  @Override
  public InsertableFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return ParquetBloomFilter.create(ParquetStrategies.int64(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
