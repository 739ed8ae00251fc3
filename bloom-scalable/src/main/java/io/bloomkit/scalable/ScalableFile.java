package io.bloomkit.scalable;

import io.bloomkit.FilterFormatException;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and writes the file of a {@link ScalableBloomFilter} (docs/format.md). */
final class ScalableFile {

  private ScalableFile() {}

  static <T> FilterContents contents(ScalableBloomFilter<T> filter) {
    List<Layer<T>> layers = filter.layerList();
    GrowthPlan plan = filter.plan.withMaxWriters(maxWriters(filter, layers));
    long min = minElements(layers);
    return LayerTable.contents(
        FilterContents.of(
                ScalableBloomFilter.KIND.code(),
                StrategyIdentity.of(filter.strategy),
                LayerTable.fields(plan))
            .elementCount(filter.elementCount(), min, maxElements(min)),
        layers);
  }

  /**
   * Returns the {@code maxWriters} to write. If a single-writer filter is read as a concurrent
   * filter, the number stays that of the file until a layer is added or a layer is fuller than its
   * plan allows.
   */
  private static <T> int maxWriters(ScalableBloomFilter<T> filter, List<Layer<T>> layers) {
    int writers = filter.writtenMaxWriters;
    for (Layer<T> layer : layers) {
      boolean isOverfull = layer.fill() > layer.plan.maxFill();
      writers =
          Math.max(writers, isOverfull ? filter.plan.maxWriters : layer.plan.plannedMaxWriters());
    }
    return writers;
  }

  private static long minElements(List<? extends Layer<?>> layers) {
    long sum = 0;
    for (Layer<?> layer : layers) {
      sum += layer.minElements();
    }
    return sum;
  }

  private static long maxElements(long min) {
    return min == 0 ? 0 : Long.MAX_VALUE;
  }

  /**
   * Reads a filter.
   *
   * @param expected the plan that the filter must have; null if any plan is accepted
   */
  static <T> ScalableBloomFilter<T> read(
      FilterReader reader,
      HashStrategy<? super T> strategy,
      @Nullable GrowthPlan expected,
      boolean concurrent)
      throws IOException {
    reader.require(
        ScalableBloomFilter.KIND.code(), StrategyIdentity.of(strategy), LayerTable.PLAN_FIELDS);
    GrowthPlan written = LayerTable.readPlan(reader);
    LayerTable.requireGrowth(reader, written, expected);
    LayerTable table = LayerTable.read(reader, written);
    Layer<T>[] layers = Layer.newArray(table.rows());
    for (int i = 0; i < layers.length; i++) {
      layers[i] = Layer.read(reader, strategy, table.plan(i), concurrent);
      requireFill(layers[i], i == layers.length - 1, reader, written.maxWriters);
    }
    long min = minElements(List.of(layers));
    reader.requireElementCount(reader.elementCount(), min, maxElements(min));
    int maxWriters = Math.max(written.maxWriters, concurrent ? ScalableBloomFilter.MAX_WRITERS : 1);
    // The first layer too, which becomes the newest one when the filter is cleared.
    for (int i = 0; i < layers.length; i++) {
      if (layers[i].plan.maxWriters() != maxWriters) {
        layers[i] = layers[i].withMaxWriters(maxWriters);
      }
    }
    return new ScalableBloomFilter<>(
        strategy,
        written.withMaxWriters(maxWriters),
        written.maxWriters,
        concurrent,
        layers,
        reader.elementCount());
  }

  /**
   * Checks that each layer before the newest is full, and that no layer is fuller than possible.
   */
  private static void requireFill(
      Layer<?> layer, boolean isNewest, FilterReader reader, int maxWriters)
      throws FilterFormatException {
    long fill = layer.fill();
    // A concurrent layer may be fuller, because more threads may have added than it was planned
    // for.
    long max = maxWriters == 1 ? layer.plan.maxFill() : Long.MAX_VALUE;
    long min = isNewest ? 0 : layer.plan.withMaxWriters(maxWriters).limit() + 1;
    if (fill < min || fill > max) {
      throw LayerTable.wrongFill(reader, layer.plan, min, max, fill);
    }
  }
}
