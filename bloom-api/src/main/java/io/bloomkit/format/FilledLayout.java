package io.bloomkit.format;

import java.util.LinkedHashMap;
import java.util.Map;

/** The layout of a filter that was built, with what is in use. */
record FilledLayout(FilterLayout layout, long setPositions, double fill) implements FilterLayout {

  @Override
  public long memoryBytes() {
    return layout.memoryBytes();
  }

  @Override
  public Map<String, Number> figures() {
    Map<String, Number> figures = new LinkedHashMap<>(layout.figures());
    figures.put("setPositions", setPositions);
    figures.put("fill", fill);
    return figures;
  }

  @Override
  public double fpp(long elements) {
    return layout.fpp(elements);
  }

  @Override
  public CacheLines cacheLines(long elements) {
    return layout.cacheLines(elements);
  }
}
