package io.bloomkit.cli.filter;

import io.bloomkit.classic.guava.GuavaBloomFilter;
import io.bloomkit.classic.guava.GuavaFunnel;
import io.bloomkit.cli.io.LineHash;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterHeader;
import java.util.Locale;
import java.util.Optional;

/**
 * A strategy whose elements can be lines. The strategies differ in the type of the elements in Java
 * and therefore in their ids, but their hashes are equal.
 */
enum LineStrategy {
  BYTES {
    @Override
    LineHash<?> hash() {
      return LineHash.ofBytes(HashStrategies.bytes());
    }

    @Override
    GuavaFunnel<byte[]> funnel() {
      return GuavaFunnel.byteArrays();
    }
  },
  UTF8 {
    @Override
    LineHash<?> hash() {
      return LineHash.ofTexts(HashStrategies.bytes());
    }

    @Override
    GuavaFunnel<byte[]> funnel() {
      return GuavaFunnel.utf8Bytes();
    }
  };

  /**
   * Returns the strategy with an id, or {@link #BYTES} for all other ids. Reading a filter with
   * another id then fails.
   */
  static LineStrategy ofId(String id) {
    return UTF8.identity().id().equals(id) || UTF8.funnel().identity().id().equals(id)
        ? UTF8
        : BYTES;
  }

  /** Returns the strategy that filled a filter, or an empty result for one of another program. */
  static Optional<LineStrategy> of(FilterHeader header) {
    LineStrategy strategy = ofId(header.strategy().id());
    return strategy.identity(header.variant()).equals(header.strategy())
        ? Optional.of(strategy)
        : Optional.empty();
  }

  /** Returns the identity of this strategy in files of a kind, given by its code. */
  StrategyIdentity identity(int code) {
    return code == GuavaBloomFilter.CODE ? funnel().identity() : identity();
  }

  private StrategyIdentity identity() {
    return StrategyIdentity.of(hash().strategy());
  }

  /** Returns the strategy and its hash for lines. */
  abstract LineHash<?> hash();

  /** Returns the equivalent funnel for filters of Guava. */
  abstract GuavaFunnel<byte[]> funnel();

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
