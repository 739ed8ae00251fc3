package io.bloomkit.format;

import io.bloomkit.BlockedShape;
import io.bloomkit.BloomFormulas;
import io.bloomkit.Shape;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.LongToDoubleFunction;

/** The layout of a filter of bits or counters in one layer. */
record PositionsLayout(
    long memoryBytes,
    Map<String, Number> figures,
    LongToDoubleFunction rate,
    LongFunction<CacheLines> lines)
    implements FilterLayout {

  private static final CacheLines ONE = new CacheLines(1, 1, 1, 1, 1);

  static PositionsLayout flat(Shape shape, long memoryBytes) {
    return new PositionsLayout(
        memoryBytes,
        figures(shape.positions(), shape.hashes()),
        shape::fpp,
        elements ->
            new CacheLines(
                shape.hashes(),
                shape.hashes(),
                shape.hashes(),
                BloomFormulas.expectedProbesOfAbsent(elements, shape.positions(), shape.hashes()),
                shape.hashes()));
  }

  static PositionsLayout blocked(BlockedShape shape, long memoryBytes) {
    Map<String, Number> figures = figures(shape.positions(), shape.hashes());
    figures.put("blocks", shape.blocks());
    return new PositionsLayout(memoryBytes, figures, shape::fpp, elements -> ONE);
  }

  private static Map<String, Number> figures(long positions, int hashes) {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("positions", positions);
    figures.put("hashes", hashes);
    return figures;
  }

  @Override
  public double fpp(long elements) {
    return rate.applyAsDouble(elements);
  }

  @Override
  public CacheLines cacheLines(long elements) {
    return lines.apply(elements);
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
