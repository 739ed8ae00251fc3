package io.bloomkit.cli.dedup;

import io.bloomkit.InsertableFilter;
import io.bloomkit.cli.text.Window;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.durable.DurableFilter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Remembers the lines of a window in an expiring filter. */
final class RecentLines extends FilteredLines {

  /**
   * The rate is computed again when an eighth of the live lines are new. A computation costs about
   * a nanosecond per live line, so this costs some nanoseconds per new line.
   */
  private static final int UPDATES_PER_WINDOW = 8;

  private static final int RUNS_PER_WINDOW = 1000;

  private final ExpiringCuckooFilter<byte[]> filter;

  private final long remembersFrom;

  /** The latest time; the end of all times for a window of lines. */
  private long now;

  /**
   * The expected number of wrongly dropped lines, summed during the run because the rate of the
   * filter changes.
   */
  private double wronglyDropped;

  private double highestFpp;

  /**
   * The rate when it was last computed, and the numbers of new lines since then and to the next.
   */
  private double lastFpp;

  private long newLines;
  private long newLinesUntilUpdate;

  /** Adds lines to a filter, or to the durable one that has it. */
  private RecentLines(ExpiringCuckooFilter<byte[]> filter, InsertableFilter<byte[]> target) {
    super(target);
    this.filter = filter;
    boolean isOfTime = filter.timeToLive().isPresent();
    this.remembersFrom = isOfTime ? filter.time().toEpochMilli() : Long.MIN_VALUE;
    this.now = isOfTime ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  /**
   * Remembers the lines of a window.
   *
   * @param expected the expected number of distinct lines in a window of time; with more lines, the
   *     false-positive rate exceeds {@code fpp}
   * @throws IllegalArgumentException if the window, the number or the rate is not supported
   */
  static RecentLines of(Window window, long expected, double fpp) {
    ExpiringCuckooFilter<byte[]> filter = builder(window, expected, fpp).build();
    return new RecentLines(filter, filter);
  }

  /** Returns the builder of the filter for a window. Its clock stands still. */
  static ExpiringCuckooFilter.Builder<byte[]> builder(Window window, long expected, double fpp) {
    Duration time = window.duration();
    return window.sized(
        expected,
        fpp,
        () ->
            time == null
                ? ExpiringCuckooFilter.builder(STRATEGY)
                    .expecting(window.lines(), fpp)
                    .window(window.lines())
                : builder().expecting(expected, fpp).expireAfterAdd(time));
  }

  /** Returns a builder that reads the filter of any window. Its clock stands still. */
  static ExpiringCuckooFilter.Builder<byte[]> builder() {
    return ExpiringCuckooFilter.builder(STRATEGY)
        .clock(InstantSource.fixed(Instant.ofEpochMilli(Long.MIN_VALUE)));
  }

  /** Remembers lines in a durable filter. */
  static RecentLines of(DurableFilter<byte[]> durable) {
    return new RecentLines((ExpiringCuckooFilter<byte[]>) durable.filter(), durable);
  }

  @Override
  public void advanceTo(long millis) {
    if (millis > now) {
      now = millis;
      filter.advanceTo(Instant.ofEpochMilli(millis));
    }
  }

  @Override
  public long remembersFrom() {
    return remembersFrom;
  }

  /** In a window of lines, a thousandth of it: so much later, at most, is a line forgotten. */
  @Override
  public int maxRun() {
    long run = filter.window().orElse(Long.MAX_VALUE) / RUNS_PER_WINDOW;
    return (int) Math.max(1, Math.min(super.maxRun(), run));
  }

  @Override
  public void addNewLines(long lines) {
    newLines += lines;
    if (newLines > newLinesUntilUpdate) {
      updateRate();
    }
  }

  private void updateRate() {
    long live = filter.liveFingerprints();
    double rate = (double) live / filter.possibleFingerprints();
    double mean = (lastFpp + rate) / 2;
    wronglyDropped += newLines * mean / (1 - mean);
    highestFpp = Math.max(highestFpp, rate);
    lastFpp = rate;
    newLines = 0;
    newLinesUntilUpdate = live / UPDATES_PER_WINDOW;
  }

  @Override
  public double highestFpp() {
    return Math.max(highestFpp, expectedFpp());
  }

  @Override
  public double expectedWronglyDropped() {
    updateRate();
    return wronglyDropped;
  }

  @Override
  public String description() {
    return "an expiring filter";
  }
}
