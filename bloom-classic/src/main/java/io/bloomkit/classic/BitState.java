package io.bloomkit.classic;

import io.bloomkit.FilterPlan;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.util.Optional;
import java.util.OptionalLong;

/** What a filter of bits is made of; the filter keeps the array. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record BitState<T, Z extends Record>(
    HashStrategy<? super T> strategy,
    StrategyIdentity identity,
    Z size,
    Optional<FilterPlan> plan,
    boolean concurrent,
    long[] words,
    OptionalLong elementCount) {}
