package io.bloomkit.cli.size;

import io.bloomkit.cli.size.Candidate.Trait;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.Json;
import io.bloomkit.cli.text.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The sizes of filters of all variants, for people and for machines. */
final class SizeReport {

  private final long elements;
  private final List<Row> rows;

  private SizeReport(long elements, List<Row> rows) {
    this.elements = elements;
    this.rows = rows;
  }

  /**
   * A variant and its filter.
   *
   * @param candidate null if there is no such filter
   * @param reason why there is none, else null
   */
  private record Row(Variant variant, @Nullable Candidate<?> candidate, @Nullable String reason) {}

  /**
   * Plans a filter of each variant.
   *
   * @throws IllegalArgumentException if there is no such filter of any
   */
  static SizeReport of(long elements, double fpp) {
    Variant.Wish wish = new Variant.Wish(elements, elements, fpp);
    List<Row> rows = new ArrayList<>();
    List<IllegalArgumentException> refusals = new ArrayList<>();
    for (Variant variant : Variant.values()) {
      try {
        rows.add(new Row(variant, variant.candidate(wish), null));
      } catch (IllegalArgumentException e) {
        rows.add(new Row(variant, null, e.getMessage()));
        refusals.add(e);
      }
    }
    if (refusals.size() == rows.size()) {
      throw refusals.get(0);
    }
    return new SizeReport(elements, rows);
  }

  String table() {
    TextTable table =
        new TextTable(
            "filter",
            "positions",
            "hashes",
            "bytes",
            "bits/element",
            "expected error",
            "lines: add",
            "query",
            "absent",
            "remove",
            "concurrent",
            "deletable");
    StringBuilder notes = new StringBuilder();
    for (Row row : rows) {
      String note = row.reason;
      if (row.candidate == null) {
        table.row(row.variant.label()); // and dashes
      } else {
        table.row(cells(row.candidate));
        note = row.candidate.plannedLayout().note();
      }
      if (note != null) {
        notes.append('\n').append(row.variant.label()).append(": ").append(note);
      }
    }
    return table.toString() + notes;
  }

  private String[] cells(Candidate<?> candidate) {
    Layout layout = candidate.plannedLayout();
    Lines lines = layout.lines(elements);
    boolean deletable = candidate.is(Trait.DELETABLE);
    return new String[] {
      candidate.name(),
      Figures.wholeOrNone(layout.positions()),
      Figures.wholeOrNone(layout.hashes()),
      Figures.whole(candidate.plannedBytes()),
      Figures.twoDecimals(bitsPerElement(candidate)),
      Figures.percent(layout.fpp(elements)),
      Figures.oneDecimal(lines.add()),
      Figures.oneDecimal(lines.query()),
      Figures.oneDecimal(lines.queryAbsent()),
      deletable ? Figures.oneDecimal(lines.remove()) : Figures.NONE,
      candidate.is(Trait.CONCURRENT) ? "yes" : "no",
      deletable ? "yes" : "no"
    };
  }

  String json() {
    List<Map<String, @Nullable Object>> objects = new ArrayList<>();
    for (Row row : rows) {
      objects.add(row.candidate == null ? new LinkedHashMap<>() : members(row.candidate));
    }
    // Objects of filters that there are not have the same members, but without a value.
    List<String> names = objects.stream().flatMap(o -> o.keySet().stream()).distinct().toList();
    for (int i = 0; i < rows.size(); i++) {
      Map<String, @Nullable Object> object = objects.get(i);
      names.forEach(name -> object.putIfAbsent(name, null));
      object.put("filter", rows.get(i).variant.label());
      object.put("reason", rows.get(i).reason);
    }
    return Json.array(objects);
  }

  private Map<String, @Nullable Object> members(Candidate<?> candidate) {
    Layout layout = candidate.plannedLayout();
    Lines lines = layout.lines(elements);
    boolean deletable = candidate.is(Trait.DELETABLE);
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("filter", candidate.name());
    layout.putInto(members);
    members.put("bytes", candidate.plannedBytes());
    members.put("bitsPerElement", bitsPerElement(candidate));
    members.put("expectedFpp", layout.fpp(elements));
    members.put("linesAdd", lines.add());
    members.put("linesAddAtMost", lines.addAtMost());
    members.put("linesQuery", lines.query());
    members.put("linesQueryAbsent", lines.queryAbsent());
    members.put("linesRemove", deletable ? lines.remove() : null);
    members.put("concurrent", candidate.is(Trait.CONCURRENT));
    members.put("deletable", deletable);
    return members;
  }

  private double bitsPerElement(Candidate<?> candidate) {
    return (double) candidate.plannedBytes() * Byte.SIZE / elements;
  }
}
