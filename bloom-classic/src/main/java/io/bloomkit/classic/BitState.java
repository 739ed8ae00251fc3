package io.bloomkit.classic;

import io.bloomkit.FilterPlan;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.builder.BuilderOptions;
import java.util.Optional;
import java.util.OptionalLong;

/** The state from which a filter of bits is created. The filter keeps the array. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record BitState<T, Z extends Record>(
    HashStrategy<? super T> strategy,
    StrategyIdentity identity,
    Z size,
    Optional<FilterPlan> plan,
    boolean concurrent,
    long[] words,
    OptionalLong elementCount) {

  /** Returns the state of a filter with the options of a builder. */
  static <S, Z extends Record> BitState<S, Z> of(
      BuilderOptions<S, Z, ?> options,
      Z size,
      Optional<FilterPlan> plan,
      long[] words,
      OptionalLong elementCount) {
    return new BitState<>(
        options.strategy(),
        options.strategyIdentity(),
        size,
        plan,
        options.isConcurrent(),
        words,
        elementCount);
  }
}
