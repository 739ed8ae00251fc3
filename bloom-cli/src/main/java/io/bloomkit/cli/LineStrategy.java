package io.bloomkit.cli;

import io.bloomkit.BytesHashStrategy;
import io.bloomkit.HashStrategies;
import io.bloomkit.HashStrategy;
import java.util.Locale;

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
  },
  UTF8 {
    @Override
    HashStrategy<?> strategy() {
      return HashStrategies.utf8();
    }
  };

  private static final BytesHashStrategy HASH = HashStrategies.bytes();

  /** Returns the strategy of an id, or that of bytes, which refuses a filter of another id. */
  static LineStrategy ofId(String id) {
    return UTF8.strategy().id().equals(id) ? UTF8 : BYTES;
  }

  /** Returns the hash of the bytes of a line, the same for all of these strategies. */
  static long hash(byte[] bytes, int from, int to) {
    return HASH.hashBytes(bytes, from, to - from);
  }

  /** Returns what Java programs call it. */
  abstract HashStrategy<?> strategy();

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
