package io.bloomkit.testkit.hash;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.Deep;
import io.bloomkit.testkit.keys.KeySource;

/** The ready-made strategy over bytes, by the contract that is for everybody. */
@Deep
class BytesHashContractTest implements HashStrategyContract<byte[]> {

  @Override
  public HashStrategy<byte[]> strategy() {
    return HashStrategies.bytes();
  }

  @Override
  public byte[] element(long index) {
    return KeySource.IDS.bytes(1).apply(index);
  }
}
