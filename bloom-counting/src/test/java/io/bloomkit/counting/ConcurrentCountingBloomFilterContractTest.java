package io.bloomkit.counting;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.DeepRate;

/** All that holds for the single-writer form holds for the concurrent one. */
@DeepRate
class ConcurrentCountingBloomFilterContractTest extends CountingBloomFilterContractTest {

  @Override
  public CountingBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return CountingBloomFilter.builder(HashStrategies.longs())
        .expecting(expectedInsertions, fpp)
        .concurrent()
        .build();
  }
}
