package io.bloomkit.scalable;

/**
 * A row of the table of layers in the file of a growing filter (docs/format.md). A row contains the
 * state of a layer without its bits or counters.
 *
 * @param plan the planned size of the layer
 * @param elements in a blocked layer, the number of elements that determines whether the layer is
 *     full; otherwise 0
 * @param removals in a blocked counting layer, the number of removals since the last pass over all
 *     blocks, up to {@link CountingLayer#mostRemovals}; otherwise 0
 * @param elementCount in a counting layer, the number of elements, or {@link #UNKNOWN}; otherwise 0
 */
record LayerRow(GrowthPlan.Layer plan, long elements, long removals, long elementCount) {

  /** The number of words of a row. */
  static final int WORDS = 8;

  static final long UNKNOWN = -1;

  static LayerRow of(GrowthPlan.Layer plan) {
    return new LayerRow(plan, 0, 0, 0);
  }

  LayerRow withElements(long count) {
    return new LayerRow(plan, count, removals, elementCount);
  }

  LayerRow withRemovals(long count) {
    return new LayerRow(plan, elements, count, elementCount);
  }

  LayerRow withElementCount(long count) {
    return new LayerRow(plan, elements, removals, count);
  }

  /** Writes the row into a table. */
  void writeTo(long[] table, int row) {
    int at = row * WORDS;
    table[at] = plan.index();
    table[at + 1] = plan.plannedAdditionsAtOnce();
    table[at + 2] = plan.shape().positions();
    table[at + 3] = plan.shape().hashes();
    table[at + 4] = elements;
    table[at + 5] = removals;
    table[at + 6] = elementCount;
    table[at + 7] = plan.capacity();
  }
}
