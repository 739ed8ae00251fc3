package io.bloomkit.cli.interop;

import io.bloomkit.classic.parquet.ParquetBloomFilter;
import io.bloomkit.cli.io.LineElements;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.Json;
import io.bloomkit.cli.text.TextTable;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Prints the filters of a Parquet file, and queries the filters of a column. */
public final class ParquetReport {

  private ParquetReport() {}

  /**
   * Prints a table of the filters by row group and column.
   *
   * @throws IOException if a filter cannot be read; the filters before it are printed
   */
  public static void printTable(ParquetFile file, PrintWriter out) throws IOException {
    TextTable table =
        new TextTable(
            "row group",
            "column",
            "type",
            "rows",
            "filter bytes",
            "approximate values",
            "expected fpp");
    try {
      file.readFilters(file.columns(), (column, filter) -> table.row(row(file, column, filter)));
    } finally {
      table.printTo(out);
    }
  }

  /**
   * Prints a JSON object with the filters by row group and column. Each filter is printed when it
   * is read, since a forged footer can have many columns.
   *
   * @throws IOException if a filter cannot be read; the object contains the filters before it and
   *     the damage
   */
  public static void printJson(ParquetFile file, PrintWriter out) throws IOException {
    out.print("{\n  \"file\": " + Json.text(file.path().toString()) + ",\n  \"filters\": [");
    String[] before = {"\n    "};
    @Nullable String damage = null;
    try {
      file.readFilters(
          file.columns(),
          (column, filter) -> {
            out.print(before[0] + Json.object(object(file, column, filter)));
            before[0] = ",\n    ";
          });
    } catch (IOException e) {
      damage = String.valueOf(e.getMessage());
      throw e;
    } finally {
      String end = before[0].startsWith(",") ? "\n  ]" : "]";
      out.println(
          end + ",\n  \"damage\": " + (damage == null ? "null" : Json.text(damage)) + "\n}");
    }
  }

  private static Map<String, @Nullable Object> object(
      ParquetFile file, ParquetColumn column, @Nullable ParquetBloomFilter<Object> filter) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    object.put("rowGroup", column.rowGroup());
    object.put("column", column.name());
    object.put("type", column.type().name());
    object.put("rows", file.rows(column.rowGroup()));
    object.put("filterBytes", filter == null ? null : filter.shape().bytes());
    object.put("approximateValues", filter == null ? null : filter.approximateElementCount());
    object.put("expectedFpp", filter == null ? null : filter.expectedFpp());
    return object;
  }

  private static String[] row(
      ParquetFile file, ParquetColumn column, @Nullable ParquetBloomFilter<Object> filter) {
    List<String> row = new ArrayList<>();
    row.add(String.valueOf(column.rowGroup()));
    row.add(column.name());
    row.add(column.type().name());
    row.add(Figures.whole(file.rows(column.rowGroup())));
    if (filter != null) {
      row.add(Figures.whole(filter.shape().bytes()));
      row.add(Figures.whole(filter.approximateElementCount()));
      row.add(Figures.percent(filter.expectedFpp()));
    }
    return row.toArray(String[]::new);
  }

  /**
   * Queries the filters of a column for values.
   *
   * @param name the name of the column
   * @return the row groups that a reader can skip, because they contain none of the values
   * @throws IllegalArgumentException if there is no such column, if no row group has a filter for
   *     it, or if a line is not a value of its type
   * @throws IOException if a filter cannot be read
   */
  public static Skips skips(ParquetFile file, String name, LineElements lines, PrintWriter err)
      throws IOException {
    List<ParquetColumn> columns =
        file.columns().stream().filter(column -> column.name().equals(name)).toList();
    ParquetColumn first = requireFilter(file, name, columns);
    List<@Nullable ParquetBloomFilter<Object>> filters =
        new ArrayList<>(Collections.nCopies(file.rowGroups(), null));
    file.readFilters(columns, (column, filter) -> filters.set(column.rowGroup(), filter));
    ValueType type = first.valueType();
    HashStrategy<Object> strategy = first.strategy();
    long[] possible = new long[filters.size()];
    long[] values = new long[1];
    lines.forEach(
        (bytes, from, to) -> {
          values[0]++;
          long[] hashes = type.equalHashes(strategy, bytes, from, to);
          for (int group = 0; group < possible.length; group++) {
            possible[group] += mightContain(filters.get(group), hashes) ? 1 : 0;
          }
        },
        err);
    TextTable table = new TextTable("row group", "rows", "possible values", "answer");
    boolean isAnyRead = false;
    for (int group = 0; group < possible.length; group++) {
      table.row(
          String.valueOf(group),
          Figures.whole(file.rows(group)),
          Figures.whole(possible[group]),
          filters.get(group) == null ? "read: no filter" : possible[group] > 0 ? "read" : "skip");
      isAnyRead |= possible[group] > 0 || (filters.get(group) == null && values[0] > 0);
    }
    return new Skips(table.toString().stripTrailing(), isAnyRead);
  }

  /**
   * Checks that the columns of all row groups have one type and at least one has a filter, and
   * returns the first column.
   */
  private static ParquetColumn requireFilter(
      ParquetFile file, String name, List<ParquetColumn> columns) throws IOException {
    if (columns.isEmpty()) {
      Set<String> names = new LinkedHashSet<>();
      file.columns().forEach(column -> names.add(column.name()));
      throw new IllegalArgumentException(
          "there is no column " + name + "; the columns are " + names);
    }
    ParquetColumn first = columns.get(0);
    for (ParquetColumn column : columns) {
      if (column.type() != first.type()) {
        throw new IOException(
            "column " + name + " has types " + first.type() + " and " + column.type());
      }
    }
    if (columns.stream().noneMatch(ParquetColumn::hasFilter)) {
      throw new IllegalArgumentException(
          "column " + name + " has no Bloom filter in any row group");
    }
    return first;
  }

  private static boolean mightContain(@Nullable ParquetBloomFilter<Object> filter, long[] hashes) {
    if (filter == null || hashes.length == 0) {
      return true;
    }
    for (long hash : hashes) {
      if (filter.mightContainHash(hash)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The row groups that a reader can skip.
   *
   * @param table a table with the answer for each row group
   * @param isAnyRead whether any row group may contain one of the values
   */
  public record Skips(String table, boolean isAnyRead) {}
}
