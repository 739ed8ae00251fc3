package io.bloomkit.bench.result;

import java.util.List;

/** A Markdown table, built row by row. */
final class MarkdownTable {

  private final StringBuilder text = new StringBuilder();

  MarkdownTable(List<String> titles) {
    row(titles);
    text.append("|---".repeat(titles.size())).append("|\n");
  }

  void row(List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
