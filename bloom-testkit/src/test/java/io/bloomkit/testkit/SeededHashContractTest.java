package io.bloomkit.testkit;

import io.bloomkit.HashStrategies;
import io.bloomkit.HashStrategy;

/** A seeded strategy, by the contract that is for everybody. */
class SeededHashContractTest implements HashStrategyContract<Long> {

  @Override
  public HashStrategy<Long> strategy() {
    return HashStrategies.seeded(HashStrategies.longs(), 42);
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
