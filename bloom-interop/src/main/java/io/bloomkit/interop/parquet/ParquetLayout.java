package io.bloomkit.interop.parquet;

import io.bloomkit.format.FilterLayout;
import java.util.LinkedHashMap;
import java.util.Map;

/** The layout of a filter each of whose blocks takes half a cache line. */
record ParquetLayout(ParquetShape shape) implements FilterLayout {

  private static final CacheLines ONE = new CacheLines(1, 1, 1, 1, 1);

  @Override
  public long memoryBytes() {
    return shape.bytes() + (long) ParquetBloomFilter.PADDING * Long.BYTES;
  }

  @Override
  public Map<String, Number> figures() {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("positions", shape.positions());
    figures.put("hashes", ParquetShape.HASHES);
    figures.put("blocks", shape.blocks());
    return figures;
  }

  @Override
  public double fpp(long elements) {
    return shape.fpp(elements);
  }

  @Override
  public CacheLines cacheLines(long elements) {
    return ONE;
  }
}
