package io.bloomkit.flink;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointType;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.StateObjectCollection;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SharedStateRegistry;
import org.apache.flink.runtime.state.SharedStateRegistryImpl;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/** One task of a job, in a harness. */
final class Task implements AutoCloseable {

  static final int GROUPS = 16;

  private static final OutputTag<Click> REPEATS =
      new OutputTag<>("repeats", TypeInformation.of(Click.class));

  private static final OutputTag<Click> UNTIMELY =
      new OutputTag<>("untimely", TypeInformation.of(Click.class));

  final OneInputStreamOperatorTestHarness<Click, Click> harness;
  private final int parallelism;
  private final int index;
  private final SharedStateRegistry registry = new SharedStateRegistryImpl();
  private long checkpoint;
  private boolean isUntimely;

  Task(
      StreamDeduplicator<CharSequence> job,
      int parallelism,
      int index,
      @Nullable OperatorSubtaskState state)
      throws Exception {
    this(job, parallelism, index, state, false);
  }

  Task(
      StreamDeduplicator<CharSequence> job,
      int parallelism,
      int index,
      @Nullable OperatorSubtaskState state,
      boolean isIncremental)
      throws Exception {
    this.parallelism = parallelism;
    this.index = index;
    harness =
        new OneInputStreamOperatorTestHarness<>(
            job.operator(Click::id, REPEATS, UNTIMELY), GROUPS, parallelism, index);
    harness
        .getEnvironment()
        .getJobConfiguration()
        .set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, isIncremental);
    harness.setup();
    if (state != null) {
      harness.initializeState(state);
    }
    harness.open();
  }

  boolean has(String id) {
    return KeyGroupRangeAssignment.assignKeyToParallelOperator(id, GROUPS, parallelism) == index;
  }

  /** Returns whether a click passes; else it must be in the side output. */
  boolean passes(@Nullable String id, long millis) throws Exception {
    return process(new StreamRecord<>(new Click(id, millis, 0), millis));
  }

  private boolean isInSideOutput(OutputTag<Click> tag) {
    Queue<StreamRecord<Click>> records = harness.getSideOutput(tag);
    return records != null && records.poll() != null;
  }

  /** Returns whether the last click went to the side output for untimely ones. */
  boolean isUntimely() {
    return isUntimely;
  }

  boolean process(StreamRecord<Click> record) throws Exception {
    harness.getOutput().clear();
    harness.processElement(record);
    boolean isPassed = harness.getOutput().poll() != null;
    boolean isRepeat = isInSideOutput(REPEATS);
    isUntimely = isInSideOutput(UNTIMELY);
    assertFalse(isPassed ? isRepeat || isUntimely : isRepeat && isUntimely);
    return isPassed;
  }

  KeyGroup<?> groupOf(String id) {
    int number = KeyGroupRangeAssignment.assignToKeyGroup(id, GROUPS);
    return Objects.requireNonNull(operator().filters().group(number));
  }

  DeduplicationOperator<?, ?> operator() {
    return (DeduplicationOperator<?, ?>) harness.getOperator();
  }

  void watermark(long millis) throws Exception {
    harness.processWatermark(millis);
  }

  /** Takes a checkpoint, and registers its files as Flink does. */
  OperatorSubtaskState snapshot() throws Exception {
    OperatorSubtaskState state = harness.snapshot(++checkpoint, checkpoint);
    state.registerSharedStates(registry, checkpoint);
    return state;
  }

  /** Takes an unaligned checkpoint, and registers its files as Flink does. */
  OperatorSubtaskState unaligned() throws Exception {
    OperatorSnapshotFutures futures =
        operator()
            .snapshotState(
                ++checkpoint,
                checkpoint,
                CheckpointOptions.unaligned(
                    CheckpointType.CHECKPOINT, CheckpointStorageLocationReference.getDefault()),
                new MemCheckpointStreamFactory(1 << 20));
    OperatorSubtaskState state =
        OperatorSubtaskState.builder()
            .setRawKeyedState(resultOf(futures.getKeyedStateRawFuture()))
            .setManagedKeyedState(resultOf(futures.getKeyedStateManagedFuture()))
            .build();
    state.registerSharedStates(registry, checkpoint);
    return state;
  }

  private static StateObjectCollection<KeyedStateHandle> resultOf(
      RunnableFuture<SnapshotResult<KeyedStateHandle>> future) throws Exception {
    future.run();
    KeyedStateHandle handle = future.get().getJobManagerOwnedSnapshot();
    return handle == null ? StateObjectCollection.empty() : StateObjectCollection.singleton(handle);
  }

  /** Completes the last checkpoint. */
  void complete() throws Exception {
    harness.notifyOfCompletedCheckpoint(checkpoint);
    completeUnnoticed();
  }

  /** Completes the last checkpoint, of which the task does not hear before the next one. */
  void completeUnnoticed() {
    registry.unregisterUnusedState(checkpoint);
  }

  @Override
  public void close() {
    try {
      harness.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
