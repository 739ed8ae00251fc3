package io.bloomkit.testkit.hash;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.Deep;
import io.bloomkit.testkit.keys.KeySource;

/** SHA-384, by the contract that is for everybody. */
@Deep
class Sha384HashContractTest implements HashStrategyContract<byte[]> {

  @Override
  public HashStrategy<byte[]> strategy() {
    return HashStrategies.sha384();
  }

  @Override
  public byte[] element(long index) {
    return KeySource.RANDOM.bytes(1).apply(index);
  }
}
