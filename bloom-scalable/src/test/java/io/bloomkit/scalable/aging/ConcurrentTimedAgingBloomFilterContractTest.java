package io.bloomkit.scalable.aging;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.DeepRate;
import java.time.Duration;
import java.time.InstantSource;

/** A concurrent filter keeps the contract of all filters that remember a stretch of time. */
@DeepRate
class ConcurrentTimedAgingBloomFilterContractTest extends TimedAgingBloomFilterContractTest {

  @Override
  public AgingBloomFilter<String> newFilter(
      Duration window, long expectedAdditions, double fpp, InstantSource clock) {
    return AgingBloomFilter.builder(HashStrategies.utf8())
        .expecting(expectedAdditions, fpp)
        .window(window)
        .clock(clock)
        .concurrent()
        .build();
  }
}
