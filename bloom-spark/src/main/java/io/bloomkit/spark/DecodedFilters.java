package io.bloomkit.spark;

import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Filters that were read from broadcast bytes, so that the tasks of one machine share one. Arrays
 * are told apart by identity, and a filter is forgotten with its bytes.
 */
final class DecodedFilters {

  private static final Map<byte[], Decoded> DECODED =
      Collections.synchronizedMap(new WeakHashMap<>());

  private DecodedFilters() {}

  /**
   * Returns the filter of some bytes, for queries only.
   *
   * @param strategy that of the keys, always the same for the same bytes
   * @throws IllegalArgumentException if it cannot be read by this strategy
   */
  static StorableFilter<Object> get(byte[] bytes, HashStrategy<Object> strategy) {
    return DECODED.computeIfAbsent(bytes, b -> new Decoded()).get(bytes, strategy);
  }

  /** Read by the first caller; others wait for this one only. */
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
