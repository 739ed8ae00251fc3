package io.bloomkit.flink;

import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Future;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.StateBackendLoader;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.storage.JobManagerCheckpointStorage;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Our filters beside state of Flink with a time to live, as operators in this process, one after
 * the other in each round: a program, run by name only ({@code -Dtest=StateComparison}), with
 * {@code -Dstate.ids=500000} ids in the state if not told otherwise. Prints a table of medians and,
 * in brackets, quartiles. Two in five of the timed records are repeats. Processor time is that of
 * the task's thread, without RocksDB's background threads and without garbage collection.
 */
class StateComparison {

  private static final int IDS = Integer.getInteger("state.ids", 500_000);
  private static final int ROUNDS = Integer.getInteger("state.rounds", 15);
  private static final long LARGE = Long.getLong("state.large", 40_000_000);
  private static final int RECORDS = 20_000;
  private static final long JOB_RECORDS = Long.getLong("state.jobRecords", 3_000_000);
  private static final int JOB_ROUNDS = Integer.getInteger("state.jobRounds", 5);
  private static final int GROUPS = 128;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final double FPP = 0.001;
  private static final Duration TIME_TO_LIVE = Duration.ofHours(1);
  private static final long START = 1_800_000_000_000L;

  /** What people write: a value for each id, which Flink forgets. */
  private static final class FirstByState extends KeyedProcessFunction<String, String, String> {

    private static final long serialVersionUID = 1;

    private transient ValueState<Boolean> seen;

    @Override
    public void open(OpenContext context) {
      ValueStateDescriptor<Boolean> descriptor = new ValueStateDescriptor<>("seen", Types.BOOLEAN);
      descriptor.enableTimeToLive(StateTtlConfig.newBuilder(TIME_TO_LIVE).build());
      seen = getRuntimeContext().getState(descriptor);
    }

    @Override
    public void processElement(String id, Context context, Collector<String> out) throws Exception {
      if (seen.value() == null) {
        seen.update(true);
        out.collect(id);
      }
    }
  }

