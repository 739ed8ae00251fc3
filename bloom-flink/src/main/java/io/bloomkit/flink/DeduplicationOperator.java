package io.bloomkit.flink;

import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.flink.DeduplicationPlan.Time;
import io.bloomkit.hash.HashStrategy;
import java.time.Duration;
import java.time.Instant;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.jobgraph.JobType;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyGroupStatePartitionStreamProvider;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/** The operator of a {@link StreamDeduplicator}. */
final class DeduplicationOperator<T, K> extends AbstractStreamOperator<T>
    implements OneInputStreamOperator<T, T> {

  private static final long serialVersionUID = 1;

  /** The watermark of a stream that has none yet. */
  private static final long NO_TIME = Long.MIN_VALUE;

  private final DeduplicationPlan<K> plan;
  private final KeySelector<T, ? extends K> keySelector;
  private final @Nullable OutputTag<T> repeatsTag;

  private transient HashStrategy<K> strategy;
  private transient KeyGroupFilters<K> filters;
  private transient Counter repeats;
  private transient Counter tooFarAhead;

  /** The time in milliseconds; {@link #NO_TIME} before the first watermark. */
  private transient long nowMillis;

  /** The same as an instant, null before the first watermark. */
  private transient @Nullable Instant now;

  @SuppressWarnings("NullAway.Init") // Flink sets the transient fields by initializeState
  DeduplicationOperator(
      DeduplicationPlan<K> plan,
      KeySelector<T, ? extends K> keySelector,
      @Nullable OutputTag<T> repeatsTag) {
    this.plan = plan;
    this.keySelector = keySelector;
    this.repeatsTag = repeatsTag;
  }

  @Override
  protected boolean isUsingCustomRawKeyedState() {
    return true;
  }

  /** Has no effect: the key is not needed by a state backend. */
  @Override
  @SuppressWarnings("rawtypes") // as in Flink
  public void setKeyContextElement1(StreamRecord record) {}

  @Override
  public boolean hasKeyContext1() {
    return false;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    plan.requireWatermarks(getContainingTask().getEnvironment().getJobType() == JobType.BATCH);
    strategy = plan.newStrategy();
    nowMillis = NO_TIME;
    TaskInfo task = getRuntimeContext().getTaskInfo();
    int keyGroups = task.getMaxNumberOfParallelSubtasks();
    KeyGroupRange range =
        KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
            keyGroups, task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask());
    filters = new KeyGroupFilters<>(plan, strategy, range, keyGroups);
    for (KeyGroupStatePartitionStreamProvider state : context.getRawKeyedStateInputs()) {
      filters.read(state.getKeyGroupId(), state.getStream());
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    MetricGroup metrics = getMetricGroup();
    repeats = metrics.counter("repeats");
    tooFarAhead = metrics.counter("tooFarAhead");
    KeyGroupFilters<K> all = filters;
    metrics.gauge(
        "liveElements", (Gauge<Long>) () -> (long) all.sum(ExpiringCuckooFilter::liveFingerprints));
    metrics.gauge("falsePositiveRate", (Gauge<Double>) all::falsePositiveRate);
    metrics.gauge(
        "filterBytes", (Gauge<Long>) () -> (long) all.sum(ExpiringCuckooFilter::memoryBytes));
  }

  @Override
  public void processElement(StreamRecord<T> record) throws Exception {
    K key = keySelector.getKey(record.getValue());
    if (key == null) {
      throw new IllegalArgumentException(
          "the key of a record is null: filter such records out before keyBy, got "
              + record.getValue());
    }
    if (plan.time() == Time.PROCESSING) {
      setTime(getProcessingTimeService().getCurrentProcessingTime());
    }
    int index = filters.indexOf(key);
    Instant time = now;
    ExpiringCuckooFilter<K> filter =
        filters.get(index, time == null ? timestampOf(record) : nowMillis);
    if (time != null) {
      filter.advanceTo(time);
    }
    long ahead = plan.time() == Time.EVENT ? millisAhead(record, index) : 0;
    long hash = strategy.hash(key);
    if (!filter.mightContainHash(hash)) {
      filter.addHash(hash, Duration.ofMillis(plan.ttlMillis() + ahead));
      output.collect(record);
    } else {
      repeats.inc();
      if (repeatsTag != null) {
        output.collect(repeatsTag, record);
      }
    }
  }

  private static long timestampOf(StreamRecord<?> record) {
    if (!record.hasTimestamp()) {
      throw new IllegalArgumentException(
          "a record has no timestamp: assign timestamps and watermarks, or call processingTime(),"
              + " got "
              + record.getValue());
    }
    return bounded(record.getTimestamp());
  }

  /**
   * Returns how far a record is ahead of the time of its filter, from 0 to the limit, and counts it
   * if it is further ahead. The filter may have started ahead of the watermark.
   */
  private long millisAhead(StreamRecord<?> record, int index) {
    long ahead = timestampOf(record) - Math.max(nowMillis, filters.start(index));
    if (ahead > plan.aheadMillis()) {
      tooFarAhead.inc();
    }
    return Math.max(0, Math.min(plan.aheadMillis(), ahead));
  }

  /** Returns the filters, for tests. */
  KeyGroupFilters<K> filters() {
    return filters;
  }

  /** Returns how many records were too far ahead, for tests. */
  long tooFarAhead() {
    return tooFarAhead.getCount();
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    // The last watermark of a stream is no time: the state of a drained job stays as it is.
    if (plan.time() == Time.EVENT
        && mark.getTimestamp() != Watermark.MAX_WATERMARK.getTimestamp()) {
      setTime(bounded(mark.getTimestamp()));
    }
    super.processWatermark(mark);
  }

  private void setTime(long millis) {
    if (millis != nowMillis) {
      nowMillis = millis;
      now = Instant.ofEpochMilli(millis);
    }
  }

  private static long bounded(long millis) {
    long most = DeduplicationPlan.MAX_MILLIS;
    return Math.max(-most, Math.min(most, millis));
  }

  @Override
  public OperatorSnapshotFutures snapshotState(
      long checkpoint, long timestamp, CheckpointOptions options, CheckpointStreamFactory factory)
      throws Exception {
    FilterSnapshot<K> snapshot = new FilterSnapshot<>(filters, now, factory);
    OperatorSnapshotFutures futures = super.snapshotState(checkpoint, timestamp, options, factory);
    futures.setKeyedStateRawFuture(
        snapshot.toAsyncSnapshotFutureTask(getContainingTask().getCancelables()));
    return futures;
  }
}
