package io.bloomkit.cli.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A text table: the first column is left-aligned, the others are right-aligned, with two spaces
 * between columns.
 */
public final class TextTable {

  private static final String GAP = "  ";

  private final List<String[]> rows = new ArrayList<>();

  public TextTable(String... titles) {
    row(titles);
  }

  /**
   * Appends a row, with its cells made {@linkplain Figures#printable printable}. Missing cells are
   * shown as dashes.
   */
  public void row(String... cells) {
    int columns = rows.isEmpty() ? cells.length : rows.get(0).length;
    String[] row = Arrays.copyOf(cells, columns);
    Arrays.fill(row, Math.min(cells.length, columns), columns, Figures.NONE);
    Arrays.setAll(row, i -> Figures.printable(row[i]));
    rows.add(row);
  }

  private int[] widths() {
    int[] widths = new int[rows.get(0).length];
    for (String[] row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    return widths;
  }

  private static String line(String[] row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - row[i].length());
      line.append(i == 0 ? row[i] + padding : GAP + padding + row[i]);
    }
    return line.toString();
  }

  @Override
  public String toString() {
    int[] widths = widths();
    StringBuilder text = new StringBuilder();
    rows.forEach(row -> text.append(line(row, widths)).append('\n'));
    return text.toString();
  }
}
