package io.bloomkit.scalable;

/**
 * A row of the table of layers in the file of a {@link ScalableBloomFilter} (docs/format.md). A row
 * contains the state of a layer without its bits.
 *
 * @param plan the planned size of the layer
 * @param elements in a blocked layer, the number of distinct elements; otherwise 0
 */
record LayerRow(GrowthPlan.Layer plan, long elements) {

  /** The number of words of a row, of which words 5 and 6 are 0. */
  static final int WORDS = 8;

  /** Writes the row into a table. */
  void writeTo(long[] table, int row) {
    int at = row * WORDS;
    table[at] = plan.index();
    table[at + 1] = plan.plannedAdditionsAtOnce();
    table[at + 2] = plan.shape().positions();
    table[at + 3] = plan.shape().hashes();
    table[at + 4] = elements;
    table[at + 7] = plan.capacity();
  }
}
