package io.bloomkit.cuckoo;

import io.bloomkit.format.FilterLayout;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The layout of a cuckoo filter: fingerprints in buckets of four, each element in one of two
 * buckets.
 */
record BucketsLayout(CuckooShape size, long memoryBytes, Map<String, Number> figures)
    implements FilterLayout {

  /** The two buckets of an element; every operation reads both. */
  private static final int OWN = 2;

  /**
   * The mean number of other buckets that an insertion reads while a filter is filled to its
   * capacity. Measured with 10<sup>4</sup> to 5·10<sup>6</sup> elements and 8 to 18 bits: 0.8 to
   * 0.95, and 0.90 from 10<sup>6</sup> on. The mean of the first half of the insertions is 0.003,
   * that of the last hundredth is 20.
   */
  private static final double MEAN_KICKS = 0.9;

  static BucketsLayout of(CuckooShape size) {
    return new BucketsLayout(size, size.memoryBytes(), dimensions(size));
  }

  /** The layout of a filter that holds a number of distinct fingerprints. */
  static BucketsLayout of(CuckooShape size, long memoryBytes, long distinct) {
    Map<String, Number> figures = dimensions(size);
    figures.put("fill", distinct / ((double) size.buckets() * FingerprintTable.SLOTS));
    return new BucketsLayout(size, memoryBytes, figures);
  }

  private static Map<String, Number> dimensions(CuckooShape size) {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("buckets", size.buckets());
    figures.put("fingerprintBits", size.fingerprintBits());
    figures.put("capacity", size.capacity());
    return figures;
  }

  @Override
  public double fpp(long elements) {
    return elements > size.capacity() ? Double.NaN : size.fpp(elements);
  }

  @Override
  public CacheLines cacheLines(long elements) {
    return new CacheLines(OWN + MEAN_KICKS, OWN + FingerprintTable.MAX_KICKS, OWN, OWN, OWN);
  }
}
