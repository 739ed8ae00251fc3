package io.bloomkit.flink;

import static java.util.Comparator.comparingLong;

import io.bloomkit.FilterFormatException;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.hash.HashStrategy;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.jspecify.annotations.Nullable;

/**
 * The key groups of a task; one is created with the first record of its group. In a batch, a task
 * may have any groups; in a stream, those of its range.
 *
 * <p>The state of a key group is, with the highest byte first: {@link #MAGIC}; a byte for the
 * version; a byte for the {@linkplain DeduplicationPlan.Time kind of time}; of its clock, the first
 * and the last key group in two each, a byte that is 1 if the checkpoint was unaligned, the latest
 * time, a byte for the number of timestamps that it may follow, and these; the latest time that the
 * group was told, its time, and the time until which the filter has records that were too far
 * ahead, all in milliseconds since 1970, in eight bytes each; a byte for the number of other such
 * records, and for each its hash and its timestamp, in eight bytes each; a byte for the number of
 * filters; for each, the time to live and the out-of-orderness in milliseconds, the expected number
 * and the rate of the whole stream, in eight bytes each; the CRC-32C of all this, in four; and the
 * filters in their file format. The first filter is that of the plan, and the others are of earlier
 * plans.
 *
 * <p>One thread writes; others may read the metrics.
 */
final class KeyGroupFilters<K> {

  /** The first bytes of a key group's state. */
  static final int MAGIC = 0x424b4644;

  static final int VERSION = 1;

  /** The largest number of filters of a key group: of the plan, and of earlier ones. */
  static final int MAX_FILTERS = 16;

  /** How long {@link #sweepSome} may take after the first group. */
  private static final long SWEEP_NANOS = 1_000_000;

  /** How old figures may be. */
  private static final long FIGURES_NANOS = 100_000_000;

  private final DeduplicationPlan<K> plan;
  private final HashStrategy<K> strategy;
  private final KeyGroupRange range;
  private final int keyGroups;
  private final boolean isAnyGroup;
  private final ExpiringCuckooFilter.Builder<K> builder;

  /** By the number of the key group. */
  private final AtomicReferenceArray<@Nullable KeyGroup<K>> groups;

  private final StreamClock clock;

  /**
   * The clocks of the tasks before, if there are several and the checkpoint was unaligned: records
   * in flight of one may be far behind those of another.
   */
  private volatile List<StreamClock> clocksBefore = List.of();

  /**
   * Since which watermark all were near the latest time of these clocks; the largest number if the
   * last one was not. Buffers of one task before come after those of another, so while there are
   * any, the watermark, which is of all, cannot advance by a step and stay near.
   */
  private long nearSince = Long.MAX_VALUE;

  /** The latest time of a key group in the state, or {@link StreamClock#UNKNOWN}. */
  private long restoredTime = StreamClock.UNKNOWN;

  private int sweepCursor;
  private volatile @Nullable TimedFigures lastFigures;

  KeyGroupFilters(
      DeduplicationPlan<K> plan,
      HashStrategy<K> strategy,
      KeyGroupRange range,
      int keyGroups,
      boolean isAnyGroup) {
    this.plan = plan;
    this.strategy = strategy;
    this.range = range;
    this.keyGroups = keyGroups;
    this.isAnyGroup = isAnyGroup;
    this.builder = plan.size().builder(strategy, keyGroups);
    this.groups = new AtomicReferenceArray<>(keyGroups);
    this.clock = new StreamClock(range, plan.step());
  }

  KeyGroupRange range() {
    return range;
  }

  /**
   * Returns the group of a key.
   *
   * @throws PermanentFailureException if the key belongs to another task
   */
  KeyGroup<K> groupOf(Object key) {
    int number = KeyGroupRangeAssignment.assignToKeyGroup(key, keyGroups);
    KeyGroup<K> group = groups.getPlain(number);
    return group == null ? newGroup(key, number) : group;
  }

  private KeyGroup<K> newGroup(Object key, int number) {
    if (!isAnyGroup && !range.contains(number)) {
      throw new PermanentFailureException(
          "key "
              + key
              + " is of key group "
              + number
              + ", but this task has "
              + range
              + ": the stream must be partitioned by keyBy, with keys whose hashCode is the same"
              + " on all machines");
    }
    KeyGroup<K> group = new KeyGroup<>(plan.size(), newFilter(), clockOf(number));
    groups.set(number, group);
    return group;
  }

