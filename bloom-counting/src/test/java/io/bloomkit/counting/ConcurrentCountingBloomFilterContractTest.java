package io.bloomkit.counting;

import io.bloomkit.hash.HashStrategies;

/** All that holds for the single-writer form holds for the concurrent one. */
class ConcurrentCountingBloomFilterContractTest extends CountingBloomFilterContractTest {

  @Override
  public CountingBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return CountingBloomFilter.builder(HashStrategies.longs())
        .expecting(expectedInsertions, fpp)
        .concurrent()
        .build();
  }
}
