package io.bloomkit.flink;

import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of the keys of a key group: a filter, and perhaps filters of earlier plans,
 * which are only read until all their keys have expired.
 *
 * <p>The time of a key group is the latest timestamp of its records or time of its task that it was
 * told, minus the bound; it never moves back, also when the bound changes. A key whose record has
 * the timestamp t is remembered until that time is t + timeToLive. A filter of an earlier plan was
 * filled with another time to live, so its clock is the time plus the difference.
 *
 * <p>One thread writes; others may call {@link #figures}.
 */
final class KeyGroup<K> {

  /** The filter of a plan. */
  record Planned<K>(PlannedSize size, ExpiringCuckooFilter<K> filter) {

    Planned<K> copy() {
      return new Planned<>(size, filter.copy());
    }

    /** Moves its clock to that of a time of a plan, which may have another time to live. */
    private void advanceTo(long time, PlannedSize plan) {
      filter.advanceTo(Instant.ofEpochMilli(time + shift(plan)));
    }

    /** Returns how far its clock is ahead of the time of a plan. */
    private long shift(PlannedSize plan) {
      return size.ttlMillis() - plan.ttlMillis();
    }

    /** Returns after which time of its clock an unchanged filter is empty, at the latest. */
    private long emptyAfter(long clockMillis) {
      return clockMillis + size.longestMillis() + 2 * size.epochMillis();
    }
  }

  private final PlannedSize size;
  private final ExpiringCuckooFilter<K> filter;
  private StreamClock clock;

  /** What was added since the last incremental checkpoint; null without one. */
  private volatile @Nullable ExpiringCuckooFilter<K> additions;

  /** The filters of earlier plans. */
  private volatile List<Planned<K>> earlier;

  private final AheadRecords ahead;

  /**
   * The time until which the filter remembers records that were too far ahead when {@link #ahead}
   * was full; {@link StreamClock#UNKNOWN} without any.
   */
  private long aheadInFilterUntil;

  /** The latest timestamp or time of the task; {@link StreamClock#UNKNOWN} before the first. */
  private long latest;

  /**
   * The time when this was restored, later than by the bound if that has become larger; at least
   * the earliest time of filters.
   */
  private final long earliestTime;

  /** The filters' clocks are moved when {@link #latest} reaches this. */
  private long nextMove;

  /** The filters of earlier plans are empty when {@link #latest} exceeds this. */
  private long earlierUntil;

  /** The last time at which expired entries were swept. */
  private long sweptAt = StreamClock.UNKNOWN;

  private final AtomicLong records = new AtomicLong();

  /** Creates a key group without records. */
  KeyGroup(PlannedSize size, ExpiringCuckooFilter<K> filter, StreamClock clock) {
    this(
        size,
        filter,
        clock,
        new Snapshot<>(
            clock.state(false),
            StreamClock.UNKNOWN,
            StreamClock.UNKNOWN,
            StreamClock.UNKNOWN,
            new AheadRecords(),
            List.of()));
  }

  /** Creates a key group with a filter, and with filters of earlier plans as in a snapshot. */
  KeyGroup(
      PlannedSize size, ExpiringCuckooFilter<K> filter, StreamClock clock, Snapshot<K> restored) {
    this.size = size;
    this.filter = filter;
    this.clock = clock;
    this.latest = restored.latest;
    this.earliestTime = Math.max(restored.time, -PlannedSize.MAX_MILLIS); // as that of the filter
    this.aheadInFilterUntil = restored.aheadInFilterUntil;
    this.ahead = restored.ahead;
    this.earlier = restored.filters;
    this.nextMove = StreamClock.UNKNOWN;
    this.earlierUntil = StreamClock.UNKNOWN;
    for (Planned<K> planned : earlier) {
      // It has no key that was added at a later time.
      long until = planned.emptyAfter(restored.time) + size.boundMillis() - planned.shift(size);
      earlierUntil = Math.max(earlierUntil, until);
    }
    if (latest != StreamClock.UNKNOWN) {
      move();
    }
    // If restarts come more often than keys expire, the time never reaches earlierUntil.
    earlier = earlier.stream().filter(it -> it.filter.liveFingerprints() > 0).toList();
  }

  /** Returns the clock of its task, or of the task before while records of that are in flight. */
  StreamClock clock() {
    return clock;
  }

  void setClock(StreamClock clock) {
    this.clock = clock;
  }

  long latest() {
    return latest;
  }

  int earlierPlans() {
    return earlier.size();
  }

  /** Returns the time, or {@link StreamClock#UNKNOWN} before the first record. */
  long time() {
    return latest == StreamClock.UNKNOWN
        ? latest
        : Math.max(earliestTime, latest - size.boundMillis());
  }

  /** Moves the time, unless it is later already. */
  void advanceTo(long millis) {
    if (millis > latest) {
      latest = millis;
      if (millis >= nextMove) {
        move();
      }
      if (ahead.earliest() <= millis) {
        ahead.removeIf(timestamp -> timestamp <= latest, this::add);
      }
    }
  }

  private void move() {
    long time = time();
    filter.advanceTo(Instant.ofEpochMilli(time));
    ExpiringCuckooFilter<K> added = additions;
    if (added != null) {
      added.advanceTo(Instant.ofEpochMilli(time));
    }
    nextMove = after(time, size) + size.boundMillis();
    if (!earlier.isEmpty()) {
      moveEarlier(time);
    }
  }

  private void moveEarlier(long time) {
    if (latest > earlierUntil) {
      earlier = List.of();
      return;
    }
    for (Planned<K> planned : earlier) {
      planned.advanceTo(time, size);
      long shift = planned.shift(size);
      long next = after(time + shift, planned.size) - shift;
      nextMove = Math.min(nextMove, next + size.boundMillis());
    }
  }

  /** Returns when the next epoch of a filter begins after a time of its clock. */
  private static long after(long clock, PlannedSize size) {
    return (Math.floorDiv(clock, size.epochMillis()) + 1) * size.epochMillis();
  }

  /** Returns whether a record is a repeat, if its timestamp is not too far ahead. */
  boolean contains(long hash, long timestamp) {
    return filter.mightContainHash(hash)
        || (!earlier.isEmpty() && isInEarlier(hash))
        || (ahead.size() > 0 && ahead.containsNear(hash, timestamp, size.ttlMillis()));
  }

  private boolean isInEarlier(long hash) {
    for (Planned<K> planned : earlier) {
      if (planned.filter.mightContainHash(hash)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Remembers the key of a record until the time is its timestamp + timeToLive. Requires that the
   * timestamp is at most the latest time.
   */
  void add(long hash, long timestamp) {
    long remaining = timestamp + size.ttlMillis() - time();
    if (remaining >= 0) {
      addFor(Math.max(1, remaining), hash);
    }
  }

  private void addFor(long millis, long hash) {
    Duration remaining = Duration.ofMillis(millis);
    filter.addHash(hash, remaining);
    ExpiringCuckooFilter<K> added = additions;
    if (added != null) {
      added.addHash(hash, remaining);
    }
  }

  /**
   * Remembers the key of a late record for the time to live from the latest time of the task. From
   * that of a group with few records, it would be forgotten early when the next one comes.
   */
  void addLate(long hash) {
    advanceTo(clock.latest());
    addFor(size.ttlMillis(), hash);
  }

  /**
   * Returns whether a record is a repeat whose timestamp is too far ahead. By their timestamps, all
   * keys of the filter have expired for it.
   */
  boolean containsAhead(long hash, long timestamp) {
    return ahead.containsNear(hash, timestamp, size.ttlMillis())
        || (time() <= aheadInFilterUntil && contains(hash, timestamp));
  }

  /** Remembers the key of a record that is too far ahead. */
  void addAhead(long hash, long timestamp) {
    if (ahead.isFull()) { // at that time, listed records may be in time
      advanceTo(clock.latest());
    }
    if (ahead.isFull()) {
      aheadInFilterUntil = Math.max(aheadInFilterUntil, time() + size.longestMillis());
      addFor(size.longestMillis(), ahead.removeFirst());
    }
    ahead.add(hash, timestamp);
  }

  /** Returns whether the next record that is too far ahead would displace an earlier one. */
  boolean isAheadFull() {
    return ahead.isFull();
  }

  /** Returns the timestamps of the last records that were too far ahead. */
  long[] timestampsAhead() {
    return ahead.timestamps();
  }

  /** Counts a record. */
  void count() {
    records.setOpaque(records.getPlain() + 1);
  }

  /**
   * Removes the entries of expired keys if an epoch has ended since the last call. Returns whether
   * it did.
   */
  boolean sweep() {
    boolean isSwept = sweptAt != StreamClock.UNKNOWN && latest < sweptAt + size.epochMillis();
    if (latest == StreamClock.UNKNOWN || isSwept) {
      return false;
    }
    sweptAt = latest;
    filter.expire();
    earlier.forEach(planned -> planned.filter.expire());
    return true;
  }

  boolean isOverfull() {
    return filter.isOverfull();
  }

  /**
   * A state of a key group.
   *
   * @param clock the state of its clock
   * @param latest the latest timestamp or time of the task that it was told, or {@link
   *     StreamClock#UNKNOWN}
   * @param time the time, or {@link StreamClock#UNKNOWN}
   * @param aheadInFilterUntil the time until which the filter has records that were too far ahead,
   *     or {@link StreamClock#UNKNOWN}
   * @param ahead records that have passed without moving the clock
   * @param filters that of the plan, and those of earlier plans
   */
  record Snapshot<K>(
      StreamClock.State clock,
      long latest,
      long time,
      long aheadInFilterUntil,
      AheadRecords ahead,
      List<Planned<K>> filters) {

    long memoryBytes() {
      return filters.stream().mapToLong(planned -> planned.filter.memoryBytes()).sum();
    }
  }

  /** Returns an independent copy, for a checkpoint. */
  Snapshot<K> copy(boolean isUnaligned) {
    List<Planned<K>> copies = new ArrayList<>();
    copies.add(new Planned<>(size, filter.copy()));
    earlier.forEach(planned -> copies.add(planned.copy()));
    return snapshotOf(copies, isUnaligned);
  }

  /**
   * Returns what was added since the last call, and counts from now on.
   *
   * @param empty the filter of the next additions
   */
  Planned<K> takeAdditions(ExpiringCuckooFilter<K> empty) {
    ExpiringCuckooFilter<K> added = additions;
    Planned<K> taken = new Planned<>(size, added == null ? empty.copy() : added);
    if (latest != StreamClock.UNKNOWN) {
      empty.advanceTo(Instant.ofEpochMilli(time()));
    }
    additions = empty;
    return taken;
  }

  /** Returns a snapshot that has additions instead of the filters. */
  Snapshot<K> snapshotOf(Planned<K> added, boolean isUnaligned) {
    return snapshotOf(List.of(added), isUnaligned);
  }

  private Snapshot<K> snapshotOf(List<Planned<K>> filters, boolean isUnaligned) {
    return new Snapshot<>(
        clock.state(isUnaligned), latest, time(), aheadInFilterUntil, ahead.copy(), filters);
  }

  /** The pieces of an incremental checkpoint. */
  static final class Pieces<K> {

    private final List<ExpiringCuckooFilter<K>> additions = new ArrayList<>();
    private @Nullable Snapshot<K> whole;
    private @Nullable Snapshot<K> last;

    /** Adds the next piece: the whole, or additions. */
    void add(Snapshot<K> piece) {
      if (whole == null) {
        whole = piece;
      } else {
        additions.add(piece.filters.get(0).filter);
      }
      last = piece;
    }

    /** Returns the state. Requires that there is a piece. */
    Snapshot<K> join() {
      List<Planned<K>> filters = Objects.requireNonNull(whole).filters;
      Snapshot<K> fields = Objects.requireNonNull(last);
      if (!additions.isEmpty()) {
        filters.get(0).filter.mergeAll(additions);
        filters.forEach(planned -> planned.advanceTo(fields.time, filters.get(0).size));
      }
      return new Snapshot<>(
          fields.clock,
          fields.latest,
          fields.time,
          fields.aheadInFilterUntil,
          fields.ahead,
          filters);
    }
  }

  /**
   * Figures of a key group.
   *
   * @param records the number of records since the task began
   * @param live the number of fingerprints that are remembered
   * @param rate the probability that a new key would be dropped
   */
  record Figures(long records, long live, long planned, double rate, long bytes) {}

  /** Costs a pass over the filters. */
  Figures figures() {
    List<Planned<K>> all = new ArrayList<>(earlier);
    all.add(new Planned<>(size, filter));
    long live = ahead.size();
    double rate = 0;
    ExpiringCuckooFilter<K> added = additions;
    long bytes = added == null ? 0 : added.memoryBytes();
    for (Planned<K> planned : all) {
      long liveOfOne = planned.filter.liveFingerprints();
      live += liveOfOne;
      rate += (double) liveOfOne / planned.filter.possibleFingerprints();
      bytes += planned.filter.memoryBytes();
    }
    long planned = filter.plan().map(plan -> plan.expectedInsertions()).orElse(0L);
    return new Figures(records.getOpaque(), live, planned, rate, bytes);
  }
}
