package io.bloomkit.hash;

import java.util.Objects;
import java.util.function.LongUnaryOperator;

/**
 * A strategy over long numbers that also hashes them unboxed, for {@code mightContainLong}, {@code
 * addLong} and similar methods.
 */
public interface LongHashStrategy extends HashStrategy<Long> {

  /** Returns what {@link #hash} returns for the boxed number. */
  long hashLong(long element);

  @Override
  default long hash(Long element) {
    return hashLong(Objects.requireNonNull(element, "element"));
  }

  /**
   * Returns the hash of an unboxed long, for authors of filters.
   *
   * @throws IllegalStateException if the strategy is not a LongHashStrategy
   */
  static long hashLong(HashStrategy<?> strategy, long element) {
    if (strategy instanceof LongHashStrategy longs) {
      return longs.hashLong(element);
    }
    throw new IllegalStateException(
        "the strategy must be a LongHashStrategy to take an unboxed long, got "
            + Objects.requireNonNull(strategy, "strategy").id());
  }

  /**
   * Returns a strategy from a function; see {@link HashStrategy#of}.
   *
   * @param id see {@link #id()}
   * @param function see {@link #hashLong}
   * @param probes elements whose hashes, computed now, become part of the {@link #fingerprint()}
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if the id is not as {@link #id()} describes
   */
  static LongHashStrategy of(String id, LongUnaryOperator function, long... probes) {
    StrategyIdentity.checkId(id);
    Objects.requireNonNull(function, "function");
    Objects.requireNonNull(probes, "probes");
    long[] hashes = new long[probes.length];
    for (int i = 0; i < probes.length; i++) {
      hashes[i] = function.applyAsLong(probes[i]);
    }
    return new FunctionLongHashStrategy(id, function, Hashes.fingerprint(id, hashes));
  }
}
