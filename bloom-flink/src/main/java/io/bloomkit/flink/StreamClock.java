package io.bloomkit.flink;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.runtime.state.KeyGroupRange;

/**
 * The latest time of a task: the latest timestamp or watermark that it has seen, where no single
 * one moves it by more than a step.
 *
 * <p>A timestamp more than a step later than the latest time is too far ahead. It does not move the
 * clock, unless {@link #MAJORITY} more of them than of others have come: then the clock moves to
 * the middle one of the last such timestamps, and on to later ones that are at most a step apart. A
 * watermark that is too far ahead may stem from one wrong timestamp, so it has no effect until the
 * clock is near, or follows timestamps of which most were not behind it. So the clock follows a
 * stream after a gap, and wrong timestamps do not move it as long as they are fewer than right
 * ones.
 *
 * <p>A clock starts without a time. Until it has one, every timestamp is too far ahead.
 *
 * <p>One thread writes; others may call {@link #latest}.
 */
final class StreamClock {

  /** No time yet. */
  static final long UNKNOWN = Long.MIN_VALUE;

  /** After this many more timestamps that are too far ahead than others, the clock follows. */
  static final int MAJORITY = 100;

  /** Two regular ticks are at most this far apart, whatever the step is. */
  private static final long TICKS = 2 * DeduplicationOperator.TICK_MILLIS;

  /**
   * What a checkpoint has of a clock, so that restarts do not keep it from following a stream.
   *
   * @param range the key groups that the clock is of
   * @param isUnaligned whether records in flight are replayed after it
   * @param latest the latest time, or {@link #UNKNOWN}
   * @param ahead the last timestamps that were too far ahead, as many as there were more of them
   *     than of others
   */
  record State(KeyGroupRange range, boolean isUnaligned, long latest, List<Long> ahead) {

    void write(DataOutputStream out) throws IOException {
      out.writeShort(range.getStartKeyGroup());
      out.writeShort(range.getEndKeyGroup());
      out.writeBoolean(isUnaligned);
      out.writeLong(latest);
      out.writeByte(ahead.size());
      for (long timestamp : ahead) {
        out.writeLong(timestamp);
      }
    }

