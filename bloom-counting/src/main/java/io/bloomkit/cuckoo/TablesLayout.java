package io.bloomkit.cuckoo;

import io.bloomkit.format.FilterLayout;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The layout of a dynamic or expiring cuckoo filter.
 *
 * @param inUse figures about the contents; empty for a planned filter
 */
record TablesLayout(DynamicCuckooShape size, long memoryBytes, Map<String, Number> inUse)
    implements FilterLayout {

  /** The cache lines of an element: directory entry, chunk and two buckets. */
  private static final int OWN = 4;

  /** The mean number of other buckets that an insertion reads while a filter is filled. */
  private static final double MEAN_LOOKS = 3;

  static TablesLayout planned(long maxElements, double fpp) {
    DynamicCuckooShape size = DynamicCuckooShape.of(maxElements, fpp);
    return planned(size, size.memoryBytes(maxElements));
  }

  /** The layout of a planned filter whose memory is known. */
  static TablesLayout planned(DynamicCuckooShape size, long memoryBytes) {
    return new TablesLayout(size, memoryBytes, Map.of());
  }

  /** The layout of a filter that holds a number of distinct fingerprints. */
  static TablesLayout of(DynamicCuckooShape size, long memoryBytes, long distinct) {
    Map<String, Number> inUse = new LinkedHashMap<>();
    inUse.put("distinctFingerprints", distinct);
    inUse.put("fill", (double) distinct / size.maxElements());
    return new TablesLayout(size, memoryBytes, inUse);
  }

  @Override
  public Map<String, Number> figures() {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("maxElements", size.maxElements());
    figures.put("possibleFingerprints", size.fingerprints());
    figures.putAll(inUse);
    return figures;
  }

  @Override
  public double fpp(long elements) {
    return size.fpp(elements);
  }

  @Override
  public CacheLines cacheLines(long elements) {
    return new CacheLines(
        OWN + MEAN_LOOKS, OWN + TableShape.MAX_SLOTS * TableShape.MAX_KICKS, OWN, OWN, OWN);
  }
}
