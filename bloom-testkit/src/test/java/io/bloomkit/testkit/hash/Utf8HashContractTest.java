package io.bloomkit.testkit.hash;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.keys.KeySource;

/** The ready-made strategy over texts, by the contract that is for everybody. */
class Utf8HashContractTest implements HashStrategyContract<String> {

  @Override
  public HashStrategy<CharSequence> strategy() {
    return HashStrategies.utf8();
  }

  @Override
  public String element(long index) {
    return KeySource.URLS.texts(1).apply(index);
  }
}
