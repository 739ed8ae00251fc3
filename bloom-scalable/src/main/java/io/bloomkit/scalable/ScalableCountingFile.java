package io.bloomkit.scalable;

import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterReader;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads and writes the file of a {@link ScalableCountingBloomFilter} (docs/format.md). */
final class ScalableCountingFile {

  /** The index in the file if there is no spare layer. */
  private static final int NONE = -1;

  private static final int IN_USE = LayerTable.PLAN_FIELDS;
  private static final int SPARE = LayerTable.PLAN_FIELDS + 1;
  private static final int FIELDS = LayerTable.PLAN_FIELDS + 2;

  private ScalableCountingFile() {}

  static <T> FilterContents contents(
      ScalableCountingBloomFilter<T> filter, CountingLayers<T> layers) {
    int inUse = layers.inUse().length;
    List<CountingLayer<T>> all = layers.all();
    List<LayerRow> rows = all.stream().map(CountingLayer::row).toList();
    OptionalLong sum = sumOfCounts(rows.subList(0, inUse));
    return LayerTable.contents(
        FilterContents.of(
                ScalableCountingBloomFilter.KIND.variant(),
                StrategyIdentity.of(filter.strategy),
                LayerTable.fields(filter.plan, inUse, layers.spareIndex().orElse(NONE)))
            .elementCount(
                sum.isPresent() ? filter.elementCount() : sum, sum.orElse(0), sum.orElse(0)),
        rows,
        all);
  }

  /** Returns the sum of the element counts of layers; empty if a count is unknown. */
  private static OptionalLong sumOfCounts(List<LayerRow> rows) {
    long sum = 0;
    for (LayerRow row : rows) {
      if (row.elementCount() == LayerRow.UNKNOWN || row.elementCount() > Long.MAX_VALUE - sum) {
        return OptionalLong.empty();
      }
      sum += row.elementCount();
    }
    return OptionalLong.of(sum);
  }

  /**
   * Reads a filter.
   *
   * @param expected the plan that the filter must have; null if any plan is accepted
   */
  static <T> ScalableCountingBloomFilter<T> read(
      FilterReader reader,
      HashStrategy<? super T> strategy,
      @Nullable GrowthPlan expected,
      boolean concurrent)
      throws IOException {
    reader.require(
        ScalableCountingBloomFilter.KIND.variant(), StrategyIdentity.of(strategy), FIELDS);
    GrowthPlan plan = LayerTable.readPlan(reader, LayerKind.COUNTING);
    reader.field(5, "additionsAtOnce", 1, 1);
    LayerTable.requireGrowth(reader, plan, expected);
    int inUse = (int) reader.field(IN_USE, "layers", 1, GrowthPlan.MAX_LAYERS);
    int spare = (int) reader.field(SPARE, "spare", NONE, GrowthPlan.MAX_LAYERS - 1);
    LayerTable table = LayerTable.read(reader, plan);
    requireRows(table, inUse, spare, reader);
    List<LayerRow> rows = new ArrayList<>();
    List<CountingLayer<T>> all = new ArrayList<>();
    for (int i = 0; i < table.rows(); i++) {
      rows.add(table.counterRow(i));
      all.add(CountingLayer.read(strategy, rows.get(i), concurrent, reader));
      requireEmptyOrNot(all.get(i), i, inUse, reader);
    }
    OptionalLong sum =
        sumOfCounts(rows.subList(0, inUse)); // if empty, only an unknown count is valid
    reader.requireElementCount(reader.elementCount(), sum.orElse(Long.MAX_VALUE), sum.orElse(-1));
    CountingLayers<T> layers =
        CountingLayers.of(
            strategy,
            plan,
            concurrent,
            all.subList(0, inUse).toArray(CountingLayer.newArray(inUse)),
            withIndex(all, 0),
            spare == NONE ? null : withIndex(all, spare),
            reader.elementCount().orElse(GrowingFilter.UNKNOWN));
    return new ScalableCountingBloomFilter<>(strategy, plan, layers);
  }

  /** Checks that the first layer, if it is not in use, and the spare layer follow those in use. */
  private static void requireRows(LayerTable table, int inUse, int spare, FilterReader reader)
      throws FilterFormatException {
    if (inUse > table.rows()) {
      throw reader.wrongField(IN_USE, "there must be " + inUse + " layers, got " + table.rows());
    }
    if (table.hasIndex(spare, inUse)) {
      throw reader.wrongField(SPARE, "layer " + spare + " is in use and cannot be spare");
    }
    int rows = inUse;
    if (!table.hasIndex(0, inUse)) {
      table.number(Math.min(rows, table.rows() - 1), 0, "index", 0, 0);
      rows++;
    }
    if (spare > 0) {
      table.number(Math.min(rows, table.rows() - 1), 0, "index", spare, spare);
      rows++;
    }
    if (rows != table.rows()) {
      throw reader.wrongSection("there must be " + rows + " rows, got " + table.rows());
    }
  }

  /**
   * Checks that a layer in use has elements, unless it is the only one, and that others are empty.
   */
  private static void requireEmptyOrNot(
      CountingLayer<?> layer, int row, int inUse, FilterReader reader)
      throws FilterFormatException {
    boolean isAlone = inUse == 1 && layer.plan.index() == 0;
    if (row < inUse ? layer.isEmpty() && !isAlone : !layer.isEmpty()) {
      throw reader.wrongSection(
          "layer " + layer.plan.index() + (row < inUse ? " is empty" : " must be empty"));
    }
  }

  private static <T> CountingLayer<T> withIndex(List<CountingLayer<T>> layers, int index) {
    for (CountingLayer<T> layer : layers) {
      if (layer.plan.index() == index) {
        return layer;
      }
    }
    throw new AssertionError("no layer of index " + index);
  }
}
