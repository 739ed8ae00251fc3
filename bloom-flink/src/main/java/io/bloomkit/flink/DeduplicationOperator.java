package io.bloomkit.flink;

import io.bloomkit.flink.DeduplicationPlan.Time;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.SnapshotType.SharingFilesStrategy;
import org.apache.flink.runtime.jobgraph.JobType;
import org.apache.flink.runtime.state.AsyncSnapshotCallable;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator of a {@link StreamDeduplicator}. Its input is partitioned by key, but Flink does not
 * know that it has keyed state, so that it gets no state backend.
 */
final class DeduplicationOperator<T, K> extends AbstractStreamOperator<T>
    implements OneInputStreamOperator<T, T> {

  private static final long serialVersionUID = 1;

  private static final Logger LOGGER = LoggerFactory.getLogger(StreamDeduplicator.class);

  /** How often memory is freed and, in processing time, the clock is read, in milliseconds. */
  static final long TICK_MILLIS = 1_000;

  private final DeduplicationPlan<K> plan;
  private final KeySelector<T, ? extends K> keySelector;
  private final @Nullable OutputTag<T> repeatsTag;
  private final @Nullable OutputTag<T> untimelyTag;

  private transient HashStrategy<K> strategy;
  private transient KeyGroupFilters<K> filters;
  private transient @Nullable IncrementalCheckpoints<K> incremental;
  private transient boolean isEventTime;
  private transient Counter repeats;
  private transient Counter late;
  private transient Counter tooFarAhead;
  private transient boolean isOverfullLogged;
  private transient volatile long lastCopyBytes;
  private transient volatile long lastCopyMillis;

  @SuppressWarnings("NullAway.Init") // Flink sets the transient fields by initializeState
  DeduplicationOperator(
      DeduplicationPlan<K> plan,
      KeySelector<T, ? extends K> keySelector,
      @Nullable OutputTag<T> repeatsTag,
      @Nullable OutputTag<T> untimelyTag) {
    this.plan = plan;
    this.keySelector = keySelector;
    this.repeatsTag = repeatsTag;
    this.untimelyTag = untimelyTag;
  }

  @Override
  protected boolean isUsingCustomRawKeyedState() {
    return true;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    boolean isBatch = getContainingTask().getEnvironment().getJobType() == JobType.BATCH;
    plan.requireStream(isBatch);
    requireExactlyOnce();
    strategy = plan.newStrategy();
    isEventTime = plan.time() == Time.EVENT;
    TaskInfo task = getRuntimeContext().getTaskInfo();
    int keyGroups = task.getMaxNumberOfParallelSubtasks();
    KeyGroupRange range =
        KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
            keyGroups, task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask());
    filters = new KeyGroupFilters<>(plan, strategy, range, keyGroups, isBatch);
    int ofOtherPlans =
        new StateReader<>(filters, getContainingTask().getCancelables())
            .restore(
                getContainingTask()
                    .getEnvironment()
                    .getTaskStateManager()
                    .prioritizedOperatorState(getOperatorID()));
    incremental = isIncremental() ? new IncrementalCheckpoints<>(filters) : null;
    if (ofOtherPlans > 0) {
      LOGGER.info(
          "{} key groups have filters of earlier plans, which are kept until their keys have"
              + " expired",
          ofOtherPlans);
    }
  }

  private boolean isIncremental() {
    Configuration job = getContainingTask().getEnvironment().getJobConfiguration();
    Configuration cluster =
        getContainingTask().getEnvironment().getTaskManagerInfo().getConfiguration();
    ConfigOption<Boolean> option = CheckpointingOptions.INCREMENTAL_CHECKPOINTS;
    return job.getOptional(option).orElseGet(() -> cluster.get(option));
  }

  /** Reads the settings where Flink 2 and Flink 1.20 have them for a task. */
  private void requireExactlyOnce() {
    Configuration job = getContainingTask().getEnvironment().getJobConfiguration();
    Configuration operator = getOperatorConfig().getConfiguration();
    boolean isAtLeastOnce =
        job.getOptional(
                    ConfigOptions.key("execution.checkpointing.interval")
                        .stringType()
                        .noDefaultValue())
                .isPresent()
            && job.get(
                    ConfigOptions.key("execution.checkpointing.mode").stringType().defaultValue(""))
                .equalsIgnoreCase("AT_LEAST_ONCE");
    boolean isAtLeastOnceInFlink1 =
        operator.get(ConfigOptions.key("checkpointing").booleanType().defaultValue(false))
            && operator.get(ConfigOptions.key("checkpointMode").intType().defaultValue(0)) == 1;
    if (isAtLeastOnce || isAtLeastOnceInFlink1) {
      if (!plan.isAtLeastOnceAllowed()) {
        throw new PermanentFailureException(
            "checkpoints in at-least-once mode lose first records at each restart: set"
                + " execution.checkpointing.mode to EXACTLY_ONCE, or call allowAtLeastOnce()");
      }
      LOGGER.warn("Checkpoints are in at-least-once mode: first records are lost at each restart");
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    MetricGroup metrics = getMetricGroup();
    repeats = metrics.counter("repeats");
    late = metrics.counter("late");
    tooFarAhead = metrics.counter("tooFarAhead");
    figure("liveElements", KeyGroupFilters.Figures::live);
    figure("plannedElements", KeyGroupFilters.Figures::planned);
    figure("filterBytes", KeyGroupFilters.Figures::bytes);
    rate("falsePositiveRate", KeyGroupFilters.Figures::rate);
    rate("worstFalsePositiveRate", KeyGroupFilters.Figures::worstRate);
    metrics.gauge("timeLag", (Gauge<Long>) this::timeLag);
    metrics.gauge("lastCopyBytes", (Gauge<Long>) () -> lastCopyBytes);
    metrics.gauge("lastCopyMillis", (Gauge<Long>) () -> lastCopyMillis);
    tick(getProcessingTimeService().getCurrentProcessingTime());
  }

  private void figure(String name, ToLongFunction<KeyGroupFilters.Figures> figure) {
    KeyGroupFilters<K> all = filters;
    getMetricGroup().gauge(name, (Gauge<Long>) () -> figure.applyAsLong(all.figures()));
  }

  private void rate(String name, ToDoubleFunction<KeyGroupFilters.Figures> figure) {
    KeyGroupFilters<K> all = filters;
    getMetricGroup().gauge(name, (Gauge<Double>) () -> figure.applyAsDouble(all.figures()));
  }

  /** Returns how far the time of the filters is behind processing time; 0 before it is known. */
  long timeLag() {
    long time = filters.time();
    return time == StreamClock.UNKNOWN
        ? 0
        : getProcessingTimeService().getCurrentProcessingTime() - time;
  }

  /** Frees memory without records; in processing time, moves the clock. */
  private void tick(long millis) {
    long now = getProcessingTimeService().getCurrentProcessingTime();
    if (!isEventTime) {
      filters.tick(bounded(now));
    }
    sweepSome();
    ScheduledFuture<?> unused =
        getProcessingTimeService().registerTimer(now + TICK_MILLIS, this::tick);
  }

  private void sweepSome() {
    filters.sweepSome();
    warnIfOverfull();
  }

  private void warnIfOverfull() {
    KeyGroup<K> overfull = isOverfullLogged ? null : filters.overfull();
    if (overfull != null) {
      isOverfullLogged = true;
      KeyGroup.Figures figures = overfull.figures();
      LOGGER.warn(
          "A key group has {} keys, but is planned for {}: the probability that a first record is"
              + " lost is {}; call expecting(...) with more keys",
          figures.live(),
          figures.planned(),
          figures.rate());
    }
  }

  @Override
  public void processElement(StreamRecord<T> record) throws Exception {
    K key = keySelector.getKey(record.getValue());
    long timestamp =
        isEventTime
            ? timestampOf(record)
            : bounded(getProcessingTimeService().getCurrentProcessingTime());
    KeyGroup<K> group = filters.groupOf(key);
    group.count();
    long hash = strategy.hash(key);
    StreamClock clock = group.clock();
    if (!clock.isKnown() && group.isAheadFull()) {
      clock.follow(group.timestampsAhead());
      group.advanceTo(clock.latest());
    }
    if (!clock.observe(timestamp)) {
      processAhead(record, group, hash, timestamp);
      return;
    }
    group.advanceTo(isEventTime ? Math.max(timestamp, clock.settled()) : clock.latest());
    if (!isEventTime) {
      timestamp = Math.max(timestamp, group.time()); // the clock may have been set back
    }
    boolean isRepeat = group.contains(hash, timestamp);
    if (timestamp < group.time()) {
      processLate(record, group, hash, isRepeat);
    } else if (isRepeat) {
      drop(record);
    } else {
      group.add(hash, timestamp);
      output.collect(record);
    }
  }

  private void processLate(StreamRecord<T> record, KeyGroup<K> group, long hash, boolean isRepeat) {
    late.inc();
    if (late.getCount() == 1) {
      LOGGER.warn(
          "The first late record of this task: its timestamp is {}, but the time is {}, and"
              + " outOfOrderness is {}. Late records {}",
          instant(record.getTimestamp()),
          instant(group.time()),
          Duration.ofMillis(plan.size().boundMillis()),
          textOf(plan.late()));
    }
    if (isRepeat) {
      drop(record);
    } else if (passes(record, plan.late(), "late", "time", group.time())) {
      group.addLate(hash);
      output.collect(record);
    }
  }

  private void processAhead(StreamRecord<T> record, KeyGroup<K> group, long hash, long timestamp) {
    // The list may push out a key, which is remembered from the time of the group.
    filters.follow(group);
    StreamClock clock = group.clock();
    boolean isJudged = clock.isKnown();
    if (isJudged) {
      tooFarAhead.inc();
      if (tooFarAhead.getCount() == 1) {
        LOGGER.warn(
            "The first record of this task that is too far ahead: its time is {}, but the latest"
                + " one is {}, and a record may move it by {}. Such records {}",
            instant(timestamp),
            instant(clock.latest()),
            Duration.ofMillis(plan.step()),
            textOf(isEventTime ? plan.tooFarAhead() : RecordPolicy.PASS));
      }
    }
    if (group.containsAhead(hash, timestamp)) {
      drop(record);
    } else if (!isJudged
        || !isEventTime
        || passes(record, plan.tooFarAhead(), "too far ahead", "latest one", clock.latest())) {
      group.addAhead(hash, timestamp);
      output.collect(record);
    }
  }

  /** Returns whether a record passes by a policy; else it is where it belongs. */
  private boolean passes(
      StreamRecord<T> record, RecordPolicy policy, String what, String than, long millis) {
    switch (policy) {
      case PASS -> {
        return true;
      }
      case SIDE_OUTPUT -> {
        if (untimelyTag != null) {
          output.collect(untimelyTag, record);
        }
      }
      case DROP -> {}
      case FAIL ->
          throw new PermanentFailureException(
              "a record is "
                  + what
                  + ": its timestamp is "
                  + instant(record.getTimestamp())
                  + ", but the "
                  + than
                  + " is "
                  + instant(millis)
                  + ", got "
                  + record.getValue());
    }
    return false;
  }

  private static String textOf(RecordPolicy policy) {
    return switch (policy) {
      case PASS -> "pass unless their key is remembered, so repeats may pass";
      case DROP -> "are dropped";
      case SIDE_OUTPUT -> "go to the side output";
      case FAIL -> "stop the job";
    };
  }

  private static Instant instant(long millis) {
    return Instant.ofEpochMilli(millis);
  }

  private void drop(StreamRecord<T> record) {
    repeats.inc();
    if (repeatsTag != null) {
      output.collect(repeatsTag, record);
    }
  }

  private static long timestampOf(StreamRecord<?> record) {
    // A source without timestamps gives its records the least number.
    if (!record.hasTimestamp() || record.getTimestamp() == Long.MIN_VALUE) {
      throw new PermanentFailureException(
          "a record has no timestamp: assign timestamps and watermarks, or call processingTime(),"
              + " got "
              + record.getValue());
    }
    return bounded(record.getTimestamp());
  }

  /** Returns the filters, for tests. */
  KeyGroupFilters<K> filters() {
    return filters;
  }

  /** Returns how many records were too far ahead, for tests. */
  long tooFarAhead() {
    return tooFarAhead.getCount();
  }

  /** Returns how many records were late, for tests. */
  long late() {
    return late.getCount();
  }

  /** Returns the memory of the copies for the last checkpoint, for tests. */
  long lastCopyBytes() {
    return lastCopyBytes;
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    // The last watermark of a stream is no time: the state of a drained job stays as it is.
    if (isEventTime && mark.getTimestamp() != Watermark.MAX_WATERMARK.getTimestamp()) {
      filters.advanceTo(bounded(mark.getTimestamp()));
      sweepSome();
    }
    super.processWatermark(mark);
  }

  private static long bounded(long millis) {
    long most = PlannedSize.MAX_MILLIS;
    return Math.max(-most, Math.min(most, millis));
  }

  /** Called at the end of a bounded stream, which may come before the next tick. */
  @Override
  public void finish() throws Exception {
    warnIfOverfull();
    super.finish();
  }

  @Override
  public OperatorSnapshotFutures snapshotState(
      long checkpoint, long timestamp, CheckpointOptions options, CheckpointStreamFactory factory)
      throws Exception {
    warnIfOverfull();
    long start = System.nanoTime();
    boolean isUnaligned = options.isUnalignedCheckpoint();
    if (!isUnaligned) { // the barrier came after all records that were in flight
      filters.joinClocks();
    }
    SharingFilesStrategy sharing = options.getCheckpointType().getSharingFilesStrategy();
    if (incremental == null || sharing == SharingFilesStrategy.NO_SHARING) { // or a savepoint
      FilterSnapshot<K> snapshot = new FilterSnapshot<>(filters, isUnaligned, factory);
      copied(snapshot.memoryBytes(), start);
      OperatorSnapshotFutures whole = super.snapshotState(checkpoint, timestamp, options, factory);
      whole.setKeyedStateRawFuture(taskOf(snapshot));
      return whole;
    }
    IncrementalSnapshot<K> snapshot =
        incremental.begin(
            checkpoint, isUnaligned, sharing == SharingFilesStrategy.FORWARD, factory);
    copied(snapshot.memoryBytes(), start);
    OperatorSnapshotFutures futures = super.snapshotState(checkpoint, timestamp, options, factory);
    futures.setKeyedStateManagedFuture(taskOf(snapshot));
    return futures;
  }

  private void copied(long bytes, long startNanos) {
    lastCopyBytes = bytes;
    lastCopyMillis = (System.nanoTime() - startNanos) / 1_000_000;
  }

  private <S> RunnableFuture<S> taskOf(AsyncSnapshotCallable<S> snapshot) throws IOException {
    return snapshot.toAsyncSnapshotFutureTask(getContainingTask().getCancelables());
  }

  @Override
  public void notifyCheckpointComplete(long checkpoint) throws Exception {
    super.notifyCheckpointComplete(checkpoint);
    if (incremental != null) {
      incremental.complete(checkpoint);
    }
  }
}
