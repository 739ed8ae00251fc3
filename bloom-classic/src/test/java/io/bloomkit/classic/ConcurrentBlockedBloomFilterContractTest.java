package io.bloomkit.classic;

import io.bloomkit.hash.HashStrategies;

/** All that holds for the single-writer form holds for the concurrent one. */
class ConcurrentBlockedBloomFilterContractTest extends BlockedBloomFilterContractTest {

  @Override
  public BlockedBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return BlockedBloomFilter.builder(HashStrategies.longs())
        .expecting(expectedInsertions, fpp)
        .concurrent()
        .build();
  }
}
