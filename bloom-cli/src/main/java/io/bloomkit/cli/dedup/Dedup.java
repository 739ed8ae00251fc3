package io.bloomkit.cli.dedup;

import io.bloomkit.cli.io.Fields;
import io.bloomkit.cli.io.LineReader;
import io.bloomkit.cli.io.LineWriter;
import io.bloomkit.cli.io.StreamClock;
import io.bloomkit.hash.BytesHashStrategy;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the first line of each kind. Every line that has been read is answered, and written,
 * before it waits for more.
 *
 * <p>Lines are taken in batches, first all their hashes and then the filter, so that the accesses
 * to memory of several lines are under way at once. The filter is queried in the order of the
 * lines.
 */
final class Dedup {

  private static final int BATCH = 64;

  /** Lines between two looks at the rate of the filter, which cost a little. */
  private static final int LINES_BETWEEN_LOOKS = 1 << 12;

  private static final int NO_FIELD = 0;

  /**
   * The settings of a run.
   *
   * @param key what makes lines equal
   * @param timeField the field with the time of a line, from 1; 0 for the time at which it is read
   * @param timeFormat how that is written
   * @param separator what stands between fields
   * @param repeats whether the repeats are printed, and not the first lines
   * @param count whether what would be printed is only counted
   * @param passMissing whether a line that lacks a field is passed on, and does not end the run
   */
  record Settings(
      Fields key,
      int timeField,
      TimeFormat timeFormat,
      String separator,
      boolean repeats,
      boolean count,
      boolean passMissing) {}

  private final Settings settings;
  private final LineReader in;
  private final LineWriter out;
  private final SeenLines seen;
  private final BytesHashStrategy strategy;
  private final Fields timeFields;

  /** The clock of the filter. */
  private final StreamClock clock;

  /** What sets it, unless lines bring their own time. */
  private final @Nullable InstantSource time;

  private final long[] hashes = new long[BATCH];
  private final long[] times = new long[BATCH];
  private final int[] starts = new int[BATCH];
  private final int[] ends = new int[BATCH];
  private final boolean[] first = new boolean[BATCH];
  private int pending;

  private long lines;
  private long selected;
  private long dropped;
  private long missing;
  private long late;
  private long newLines;
  private int sinceLook;

  /**
   * Prepares a run.
   *
   * @param in has read at least a first block
   * @param clock the one that {@code seen} looks at
   * @param time what sets the clock, if lines do not
   */
  Dedup(
      Settings settings,
      LineReader in,
      LineWriter out,
      SeenLines seen,
      StreamClock clock,
      @Nullable InstantSource time) {
    this.settings = settings;
    this.in = in;
    this.out = out;
    this.seen = seen;
    this.strategy = seen.strategy();
    this.timeFields =
        new Fields(
            settings.separator,
            settings.timeField == NO_FIELD ? List.of() : List.of(settings.timeField));
    this.clock = clock;
    this.time = time;
  }

  /**
   * Goes through the lines that have been read.
   *
   * @throws java.io.UncheckedIOException if they cannot be written
   * @throws IllegalArgumentException if a line has not its fields and that ends the run
   */
  void takeWhatWasRead() {
    if (time != null) {
      clock.set(time.millis());
    }
    while (in.next()) {
      lines++;
      takeLine();
      if (pending == BATCH) {
        answer();
      }
    }
    answer();
    out.flush();
  }

  private void takeLine() {
    if (settings.timeField != NO_FIELD) {
      OptionalLong millis = timeOfLine();
      if (millis.isEmpty()) {
        missing("time in field", settings.timeField);
        return;
      }
      times[pending] = millis.getAsLong();
    }
    Fields key = settings.key;
    if (!key.find(in.buffer(), in.lineStart(), in.lineEnd())) {
      missing("field", key.missing());
      return;
    }
    hashes[pending] = strategy.hashBytes(key.bytes(), key.start(), key.end() - key.start());
    starts[pending] = in.lineStart();
    ends[pending] = in.nextStart();
    pending++;
  }

  private OptionalLong timeOfLine() {
    return timeFields.find(in.buffer(), in.lineStart(), in.lineEnd())
        ? settings.timeFormat.millis(timeFields.bytes(), timeFields.start(), timeFields.end())
        : OptionalLong.empty();
  }

  /** A line that nothing can be said of is passed on, or it is the last. */
  private void missing(String what, int field) {
    answer();
    if (!settings.passMissing) {
      out.flush();
      throw new IllegalArgumentException(
          String.format(
              "line %d has no %s %d; the %d lines before it are done (--missing pass goes on)",
              lines, what, field, lines - 1));
    }
    missing++;
    if (!settings.repeats) {
      print(in.lineStart(), in.nextStart());
    }
  }

  private void print(int from, int to) {
    selected++;
    if (!settings.count) {
      out.write(in.buffer(), from, to);
    }
  }

  private void answer() {
    if (settings.timeField == NO_FIELD) {
      for (int i = 0; i < pending; i++) {
        first[i] = seen.isFirst(hashes[i]);
      }
    } else {
      for (int i = 0; i < pending; i++) {
        late += times[i] < clock.millis() ? 1 : 0;
        clock.set(Math.max(clock.millis(), times[i])); // time that runs backwards is now
        first[i] = seen.isFirst(hashes[i]);
      }
    }
    for (int i = 0; i < pending; i++) {
      newLines += first[i] ? 1 : 0;
      if (first[i] != settings.repeats) {
        print(starts[i], ends[i]);
      }
    }
    sinceLook += pending;
    pending = 0;
    if (sinceLook >= LINES_BETWEEN_LOOKS) {
      look();
    }
  }

  private void look() {
    seen.wereNew(newLines);
    dropped += sinceLook - newLines;
    newLines = 0;
    sinceLook = 0;
  }

  /** Returns how many lines have been taken, last ones without a line feed too. */
  long lines() {
    return lines;
  }

  /** Returns how many of them were printed, or would have been. */
  long selected() {
    return selected;
  }

  /** Returns how many of them were repeats. */
  long dropped() {
    return dropped + sinceLook - newLines;
  }

  /** Returns how many were passed on because they had not their fields. */
  long missing() {
    return missing;
  }

  /** Returns how many were earlier than one before them. */
  long late() {
    return late;
  }

  /** Returns how many new lines were, by expectation, taken for repeats. */
  double expectedWronglyDropped() {
    look();
    return seen.expectedWronglyDropped();
  }
}
