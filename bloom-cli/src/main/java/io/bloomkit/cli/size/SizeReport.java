package io.bloomkit.cli.size;

import io.bloomkit.cli.filter.FileKind;
import io.bloomkit.cli.text.Arguments;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.Json;
import io.bloomkit.cli.text.TextTable;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterLayout.CacheLines;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The sizes of filters of all kinds, as a table and as JSON. */
final class SizeReport {

  /** What fits into 78 columns, if what is left does not. */
  private static final Pattern WRAPPED_LINE = Pattern.compile("(?=.{79})(.{1,78}) ");

  private final long elements;
  private final List<Row> rows;

  private SizeReport(long elements, List<Row> rows) {
    this.elements = elements;
    this.rows = rows;
  }

  /**
   * A kind and its filter.
   *
   * @param layout the layout, or null if no filter of the kind has the requested size and rate
   * @param reason the reason why there is no layout, or null
   */
  private record Row(FileKind kind, @Nullable FilterLayout layout, @Nullable String reason) {}

  /**
   * Plans a filter of each of some kinds.
   *
   * @throws IllegalArgumentException if none of the kinds has such a filter
   */
  static SizeReport of(List<FileKind> kinds, long elements, double fpp) {
    List<Row> rows = new ArrayList<>();
    List<IllegalArgumentException> refusals = new ArrayList<>();
    for (FileKind kind : kinds) {
      try {
        rows.add(new Row(kind, kind.layout(elements, fpp), null));
      } catch (IllegalArgumentException e) {
        rows.add(new Row(kind, null, Arguments.withOptions(String.valueOf(e.getMessage()))));
        refusals.add(e);
      }
    }
    if (refusals.size() == rows.size()) {
      throw refusals.get(0);
    }
    return new SizeReport(elements, rows);
  }

  /** Returns a table of sizes and one of touched cache lines, and notes, in 80 columns. */
  String table() {
    TextTable sizes = new TextTable("kind", "positions", "hashes", "bytes", "bits/item", "fpp");
    TextTable lines =
        new TextTable("lines touched", "add", "query", "absent", "remove", "concurrent");
    StringBuilder notes = new StringBuilder();
    for (Row row : rows) {
      String note = row.reason;
      if (row.layout == null) {
        sizes.row(row.kind.toString()); // the other cells are dashes
        lines.row(row.kind.toString());
      } else {
        sizes.row(sizeCells(row.kind, row.layout));
        lines.row(lineCells(row.kind, row.layout));
        note = Dimensions.note(row.layout);
      }
      if (note != null) {
        notes.append('\n').append(wrapped(row.kind + ": " + note));
      }
    }
    return (sizes + "\n" + lines + notes).stripTrailing();
  }

  private String[] sizeCells(FileKind kind, FilterLayout layout) {
    return new String[] {
      kind.toString(),
      Figures.wholeOrNone(layout.figures().get("positions")),
      Figures.wholeOrNone(layout.figures().get("hashes")),
      Figures.whole(layout.memoryBytes()),
      Figures.twoDecimals(bitsPerElement(layout)),
      cell(layout.fpp(elements), Figures::percent)
    };
  }

  private String[] lineCells(FileKind kind, FilterLayout layout) {
    CacheLines lines = layout.cacheLines(elements);
    return new String[] {
      kind.toString(),
      Figures.oneDecimal(lines.add()),
      Figures.oneDecimal(lines.query()),
      cell(lines.queryAbsent(), Figures::oneDecimal),
      kind.isDeletable() ? Figures.oneDecimal(lines.remove()) : Figures.NONE,
      kind.isConcurrent() ? "yes" : "no"
    };
  }

  /** Breaks a text at spaces, with two spaces before each further line. */
  private static String wrapped(String text) {
    return WRAPPED_LINE.matcher(text).replaceAll("$1\n  ");
  }

  private static String cell(double figure, DoubleFunction<String> text) {
    return Double.isNaN(figure) ? Figures.NONE : text.apply(figure);
  }

  String json() {
    List<Map<String, @Nullable Object>> objects = new ArrayList<>();
    for (Row row : rows) {
      objects.add(row.layout == null ? new LinkedHashMap<>() : members(row.kind, row.layout));
    }
    // Rows without a layout have the same members, with null values.
    List<String> names = objects.stream().flatMap(o -> o.keySet().stream()).distinct().toList();
    for (int i = 0; i < rows.size(); i++) {
      Map<String, @Nullable Object> object = objects.get(i);
      names.forEach(name -> object.putIfAbsent(name, null));
      object.put("kind", rows.get(i).kind.toString());
      object.put("reason", rows.get(i).reason);
    }
    return Json.array(objects);
  }

  private Map<String, @Nullable Object> members(FileKind kind, FilterLayout layout) {
    CacheLines lines = layout.cacheLines(elements);
    boolean deletable = kind.isDeletable();
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("kind", kind.toString());
    Dimensions.putInto(members, layout);
    members.put("bytes", layout.memoryBytes());
    members.put("bitsPerElement", bitsPerElement(layout));
    members.put("expectedFpp", numberOrNull(layout.fpp(elements)));
    members.put("linesAdd", lines.add());
    members.put("linesAddAtMost", lines.addAtMost());
    members.put("linesQuery", lines.query());
    members.put("linesQueryAbsent", numberOrNull(lines.queryAbsent()));
    members.put("linesRemove", deletable ? lines.remove() : null);
    members.put("concurrent", kind.isConcurrent());
    members.put("deletable", deletable);
    return members;
  }

  private static @Nullable Double numberOrNull(double figure) {
    return Double.isNaN(figure) ? null : figure;
  }

  private double bitsPerElement(FilterLayout layout) {
    return (double) layout.memoryBytes() * Byte.SIZE / elements;
  }
}
