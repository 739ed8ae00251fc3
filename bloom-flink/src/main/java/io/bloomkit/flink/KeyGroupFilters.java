package io.bloomkit.flink;

import io.bloomkit.FilterPlan;
import io.bloomkit.counting.dynamic.ExpiringCuckooFilter;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.util.StateMigrationException;
import org.jspecify.annotations.Nullable;

/**
 * The filters of the key groups of a task; a filter is created with the first record of its group.
 *
 * <p>The state of a key group is {@link #MAGIC}, a byte for the version, a byte for the {@linkplain
 * DeduplicationPlan.Time time}, and the filter in its file format.
 *
 * <p>One thread writes; others may read the metrics.
 */
final class KeyGroupFilters<K> {

  /** The first bytes of a key group's state. */
  static final int MAGIC = 0x424b4644;

  static final int VERSION = 1;

  private final DeduplicationPlan<K> plan;
  private final KeyGroupRange range;
  private final int keyGroups;
  private final ExpiringCuckooFilter.Builder<K> builder;
  private final AtomicReferenceArray<@Nullable ExpiringCuckooFilter<K>> filters;

  KeyGroupFilters(DeduplicationPlan<K> plan, KeyGroupRange range, int keyGroups) {
    this.plan = plan;
    this.range = range;
    this.keyGroups = keyGroups;
    this.builder = plan.builder(keyGroups);
    this.filters = new AtomicReferenceArray<>(range.getNumberOfKeyGroups());
  }

  KeyGroupRange range() {
    return range;
  }

  /**
   * Returns the filter of a key.
   *
   * @param start the time of a filter that is created
   * @throws IllegalArgumentException if the key belongs to another task
   */
  ExpiringCuckooFilter<K> of(Object key, Instant start) {
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
    int index = group - range.getStartKeyGroup();
    ExpiringCuckooFilter<K> filter = filters.getPlain(index);
    if (filter == null) {
      filter = builder.build();
      filter.advanceTo(start);
      filters.set(index, filter);
    }
    return filter;
  }

  /**
   * Advances all filters to a time, unless it is null, and returns independent copies, in the order
   * of their key groups; null where a group has had no record. So restored filters have the time of
   * the checkpoint.
   */
  List<@Nullable ExpiringCuckooFilter<K>> copies(@Nullable Instant now) {
    return IntStream.range(0, filters.length())
        .<@Nullable ExpiringCuckooFilter<K>>mapToObj(
            index -> {
              ExpiringCuckooFilter<K> filter = filters.getPlain(index);
              if (filter == null) {
                return null;
              }
              if (now != null) {
                filter.advanceTo(now);
              }
              return filter.copy();
            })
        .toList();
  }

  /** Writes the state of a key group. */
  void write(ExpiringCuckooFilter<K> filter, OutputStream out) throws IOException {
    DataOutputStream data = new DataOutputStream(out);
    data.writeInt(MAGIC);
    data.writeByte(VERSION);
    data.writeByte(plan.time().code);
    filter.writeTo(out);
  }

  /**
   * Reads the state of a key group.
   *
   * @throws StateMigrationException if it was written by another job or is damaged
   */
  void read(int group, InputStream in) throws IOException, StateMigrationException {
    try {
      ExpiringCuckooFilter<K> filter = readFilter(in);
      filters.set(group - range.getStartKeyGroup(), filter);
    } catch (IOException | IllegalArgumentException e) {
      throw new StateMigrationException(
          "cannot restore the filter of key group " + group + ": " + e.getMessage(), e);
    }
  }

  private ExpiringCuckooFilter<K> readFilter(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
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
    requireSame("the time", nameOf(time), plan.time().name());
    ExpiringCuckooFilter<K> filter = plan.unsized().readFrom(in);
    FilterPlan planned = plan.ofKeyGroup(keyGroups);
    requireSame(
        "timeToLive + outOfOrderness",
        filter.timeToLive().map(Object::toString).orElse("a window of insertions"),
        plan.longest().toString()); // and so the epoch
    requireSame(
        "expecting(...), per key group,",
        filter.plan().map(Object::toString).orElse("unknown"),
        planned.toString());
    return filter;
  }

  private static String nameOf(int code) {
    return Arrays.stream(DeduplicationPlan.Time.values())
        .filter(time -> time.code == code)
        .map(Enum::name)
        .findFirst()
        .orElse("number " + code);
  }

  private static void requireSame(String what, String inState, String inJob) throws IOException {
    if (!inState.equals(inJob)) {
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
