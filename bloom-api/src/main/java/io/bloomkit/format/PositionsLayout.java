package io.bloomkit.format;

import io.bloomkit.BlockedShape;
import io.bloomkit.BloomFormulas;
import io.bloomkit.Shape;
import java.util.LinkedHashMap;
import java.util.Map;

/** The layout of a filter of bits or counters in one layer. */
record PositionsLayout(Shape shape, long memoryBytes) implements FilterLayout {

  @Override
  public Map<String, Number> figures() {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("positions", shape.positions());
    figures.put("hashes", shape.hashes());
    if (shape instanceof BlockedShape blocked) {
      figures.put("blocks", blocked.blocks());
    }
    return figures;
  }

  @Override
  public double fpp(long elements) {
    return shape.fpp(elements);
  }

  @Override
  public CacheLines cacheLines(long elements) {
    if (shape instanceof BlockedShape) {
      return new CacheLines(1, 1, 1, 1, 1);
    }
    int all = shape.hashes();
    double probes = BloomFormulas.expectedProbesOfAbsent(elements, shape.positions(), all);
    return new CacheLines(all, all, all, probes, all);
  }

  /** The layout of an existing filter, with its fill ratio. */
  record Filled(FilterLayout layout, long setPositions, double fill) implements FilterLayout {

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
}
