package io.bloomkit.counting;

import io.bloomkit.hash.HashStrategies;

/** All that holds for the single-writer form holds for the concurrent one. */
class ConcurrentCuckooFilterContractTest extends CuckooFilterContractTest {

  @Override
  public CuckooFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return CuckooFilter.builder(HashStrategies.longs())
        .expecting(expectedInsertions, fpp)
        .concurrent()
        .build();
  }
}
