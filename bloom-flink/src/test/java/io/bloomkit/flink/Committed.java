package io.bloomkit.flink;

import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * The end of a stream of clicks: their numbers are state, and published with each checkpoint, as by
 * a sink in exactly-once mode.
 */
final class Committed
    implements MapFunction<Click, Click>, CheckpointedFunction, CheckpointListener {

  private static final long serialVersionUID = 1;

  /** By the name of a run, since Flink copies functions. */
  private static final Map<String, BitSet> RUNS = new ConcurrentHashMap<>();

  private final String run;
  private transient BitSet numbers;
  private transient Map<Long, BitSet> pending;
  private transient ListState<byte[]> state;

  @SuppressWarnings("NullAway.Init") // Flink calls initializeState
  private Committed(String run) {
    this.run = run;
  }

  /** Ends a stream of clicks. */
  static void end(DataStream<Click> clicks, String run) {
    clicks
        .map(new Committed(run))
        .uid("committed")
        .setParallelism(1)
        .sinkTo(new DiscardingSink<>())
        .setParallelism(1);
  }

  /** Returns the numbers of the last complete checkpoint of a run. */
  static BitSet numbers(String run) {
    return RUNS.getOrDefault(run, new BitSet());
  }

  @Override
  public Click map(Click click) {
    int number = Math.toIntExact(click.number);
    if (numbers.get(number)) {
      throw new IllegalStateException("click " + number + " came twice");
    }
    numbers.set(number);
    return click;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    numbers = new BitSet();
    pending = new ConcurrentHashMap<>();
    state =
        context
            .getOperatorStateStore()
            .getListState(
                new ListStateDescriptor<>(
                    "numbers", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    for (byte[] bytes : state.get()) {
      numbers.or(BitSet.valueOf(bytes));
    }
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    byte[] bytes = numbers.toByteArray();
    state.clear();
    state.add(bytes);
    pending.put(context.getCheckpointId(), BitSet.valueOf(bytes));
  }

  @Override
  public void notifyCheckpointComplete(long checkpoint) {
    BitSet complete = pending.get(checkpoint);
    if (complete != null) {
      RUNS.put(run, complete);
    }
    pending.keySet().removeIf(id -> id <= checkpoint);
  }
}
