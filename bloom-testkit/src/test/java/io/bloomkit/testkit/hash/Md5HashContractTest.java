package io.bloomkit.testkit.hash;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.Deep;
import io.bloomkit.testkit.keys.KeySource;

/** MD5, by the contract that is for everybody. */
@Deep
class Md5HashContractTest implements HashStrategyContract<byte[]> {

  @Override
  public HashStrategy<byte[]> strategy() {
    return HashStrategies.md5();
  }

  @Override
  public byte[] element(long index) {
    return KeySource.SPARSE.bytes(1).apply(index);
  }
}
