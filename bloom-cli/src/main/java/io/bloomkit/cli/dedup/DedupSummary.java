package io.bloomkit.cli.dedup;

import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.TextTable;

/** What a run came to, for people. */
final class DedupSummary {

  private final Dedup dedup;
  private final SeenLines seen;
  private final long bytes;
  private final double seconds;

  DedupSummary(Dedup dedup, SeenLines seen, long bytes, double seconds) {
    this.dedup = dedup;
    this.seen = seen;
    this.bytes = bytes;
    this.seconds = seconds;
  }

  /** Returns one line. */
  String line() {
    return Figures.whole(dedup.lines())
        + " lines, "
        + Figures.whole(dedup.dropped())
        + " dropped, "
        + (dedup.missing() == 0 ? "" : Figures.whole(dedup.missing()) + " without the field, ")
        + Figures.whole(seen.memoryBytes())
        + " bytes of memory; "
        + wronglyDropped("about ")
        + " new lines wrongly dropped";
  }

  /**
   * At most the number of dropped lines, which is the only bound if the rate of the filter is
   * unknown or near 1.
   */
  private String wronglyDropped(String about) {
    double expected = dedup.expectedWronglyDropped();
    return expected < dedup.dropped() || dedup.dropped() == 0 // not if it is no number
        ? about + Figures.twoDecimals(expected)
        : "up to " + Figures.whole(dedup.dropped());
  }

  /** Returns a line for each figure. */
  String table() {
    TextTable table = new TextTable("lines", Figures.whole(dedup.lines()));
    table.row("lines dropped", Figures.whole(dedup.dropped()));
    table.row("lines without the field", Figures.whole(dedup.missing()));
    table.row("lines earlier than one before", Figures.whole(dedup.late()));
    table.row("bytes read", Figures.whole(bytes));
    table.row("seconds", Figures.twoDecimals(seconds));
    table.row("lines per second", Figures.whole(Math.round(dedup.lines() / seconds)));
    table.row("filter", seen.description());
    table.row("bytes of memory", Figures.whole(seen.memoryBytes()));
    table.row("expected lines wrongly dropped", wronglyDropped(""));
    table.row("rate of that at the end", Figures.percent(seen.expectedFpp()));
    table.row("highest rate of that", Figures.percent(seen.highestFpp()));
    return table.toString().stripTrailing();
  }
}
