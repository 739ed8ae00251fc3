package io.bloomkit.cli.dedup;

import static java.util.stream.Collectors.joining;

import io.bloomkit.cli.io.Fields;
import io.bloomkit.cli.io.LineReader;
import io.bloomkit.cli.io.LineWriter;
import io.bloomkit.cli.text.Figures;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Prints the first occurrence of each line, or only its repeats. Before it waits for more input, it
 * writes the results of all lines that it has read. Not thread-safe.
 *
 * <p>Lines are processed in batches: first all hashes are computed, then all of them go to the
 * filter. The memory accesses of several lines then overlap.
 */
final class Dedup {

  /** Most lines of a block; a filter that expires changes each of its tables once for them. */
  private static final int BATCH = 1 << 12;

  /** Most lines that are printed before they are remembered. Each is compared with the others. */
  private static final int PRINTED_BATCH = 64;

  /** The number of bytes of a field that a message shows. */
  private static final int MAX_BYTES_SHOWN = 64;

  /** The number of lines between two computations of the filter's false-positive rate. */
  private static final int LINES_BETWEEN_UPDATES = 1 << 12;

  /**
   * The settings of a run.
   *
   * @param key finds the part of a line that is compared
   * @param timeField finds the field with the time of a line; null for the time of reading
   * @param timeFormat the format of the time field
   * @param repeats whether to print the repeats instead of the first occurrences
   * @param count whether to count the selected lines instead of printing them
   * @param passMissing whether to print a line that lacks a field; otherwise, such a line ends the
   *     run
   * @param saving whether lines are remembered durably
   */
  record Settings(
      Fields key,
      @Nullable Fields timeField,
      TimeFormat timeFormat,
      boolean repeats,
      boolean count,
      boolean passMissing,
      Saving saving) {}

  /** Whether lines are remembered durably, and when. */
  enum Saving {
    /** Not at all. */
    NONE,
    /** After they are printed: after a crash, a line may be printed again. */
    AFTER_PRINTING,
    /** Before they are printed: after a crash, a line may never be printed. */
    BEFORE_PRINTING
  }

  private final Settings settings;
  private final LineReader in;
  private final LineWriter out;
  private final SeenLines seen;

  /** The clock; null if the time comes from a field of the lines. */
  private final @Nullable InstantSource time;

  private final long[] hashes = new long[BATCH];
  private final long[] checks = new long[BATCH];
  private final long[] times = new long[BATCH];
  private final int[] starts = new int[BATCH];
  private final int[] ends = new int[BATCH];
  private final boolean[] first = new boolean[BATCH];
  private int pending;

  /** The number of lines that are processed together. */
  private final int batch;

  /** Makes what was remembered durable. */
  private final Runnable sync;

  private long selected;
  private long dropped;
  private long missing;
  private long early;
  private long late;
  private long newLines;
  private int linesSinceUpdate;

  /** The latest time of a line. */
  private long latest = Long.MIN_VALUE;

  /**
   * Creates a run.
   *
   * @param in the input, which has read at least one block
   * @param time the clock, unless a field of the lines contains their time
   * @param sync makes what was remembered durable, for {@link Saving#BEFORE_PRINTING}
   */
  Dedup(
      Settings settings,
      LineReader in,
      LineWriter out,
      SeenLines seen,
      @Nullable InstantSource time,
      Runnable sync) {
    this.settings = settings;
    this.in = in;
    this.out = out;
    this.seen = seen;
    this.time = time;
    this.sync = sync;
    // A line is remembered with the time of the last line that is printed together with it.
    this.batch =
        settings.saving != Saving.AFTER_PRINTING
            ? BATCH
            : settings.timeField == null ? PRINTED_BATCH : 1;
  }

  /**
   * Processes the lines that have been read.
   *
   * @throws java.io.UncheckedIOException if the output cannot be written
   * @throws IllegalArgumentException if a line lacks a field and {@code passMissing} is false, or
   *     if a line cannot be split
   */
  void processBuffer() {
    if (time != null) {
      seen.advanceTo(time.millis());
    }
    while (in.next()) {
      collectLine();
      if (pending == batch) {
        processBatch();
      }
    }
    processBatch();
    out.flush();
  }

  private void collectLine() {
    if (settings.timeField != null) {
      Fields field = settings.timeField;
      if (!find(field)) {
        missing("field " + field.missing(), field);
        return;
      }
      OptionalLong millis = settings.timeFormat.millis(field.bytes(), field.start(), field.end());
      if (millis.isEmpty()) {
        missing(noTime(field), field);
        return;
      }
      times[pending] = millis.getAsLong();
    }
    Fields key = settings.key;
    if (!find(key)) {
      missing("field " + key.missing(), key);
      return;
    }
    int length = key.end() - key.start();
    hashes[pending] = SeenLines.STRATEGY.hashBytes(key.bytes(), key.start(), length);
    checks[pending] = seen.check(key.bytes(), key.start(), length);
    starts[pending] = in.lineStart();
    ends[pending] = in.nextStart();
    pending++;
  }

  private String noTime(Fields field) {
    int length = Math.min(field.end() - field.start(), MAX_BYTES_SHOWN);
    return String.format(
        "time in field %d, but '%s'; --time-format is %s and may be %s",
        field.missing(),
        Figures.printable(new String(field.bytes(), field.start(), length, StandardCharsets.UTF_8)),
        settings.timeFormat,
        Stream.of(TimeFormat.values()).map(TimeFormat::toString).collect(joining(", ")));
  }

