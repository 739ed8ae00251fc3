package io.bloomkit.cli.interop;

import io.bloomkit.FilterFormatException;
import io.bloomkit.cli.interop.ParquetColumn.Place;
import io.bloomkit.cli.io.LineElements;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.TextTable;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.interop.parquet.ParquetBloomFilter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Queries the filters of a column of a Parquet file. A row group is skipped only if its filter is
 * certainly right and contains no stored form of the value.
 */
public final class ParquetQuery {

  private final ParquetFile file;
  private final ColumnSchema column;
  private final PrintWriter err;
  private final List<@Nullable ParquetBloomFilter<Object>> filters;

  /** Why a row group without a usable filter must be read. */
  private final String[] reasons;

  /**
   * Reads the filters of a column. A damaged filter is reported, and its row group must be read.
   *
   * @param name the names from the root of the schema to the column, joined by dots; each may be in
   *     backquotes, in which a backquote is doubled
   * @param err receives warnings, and the progress if standard error is a terminal
   * @throws IllegalArgumentException if no column or several have the name, if the column is
   *     encrypted, if no row group has a filter for it, or if its type is unknown
   * @throws IOException if a filter cannot be read
   */
  public ParquetQuery(ParquetFile file, String name, PrintWriter err) throws IOException {
    this.file = file;
    this.err = err;
    this.column = find(file.schema(), name);
    this.filters = new ArrayList<>(Collections.nCopies(file.rowGroups(), null));
    this.reasons = new String[file.rowGroups()];
    column.requireKnownType();
    List<ParquetColumn> chunks =
        file.columns().stream().filter(chunk -> chunk.schema().equals(column)).toList();
    requireFilter(chunks);
    Arrays.fill(reasons, "no filter");
    for (ParquetColumn chunk : chunks) {
      readFilter(chunk);
    }
  }

  private static ColumnSchema find(List<ColumnSchema> schema, String name) {
    Predicate<ColumnPath> named = ColumnPath.named(name);
    List<ColumnSchema> found =
        schema.stream().filter(candidate -> named.test(candidate.path())).toList();
    if (found.size() == 1) {
      return found.get(0);
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no column "
              + name
              + "; the columns are "
              + schema.stream().map(ColumnSchema::path).toList());
    }
    List<String> paths = found.stream().map(match -> match.path().quoted()).distinct().toList();
    throw new IllegalArgumentException(
        paths.size() > 1
            ? "column " + name + " is ambiguous; write " + String.join(" or ", paths)
            : "the file has "
                + found.size()
                + " columns "
                + name
                + ", which cannot be told apart; write the file with different names");
  }

  private void requireFilter(List<ParquetColumn> chunks) {
    if (file.rowGroups() == 0 || chunks.stream().anyMatch(ParquetColumn::hasFilter)) {
      return;
    }
    String places =
        chunks.stream()
            .map(ParquetColumn::place)
            .filter(place -> place != Place.HERE)
            .distinct()
            .map(Place::toString)
            .collect(Collectors.joining(" or "));
    throw new IllegalArgumentException(
        places.isEmpty()
            ? "column " + column.path() + " has no Bloom filter in any row group"
            : "column " + column.path() + " is " + places + ", and so are its Bloom filters");
  }

  private void readFilter(ParquetColumn chunk) throws IOException {
    int group = chunk.rowGroup();
    if (chunk.place() != Place.HERE) {
      reasons[group] = chunk.place().toString();
    } else if (chunk.hasFilter()) {
      try {
        filters.set(group, file.filter(chunk));
      } catch (FilterFormatException e) {
        reasons[group] = "damaged filter";
        err.println("bloom: warning: " + Figures.printable(file.path() + ": " + e.getMessage()));
        err.flush();
      }
    }
  }

  /**
   * Queries the filters for values.
   *
   * @return the row groups that a reader can skip, because they contain none of the values
   * @throws IllegalArgumentException if a line is not a value of the column
   */
  public Skips skips(LineElements lines) {
    HashStrategy<Object> strategy = column.strategy();
    long[] possible = new long[filters.size()];
    lines.forEach(
        (bytes, from, to) -> {
          long[] hashes = column.hashes(strategy, bytes, from, to);
          for (int group = 0; group < possible.length; group++) {
            possible[group] += mightContain(filters.get(group), hashes) ? 1 : 0;
          }
        },
        err);
    TextTable table = new TextTable("row group", "rows", "possible values", "answer");
    boolean isAnyRead = false;
    for (int group = 0; group < possible.length; group++) {
      boolean isRead = possible[group] > 0;
      table.row(
          String.valueOf(group),
          Figures.whole(file.rows(group)),
          Figures.whole(possible[group]),
          filters.get(group) == null ? "read: " + reasons[group] : isRead ? "read" : "skip");
      isAnyRead |= isRead;
    }
    return new Skips(table.toString().stripTrailing(), isAnyRead);
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
