package io.bloomkit.flink;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The latest time of a task: the latest timestamp or watermark that it has seen, where no single
 * one moves it by more than a step.
 *
 * <p>A timestamp more than a step later than the latest time is too far ahead. It does not move the
 * clock, unless {@link #RUN} of them come in a row: then the clock moves to the middle one, and on
 * to later ones that are at most a step apart. A watermark that is too far ahead may stem from one
 * wrong timestamp, so it is held. The next timestamp decides: if it is not more than the bound
 * behind the watermark, the clock follows; if it is, watermarks are ignored until they are no
 * longer too far ahead. So the clock follows a stream after a gap, and a few wrong timestamps do
 * not move it.
 *
 * <p>A clock starts without a time. Until it has one, every timestamp is too far ahead.
 *
 * <p>One thread writes; others may call {@link #latest}.
 */
final class StreamClock {

  /** No time yet. */
  static final long UNKNOWN = Long.MIN_VALUE;

  /** After this many timestamps in a row that are too far ahead, the clock follows. */
  static final int RUN = 100;

  private final long step;
  private final long bound;
  private final AtomicLong latest = new AtomicLong(UNKNOWN);

  /** The latest time that is not too far ahead. */
  private long limit = UNKNOWN;

  /** The latest watermark that the clock has followed. */
  private long watermark = UNKNOWN;

  /** The last watermark, whether or not the clock has followed it. */
  private long lastWatermark = UNKNOWN;

  /** A watermark that is too far ahead and awaits confirmation. */
  private long held = UNKNOWN;

  /** A tick that is too far ahead and awaits confirmation by the next one. */
  private long heldTick = UNKNOWN;

  private boolean isIgnoringWatermarks;

  /** Timestamps in a row that are too far ahead. */
  private final long[] run = new long[RUN];

  private int runLength;

  /**
   * Creates a clock without a time.
   *
   * @param step how far one timestamp or watermark may move it, in milliseconds
   * @param bound how far timestamps may be behind the latest one
   */
  StreamClock(long step, long bound) {
    this.step = step;
    this.bound = bound;
  }

  /** Continues from a time that a checkpoint had. */
  void restore(long millis) {
    if (millis > latest.getPlain()) {
      moveTo(millis);
    }
  }

  /** Returns the latest time, or {@link #UNKNOWN}. */
  long latest() {
    return latest.getOpaque();
  }

  boolean isKnown() {
    return limit != UNKNOWN;
  }

  /** Returns the latest watermark that the clock has followed, or {@link #UNKNOWN}. */
  long watermark() {
    return watermark;
  }

  /**
   * Moves the clock to a timestamp, unless that is earlier. Returns false if it is too far ahead.
   */
  boolean observe(long millis) {
    if (held != UNKNOWN) {
      decide(millis);
    }
    if (!isKnown() || millis > limit) {
      return isEndOfRun(millis);
    }
    runLength = 0;
    heldTick = UNKNOWN;
    if (millis > latest.getPlain()) {
      moveTo(millis);
    }
    return true;
  }

  /** Lets a timestamp confirm or refute the held watermark. */
  private void decide(long millis) {
    if (millis < held - bound) {
      isIgnoringWatermarks = true;
      held = UNKNOWN;
    } else if (millis <= held + step) {
      watermark = held;
      moveTo(held);
      held = UNKNOWN;
    }
  }

  /** Counts a timestamp that is too far ahead. Returns whether it is not any more. */
  private boolean isEndOfRun(long millis) {
    run[runLength++] = millis;
    if (runLength < RUN) {
      return false;
    }
    runLength = 0;
    Arrays.sort(run);
    moveTo(run[RUN / 2]);
    for (int i = RUN / 2 + 1; i < RUN && run[i] <= limit; i++) {
      moveTo(run[i]);
    }
    advanceTo(lastWatermark);
    return millis <= limit;
  }

  /** Follows a watermark, or holds it. */
  void advanceTo(long millis) {
    lastWatermark = millis;
    if (millis == UNKNOWN) {
      return;
    }
    if (isKnown() && millis <= limit) {
      watermark = Math.max(watermark, millis);
      moveTo(Math.max(latest.getPlain(), millis));
      held = UNKNOWN;
      isIgnoringWatermarks = false;
    } else if (!isIgnoringWatermarks) {
      held = millis;
    }
  }

  /**
   * Follows a regular reading of a clock, or holds it until the next one confirms it. Such a clock
   * has no watermarks.
   */
  void tick(long millis) {
    boolean isConfirmed = heldTick != UNKNOWN && millis > heldTick && millis <= heldTick + step;
    if (isConfirmed || (isKnown() && millis <= limit)) {
      moveTo(Math.max(latest.getPlain(), millis));
      heldTick = UNKNOWN;
      runLength = 0;
    } else {
      heldTick = millis;
    }
  }

  private void moveTo(long millis) {
    latest.setOpaque(millis);
    limit = millis + step;
  }
}
