package io.bloomkit.testkit.hash;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.Deep;
import io.bloomkit.testkit.keys.KeySource;
import java.util.UUID;

/** The ready-made strategy over UUIDs, by the contract that is for everybody. */
@Deep
class UuidsHashContractTest implements HashStrategyContract<UUID> {

  @Override
  public HashStrategy<UUID> strategy() {
    return HashStrategies.uuids();
  }

  @Override
  public UUID element(long index) {
    return KeySource.UUIDS.uuids(1).apply(index);
  }
}
