package io.bloomkit.testkit.hash;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.Deep;

/** A seeded strategy, by the contract that is for everybody. */
@Deep
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
