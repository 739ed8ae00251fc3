package io.bloomkit.scalable;

import io.bloomkit.Shape;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.SectionReader;
import io.bloomkit.format.SectionRole;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The table in the file of a growing filter, which is its first section, and the fields of its
 * plan. The table has a row for each layer.
 *
 * <p>A layer gets the shape of its row and is not planned again. Values that follow from shape and
 * plan, such as the fill at which a layer is full, are computed.
 */
final class LayerTable {

  /** The number of header fields of the plan. */
  static final int PLAN_FIELDS = 6;

  private static final int MAX_ADDITIONS_AT_ONCE = 0xffff;

  /** Each layer, including those kept for reuse, has an index of its own. */
  private static final int MAX_ROWS = GrowthPlan.MAX_LAYERS;

  /** Upper bound of the elements per position, for every possible false-positive rate. */
  private static final long MOST_ELEMENTS_PER_POSITION = 64;

  private final FilterReader reader;
  private final GrowthPlan plan;
  private final long[] words;

  private LayerTable(FilterReader reader, GrowthPlan plan, long[] words) {
    this.reader = reader;
    this.plan = plan;
    this.words = words;
  }

  /** Returns the fields of a plan, followed by other fields. */
  static long[] fields(GrowthPlan plan, long... others) {
    long[] fields = new long[PLAN_FIELDS + others.length];
    fields[0] = plan.kind().code;
    fields[1] = plan.initialCapacity();
    fields[2] = Double.doubleToLongBits(plan.fpp());
    fields[3] = Double.doubleToLongBits(plan.growthFactor());
    fields[4] = Double.doubleToLongBits(plan.tighteningRatio());
    fields[5] = plan.additionsAtOnce();
    System.arraycopy(others, 0, fields, PLAN_FIELDS, others.length);
    return fields;
  }

  /** Completes the contents of a file with the table and the sections of each layer. */
  static FilterContents contents(
      FilterContents.Builder contents, List<LayerRow> rows, List<? extends Layer<?>> layers) {
    contents.section(SectionRole.TABLE, words(rows));
    for (Layer<?> layer : layers) {
      contents.sectionsOf(layer.contents());
    }
    return contents.build();
  }

  private static long[] words(List<LayerRow> rows) {
    long[] words = new long[rows.size() * LayerRow.WORDS];
    for (int i = 0; i < rows.size(); i++) {
      rows.get(i).writeTo(words, i);
    }
    return words;
  }

  /** Reads the plan of a filter whose layers are of a flat kind or of its blocked counterpart. */
  static GrowthPlan readPlan(FilterReader reader, LayerKind flat) throws FilterFormatException {
    reader.requireNoPlan(); // fields 1 and 2 are the plan
    LayerKind blocked = flat.blocked();
    long code = reader.field(0, "kind of layers", flat.code, blocked.code);
    double fpp = fraction(reader, 2, "fpp");
    double growthFactor = Double.longBitsToDouble(reader.header().field(3));
    if (!(growthFactor >= 1 && growthFactor <= GrowthPlan.MAX_GROWTH_FACTOR)) {
      throw reader.wrongField(
          3,
          "growthFactor must be in [1, " + GrowthPlan.MAX_GROWTH_FACTOR + "], got " + growthFactor);
    }
    return new GrowthPlan(
        code == flat.code ? flat : blocked,
        reader.field(1, "initialCapacity", 1, Long.MAX_VALUE),
        fpp,
        growthFactor,
        fraction(reader, 4, "tighteningRatio"),
        (int) reader.field(5, "additionsAtOnce", 1, MAX_ADDITIONS_AT_ONCE));
  }

  private static double fraction(FilterReader reader, int field, String name)
      throws FilterFormatException {
    double value = Double.longBitsToDouble(reader.header().field(field));
    if (!(value > 0 && value < 1)) {
      throw reader.wrongField(field, name + " must be in (0, 1), got " + value);
    }
    return value;
  }

  /** Checks that a plan is the expected plan, if there is one, ignoring {@code additionsAtOnce}. */
  static void requireGrowth(FilterReader reader, GrowthPlan plan, @Nullable GrowthPlan expected)
      throws FilterFormatException {
    if (expected != null && !plan.growsAs(expected)) {
      throw reader.wrongField(0, "the filter must have " + expected + ", got " + plan);
    }
  }

