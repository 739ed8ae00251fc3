package io.bloomkit.cli.dedup;

import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.TextTable;

/**
 * Formats the summary of a run.
 *
 * @param bytes the number of bytes read
 * @param windowNote how long lines are remembered, or an empty text
 */
record DedupSummary(
    Dedup dedup,
    Dedup.Settings settings,
    SeenLines seen,
    long bytes,
    double seconds,
    String windowNote) {

  /** Returns the summary on one line. */
  String line() {
    return Figures.counted(dedup.lines(), "line")
        + ", "
        + selection()
        + Figures.whole(seen.memoryBytes())
        + " bytes of memory; "
        + wronglyDroppedName()
        + ": "
        + wronglyDropped()
        + (windowNote.isEmpty() ? "" : "; " + windowNote)
        + (dedup.separatorNote().isEmpty() ? "" : "; " + dedup.separatorNote());
  }

  /** Returns the numbers of lines that were printed or not. */
  private String selection() {
    String what =
        settings.repeats()
            ? Figures.counted(dedup.dropped(), "repeat")
                + printed("")
                + ", "
                + Figures.counted(firstOccurrences(), "first occurrence")
                + printed(" not")
            : Figures.whole(dedup.dropped()) + " dropped";
    return dedup.missing() == 0
        ? what + ", "
        : what
            + ", "
            + Figures.whole(dedup.missing())
            + " without the field"
            + (settings.repeats() ? printed(" not") : "")
            + ", ";
  }

  private String printed(String not) {
    return not + (settings.count() ? " counted" : " printed");
  }

  private long firstOccurrences() {
    return dedup.lines() - dedup.dropped() - dedup.missing();
  }

  private String wronglyDroppedName() {
    return settings.repeats()
        ? "expected first occurrences among the repeats"
        : "expected lines wrongly dropped";
  }

  /**
   * Returns the expected number of wrongly dropped lines, or the number of dropped lines as an
   * upper bound if the rate of the filter is unknown or near 1.
   */
  private String wronglyDropped() {
    double expected = dedup.expectedWronglyDropped();
    return expected < dedup.dropped() || dedup.dropped() == 0 // false for NaN
        ? Figures.twoDecimals(expected)
        : "up to " + Figures.whole(dedup.dropped());
  }

  /** Returns the summary with one figure per line. */
  String table() {
    TextTable table = new TextTable("lines", Figures.whole(dedup.lines()));
    if (settings.repeats()) {
      table.row("repeats" + printed(""), Figures.whole(dedup.dropped()));
      table.row("first occurrences" + printed(" not"), Figures.whole(firstOccurrences()));
    } else {
      table.row("lines dropped", Figures.whole(dedup.dropped()));
    }
    table.row("lines without the field", Figures.whole(dedup.missing()));
    table.row("lines earlier than a previous one", Figures.whole(dedup.late()));
    if (!windowNote.isEmpty()) {
      table.row("window", windowNote);
    }
    if (!dedup.separatorNote().isEmpty()) {
      table.row("fields", dedup.separatorNote());
    }
    table.row("bytes read", Figures.whole(bytes));
    table.row("seconds", Figures.twoDecimals(seconds));
    table.row("lines per second", Figures.whole(Math.round(dedup.lines() / seconds)));
    table.row("filter", seen.description());
    table.row("bytes of memory", Figures.whole(seen.memoryBytes()));
    table.row(wronglyDroppedName(), wronglyDropped());
    table.row("false-positive rate at the end", Figures.percent(seen.expectedFpp()));
    table.row("highest false-positive rate", Figures.percent(seen.highestFpp()));
    return table.toString().stripTrailing();
  }
}
