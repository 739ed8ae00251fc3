package io.bloomkit.testkit.hash;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;

/** The ready-made strategy over numbers, by the contract that is for everybody. */
class LongsHashContractTest implements HashStrategyContract<Long> {

  @Override
  public HashStrategy<Long> strategy() {
    return HashStrategies.longs();
  }

  @Override
  public Long element(long index) {
    return index;
  }
}