  /** Whole jobs, from a source to a sink, in a cluster in this process: one task each. */
  @Test
  void jobs() throws Exception {
    String[] backends = {"ours", "hashmap", "rocksdb"};
    List<List<Double>> rates = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int round = -1; round < JOB_ROUNDS; round++) {
      for (int i = 0; i < backends.length; i++) {
        double rate = recordsPerSecond(backends[i]);
        if (round >= 0) {
          rates.get(i).add(rate / 1e3);
        }
      }
    }
    System.out.printf(
        "| state | thousand records per second of a whole job with %d ids |%n|---|---:|%n",
        JOB_RECORDS * 3 / 5);
    for (int i = 0; i < backends.length; i++) {
      System.out.printf("| %s | %s |%n", backends[i], quartiles(rates.get(i)));
    }
  }

  private static double recordsPerSecond(String backend) throws Exception {
    boolean isOurs = backend.equals("ours");
    Configuration settings = new Configuration();
    settings.setString("state.backend.type", isOurs ? "hashmap" : backend);
    StreamExecutionEnvironment env = LocalFlink.environment(settings, 1);
    env.setMaxParallelism(GROUPS);
    KeyedStream<String, String> ids =
        env.fromSequence(0, JOB_RECORDS - 1).map(Subject::id).returns(Types.STRING).keyBy(id -> id);
    DataStream<String> first =
        isOurs ? deduplicator(JOB_RECORDS * 3 / 5).apply(ids) : ids.process(new FirstByState());
    first.sinkTo(new DiscardingSink<>());
    return JOB_RECORDS * 1e3 / env.execute().getNetRuntime();
  }

  private static final class Subject {

    private final String name;
    private final OneInputStreamOperatorTestHarness<String, String> harness;
    private final List<Double> nanos = new ArrayList<>();
    private final List<Double> pauses = new ArrayList<>();
    private final List<Double> writes = new ArrayList<>();
    private long bytes;

    Subject(String name, OneInputStreamOperator<String, String> operator, String backend)
        throws Exception {
      this.name = name;
      harness =
          operator instanceof DeduplicationOperator
              ? new OneInputStreamOperatorTestHarness<>(operator, GROUPS, 1, 0)
              : new KeyedOneInputStreamOperatorTestHarness<>(
                  operator, id -> id, Types.STRING, GROUPS, 1, 0);
      harness.setStateBackend(backend(backend));
      harness.setup();
      harness.open();
      harness.setProcessingTime(START);
    }

    private static StateBackend backend(String name) throws Exception {
      Configuration settings = new Configuration();
      settings.setString("state.backend.type", name);
      settings.setString("state.backend.rocksdb.memory.managed", "false");
      return StateBackendLoader.loadStateBackendFromConfig(
          settings, Subject.class.getClassLoader(), LoggerFactory.getLogger(Subject.class));
    }

    void fill(long to) throws Exception {
      for (long i = 0; i < to; i++) {
        harness.processElement(new StreamRecord<>(id(i)));
        if (i % 1_000 == 0) {
          harness.getOutput().clear();
        }
      }
    }

    /** Three new ids, then two that are there already. */
    private static String id(long number) {
      long group = number / 5;
      int place = (int) (number % 5);
      long random = HashStrategies.longs().hash(number);
      long id = place < 3 ? 3 * group + place : Long.remainderUnsigned(random, 3 * group + 1);
      return Long.toHexString(HashStrategies.longs().hash(id) | Long.MIN_VALUE);
    }

    void measureRecords(long from, boolean isMeasured) throws Exception {
      List<StreamRecord<String>> records = new ArrayList<>();
      for (long i = from; i < from + RECORDS; i++) {
        records.add(new StreamRecord<>(id(i)));
      }
      long start = THREADS.getCurrentThreadCpuTime();
      for (StreamRecord<String> record : records) {
        harness.processElement(record);
      }
      if (isMeasured) {
        nanos.add((double) (THREADS.getCurrentThreadCpuTime() - start) / RECORDS);
      }
      harness.getOutput().clear();
    }

    void measureSnapshot() throws Exception {
      Snapshot snapshot = Snapshot.take(harness.getOperator(), true);
      bytes = snapshot.bytes;
      pauses.add(snapshot.processor);
      writes.add(snapshot.write);
    }

    void print(long ids) {
      System.out.printf(
          Locale.ROOT,
          "| %s | %,d | %.1f | %.1f | %s | %s | %s |%n",
          name,
          ids,
          bytes / 1e6,
          1.0 * bytes / ids,
          quartiles(nanos.stream().map(time -> 1e6 / time).toList()),
          quartiles(pauses),
          quartiles(writes));
    }

    void close() throws Exception {
      harness.close();
    }
  }

  private static String quartiles(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(x -> x).sorted().toArray();
    int n = sorted.length;
    return String.format(
        Locale.ROOT, "%.1f (%.1f-%.1f)", sorted[n / 2], sorted[n / 4], sorted[3 * n / 4]);
  }

  private static StreamDeduplicator<CharSequence> deduplicator(long ids) {
    return StreamDeduplicator.of(HashStrategies::utf8)
        .expecting(ids, FPP)
        .timeToLive(TIME_TO_LIVE)
        .processingTime();
  }

  @Test
  void table() throws Exception {
    long records = IDS * 5L / 3 / RECORDS * RECORDS;
    long all = records + (ROUNDS + 1L) * RECORDS;
    List<Subject> subjects =
        List.of(
            new Subject(
                "`StreamDeduplicator`",
                deduplicator(all * 3 / 5).operator(id -> id, null, null),
                "hashmap"),
            new Subject(
                "`ValueState`, heap", new KeyedProcessOperator<>(new FirstByState()), "hashmap"),
            new Subject(
                "`ValueState`, RocksDB",
                new KeyedProcessOperator<>(new FirstByState()),
                "rocksdb"));
    for (Subject subject : subjects) {
      subject.fill(records);
    }
    for (int round = -1; round < ROUNDS; round++) {
      for (Subject subject : subjects) {
        subject.measureRecords(records + (round + 1L) * RECORDS, round >= 0);
      }
    }
    for (int round = 0; round < 5; round++) {
      for (Subject subject : subjects) {
        subject.measureSnapshot();
      }
    }
    System.out.println(
        "| state | ids | checkpoint, MB | bytes per id | thousand records per second of processor time |"
            + " synchronous phase, ms of processor time | asynchronous phase, ms |\n|---|---:|---:|---:|---:|---:|---:|");
    for (Subject subject : subjects) {
      subject.print(all * 3 / 5);
      subject.close();
    }
  }

  /** Reads filters of texts. */
  public static final class Loader implements FilterLoader<DynamicCuckooFilter<CharSequence>> {

    @Override
    public DynamicCuckooFilter<CharSequence> readFrom(InputStream in) throws IOException {
      return DynamicCuckooFilter.readFrom(in, HashStrategies.utf8());
    }
  }

  /** A filter as a value of state. */
  private static final class FirstByFilter extends KeyedProcessFunction<String, String, String> {

    private static final long serialVersionUID = 1;

    private transient ValueState<DynamicCuckooFilter<CharSequence>> state;

    @Override
    public void open(OpenContext context) {
      state =
          getRuntimeContext()
              .getState(
                  new ValueStateDescriptor<>(
                      "seen", FilterTypeInfo.of(DynamicCuckooFilter.class, Loader.class)));
    }

    @Override
    public void processElement(String id, Context context, Collector<String> out) throws Exception {
      DynamicCuckooFilter<CharSequence> filter = state.value();
      if (filter == null) {
        filter = DynamicCuckooFilter.create(HashStrategies.utf8(), 1_000_000, FPP);
      }
      if (filter.add(id)) {
        out.collect(id);
      }
      state.update(filter);
    }
  }

  /** What one update of a filter as a value costs, by the number of its elements. */
  @Test
  void filterAsValue() throws Exception {
    for (String backend : new String[] {"hashmap", "rocksdb"}) {
      KeyedOneInputStreamOperatorTestHarness<String, String, String> harness =
          new KeyedOneInputStreamOperatorTestHarness<>(
              new KeyedProcessOperator<>(new FirstByFilter()), id -> "one", Types.STRING);
      harness.setStateBackend(Subject.backend(backend));
      harness.setup();
      harness.open();
      for (int elements = 0; elements < 5_000; elements += 1_000) {
        long start = System.nanoTime();
        for (int i = 0; i < 1_000; i++) {
          harness.processElement(new StreamRecord<>(Subject.id(elements + i)));
        }
        System.out.printf(
            Locale.ROOT,
            "a filter as value, %s, %,d to %,d records: %.1f µs per record%n",
            backend,
            elements,
            elements + 1_000,
            (System.nanoTime() - start) / 1e6);
      }
      harness.close();
    }
  }

  /**
   * A checkpoint to memory.
   *
   * @param pause milliseconds of the synchronous phase
   * @param processor milliseconds of processor time of that phase, in its thread
   * @param write milliseconds of the asynchronous phase
   */
  private record Snapshot(double pause, double processor, double write, long bytes) {

    static Snapshot take(AbstractStreamOperator<?> operator, boolean isWritten) throws Exception {
      long processorStart = THREADS.getCurrentThreadCpuTime();
      long start = System.nanoTime();
      OperatorSnapshotFutures futures =
          operator.snapshotState(
              1,
              1,
              CheckpointOptions.forCheckpointWithDefaultLocation(),
              new MemCheckpointStreamFactory(Integer.MAX_VALUE));
      long synchronous = System.nanoTime();
      double processor = (THREADS.getCurrentThreadCpuTime() - processorStart) / 1e6;
      long bytes = 0;
      for (Future<?> future : isWritten ? futures.getAllFutures() : new Future<?>[0]) {
        if (future instanceof RunnableFuture<?> runnable) {
          runnable.run();
        }
        if (future.get() instanceof SnapshotResult<?> result) {
          bytes += result.getStateSize();
        }
      }
      long asynchronous = System.nanoTime();
      futures.cancel();
      return new Snapshot(
          (synchronous - start) / 1e6, processor, (asynchronous - synchronous) / 1e6, bytes);
    }
  }

  /**
   * About 100 MB of filters in a task. Only the first key group is filled; the others are restored
   * from its state.
   */
  @Test
  void large() throws Exception {
    DeduplicationOperator<Long, Long> filled = longs();
    OneInputStreamOperatorTestHarness<Long, Long> filling = harness(filled, null);
    for (long id = 0; id < LARGE; id++) {
      if (KeyGroupRangeAssignment.assignToKeyGroup(id, GROUPS) == 0) {
        filling.setProcessingTime(START + TIME_TO_LIVE.toMillis() * id / LARGE);
        filled.processElement(new StreamRecord<>(id));
      }
      if (id % 1_000_000 == 0) {
        filling.getOutput().clear();
      }
    }
    OperatorSubtaskState state = filling.snapshot(1, 1);
    filling.close();
    KeyGroupsStateHandle first = (KeyGroupsStateHandle) state.getRawKeyedState().iterator().next();
    OperatorSubtaskState all =
        OperatorSubtaskState.builder()
            .setRawKeyedState(
                new KeyGroupsStateHandle(
                    new KeyGroupRangeOffsets(new KeyGroupRange(0, GROUPS - 1), new long[GROUPS]),
                    first.getDelegateStateHandle()))
            .build();
    DeduplicationOperator<Long, Long> operator = longs();
    OneInputStreamOperatorTestHarness<Long, Long> restored = harness(operator, all);
    List<Snapshot> snapshots = new ArrayList<>();
    for (int round = 0; round < 3 * ROUNDS; round++) {
      snapshots.add(Snapshot.take(operator, round == 3 * ROUNDS - 1));
    }
    Snapshot written = snapshots.get(snapshots.size() - 1);
    System.out.printf(
        Locale.ROOT,
        "%,d ids: %.1f MB of filters, %.1f MB of checkpoint; synchronous phase %s ms, %s ms of"
            + " processor time; asynchronous phase %.0f ms%n",
        operator.filters().figures().live(),
        operator.filters().figures().bytes() / 1e6,
        written.bytes / 1e6,
        quartiles(snapshots.stream().map(Snapshot::pause).toList()),
        quartiles(snapshots.stream().map(Snapshot::processor).toList()),
        written.write);
    restored.close();
  }

  private static DeduplicationOperator<Long, Long> longs() {
    return StreamDeduplicator.of(HashStrategies::longs)
        .expecting(LARGE, FPP)
        .timeToLive(TIME_TO_LIVE)
        .processingTime()
        .operator(id -> id, null, null);
  }

  private static OneInputStreamOperatorTestHarness<Long, Long> harness(
      DeduplicationOperator<Long, Long> operator, @Nullable OperatorSubtaskState state)
      throws Exception {
    OneInputStreamOperatorTestHarness<Long, Long> harness =
        new OneInputStreamOperatorTestHarness<>(operator, GROUPS, 1, 0);
    harness.setCheckpointStorage(new JobManagerCheckpointStorage(Integer.MAX_VALUE));
    harness.setup();
    if (state != null) {
      harness.initializeState(state);
    }
    harness.open();
    return harness;
  }
}
