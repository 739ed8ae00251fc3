package io.bloomkit.scalable;

import io.bloomkit.Shape;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.scalable.ScalableBloomFilter.LayerState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a growing filter: the shapes of its layers, from the oldest to the newest.
 *
 * @param plan the plan of a planned filter; null for an existing one
 */
record LayeredLayout(List<Shape> layers, long memoryBytes, @Nullable GrowthPlan plan)
    implements FilterLayout {

  /** Returns the layout of a filter of a plan that has grown to a number of elements. */
  static FilterLayout planned(GrowthPlan plan, long elements) {
    try {
      return new LayeredLayout(plan.layerShapes(elements), plan.memoryBytes(elements), plan);
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Returns the layout of a filter in its present state. */
  static FilterLayout of(List<LayerState> layers) {
    return new LayeredLayout(
            layers.stream().map(LayerState::shape).collect(Collectors.toUnmodifiableList()),
            layers.stream().mapToLong(LayerState::memoryBytes).sum(),
            null)
        .withSetPositions(layers.stream().mapToLong(LayerState::setPositions).sum());
  }

  /** {@inheritDoc} The number of hashes is that of the newest layer, the largest. */
  @Override
  public Map<String, Number> figures() {
    Map<String, Number> figures = new LinkedHashMap<>();
    figures.put("positions", layers.stream().mapToLong(Shape::positions).sum());
    figures.put("hashes", layers.get(layers.size() - 1).hashes());
    figures.put("layers", layers.size());
    return figures;
  }

  @Override
  public FilterLayout grownTo(long elements) {
    return plan == null ? this : planned(plan, elements);
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
