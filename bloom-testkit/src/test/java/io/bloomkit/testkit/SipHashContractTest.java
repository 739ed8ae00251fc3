package io.bloomkit.testkit;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;

/** Keyed SipHash, by the contract that is for everybody. */
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