  private boolean find(Fields field) {
    try {
      return field.find(in.buffer(), in.lineStart(), in.lineEnd());
    } catch (IllegalArgumentException e) {
      processBatch();
      out.flush();
      throw new IllegalArgumentException(in.place() + " " + e.getMessage() + processed(), e);
    }
  }

  /** Returns the part of a message that says what is done with the lines before the current one. */
  private String processed() {
    return lines() == 1
        ? ""
        : lines() == 2
            ? "; the line before it is processed"
            : "; the " + (lines() - 1) + " lines before it are processed";
  }

  /** Prints a line that lacks a field, or ends the run. */
  private void missing(String what, Fields field) {
    processBatch();
    if (!settings.passMissing) {
      out.flush();
      throw new IllegalArgumentException(
          String.format("%s has no %s%s %s", in.place(), what, processed(), field.missingHint()));
    }
    missing++;
    if (!settings.repeats) {
      print(in.lineStart(), in.nextStart());
    }
  }

  private void print(int from, int to) {
    selected++;
    if (settings.count) {
      return;
    }
    if (settings.saving == Saving.NONE) {
      out.write(in.buffer(), from, to);
    } else { // the next run may append to the same file
      out.writeTerminated(in.buffer(), from, to, in.terminator());
    }
  }

  private void processBatch() {
    if (settings.saving == Saving.AFTER_PRINTING) {
      for (int from = 0; from < pending; ) {
        from = printThenRemember(from);
      }
    } else {
      rememberBatch();
      if (settings.saving == Saving.BEFORE_PRINTING) {
        sync.run();
      }
      printSelected(0, pending);
    }
    linesSinceUpdate += pending;
    pending = 0;
    if (linesSinceUpdate >= LINES_BETWEEN_UPDATES) {
      updateFilterRate();
    }
  }

  /**
   * Prints a run of lines and then remembers them. The lines of a run differ and have one time, so
   * the answers are those one by one.
   *
   * @return the end of the run
   */
  private int printThenRemember(int from) {
    int end = (int) Math.min(pending, (long) from + seen.maxRun());
    int to = from;
    do {
      advanceTo(to);
      first[to] = !seen.mightContain(hashes[to]);
      to++;
    } while (to < end && times[to] == times[from] && !isInRun(from, to));
    printSelected(from, to);
    out.flush();
    for (int i = from; i < to; i++) {
      if (!isBeforeEarlierRuns(i)) {
        seen.isFirst(hashes[i], checks[i]);
      }
    }
    return to;
  }

  private boolean isInRun(int from, int line) {
    for (int i = from; i < line; i++) {
      if (hashes[i] == hashes[line]) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether a line is earlier than those of earlier runs, as when a run that was killed is
   * repeated from the beginning. Such a line is only looked up: remembered, it would count as one
   * of the present time and drop later lines that are new.
   */
  private boolean isBeforeEarlierRuns(int line) {
    return settings.timeField != null && times[line] < seen.remembersFrom();
  }

  /** Advances the time of the filter to that of a line. */
  private void advanceTo(int line) {
    if (settings.timeField != null) {
      early += isBeforeEarlierRuns(line) ? 1 : 0;
      late += times[line] < latest ? 1 : 0;
      latest = Math.max(latest, times[line]); // an earlier time counts as the present one
      seen.advanceTo(latest);
    }
  }

  private void rememberBatch() {
    if (settings.timeField == null) {
      seen.areFirst(hashes, checks, pending, first);
    } else {
      for (int i = 0; i < pending; i++) {
        advanceTo(i);
        first[i] =
            isBeforeEarlierRuns(i)
                ? !seen.mightContain(hashes[i])
                : seen.isFirst(hashes[i], checks[i]);
      }
    }
  }

  private void printSelected(int from, int to) {
    for (int i = from; i < to; i++) {
      newLines += first[i] ? 1 : 0;
      if (first[i] != settings.repeats) {
        print(starts[i], ends[i]);
      }
    }
  }

  private void updateFilterRate() {
    seen.addNewLines(newLines);
    dropped += linesSinceUpdate - newLines;
    newLines = 0;
    linesSinceUpdate = 0;
  }

  /** Returns the number of lines processed, including a last line without a line feed. */
  long lines() {
    return in.lines();
  }

  /** Returns the number of lines selected, printed or only counted. */
  long selected() {
    return selected;
  }

  /** Returns the number of repeats. */
  long dropped() {
    return dropped + linesSinceUpdate - newLines;
  }

  /** Returns the number of lines that lacked a field. */
  long missing() {
    return missing;
  }

  /** Returns what the first line decided about the separator of fields, or an empty text. */
  String separatorNote() {
    return settings.key.separatorNote();
  }

  /** Returns the number of lines that were not remembered, being before those of earlier runs. */
  long early() {
    return early;
  }

  /** Returns the number of lines with an earlier time than a line before them. */
  long late() {
    return late;
  }

  /** Returns the expected number of new lines that were mistaken for repeats. */
  double expectedWronglyDropped() {
    updateFilterRate();
    return seen.expectedWronglyDropped();
  }
}
