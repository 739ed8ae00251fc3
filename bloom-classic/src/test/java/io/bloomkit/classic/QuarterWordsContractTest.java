package io.bloomkit.classic;

import io.bloomkit.BlockedShape;
import io.bloomkit.hash.HashStrategies;

/** All that holds for words of 64 bits holds for the quarters that filters of counters become. */
class QuarterWordsContractTest extends BlockedBloomFilterContractTest {

  @Override
  public BlockedBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return BlockedBloomFilter.builder(HashStrategies.longs())
        .shape(BlockedShape.ofCounters(expectedInsertions, fpp))
        .build();
  }
}
