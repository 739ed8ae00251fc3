package io.bloomkit.testkit.hash;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.Deep;

/** The ready-made strategy over int numbers, by the contract that is for everybody. */
@Deep
class IntsHashContractTest implements HashStrategyContract<Integer> {

  @Override
  public HashStrategy<Integer> strategy() {
    return HashStrategies.ints();
  }

  @Override
  public Integer element(long index) {
    return (int) index;
  }
}
