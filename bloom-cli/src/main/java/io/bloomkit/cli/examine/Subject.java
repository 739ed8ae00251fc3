package io.bloomkit.cli.examine;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;

/**
 * A strategy to examine, and the keys that it takes.
 *
 * @param <T> the type of the keys
 */
record Subject<T>(HashStrategy<? super T> strategy, KeyForm<T> form) {

  /** Returns the same with {@linkplain HashStrategies#seeded seeded} hashes. */
  Subject<T> seeded(long seed) {
    return new Subject<>(HashStrategies.seeded(strategy, seed), form);
  }
}
