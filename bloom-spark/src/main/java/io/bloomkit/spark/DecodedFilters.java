package io.bloomkit.spark;

import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Filters decoded from broadcast bytes, shared by all tasks of one JVM. Thread-safe. Arrays are
 * compared by identity. A filter is released with its bytes.
 */
final class DecodedFilters {

  private static final Map<byte[], Decoded> DECODED =
      Collections.synchronizedMap(new WeakHashMap<>());

  private DecodedFilters() {}

  /**
   * Returns the decoded filter, for queries only.
   *
   * @param bytes the filter in its file format
   * @param strategy the strategy of the keys, always the same for the same array
   * @throws IllegalArgumentException if the filter is damaged or of another strategy
   */
  static StorableFilter<Object> get(byte[] bytes, HashStrategy<Object> strategy) {
    return DECODED.computeIfAbsent(bytes, b -> new Decoded()).get(bytes, strategy);
  }

  /** A filter that its first caller decodes. A caller waits only while this filter is decoded. */
  private static final class Decoded {

    private @Nullable StorableFilter<Object> filter;

    synchronized StorableFilter<Object> get(byte[] bytes, HashStrategy<Object> strategy) {
      StorableFilter<Object> present = filter;
      if (present == null) {
        present = Filters.read(bytes, strategy);
        filter = present;
      }
      return present;
    }
  }
}
