package io.bloomkit.scalable.aging;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.DeepRate;

/** A concurrent filter keeps the contract of all filters that remember a window of additions. */
@DeepRate
class ConcurrentAgingBloomFilterContractTest extends AgingBloomFilterContractTest {

  @Override
  public AgingBloomFilter<String> newFilter(long lastAdditions, double fpp) {
    return AgingBloomFilter.builder(HashStrategies.utf8())
        .expecting(lastAdditions, fpp)
        .concurrent()
        .build();
  }
}
