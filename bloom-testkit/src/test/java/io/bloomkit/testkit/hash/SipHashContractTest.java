package io.bloomkit.testkit.hash;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.Deep;
import io.bloomkit.testkit.keys.KeySource;

/** Keyed SipHash, by the contract that is for everybody. */
@Deep
class SipHashContractTest implements HashStrategyContract<byte[]> {

  @Override
  public HashStrategy<byte[]> strategy() {
    return HashStrategies.sipHash24(new byte[16]);
  }

  @Override
  public byte[] element(long index) {
    return KeySource.TIMESTAMPS.bytes(1).apply(index);
  }
}
