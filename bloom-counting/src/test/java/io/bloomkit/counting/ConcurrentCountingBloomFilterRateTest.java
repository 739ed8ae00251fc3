package io.bloomkit.counting;

import io.bloomkit.hash.HashStrategies;
import org.junit.jupiter.api.Tag;

/** The rates of the single-writer form hold for the concurrent one. */
@Tag("deep")
class ConcurrentCountingBloomFilterRateTest extends CountingBloomFilterRateTest {

  @Override
  public CountingBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return CountingBloomFilter.builder(HashStrategies.longs())
        .expecting(expectedInsertions, fpp)
        .concurrent()
        .build();
  }
}