    static State read(DataInputStream in) throws IOException {
      int first = in.readUnsignedShort();
      int last = in.readUnsignedShort();
      boolean isUnaligned = in.readBoolean();
      long latest = in.readLong();
      int count = in.readUnsignedByte();
      if (count >= MAJORITY) {
        throw new PermanentFailureException(
            "the state is damaged: it must have fewer than "
                + MAJORITY
                + " timestamps too far ahead, got "
                + count);
      }
      List<Long> ahead = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        ahead.add(in.readLong());
      }
      return new State(KeyGroupRange.of(first, last), isUnaligned, latest, ahead);
    }
  }

  private final KeyGroupRange range;
  private final long step;
  private final AtomicLong latest = new AtomicLong(UNKNOWN);

  /** The latest time that is not too far ahead. */
  private long limit = UNKNOWN;

  /** The latest watermark that the clock has followed. */
  private long watermark = UNKNOWN;

  /** The last watermark, whether or not the clock has followed it. */
  private long lastWatermark = UNKNOWN;

  /**
   * How many more timestamps that were too far ahead, but not a step behind the last watermark,
   * than others have come since it was 0, at least 0; 0 after the watermark has moved by more than
   * a step.
   */
  private int confirmations;

  /** A tick that is too far ahead and awaits confirmation by the next one. */
  private long heldTick = UNKNOWN;

  /** The last timestamps that were too far ahead, in a ring. */
  private final long[] ahead = new long[MAJORITY];

  private int nextAhead;

  /** How many more of them than of others have come since it was 0, at least 0. */
  private int majority;

  /**
   * Creates a clock without a time.
   *
   * @param range the key groups that it is of
   * @param step how far one timestamp or watermark may move it, in milliseconds
   */
  StreamClock(KeyGroupRange range, long step) {
    this.range = range;
    this.step = step;
  }

  /**
   * Continues from a checkpoint, once or several times. What was ahead of other key groups says
   * nothing of those of this clock.
   */
  void restore(State state) {
    moveForwardTo(state.latest);
    if (majority == 0 && state.range.equals(range)) {
      for (long timestamp : state.ahead) {
        if (timestamp > limit) {
          addAhead(timestamp);
          majority++;
        }
      }
    }
  }

  /** Goes on with the key groups of another clock, too. */
  void join(StreamClock other) {
    moveForwardTo(other.latest());
    advanceTo(lastWatermark);
  }

  /** Returns what a checkpoint needs. */
  State state(boolean isUnaligned) {
    List<Long> last = new ArrayList<>();
    for (int i = majority; i > 0; i--) {
      last.add(ahead[Math.floorMod(nextAhead - i, MAJORITY)]);
    }
    return new State(range, isUnaligned, latest(), last);
  }

  KeyGroupRange range() {
    return range;
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
   * Returns a time that no record in steady traffic is behind: the watermark, or the latest time
   * minus a step; {@link #UNKNOWN} without a time.
   */
  long settled() {
    return isKnown() ? Math.max(watermark, latest.getPlain() - step) : UNKNOWN;
  }

  /**
   * Moves the clock to a timestamp, unless that is earlier. Returns false if it is too far ahead.
   */
  boolean observe(long millis) {
    if (!isKnown() || millis > limit) {
      return isFollowed(millis);
    }
    majority = Math.max(0, majority - 1);
    confirmations = Math.max(0, confirmations - 1);
    heldTick = UNKNOWN;
    if (millis > latest.getPlain()) {
      moveTo(millis);
    }
    return true;
  }

  /** Counts a timestamp that is too far ahead. Returns whether it is not any more. */
  private boolean isFollowed(long millis) {
    addAhead(millis);
    confirmations = Math.max(0, confirmations + (millis + step >= lastWatermark ? 1 : -1));
    if (++majority < MAJORITY) {
      return false;
    }
    majority = 0;
    follow(ahead);
    if (millis > limit) {
      return false;
    }
    moveForwardTo(millis);
    return true;
  }

  private void addAhead(long millis) {
    ahead[nextAhead] = millis;
    nextAhead = (nextAhead + 1) % MAJORITY;
  }

  /** Moves to the middle one of timestamps, and on to later ones that are at most a step apart. */
  void follow(long[] timestamps) {
    long[] sorted = timestamps.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    moveForwardTo(sorted[middle]); // some may be from before the clock moved on
    for (int i = middle + 1; i < sorted.length && sorted[i] <= limit; i++) {
      moveForwardTo(sorted[i]);
    }
    if (confirmations > MAJORITY / 2) {
      moveForwardTo(lastWatermark);
    }
    confirmations = 0;
    advanceTo(lastWatermark);
  }

  /** Follows a watermark, unless it is too far ahead. */
  void advanceTo(long millis) {
    if (millis > lastWatermark + step) {
      confirmations = 0;
    }
    lastWatermark = millis;
    if (millis != UNKNOWN && isKnown() && millis <= limit) {
      watermark = Math.max(watermark, millis);
      moveTo(Math.max(latest.getPlain(), millis));
    }
  }

  /**
   * Follows a regular reading of a clock, or holds it until the next one confirms it. Such a clock
   * has no watermarks.
   */
  void tick(long millis) {
    long most = heldTick + Math.max(step, TICKS);
    boolean isConfirmed = heldTick != UNKNOWN && millis > heldTick && millis <= most;
    if (isConfirmed || (isKnown() && millis <= limit)) {
      moveTo(Math.max(latest.getPlain(), millis));
      heldTick = UNKNOWN;
      majority = 0;
    } else {
      heldTick = millis;
    }
  }

  private void moveForwardTo(long millis) {
    if (millis > latest.getPlain()) {
      moveTo(millis);
    }
  }

  private void moveTo(long millis) {
    latest.setOpaque(millis);
    limit = millis + step;
  }
}