  /** Returns a filter of the plan without elements. */
  ExpiringCuckooFilter<K> newFilter() {
    return builder.build();
  }

  /** Returns a group, or null if it has had no record. */
  @Nullable KeyGroup<K> group(int number) {
    return groups.getPlain(number);
  }

  private StreamClock clockOf(int number) {
    return clocksBefore.stream()
        .filter(before -> before.range().contains(number))
        .findFirst()
        .orElse(clock);
  }

  private List<StreamClock> clocks() {
    List<StreamClock> all = new ArrayList<>(clocksBefore);
    all.add(clock);
    return all;
  }

  /** Returns the time of the task, by the clock that is behind, or {@link StreamClock#UNKNOWN}. */
  long time() {
    long latest =
        clocks().stream()
            .mapToLong(StreamClock::latest)
            .filter(some -> some != StreamClock.UNKNOWN)
            .min()
            .orElse(StreamClock.UNKNOWN);
    if (latest == StreamClock.UNKNOWN) {
      return latest;
    }
    long time = latest - plan.size().boundMillis();
    return clocksBefore.isEmpty() ? Math.max(time, restoredTime) : time;
  }

  /** Follows a regular reading of a clock. */
  void tick(long millis) {
    clock.tick(millis);
  }

  /** Follows a watermark. */
  void advanceTo(long millis) {
    clocks().forEach(one -> one.advanceTo(millis));
    if (!clocksBefore.isEmpty()) {
      StreamClock ahead = Collections.max(clocks(), comparingLong(StreamClock::latest));
      boolean isNear = ahead.watermark() == millis && ahead.settled() == millis;
      nearSince = isNear ? Math.min(nearSince, millis) : Long.MAX_VALUE;
      if (isNear && millis - nearSince > plan.step()) {
        joinClocks();
      }
    }
  }

  /** Continues with one clock: the records that were in flight have come. */
  void joinClocks() {
    if (!clocksBefore.isEmpty()) {
      clocksBefore.forEach(clock::join);
      clocksBefore = List.of();
      for (int i = 0; i < keyGroups; i++) {
        KeyGroup<K> group = groups.getPlain(i);
        if (group != null) {
          group.setClock(clock);
        }
      }
    }
  }

  /** Returns the latest time of all groups, or {@link StreamClock#UNKNOWN}; for tests. */
  long latest() {
    long latest = StreamClock.UNKNOWN;
    for (int i = 0; i < keyGroups; i++) {
      KeyGroup<K> group = groups.getPlain(i);
      latest = group == null ? latest : Math.max(latest, group.latest());
    }
    return latest;
  }

  /** Moves a group to the time of its clock that no record in steady traffic is behind. */
  void follow(KeyGroup<K> group) {
    StreamClock of = group.clock();
    group.advanceTo(plan.time() == DeduplicationPlan.Time.EVENT ? of.settled() : of.latest());
  }

  /**
   * Moves some groups to the time of their clock, and frees the memory of what has expired. Ends
   * after about a millisecond, and continues with the next call.
   */
  void sweepSome() {
    long start = System.nanoTime();
    int first = firstGroup();
    int count = groupCount();
    for (int i = 0; i < count; i++) {
      sweepCursor = (sweepCursor + 1) % count;
      KeyGroup<K> group = groups.getPlain(first + sweepCursor);
      if (group != null && isSwept(group) && System.nanoTime() - start > SWEEP_NANOS) {
        break;
      }
    }
  }

  /** Returns the number of the first group that the task may have. */
  private int firstGroup() {
    return isAnyGroup ? 0 : range.getStartKeyGroup();
  }

  /** Returns how many groups the task may have. */
  private int groupCount() {
    return isAnyGroup ? keyGroups : range.getNumberOfKeyGroups();
  }

  /** Returns a group that has more keys than planned, or null. */
  @Nullable KeyGroup<K> overfull() {
    int first = firstGroup();
    for (int i = first; i < first + groupCount(); i++) {
      KeyGroup<K> group = groups.getPlain(i);
      if (group != null && group.isOverfull()) {
        return group;
      }
    }
    return null;
  }

  private boolean isSwept(KeyGroup<K> group) {
    follow(group);
    return group.sweep();
  }

  /**
   * Moves all groups of the range to the time of their clock, and returns copies; null where a
   * group has had no record.
   */
  List<KeyGroup.@Nullable Snapshot<K>> copies(boolean isUnaligned) {
    return IntStream.rangeClosed(range.getStartKeyGroup(), range.getEndKeyGroup())
        .<KeyGroup.@Nullable Snapshot<K>>mapToObj(
            number -> {
              KeyGroup<K> group = groups.getPlain(number);
              if (group == null) {
                return null;
              }
              follow(group);
              return group.copy(isUnaligned);
            })
        .toList();
  }

