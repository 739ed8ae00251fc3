package io.bloomkit.cli.examine;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;

/**
 * A strategy to examine, with the form of its keys.
 *
 * @param <T> the type of the keys
 */
record Subject<T>(HashStrategy<? super T> strategy, KeyForm<T> form) {

  /** Returns a subject with the {@linkplain HashStrategies#seeded seeded} strategy. */
  Subject<T> seeded(long seed) {
    return new Subject<>(HashStrategies.seeded(strategy, seed), form);
  }
}
