package io.bloomkit.counting;

import io.bloomkit.hash.HashStrategies;
import org.junit.jupiter.api.Tag;

/** The rates of the single-writer form hold for the concurrent one. */
@Tag("deep")
class ConcurrentBlockedCountingBloomFilterRateTest extends BlockedCountingBloomFilterRateTest {

  @Override
  public BlockedCountingBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return BlockedCountingBloomFilter.builder(HashStrategies.longs())
        .expecting(expectedInsertions, fpp)
        .concurrent()
        .build();
  }
}
