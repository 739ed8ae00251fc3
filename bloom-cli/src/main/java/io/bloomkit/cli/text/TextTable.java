package io.bloomkit.cli.text;

import java.util.ArrayList;
import java.util.List;

/** A table for people: the first column to the left, figures to the right, two spaces between. */
public final class TextTable {

  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... titles) {
    row(titles);
  }

  /** Appends a row; dashes stand for cells that are missing at its end. */
  public void row(String... cells) {
    List<String> row = new ArrayList<>(List.of(cells));
    while (!rows.isEmpty() && row.size() < rows.get(0).size()) {
      row.add(Figures.NONE);
    }
    rows.add(row);
  }

  @Override
  public String toString() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        String padding = " ".repeat(widths[i] - row.get(i).length());
        text.append(i == 0 ? row.get(i) + padding : GAP + padding + row.get(i));
      }
      text.append('\n');
    }
    return text.toString();
  }
}
