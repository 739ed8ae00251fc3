package io.bloomkit.cli.foreign;

import io.bloomkit.classic.parquet.ParquetBloomFilter;
import io.bloomkit.cli.io.LineElements;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.Json;
import io.bloomkit.cli.text.TextTable;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The filters of a Parquet file, and the answers of those of a column, as text. */
public final class ParquetReport {

  private ParquetReport() {}

  /**
   * Returns the filters by row group and column, as a table or as JSON.
   *
   * @throws IOException if one of them cannot be read
   */
  public static String filters(ParquetFile file, boolean json) throws IOException {
    TextTable table =
        new TextTable(
            "row group",
            "column",
            "type",
            "rows",
            "filter bytes",
            "approximate values",
            "error now");
    List<Map<String, @Nullable Object>> objects = new ArrayList<>();
    for (ParquetColumn column : file.columns()) {
      long rows = file.rows(column.rowGroup());
      Map<String, @Nullable Object> object = new LinkedHashMap<>();
      object.put("rowGroup", column.rowGroup());
      object.put("column", column.name());
      object.put("type", column.type().name());
      object.put("rows", rows);
      String group = String.valueOf(column.rowGroup());
      if (column.hasFilter()) {
        ParquetBloomFilter<Object> filter = file.filter(column);
        object.put("filterBytes", filter.shape().bytes());
        object.put("approximateValues", filter.approximateElementCount());
        object.put("expectedFpp", filter.expectedFpp());
        table.row(
            group,
            column.name(),
            column.type().name(),
            Figures.whole(rows),
            Figures.whole(filter.shape().bytes()),
            Figures.whole(filter.approximateElementCount()),
            Figures.percent(filter.expectedFpp()));
      } else {
        object.put("filterBytes", null);
        object.put("approximateValues", null);
        object.put("expectedFpp", null);
        table.row(group, column.name(), column.type().name(), Figures.whole(rows));
      }
      objects.add(object);
    }
    return json ? Json.array(objects) : table.toString().stripTrailing();
  }

  /**
   * Queries the filters of a column for values.
   *
   * @param name the column
   * @return which row groups need not be read for any of the values
   * @throws IllegalArgumentException if there is no such column, no row group has a filter of it,
   *     or a line is no value of its type
   * @throws IOException if a filter cannot be read
   */
  public static Skips skips(ParquetFile file, String name, LineElements lines, PrintWriter err)
      throws IOException {
    List<@Nullable ParquetBloomFilter<Object>> filters = new ArrayList<>();
    ParquetColumn first = null;
    boolean hasFilter = false;
    for (int group = 0; group < file.rowGroups(); group++) {
      ParquetColumn column = file.column(group, name);
      if (first == null) {
        first = column;
      }
      if (column != null && first != null && column.type() != first.type()) {
        throw new IOException(
            "column " + name + " has types " + first.type() + " and " + column.type());
      }
      boolean has = column != null && column.hasFilter();
      filters.add(column != null && has ? file.filter(column) : null);
      hasFilter |= has;
    }
    if (first == null) {
      Set<String> names = new LinkedHashSet<>();
      file.columns().forEach(column -> names.add(column.name()));
      throw new IllegalArgumentException(
          "there is no column " + name + ": the columns are " + names);
    }
    if (!hasFilter) {
      throw new IllegalArgumentException(
          "column " + name + " has no Bloom filter in any row group");
    }
    ValueType type = first.valueType();
    HashStrategy<Object> strategy = first.strategy();
    long[] possible = new long[filters.size()];
    long[] values = new long[1];
    lines.forEach(
        (bytes, from, to) -> {
          values[0]++;
          long hash = type.hash(strategy, bytes, from, to);
          for (int group = 0; group < possible.length; group++) {
            ParquetBloomFilter<Object> filter = filters.get(group);
            possible[group] += filter == null || filter.mightContainHash(hash) ? 1 : 0;
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
   * Which row groups need not be read.
   *
   * @param table the answer for each row group
   * @param isAnyRead whether a row group may have one of the values
   */
  public record Skips(String table, boolean isAnyRead) {}
}