  /** Writes the state of a key group. */
  void write(KeyGroup.Snapshot<K> snapshot, OutputStream out) throws IOException {
    CheckedOutputStream checked = new CheckedOutputStream(out, new CRC32C());
    DataOutputStream data = new DataOutputStream(checked);
    data.writeInt(MAGIC);
    data.writeByte(VERSION);
    data.writeByte(plan.time().code);
    snapshot.clock().write(data);
    data.writeLong(snapshot.latest());
    data.writeLong(snapshot.time());
    data.writeLong(snapshot.aheadInFilterUntil());
    snapshot.ahead().write(data);
    data.writeByte(snapshot.filters().size());
    for (KeyGroup.Planned<K> planned : snapshot.filters()) {
      planned.size().write(data);
    }
    data.writeInt((int) checked.getChecksum().getValue());
    for (KeyGroup.Planned<K> planned : snapshot.filters()) {
      planned.filter().writeTo(out);
    }
  }

  /**
   * Reads the state of a key group.
   *
   * @param offset where it is in the stream
   * @throws PermanentFailureException if it was written by another job or is damaged
   * @throws IOException if reading failed otherwise, so that another attempt may help
   */
  KeyGroup.Snapshot<K> read(int number, FSDataInputStream in, long offset) throws IOException {
    try {
      in.seek(offset);
      return readSnapshot(in);
    } catch (FilterFormatException
        | EOFException
        | IllegalArgumentException
        | PermanentFailureException e) {
      throw refused(number, e);
    }
  }

  private static PermanentFailureException refused(int number, Exception e) {
    return new PermanentFailureException(
        "cannot restore the filter of key group " + number + ": " + e.getMessage(), e);
  }

  /**
   * Continues a key group from a state that was read. Returns whether it has filters of other
   * plans.
   */
  boolean restore(int number, KeyGroup.Snapshot<K> all) {
    List<KeyGroup.Planned<K>> earlier = new ArrayList<>(all.filters());
    PlannedSize size = earlier.get(0).size();
    boolean isOfThisPlan = size.equals(plan.size());
    long aheadUntil = all.aheadInFilterUntil();
    if (aheadUntil != StreamClock.UNKNOWN) {
      aheadUntil += plan.size().ttlMillis() - size.ttlMillis(); // as for the keys of that filter
    }
    ExpiringCuckooFilter<K> filter = isOfThisPlan ? earlier.remove(0).filter() : newFilter();
    KeyGroup<K> group =
        new KeyGroup<>(
            plan.size(),
            filter,
            restoredClock(all.clock()),
            new KeyGroup.Snapshot<>(
                all.clock(),
                all.latest(),
                all.time(),
                aheadUntil,
                all.ahead(),
                List.copyOf(earlier)));
    if (group.earlierPlans() >= MAX_FILTERS) {
      throw new PermanentFailureException(
          "cannot restore the filter of key group "
              + number
              + ": it has the filters of "
              + group.earlierPlans()
              + " other plans that have not expired: return to the last plan, or wait until"
              + " some have expired");
    }
    groups.set(number, group);
    restoredTime = Math.max(restoredTime, all.time());
    return group.earlierPlans() > 0;
  }

  private StreamClock restoredClock(StreamClock.State before) {
    if (plan.time() != DeduplicationPlan.Time.EVENT) { // that of another machine may be wrong
      clock.restore(new StreamClock.State(before.range(), false, before.latest(), List.of()));
      return clock;
    }
    KeyGroupRange part = before.range().getIntersection(range);
    StreamClock restored = before.isUnaligned() && !part.equals(range) ? clockBefore(part) : clock;
    restored.restore(before);
    return restored;
  }

  private StreamClock clockBefore(KeyGroupRange part) {
    for (StreamClock before : clocksBefore) {
      if (before.range().equals(part)) {
        return before;
      }
    }
    StreamClock before = new StreamClock(part, plan.step());
    List<StreamClock> all = new ArrayList<>(clocksBefore);
    all.add(before);
    clocksBefore = List.copyOf(all);
    return before;
  }

