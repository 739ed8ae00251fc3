package io.bloomkit.cli;

import io.bloomkit.classic.guava.GuavaFunnel;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The strategies of which the elements can be lines. They differ in the type of the elements in
 * Java, and so in their ids, but not in the hashes.
 */
enum LineStrategy {
  BYTES {
    @Override
    HashStrategy<?> strategy() {
      return HashStrategies.bytes();
    }

    @Override
    GuavaFunnel<byte[]> funnel() {
      return GuavaFunnel.byteArrays();
    }
  },
  UTF8 {
    @Override
    HashStrategy<?> strategy() {
      return HashStrategies.utf8();
    }

    @Override
    GuavaFunnel<byte[]> funnel() {
      return GuavaFunnel.utf8Bytes();
    }
  };

  private static final BytesHashStrategy HASH = HashStrategies.bytes();

  /** Returns the strategy that an id names, or that of bytes, which refuses a filter of another. */
  static LineStrategy ofId(String id) {
    return UTF8.strategy().id().equals(id) || UTF8.funnel().identity().id().equals(id)
        ? UTF8
        : BYTES;
  }

  /** Returns what names this strategy in the file of a filter; of null, any but Guava's. */
  StrategyIdentity identity(@Nullable FilterKind kind) {
    return kind == FilterKind.BLOOMKIT_GUAVA
        ? funnel().identity()
        : StrategyIdentity.of(strategy());
  }

  /** Returns the hash of the bytes of a line, the same for all of these strategies. */
  static long hash(byte[] bytes, int from, int to) {
    return HASH.hashBytes(bytes, from, to - from);
  }

  /** Returns what Java programs call it. */
  abstract HashStrategy<?> strategy();

  /** Returns what Java programs call it where the filter is one of Guava. */
  abstract GuavaFunnel<byte[]> funnel();

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
