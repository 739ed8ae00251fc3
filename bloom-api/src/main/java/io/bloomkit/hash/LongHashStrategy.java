package io.bloomkit.hash;

import java.util.Objects;
import java.util.function.LongUnaryOperator;

/**
 * A strategy over {@code long} numbers that also hashes them unboxed. The methods {@code
 * mightContainLong}, {@code addLong}, {@code removeLong} and {@code countLong} of a filter require
 * such a strategy.
 */
public interface LongHashStrategy extends HashStrategy<Long> {

  /** Returns the hash of an unboxed number. It equals {@link #hash} of the boxed number. */
  long hashLong(long element);

  /**
   * {@inheritDoc}
   *
   * @throws NullPointerException if the element is null
   */
  @Override
  default long hash(Long element) {
    return hashLong(Objects.requireNonNull(element, "element"));
  }

  /**
   * Returns the hash of an unboxed number by a strategy, which must be a {@code LongHashStrategy}.
   * For authors of filters.
   *
   * @throws IllegalStateException if the strategy is not a {@code LongHashStrategy}
   * @throws NullPointerException if the strategy is null
   */
  static long hashLong(HashStrategy<?> strategy, long element) {
    // A call on a known class can be inlined even if a program uses many strategies.
    if (strategy == Rrmxmx.LONGS) {
      return Rrmxmx.LONGS.hashLong(element);
    }
    if (strategy instanceof LongHashStrategy longs) {
      return longs.hashLong(element);
    }
    throw new IllegalStateException(
        "the strategy must be a LongHashStrategy to take an unboxed long, got "
            + Objects.requireNonNull(strategy, "strategy").id());
  }

  /**
   * Returns a strategy from a function on unboxed numbers. For other elements, use {@link
   * HashStrategy#of}.
   *
   * @param id see {@link #id()}
   * @param function returns the hash of a number
   * @param probes numbers to hash now, twice; the {@link #fingerprint()} includes their hashes, so
   *     a changed function has another fingerprint
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if the id is not as {@link #id()} describes, or the function
   *     returns two different hashes for a probe
   */
  static LongHashStrategy of(String id, LongUnaryOperator function, long... probes) {
    StrategyIdentity.checkId(id);
    Objects.requireNonNull(function, "function");
    Objects.requireNonNull(probes, "probes");
    long[] hashes = new long[probes.length];
    for (int i = 0; i < probes.length; i++) {
      long probe = probes[i];
      hashes[i] = Probes.hash(id, i, () -> function.applyAsLong(probe));
    }
    return new FunctionLongHashStrategy(id, function, Hashes.fingerprint(id, hashes));
  }
}
