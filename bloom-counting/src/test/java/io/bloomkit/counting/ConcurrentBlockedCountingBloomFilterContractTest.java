package io.bloomkit.counting;

import io.bloomkit.hash.HashStrategies;

/** All that holds for the single-writer form holds for the concurrent one. */
class ConcurrentBlockedCountingBloomFilterContractTest
    extends BlockedCountingBloomFilterContractTest {

  @Override
  public BlockedCountingBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return BlockedCountingBloomFilter.builder(HashStrategies.longs())
        .expecting(expectedInsertions, fpp)
        .concurrent()
        .build();
  }
}