  /** Reads all rows. Checks only the number of rows, their indexes and {@code additionsAtOnce}. */
  static LayerTable read(FilterReader reader, GrowthPlan plan) throws IOException {
    SectionReader section =
        reader.table(SectionRole.TABLE, (long) LayerRow.WORDS * MAX_ROWS, LayerRow.WORDS);
    long[] words = new long[(int) section.words()]; // as large as was received
    section.readInto(words, 0, words.length);
    LayerTable table = new LayerTable(reader, plan, words);
    table.requireRows();
    return table;
  }

  private void requireRows() throws FilterFormatException {
    if (rows() == 0) {
      throw reader.wrongSection("there must be a layer but is none");
    }
    boolean[] taken = new boolean[GrowthPlan.MAX_LAYERS];
    for (int row = 0; row < rows(); row++) {
      int index = (int) number(row, 0, "index", 0, GrowthPlan.MAX_LAYERS - 1);
      if (taken[index]) {
        throw wrong(row, 0, "two layers have index " + index);
      }
      taken[index] = true;
      number(row, 1, "additionsAtOnce", 1, plan.additionsAtOnce());
    }
  }

  int rows() {
    return words.length / LayerRow.WORDS;
  }

  int index(int row) {
    return (int) word(row, 0);
  }

  boolean hasIndex(int index, int rows) {
    for (int row = 0; row < rows; row++) {
      if (index(row) == index) {
        return true;
      }
    }
    return false;
  }

  /**
   * Reads a row. Accepts any shape that a layer of the plan can have. Planning the layer again
   * would be slow, and a later version may plan another shape.
   */
  private LayerRow row(int row) throws FilterFormatException {
    long positions = number(row, 2, "positions", 1, plan.kind().positionsOfAnArray);
    int hashes = (int) number(row, 3, "hashes", 1, Shape.MAX_HASHES);
    long capacity = number(row, 7, "capacity", 1, MOST_ELEMENTS_PER_POSITION * positions);
    GrowthPlan.Layer layer;
    try {
      layer = plan.planned(index(row), capacity, new Shape(positions, hashes), (int) word(row, 1));
    } catch (IllegalArgumentException e) {
      throw wrong(row, 0, "layer " + index(row) + " cannot be: " + e.getMessage());
    }
    return new LayerRow(layer, word(row, 4), word(row, 5), word(row, 6));
  }

  /** Checks that the layer index of each row is the number of the row. */
  void requireIndexesInOrder() throws FilterFormatException {
    for (int row = 0; row < rows(); row++) {
      number(row, 0, "index", row, row);
    }
  }

  /** Reads and checks the row of a layer of bits. */
  LayerRow bitRow(int row) throws FilterFormatException {
    LayerRow read = row(row);
    number(row, 4, "elements", 0, read.plan().blocks() == null ? 0 : Long.MAX_VALUE);
    number(row, 5, "removals", 0, 0);
    number(row, 6, "elementCount", 0, 0);
    return read;
  }

  /** Reads and checks the row of a layer of counters. */
  LayerRow counterRow(int row) throws FilterFormatException {
    LayerRow read = row(row);
    boolean flat = read.plan().blocks() == null;
    number(row, 4, "elements", 0, flat ? 0 : read.plan().mostFill());
    number(row, 5, "removals", 0, flat ? 0 : CountingLayer.mostRemovals(read.plan()));
    number(row, 6, "elementCount", LayerRow.UNKNOWN, Long.MAX_VALUE);
    return read;
  }

  private long word(int row, int column) {
    return words[row * LayerRow.WORDS + column];
  }

  /** Returns a number of a row, after checking its range. */
  long number(int row, int column, String name, long least, long most)
      throws FilterFormatException {
    long value = word(row, column);
    if (value < least || value > most) {
      throw wrong(row, column, name + " must be in [" + least + ", " + most + "], got " + value);
    }
    return value;
  }

  /** Returns an exception for a fill that a layer cannot have, for the caller to throw. */
  static FilterFormatException wrongFill(
      FilterReader reader, GrowthPlan.Layer plan, long least, long most, long fill) {
    return reader.wrongSection(
        String.format(
            Locale.ROOT,
            "the fill of layer %d must be in [%d, %d], got %d",
            plan.index(),
            least,
            most,
            fill));
  }

  private FilterFormatException wrong(int row, int column, String fault) {
    long offset = reader.header().sections().get(0).offset();
    return new FilterFormatException(
        offset + (long) Long.BYTES * (row * LayerRow.WORDS + column),
        String.format(Locale.ROOT, "section TABLE, row %d: %s", row, fault));
  }
}