  private KeyGroup.Snapshot<K> readSnapshot(InputStream in) throws IOException {
    CheckedInputStream checked = new CheckedInputStream(in, new CRC32C());
    DataInputStream data = new DataInputStream(checked);
    int magic = data.readInt();
    int version = data.readUnsignedByte();
    if (magic != MAGIC || version != VERSION) {
      throw new PermanentFailureException(
          String.format(
              "the state must begin with %x and version %d, got %x and version %d: it is damaged,"
                  + " of another operator, or of another version of Bloomkit",
              MAGIC, VERSION, magic, version));
    }
    int kindOfTime = data.readUnsignedByte();
    StreamClock.State ofClock = StreamClock.State.read(data);
    long latest = data.readLong();
    long time = data.readLong();
    long aheadInFilterUntil = data.readLong();
    AheadRecords ahead = AheadRecords.read(data);
    int count = data.readUnsignedByte();
    if (count < 1 || count > MAX_FILTERS) {
      throw new PermanentFailureException(
          "the state is damaged: it must have 1 to " + MAX_FILTERS + " filters, got " + count);
    }
    List<PlannedSize> sizes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sizes.add(PlannedSize.read(data));
    }
    int checksum = (int) checked.getChecksum().getValue();
    if (checksum != data.readInt()) {
      throw new PermanentFailureException(
          "the state is damaged: its fields do not have their checksum");
    }
    requireTime(kindOfTime);
    List<KeyGroup.Planned<K>> filters = new ArrayList<>();
    for (PlannedSize size : sizes) {
      filters.add(new KeyGroup.Planned<>(size, readFilter(size, in)));
    }
    return new KeyGroup.Snapshot<>(ofClock, latest, time, aheadInFilterUntil, ahead, filters);
  }

  private ExpiringCuckooFilter<K> readFilter(PlannedSize size, InputStream in) throws IOException {
    ExpiringCuckooFilter<K> filter = PlannedSize.unsized(strategy).readFrom(in);
    if (!filter.timeToLive().equals(Optional.of(Duration.ofMillis(size.longestMillis())))
        || !filter.plan().equals(Optional.of(size.ofKeyGroup(keyGroups)))) {
      throw new PermanentFailureException(
          "the filter does not fit the fields before it, so the state is damaged: expected "
              + size.ofKeyGroup(keyGroups)
              + " in "
              + Duration.ofMillis(size.longestMillis())
              + ", got "
              + filter);
    }
    return filter;
  }

  private void requireTime(int code) {
    if (code != plan.time().code) {
      throw new PermanentFailureException(
          "the time must be as when the state was written: "
              + nameOf(code)
              + " in the state, "
              + plan.time()
              + " in the job");
    }
  }

  private static String nameOf(int code) {
    return Arrays.stream(DeduplicationPlan.Time.values())
        .filter(time -> time.code == code)
        .map(Enum::name)
        .findFirst()
        .orElse("number " + code);
  }

  /**
   * Figures of all key groups of a task.
   *
   * @param live the number of fingerprints that are remembered
   * @param planned how many keys the task is planned for; in a batch, the groups that have records
   * @param rate the probability that a new key would be dropped, weighted by the records of groups
   * @param worstRate the largest such probability of a group
   */
  record Figures(long live, long planned, double rate, double worstRate, long bytes) {}

  private record TimedFigures(Figures figures, long nanos) {}

  /**
   * Costs a pass over the filters, unless another call was less than a tenth of a second ago: a
   * reporter reads several figures in a row.
   */
  Figures figures() {
    TimedFigures last = lastFigures;
    long now = System.nanoTime();
    if (last == null || now - last.nanos > FIGURES_NANOS) {
      last = new TimedFigures(newFigures(), now);
      lastFigures = last;
    }
    return last.figures;
  }

  private Figures newFigures() {
    long live = 0;
    long planned = 0;
    long records = 0;
    double weighted = 0;
    double worst = 0;
    long bytes = 0;
    for (int i = 0; i < keyGroups; i++) {
      KeyGroup<K> group = groups.get(i);
      if (group != null) {
        KeyGroup.Figures figures = group.figures();
        live += figures.live();
        planned += figures.planned();
        records += figures.records();
        weighted += figures.records() * figures.rate();
        worst = Math.max(worst, figures.rate());
        bytes += figures.bytes();
      } else if (!isAnyGroup && range.contains(i)) { // it may still have a record
        planned += plan.size().ofKeyGroup(keyGroups).expectedInsertions();
      }
    }
    return new Figures(live, planned, records == 0 ? worst : weighted / records, worst, bytes);
  }
}
