package io.bloomkit.scalable;

import io.bloomkit.FlatShape;
import io.bloomkit.format.CacheLines;
import io.bloomkit.format.FilterLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;

/** The layout of a growing filter: the shapes of its layers, from the oldest to the newest. */
record LayeredLayout(
    List<FlatShape> layers, long memoryBytes, Map<String, Number> figures, Growth growth)
    implements FilterLayout {

  /** The layers and the memory of the filter after it has grown to a number of elements. */
  record Growth(LongFunction<List<FlatShape>> shapes, LongUnaryOperator bytes) {}

  /**
   * Returns the layout of a new filter whose first layer has the capacity of the given elements.
   */
  static FilterLayout planned(
      long elements, LongFunction<List<FlatShape>> shapes, LongUnaryOperator bytes) {
    return grown(new Growth(shapes, bytes), elements);
  }

  private static FilterLayout grown(Growth growth, long elements) {
    try {
      List<FlatShape> layers = growth.shapes.apply(elements);
      return new LayeredLayout(
          layers, growth.bytes.applyAsLong(elements), dimensions(layers), growth);
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Returns the layout of a filter in its present state. */
  static FilterLayout of(ScalableFilterState state) {
    List<FlatShape> layers = state.layers().stream().map(ScalableFilterState.Layer::shape).toList();
    Growth none = new Growth(elements -> layers, elements -> state.memoryBytes());
    return new LayeredLayout(layers, state.memoryBytes(), dimensions(layers), none)
        .withSetPositions(
            state.layers().stream().mapToLong(ScalableFilterState.Layer::setPositions).sum());
  }

  /**
   * Returns the figures of a layout. The number of hashes is that of the newest layer, the largest.
   */
  private static Map<String, Number> dimensions(List<FlatShape> layers) {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("positions", layers.stream().mapToLong(FlatShape::positions).sum());
    figures.put("hashes", layers.get(layers.size() - 1).hashes());
    figures.put("layers", layers.size());
    return figures;
  }

  @Override
  public FilterLayout grownTo(long elements) {
    return grown(growth, elements);
  }

  @Override
  public double fpp(long elements) {
    return layers.get(0).fpp(elements);
  }

  @Override
  public CacheLines cacheLines(long elements) {
    return FilterLayout.of(layers.get(0), memoryBytes).cacheLines(elements);
  }
}
