package io.bloomkit.cli.experiment;

import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.Json;
import io.bloomkit.cli.text.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** The results of an experiment, as tables and as JSON. */
public final class Results {
  private final List<Row> rows;
  private final RatePlot plot;
  private final StringBuilder text = new StringBuilder();

  /**
   * Creates results without text.
   *
   * @param rows the objects of the JSON
   * @param plot the picture of their curves
   */
  public Results(List<Row> rows, RatePlot plot) {
    this.rows = List.copyOf(rows);
    this.plot = plot;
  }

  /** A column of a table. */
  public record Column(String title, Function<Row, String> cell) {

    /** Returns a column of rounded numbers; a number that is missing or null is a dash. */
    public static Column whole(String title, String member) {
      return new Column(
          title,
          row -> {
            Number number = (Number) row.members().get(member);
            return Figures.wholeOrNone(
                number instanceof Double real ? Long.valueOf(Math.round(real)) : number);
          });
    }

    /** Returns a column of numbers with one decimal. */
    public static Column decimal(String title, String member) {
      return new Column(title, row -> Figures.oneDecimal(row.number(member).doubleValue()));
    }

    /**
     * Returns columns followed by those of a rate: what was measured, its interval, the formula,
     * and whether the formula is in the interval. Rows without queries have dashes.
     */
    public static List<Column> withRate(String quantity, Column... columns) {
      List<Column> all = new ArrayList<>(List.of(columns));
      all.add(rate(quantity, "measured", rate -> Figures.percent(rate.measured())));
      all.add(rate(quantity, "99.9 % interval", rate -> Figures.percent(rate.interval())));
      all.add(rate(quantity, "formula", rate -> Figures.percent(rate.expected())));
      all.add(rate(quantity, "in interval", rate -> String.valueOf(rate.isAsExpected())));
      return all;
    }

    private static Column rate(String quantity, String title, Function<Rate, String> cell) {
      return new Column(
          title,
          row -> row.rate(quantity).queries() == 0 ? Figures.NONE : cell.apply(row.rate(quantity)));
    }
  }

  /** Appends a formatted text; {@code %n} ends a line. */
  public Results text(String format, Object... arguments) {
    text.append(String.format(Locale.ROOT, format, arguments));
    return this;
  }

  /**
   * Appends a table.
   *
   * @param filter the title of the first column, which names the filter
   */
  public Results table(List<Row> rows, String filter, List<Column> columns) {
    Stream<String> titles = columns.stream().map(Column::title);
    TextTable table =
        new TextTable(Stream.concat(Stream.of(filter), titles).toArray(String[]::new));
    for (Row row : rows) {
      Stream<String> cells = columns.stream().map(column -> column.cell().apply(row));
      table.row(Stream.concat(Stream.of(row.filter()), cells).toArray(String[]::new));
    }
    text.append(table);
    return this;
  }

  /** Appends the notes on a row, a line each. */
  public Results notes(Row row) {
    row.notes().forEach(note -> text("%n%s: %s.%n", row.filter(), note));
    return this;
  }

  String json() {
    return Json.array(rows.stream().map(Row::members).toList());
  }

  byte[] png() {
    return plot.png(rows);
  }

  @Override
  public String toString() {
    return text.toString().stripTrailing();
  }
}
