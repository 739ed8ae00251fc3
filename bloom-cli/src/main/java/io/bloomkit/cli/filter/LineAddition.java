package io.bloomkit.cli.filter;

import io.bloomkit.cli.io.LineElements;
import io.bloomkit.cli.text.Figures;
import java.io.PrintWriter;
import java.nio.file.Path;

/** Adds lines to a filter and counts them. */
final class LineAddition {

  private final LineFilter filter;
  private long added;
  private long newLines;

  /** The number of lines that end with a carriage return, as those of Windows. */
  private long withReturn;

  private String separatorNote = "";

  LineAddition(LineFilter filter) {
    this.filter = filter;
  }

  /**
   * Adds all elements of an input.
   *
   * @throws IllegalArgumentException if an element cannot be added; the message names its line
   */
  void run(LineElements elements, PrintWriter err) {
    elements.forEach(
        (bytes, from, to) -> {
          newLines += filter.add(bytes, from, to);
          added++;
          withReturn += to > from && bytes[to - 1] == '\r' ? 1 : 0;
        },
        err);
    newLines += filter.finishBatches();
    separatorNote = elements.separatorNote();
  }

  /** Returns the number of lines added, repeated ones included. */
  long added() {
    return added;
  }

  /** Returns the number of lines that were certainly new. */
  long newLines() {
    return newLines;
  }

  /** Prints a summary of the additions. */
  void report(Path file, PrintWriter err) {
    err.printf(
        "%s: %s, %s added, %s of them certainly new; expected fpp %s%s%n",
        file,
        filter.kind(),
        Figures.counted(added, "line"),
        Figures.whole(newLines),
        Figures.percent(filter.expectedFpp()),
        separatorNote);
    boolean areBytes = filter.strategy().type() == ValueType.BYTES; // numbers end before a return
    if (areBytes && added > 0 && withReturn == added) {
      err.println(
          "bloom: note: every line ends with a carriage return, which belongs to it; tr -d '\\r'"
              + " drops it");
    }
    err.flush();
  }
}
