package io.bloomkit.testkit.hash;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.Deep;
import io.bloomkit.testkit.keys.KeySource;

/** Salted Murmur3, by the contract that is for everybody. */
@Deep
class Murmur3HashContractTest implements HashStrategyContract<byte[]> {

  @Override
  public HashStrategy<byte[]> strategy() {
    return HashStrategies.murmur3(1);
  }

  @Override
  public byte[] element(long index) {
    return KeySource.LOW_ENTROPY.bytes(1).apply(index);
  }
}
