package io.bloomkit.scalable;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.SectionReader;
import io.bloomkit.internal.format.SectionRole;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The table in the file of a {@link ScalableBloomFilter}, which is its first section, and the
 * fields of its plan. The table has a row for each layer.
 *
 * <p>A layer gets the shape of its row and is not planned again. Values that follow from shape and
 * plan, such as the fill at which a layer is full, are computed.
 */
final class LayerTable {

  /** The number of header fields of the plan. */
  static final int PLAN_FIELDS = 6;

  /** The number of words of a row, of which words 4 to 6 are 0. */
  static final int WORDS_PER_ROW = 8;

  private static final int MAX_WRITERS = 0xffff;

  /** Upper bound of the elements per position, for every possible false-positive rate. */
  private static final long MAX_ELEMENTS_PER_POSITION = 64;

  private final FilterReader reader;
  private final GrowthPlan plan;
  private final long[] words;

  private LayerTable(FilterReader reader, GrowthPlan plan, long[] words) {
    this.reader = reader;
    this.plan = plan;
    this.words = words;
  }

  /** Returns the header fields of a plan. */
  static long[] fields(GrowthPlan plan) {
    long[] fields = new long[PLAN_FIELDS];
    fields[0] = ClassicBloomFilter.KIND.code();
    fields[1] = plan.initialCapacity;
    fields[2] = Double.doubleToLongBits(plan.fpp);
    fields[3] = Double.doubleToLongBits(plan.growthFactor);
    fields[4] = Double.doubleToLongBits(plan.tighteningRatio);
    fields[5] = plan.maxWriters;
    return fields;
  }

  /** Completes the contents of a file with the table and the sections of each layer. */
  static FilterContents contents(FilterContents.Builder contents, List<? extends Layer<?>> layers) {
    long[] words = new long[layers.size() * WORDS_PER_ROW];
    int at = 0;
    for (Layer<?> layer : layers) {
      words[at] = layer.plan.index();
      words[at + 1] = layer.plan.plannedMaxWriters();
      words[at + 2] = layer.plan.shape().positions();
      words[at + 3] = layer.plan.shape().hashes();
      words[at + 7] = layer.plan.capacity();
      at += WORDS_PER_ROW;
    }
    contents.section(SectionRole.TABLE, words);
    layers.forEach(layer -> contents.sectionsOf(layer.filter.contents()));
    return contents.build();
  }

  /** Reads the plan of a filter. */
  static GrowthPlan readPlan(FilterReader reader) throws FilterFormatException {
    reader.requireNoPlan(); // fields 1 and 2 are the plan
    int kind = ClassicBloomFilter.KIND.code();
    reader.field(0, "kind of layers", kind, kind);
    double fpp = fraction(reader, 2, "fpp");
    double growthFactor = Double.longBitsToDouble(reader.header().field(3));
    if (!(growthFactor >= 1 && growthFactor <= GrowthPlan.MAX_GROWTH_FACTOR)) {
      throw reader.wrongField(
          3,
          "growthFactor must be in [1, " + GrowthPlan.MAX_GROWTH_FACTOR + "], got " + growthFactor);
    }
    return new GrowthPlan(
        reader.field(1, "initialCapacity", 1, Long.MAX_VALUE),
        fpp,
        growthFactor,
        fraction(reader, 4, "tighteningRatio"),
        (int) reader.field(5, "maxWriters", 1, MAX_WRITERS));
  }

  private static double fraction(FilterReader reader, int field, String name)
      throws FilterFormatException {
    double value = Double.longBitsToDouble(reader.header().field(field));
    if (!(value > 0 && value < 1)) {
      throw reader.wrongField(field, name + " must be in (0, 1), got " + value);
    }
    return value;
  }

  /** Checks that a plan is the expected plan, if there is one, ignoring {@code maxWriters}. */
  static void requireGrowth(FilterReader reader, GrowthPlan plan, @Nullable GrowthPlan expected)
      throws FilterFormatException {
    if (expected != null && !plan.hasSameGrowth(expected)) {
      throw reader.wrongField(
          0,
          "the filter has "
              + plan
              + ", the builder asks for "
              + expected
              + ": build it with what it has");
    }
  }

  /** Reads all rows. Checks only the number of rows, their indexes and {@code maxWriters}. */
  static LayerTable read(FilterReader reader, GrowthPlan plan) throws IOException {
    SectionReader section =
        reader.table(
            SectionRole.TABLE, (long) WORDS_PER_ROW * GrowthPlan.MAX_LAYERS, WORDS_PER_ROW);
    long[] words = new long[(int) section.wordCount()]; // as large as was received
    section.readInto(words, 0, words.length);
    LayerTable table = new LayerTable(reader, plan, words);
    if (table.rows() == 0) {
      throw reader.wrongSection("there must be a layer but is none");
    }
    for (int row = 0; row < table.rows(); row++) {
      table.number(row, 0, "index", row, row);
      table.number(row, 1, "maxWriters", 1, plan.maxWriters);
    }
    return table;
  }

  int rows() {
    return words.length / WORDS_PER_ROW;
  }

  /**
   * Reads and checks a row. Accepts any shape that a layer of the plan can have. Planning the layer
   * again would be slow, and a later version may plan another shape.
   */
  LayerPlan plan(int row) throws FilterFormatException {
    long positions = number(row, 2, "positions", 1, LayerPlan.BITS_OF_AN_ARRAY);
    int hashes = (int) number(row, 3, "hashes", 1, FlatShape.MAX_HASHES);
    long capacity = number(row, 7, "capacity", 1, MAX_ELEMENTS_PER_POSITION * positions);
    for (int column = 4; column <= 6; column++) {
      number(row, column, "word " + column, 0, 0);
    }
    try {
      return plan.planned(row, capacity, new FlatShape(positions, hashes), (int) word(row, 1));
    } catch (IllegalArgumentException e) {
      throw wrong(row, 0, "layer " + row + " cannot be: " + e.getMessage());
    }
  }

  private long word(int row, int column) {
    return words[row * WORDS_PER_ROW + column];
  }

  /** Returns a number of a row, after checking its range. */
  private long number(int row, int column, String name, long min, long max)
      throws FilterFormatException {
    long value = word(row, column);
    if (value < min || value > max) {
      throw wrong(row, column, name + " must be in [" + min + ", " + max + "], got " + value);
    }
    return value;
  }

  /** Returns an exception for a fill that a layer cannot have, for the caller to throw. */
  static FilterFormatException wrongFill(
      FilterReader reader, LayerPlan plan, long min, long max, long fill) {
    return reader.wrongSection(
        String.format(
            Locale.ROOT,
            "the fill of layer %d must be in [%d, %d], got %d",
            plan.index(),
            min,
            max,
            fill));
  }

  private FilterFormatException wrong(int row, int column, String fault) {
    long offset = reader.header().sections().get(0).offset();
    return new FilterFormatException(
        offset + (long) Long.BYTES * (row * WORDS_PER_ROW + column),
        String.format(Locale.ROOT, "section TABLE, row %d: %s", row, fault));
  }
}
