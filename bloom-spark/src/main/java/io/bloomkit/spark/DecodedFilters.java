package io.bloomkit.spark;

import io.bloomkit.HashStrategy;
import io.bloomkit.InsertableFilter;
import io.bloomkit.StrategyIdentity;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Filters that were read from broadcast bytes, so that the tasks of one machine share one. Arrays
 * are told apart by identity, and a filter is forgotten with its bytes.
 */
final class DecodedFilters {

  private static final Map<byte[], Known> KNOWN = Collections.synchronizedMap(new WeakHashMap<>());

  private record Known(StrategyIdentity strategy, InsertableFilter<Object> filter) {}

  private DecodedFilters() {}

  /**
   * Returns the filter of some bytes, to be asked only.
   *
   * @throws IllegalArgumentException if it cannot be read by this strategy
   */
  static InsertableFilter<Object> get(byte[] bytes, HashStrategy<Object> strategy) {
    StrategyIdentity identity = StrategyIdentity.of(strategy);
    return KNOWN.compute(
            bytes,
            (key, known) ->
                known != null && known.strategy.equals(identity)
                    ? known
                    : new Known(identity, Filters.read(key, strategy)))
        .filter;
  }
}
