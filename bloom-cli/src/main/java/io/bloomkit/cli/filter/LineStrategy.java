package io.bloomkit.cli.filter;

import io.bloomkit.classic.guava.GuavaBloomFilters;
import io.bloomkit.classic.guava.GuavaFunnel;
import io.bloomkit.cli.io.LineHash;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.StrategyIdentity;
import java.util.Locale;

/**
 * The strategies of which the elements can be lines. They differ in the type of the elements in
 * Java, and so in their ids, but not in the hashes.
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

  /** Returns the strategy that an id names, or that of bytes, which refuses a filter of another. */
  static LineStrategy ofId(String id) {
    return UTF8.identity().id().equals(id) || UTF8.funnel().identity().id().equals(id)
        ? UTF8
        : BYTES;
  }

  /** Returns what names this strategy in the file of a filter. */
  StrategyIdentity identity(FilterVariant variant) {
    return variant.code() == GuavaBloomFilters.VARIANT.code() ? funnel().identity() : identity();
  }

  private StrategyIdentity identity() {
    return StrategyIdentity.of(hash().strategy());
  }

  /** Returns what Java programs call it, and how it takes a line. */
  abstract LineHash<?> hash();

  /** Returns what Java programs call it where the filter is one of Guava. */
  abstract GuavaFunnel<byte[]> funnel();

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
