package io.bloomkit.classic;

import io.bloomkit.hash.HashStrategies;
import org.junit.jupiter.api.Tag;

/** The rates of the single-writer form hold for the concurrent one. */
@Tag("deep")
class ConcurrentBlockedBloomFilterRateTest extends BlockedBloomFilterRateTest {

  @Override
  public BlockedBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return BlockedBloomFilter.builder(HashStrategies.longs())
        .expecting(expectedInsertions, fpp)
        .concurrent()
        .build();
  }
}
