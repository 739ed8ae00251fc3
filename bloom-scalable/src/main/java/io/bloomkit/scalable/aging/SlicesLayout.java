package io.bloomkit.scalable.aging;

import io.bloomkit.format.CacheLines;
import io.bloomkit.format.FilterLayout;
import java.util.LinkedHashMap;
import java.util.Map;

/** The layout of an aging filter. Its slices count as layers. */
record SlicesLayout(AgingShape shape) implements FilterLayout {

  @Override
  public long memoryBytes() {
    return shape.positions() / Byte.SIZE;
  }

  @Override
  public Map<String, Number> figures() {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("positions", shape.positions());
    figures.put("hashes", shape.hashes());
    figures.put("layers", shape.slices());
    return figures;
  }

  /**
   * Returns NaN, because the rate depends on the times of the additions, not only on their number.
   */
  @Override
  public double fpp(long elements) {
    return Double.NaN;
  }

  /** {@inheritDoc} The mean for an absent element is NaN, because it is not known in advance. */
  @Override
  public CacheLines cacheLines(long elements) {
    return new CacheLines(shape.slices(), shape.slices(), shape.hashes(), Double.NaN, 0);
  }
}
