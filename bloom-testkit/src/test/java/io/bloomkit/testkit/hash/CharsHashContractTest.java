package io.bloomkit.testkit.hash;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.Deep;
import io.bloomkit.testkit.keys.KeySource;

/** The strategy over UTF-16, by the contract that is for everybody. */
@Deep
class CharsHashContractTest implements HashStrategyContract<String> {

  @Override
  public HashStrategy<CharSequence> strategy() {
    return HashStrategies.chars();
  }

  @Override
  public String element(long index) {
    return KeySource.IDS.texts(1).apply(index);
  }
}
