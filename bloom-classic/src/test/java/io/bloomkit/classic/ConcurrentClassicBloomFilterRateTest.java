package io.bloomkit.classic;

import io.bloomkit.hash.HashStrategies;
import org.junit.jupiter.api.Tag;

/** The rates of the single-writer form hold for the concurrent one. */
@Tag("deep")
class ConcurrentClassicBloomFilterRateTest extends ClassicBloomFilterRateTest {

  @Override
  public ClassicBloomFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return ClassicBloomFilter.builder(HashStrategies.longs())
        .expecting(expectedInsertions, fpp)
        .concurrent()
        .build();
  }
}
