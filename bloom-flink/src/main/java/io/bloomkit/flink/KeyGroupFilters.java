package io.bloomkit.flink;

import io.bloomkit.FilterPlan;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.hash.HashStrategy;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.util.StateMigrationException;
import org.jspecify.annotations.Nullable;

/**
 * The filters of the key groups of a task; a filter is created with the first record of its group.
 *
 * <p>The state of a key group is, with the highest byte first: {@link #MAGIC}; a byte for the
 * version; a byte for the {@linkplain DeduplicationPlan.Time time}; the time to live and the
 * out-of-orderness in milliseconds, the expected number and the rate of the whole stream, and the
 * time of the filter in milliseconds since 1970, each in eight bytes; the CRC-32C of all this, in
 * four; and the filter in its file format.
 *
 * <p>One thread writes; others may read the metrics.
 */
final class KeyGroupFilters<K> {

  /** The first bytes of a key group's state. */
  static final int MAGIC = 0x424b4644;

  static final int VERSION = 1;

  /** The number of bytes before the filter. */
  static final int FIELDS = 4 + 1 + 1 + 5 * 8 + 4;

  private final DeduplicationPlan<K> plan;
  private final HashStrategy<K> strategy;
  private final KeyGroupRange range;
  private final int keyGroups;
  private final ExpiringCuckooFilter.Builder<K> builder;
  private final AtomicReferenceArray<@Nullable ExpiringCuckooFilter<K>> filters;

  /** For each filter, the time of its first record or, if it was restored, of the checkpoint. */
  private final long[] starts;

  KeyGroupFilters(
      DeduplicationPlan<K> plan, HashStrategy<K> strategy, KeyGroupRange range, int keyGroups) {
    this.plan = plan;
    this.strategy = strategy;
    this.range = range;
    this.keyGroups = keyGroups;
    this.builder = plan.builder(strategy, keyGroups);
    this.filters = new AtomicReferenceArray<>(range.getNumberOfKeyGroups());
    this.starts = new long[range.getNumberOfKeyGroups()];
  }

  KeyGroupRange range() {
    return range;
  }

  /**
   * Returns the index of the filter of a key.
   *
   * @throws IllegalArgumentException if the key belongs to another task
   */
  int indexOf(Object key) {
    int group = KeyGroupRangeAssignment.assignToKeyGroup(key, keyGroups);
    if (!range.contains(group)) {
      throw new IllegalArgumentException(
          "key "
              + key
              + " is of key group "
              + group
              + ", but this task has "
              + range
              + ": the stream must be partitioned by keyBy, with keys whose hashCode is the same"
              + " on all machines");
    }
    return group - range.getStartKeyGroup();
  }

  /** Returns the filter at an index; if it has had no record, one that starts at a time. */
  ExpiringCuckooFilter<K> get(int index, long startMillis) {
    ExpiringCuckooFilter<K> filter = filters.getPlain(index);
    if (filter == null) {
      filter = builder.build();
      filter.advanceTo(Instant.ofEpochMilli(startMillis));
      starts[index] = startMillis;
      filters.set(index, filter);
    }
    return filter;
  }

  /** Returns the time at which the filter at an index started, in milliseconds. */
  long start(int index) {
    return starts[index];
  }

  /** An independent copy of a filter, and its time in milliseconds. */
  record Copy<K>(ExpiringCuckooFilter<K> filter, long millis) {}

  /**
   * Advances all filters to a time, unless it is null, and returns copies, in the order of their
   * key groups; null where a group has had no record. So restored filters have the time of the
   * checkpoint.
   */
  List<@Nullable Copy<K>> copies(@Nullable Instant now) {
    return IntStream.range(0, filters.length())
        .<@Nullable Copy<K>>mapToObj(
            index -> {
              ExpiringCuckooFilter<K> filter = filters.getPlain(index);
              if (filter == null) {
                return null;
              }
              long millis = starts[index];
              if (now != null) {
                filter.advanceTo(now);
                millis = Math.max(millis, now.toEpochMilli());
              }
              return new Copy<>(filter.copy(), millis);
            })
        .toList();
  }

