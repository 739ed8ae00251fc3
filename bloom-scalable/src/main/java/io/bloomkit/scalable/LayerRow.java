package io.bloomkit.scalable;

/**
 * A row of the table of layers in a growing filter's file: the state of a layer except its bits or
 * counters (docs/format.md).
 *
 * @param plan the layer's size
 * @param elements in blocked layers, the count that determines when they are full; otherwise 0
 * @param removals in blocked counting layers, the number of removals that matter since the last
 *     pass over all blocks; otherwise 0
 * @param elementCount in counting layers, the number of elements, or {@link #UNKNOWN}; otherwise 0
 */
record LayerRow(GrowthPlan.Layer plan, long elements, long removals, long elementCount) {

  /** The words of a row. */
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
