package io.bloomkit.cli.interop;

import io.bloomkit.cli.interop.ParquetColumn.Place;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.Json;
import io.bloomkit.cli.text.TextTable;
import io.bloomkit.interop.parquet.ParquetBloomFilter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints the filters of a Parquet file. */
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
      for (ParquetColumn column : file.columns()) {
        table.row(row(file, column, filter(file, column)));
      }
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
    String before = "\n    ";
    @Nullable String damage = null;
    try {
      for (ParquetColumn column : file.columns()) {
        out.print(before + Json.object(object(file, column, filter(file, column))));
        before = ",\n    ";
      }
    } catch (IOException e) {
      damage = String.valueOf(e.getMessage());
      throw e;
    } finally {
      String end = before.startsWith(",") ? "\n  ]" : "]";
      out.println(
          end + ",\n  \"damage\": " + (damage == null ? "null" : Json.text(damage)) + "\n}");
    }
  }

  private static @Nullable ParquetBloomFilter<Object> filter(ParquetFile file, ParquetColumn column)
      throws IOException {
    return column.hasFilter() ? file.filter(column) : null;
  }

  private static Map<String, @Nullable Object> object(
      ParquetFile file, ParquetColumn column, @Nullable ParquetBloomFilter<Object> filter) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    object.put("rowGroup", column.rowGroup());
    object.put("column", column.name());
    object.put("type", column.schema().type().name());
    object.put("rows", file.rows(column.rowGroup()));
    object.put("place", column.place().toString());
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
    row.add(column.schema().type().name());
    row.add(Figures.whole(file.rows(column.rowGroup())));
    if (filter != null) {
      row.add(Figures.whole(filter.shape().bytes()));
      row.add(Figures.whole(filter.approximateElementCount()));
      row.add(Figures.percent(filter.expectedFpp()));
    } else if (column.place() != Place.HERE) {
      row.add(column.place().toString());
    }
    return row.toArray(String[]::new);
  }
}
