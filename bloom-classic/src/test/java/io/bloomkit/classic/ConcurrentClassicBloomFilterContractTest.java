package io.bloomkit.classic;

import io.bloomkit.hash.HashStrategies;

/** All that holds for the single-writer form holds for the concurrent one. */
class ConcurrentClassicBloomFilterContractTest extends ClassicBloomFilterContractTest {

  @Override
  public ClassicBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return ClassicBloomFilter.builder(HashStrategies.longs())
        .expecting(expectedInsertions, fpp)
        .concurrent()
        .build();
  }
}
