package io.bloomkit.scalable;

/**
 * What a growing filter's file says about a layer besides its bits or counters: a row of its table
 * (docs/format.md).
 *
 * @param plan the layer's size
 * @param elements in layers of blocks, what they count to know when they are full; else 0
 * @param removals in layers of blocks of counters, how many there were since these were last looked
 *     through, as far as that matters; else 0
 * @param elementCount in layers of counters, how many elements they hold, or {@link #UNKNOWN}; else
 *     0
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
