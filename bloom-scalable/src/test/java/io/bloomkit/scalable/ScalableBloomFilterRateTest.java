package io.bloomkit.scalable;

import io.bloomkit.testkit.FalsePositiveRateContract;

/** The rate of filters that have about five layers when they are filled as planned. */
class ScalableBloomFilterRateTest
    implements FalsePositiveRateContract<String, ScalableBloomFilter<String>> {

  private final ScalableBloomFilterContractTest filters = new ScalableBloomFilterContractTest();

  @Override
  public ScalableBloomFilter<String> newFilter(long expectedInsertions, double fpp) {
    return filters.newFilter(expectedInsertions, fpp);
  }

  @Override
  public String element(long index) {
    return filters.element(index);
  }
}