  /** Writes the state of a key group. */
  void write(Copy<K> copy, OutputStream out) throws IOException {
    CheckedOutputStream checked = new CheckedOutputStream(out, new CRC32C());
    DataOutputStream data = new DataOutputStream(checked);
    data.writeInt(MAGIC);
    data.writeByte(VERSION);
    data.writeByte(plan.time().code);
    data.writeLong(plan.ttlMillis());
    data.writeLong(plan.aheadMillis());
    data.writeLong(plan.expected());
    data.writeDouble(plan.fpp());
    data.writeLong(copy.millis());
    data.writeInt((int) checked.getChecksum().getValue());
    copy.filter().writeTo(out);
  }

  /**
   * Reads the state of a key group.
   *
   * @throws StateMigrationException if it was written by another job or is damaged
   */
  void read(int group, InputStream in) throws IOException, StateMigrationException {
    try {
      Copy<K> copy = readCopy(in);
      int index = group - range.getStartKeyGroup();
      starts[index] = copy.millis();
      filters.set(index, copy.filter());
    } catch (IOException | IllegalArgumentException e) {
      throw new StateMigrationException(
          "cannot restore the filter of key group " + group + ": " + e.getMessage(), e);
    }
  }

  private Copy<K> readCopy(InputStream in) throws IOException {
    CheckedInputStream checked = new CheckedInputStream(in, new CRC32C());
    DataInputStream data = new DataInputStream(checked);
    int magic = data.readInt();
    int version = data.readUnsignedByte();
    if (magic != MAGIC || version != VERSION) {
      throw new IOException(
          String.format(
              "the state must begin with %x and version %d, got %x and version %d: it is damaged,"
                  + " of another operator, or of another version of Bloomkit",
              MAGIC, VERSION, magic, version));
    }
    int time = data.readUnsignedByte();
    long ttlMillis = data.readLong();
    long aheadMillis = data.readLong();
    long expected = data.readLong();
    double fpp = data.readDouble();
    long millis = data.readLong();
    int checksum = (int) checked.getChecksum().getValue();
    if (checksum != data.readInt()) {
      throw new IOException("the state is damaged: its fields do not have their checksum");
    }
    requireSame("the time", nameOf(time), plan.time());
    requireSame("timeToLive", Duration.ofMillis(ttlMillis), Duration.ofMillis(plan.ttlMillis()));
    requireSame(
        "outOfOrderness", Duration.ofMillis(aheadMillis), Duration.ofMillis(plan.aheadMillis()));
    requireSame("the expected number", expected, plan.expected());
    requireSame("fpp", fpp, plan.fpp());
    ExpiringCuckooFilter<K> filter = DeduplicationPlan.unsized(strategy).readFrom(in);
    FilterPlan planned = plan.ofKeyGroup(keyGroups);
    if (!filter.timeToLive().equals(Optional.of(plan.longest()))
        || !filter.plan().equals(Optional.of(planned))) {
      throw new IOException(
          "the filter does not fit the fields before it, so the state is damaged: expected "
              + planned
              + " in "
              + plan.longest()
              + ", got "
              + filter);
    }
    return new Copy<>(filter, millis);
  }

  private static String nameOf(int code) {
    return Arrays.stream(DeduplicationPlan.Time.values())
        .filter(time -> time.code == code)
        .map(Enum::name)
        .findFirst()
        .orElse("number " + code);
  }

  private static void requireSame(String what, Object inState, Object inJob) throws IOException {
    if (!inState.toString().equals(inJob.toString())) {
      throw new IOException(
          what
              + " must be as when the state was written: "
              + inState
              + " in the state, "
              + inJob
              + " in the job");
    }
  }

  /** Returns the sum of a figure of all filters. */
  double sum(ToDoubleFunction<ExpiringCuckooFilter<K>> figure) {
    double sum = 0;
    for (int i = 0; i < filters.length(); i++) {
      ExpiringCuckooFilter<K> filter = filters.get(i);
      sum += filter == null ? 0 : figure.applyAsDouble(filter);
    }
    return sum;
  }

  /** Returns the false-positive rate of a key group, on average over all of the task. */
  double falsePositiveRate() {
    return sum(ExpiringCuckooFilter::expectedFpp) / filters.length();
  }
}
