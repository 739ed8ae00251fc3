package io.bloomkit.flink;

import io.bloomkit.FilterPlan;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.flink.DeduplicationPlan.Time;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.InstantiationUtil;
import org.apache.flink.util.OutputTag;
import org.apache.flink.util.function.SerializableSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes the first record of each key within a time to live and drops the repeats. The state is one
 * {@link ExpiringCuckooFilter} per key group; keys are not stored.
 *
 * <pre>{@code
 * DataStream<Click> first =
 *     StreamDeduplicator.of(HashStrategies::utf8)
 *         .expecting(10_000_000, 0.001)
 *         .timeToLive(Duration.ofHours(1))
 *         .eventTime(Duration.ofSeconds(10))
 *         .apply(clicks.keyBy(Click::id))
 *         .uid("first-clicks");
 * }</pre>
 *
 * <p><b>What is certain.</b> In event time, a record that is not late does not pass if a record of
 * its key has passed whose timestamp is at most the time to live earlier. In processing time, the
 * same holds for the time at which records arrive. This also holds after a restart from a
 * checkpoint or savepoint in exactly-once mode, and with another parallelism.
 *
 * <p><b>What is not certain.</b> The first record of a key is mistaken for a repeat and dropped
 * with a probability of at most {@code fpp}, if there are not more keys than expected. A key is
 * remembered longer than requested by up to {@code outOfOrderness} and two epochs, where an epoch
 * is a fifteenth of {@code timeToLive} + {@code outOfOrderness}. A repeat that is dropped does not
 * prolong the time.
 *
 * <p><b>Event time.</b> The time of a key group is the latest timestamp of its records, but at
 * least the watermark, and at least the latest timestamp of its task less {@link #maxTimeStep}, all
 * minus {@code outOfOrderness}; it never moves back. A record is late if its timestamp is before
 * that time. A late record is a repeat if its key is remembered; otherwise the policy of {@link
 * #lateRecords} decides. If it passes, the time moves to the latest timestamp of the task minus
 * {@code outOfOrderness}, from which the key is remembered for the time to live.
 *
 * <p><b>Records too far ahead.</b> A record whose timestamp is later than the latest one by more
 * than {@link #maxTimeStep} does not move the time, and the policy of {@link #recordsTooFarAhead}
 * decides. Up to a hundred such records per key group are judged by their timestamps; the keys of
 * earlier ones are remembered for the time to live plus {@code outOfOrderness} from then on. After
 * a gap in the stream, the time follows when a task has had a hundred more records too far ahead
 * than others. In processing time, the same holds for readings of the clock, which always pass, and
 * two readings a second apart suffice.
 *
 * <p><b>Another plan.</b> If the expected number, the rate, the time to live or the
 * out-of-orderness is changed, filters of the old plan are read until their keys have expired, and
 * new keys are added to new filters. Meanwhile the probabilities of both add up. Keys that the old
 * time to live has forgotten stay forgotten.
 *
 * <p><b>Batches.</b> A batch is not in the order of timestamps, so event time refuses it: by {@code
 * apply} in the mode {@code BATCH}, and at the start of the job if Flink chooses a batch in the
 * mode {@code AUTOMATIC}, when all sources are bounded.
 *
 * <p><b>Metrics</b> of the operator: counters {@code repeats}, {@code late} and {@code
 * tooFarAhead}; of a task, gauges {@code liveElements}, {@code plannedElements}, {@code
 * falsePositiveRate} (the mean of its key groups, weighted by their records), {@code
 * worstFalsePositiveRate} (of the worst group), {@code filterBytes}, {@code timeLag} (milliseconds
 * by which the filters' time is behind processing time), {@code lastCopyBytes} and {@code
 * lastCopyMillis} (the copies for the last checkpoint). Reading the first five costs a pass over
 * the tables, about a nanosecond per entry, in the thread of the reader.
 *
 * <p><b>Failures.</b> The job stops at a null key, by Flink's own check, and in event time, before
 * the record is processed, at a record without a timestamp. It does not start with checkpoints in
 * at-least-once mode, unless {@link #allowAtLeastOnce} was called, and not from state that is
 * damaged or was written with another strategy or kind of time. Except at a null key, Flink does
 * not restart it.
 *
 * <p>Instances are immutable.
 *
 * @param <K> the type of the elements that the strategy hashes
 */
public final class StreamDeduplicator<K> {

  private static final String NAME = "first of each key";

  private final DeduplicationPlan<K> plan;

  private StreamDeduplicator(DeduplicationPlan<K> plan) {
    this.plan = plan;
  }

  /**
   * Returns a deduplicator without a size and times.
   *
   * @param strategy the source of the strategy that hashes the keys, such as {@code
   *     HashStrategies::utf8}. It is called by this method, on the client, and once in every task;
   *     it must always return a strategy with the same hashes. Flink sends what a lambda captures
   *     to all tasks; read a secret key inside the lambda, on the client too.
   * @throws NullPointerException if the supplier is null or returns null
   * @throws IllegalArgumentException if the supplier captures what is not serializable
   */
  public static <K> StreamDeduplicator<K> of(
      SerializableSupplier<? extends HashStrategy<K>> strategy) {
    Objects.requireNonNull(strategy, "strategy");
    requireSerializable(strategy);
    DeduplicationPlan<K> plan = DeduplicationPlan.of(strategy);
    plan.newStrategy(); // so a supplier that fails does so on the client
    return new StreamDeduplicator<>(plan);
  }

  private static void requireSerializable(Serializable supplier) {
    try {
      InstantiationUtil.serializeObject(supplier);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the supplier passed to StreamDeduplicator.of is sent to all tasks, but captures what is"
              + " not serializable ("
              + e.getMessage()
              + "): create the strategy inside the supplier, from serializable values, as by"
              + " HashStrategies::utf8",
          e);
    }
  }

  /**
   * Returns a deduplicator for a number of keys.
   *
   * @param expected the number of distinct keys of the whole stream per time to live, at least 0.
   *     It is divided by the number of key groups, with room for uneven groups.
   * @param fpp the probability that the first record of a key is dropped, in (0, 1)
   * @throws IllegalArgumentException if an argument is out of its range, or {@code expected / fpp}
   *     is above 2<sup>55</sup>
   */
  public StreamDeduplicator<K> expecting(long expected, double fpp) {
    return new StreamDeduplicator<>(plan.withSize(expected, fpp));
  }

  /**
   * Returns a deduplicator with a time to live.
   *
   * @param timeToLive how long a key is remembered after a record of it has passed, above 0 and at
   *     most 2<sup>60</sup> milliseconds; rounded up to milliseconds
   * @throws IllegalArgumentException if it is out of its range
   */
  public StreamDeduplicator<K> timeToLive(Duration timeToLive) {
    return new StreamDeduplicator<>(
        plan.withTimeToLive(Objects.requireNonNull(timeToLive, "timeToLive")));
  }

  /**
   * Returns a deduplicator by the timestamps of records.
   *
   * @param outOfOrderness how far the timestamp of a record is behind the latest timestamp or
   *     watermark at most, from 0 to 2<sup>60</sup> milliseconds: the bound of {@code
   *     WatermarkStrategy.forBoundedOutOfOrderness} or more, plus how far apart records of
   *     different sources, or of parallel operators before {@code keyBy}, arrive. Memory grows in
   *     proportion to the time to live plus this.
   * @throws IllegalArgumentException if it is out of its range
   */
  public StreamDeduplicator<K> eventTime(Duration outOfOrderness) {
    return new StreamDeduplicator<>(
        plan.withTime(Time.EVENT, Objects.requireNonNull(outOfOrderness, "outOfOrderness")));
  }

  /** Returns a deduplicator by Flink's processing time; timestamps and watermarks do not matter. */
  public StreamDeduplicator<K> processingTime() {
    return new StreamDeduplicator<>(plan.withTime(Time.PROCESSING, Duration.ZERO));
  }

  /**
   * Returns a deduplicator with a limit for how far one record may move the time; by default twice
   * the time to live plus {@code outOfOrderness}, and at least a minute. A wrong timestamp within
   * the limit makes the records after it late, for as long as it was ahead.
   *
   * @param step at least the time to live, and at most 2<sup>60</sup> milliseconds; rounded up to
   *     milliseconds
   * @throws IllegalArgumentException if it is not positive or too long
   */
  public StreamDeduplicator<K> maxTimeStep(Duration step) {
    return new StreamDeduplicator<>(plan.withStep(Objects.requireNonNull(step, "step")));
  }

  /**
   * Returns a deduplicator with a policy for late records of keys that are not remembered; {@link
   * RecordPolicy#PASS} by default. Late records exist in event time only.
   */
  public StreamDeduplicator<K> lateRecords(RecordPolicy policy) {
    return new StreamDeduplicator<>(
        plan.withPolicies(Objects.requireNonNull(policy, "policy"), plan.tooFarAhead()));
  }

  /**
   * Returns a deduplicator with a policy for records whose timestamps are too far ahead; {@link
   * RecordPolicy#PASS} by default. It concerns event time only.
   */
  public StreamDeduplicator<K> recordsTooFarAhead(RecordPolicy policy) {
    return new StreamDeduplicator<>(
        plan.withPolicies(plan.late(), Objects.requireNonNull(policy, "policy")));
  }

  /**
   * Returns a deduplicator that accepts checkpoints in at-least-once mode. Then a first record that
   * is replayed after a restart may find itself in the state and be dropped.
   */
  public StreamDeduplicator<K> allowAtLeastOnce() {
    return new StreamDeduplicator<>(plan.allowingAtLeastOnce());
  }

  /**
   * Returns the stream of the first records. Give the result a {@code uid}, by which Flink finds
   * its state in a savepoint. Records that pass keep their order within a key.
   *
   * @param records a keyed stream; no key may be null
   * @throws IllegalStateException if {@link #expecting}, {@link #timeToLive}, and one of {@link
   *     #eventTime} and {@link #processingTime} were not called; in event time, if the mode of the
   *     environment is {@code BATCH}; or if a policy is {@code SIDE_OUTPUT}
   * @throws IllegalArgumentException if the time to live plus {@code outOfOrderness} is above
   *     2<sup>60</sup> milliseconds, or the time to live is above {@link #maxTimeStep}
   */
  public <T> SingleOutputStreamOperator<T> apply(KeyedStream<T, ? extends K> records) {
    return transform(records, null, null);
  }

  /**
   * Returns the stream of the first records, with the repeats as a side output. See {@link
   * #apply(KeyedStream)}.
   *
   * @param repeats the side output to which the repeats go
   */
  public <T> SingleOutputStreamOperator<T> apply(
      KeyedStream<T, ? extends K> records, OutputTag<T> repeats) {
    return transform(records, Objects.requireNonNull(repeats, "repeats"), null);
  }

  /**
   * Returns the stream of the first records, with two side outputs. See {@link
   * #apply(KeyedStream)}.
   *
   * @param repeats the side output to which the repeats go
   * @param untimely the side output to which late records and those too far ahead go, if their
   *     policy is {@link RecordPolicy#SIDE_OUTPUT}
   */
  public <T> SingleOutputStreamOperator<T> apply(
      KeyedStream<T, ? extends K> records, OutputTag<T> repeats, OutputTag<T> untimely) {
    return transform(
        records,
        Objects.requireNonNull(repeats, "repeats"),
        Objects.requireNonNull(untimely, "untimely"));
  }

  private <T> SingleOutputStreamOperator<T> transform(
      KeyedStream<T, ? extends K> records,
      @Nullable OutputTag<T> repeats,
      @Nullable OutputTag<T> untimely) {
    StreamExecutionEnvironment env = records.getExecutionEnvironment();
    plan.requireStream(
        env.getConfiguration().get(ExecutionOptions.RUNTIME_MODE) == RuntimeExecutionMode.BATCH);
    plan.requireSideOutput(untimely);
    DeduplicationOperator<T, K> operator = operator(records.getKeySelector(), repeats, untimely);
    // As a plain stream, which is partitioned nevertheless: a keyed one would get a state backend.
    return new DataStream<>(env, records.getTransformation())
        .transform(nameIn(env), records.getType(), operator);
  }

  /** Returns a name that no other deduplicator of a job has: it is part of the metrics' names. */
  private static String nameIn(StreamExecutionEnvironment env) {
    Set<String> names =
        env.getTransformations().stream().map(Transformation::getName).collect(Collectors.toSet());
    String name = NAME;
    for (int number = 2; names.contains(name); number++) {
      name = NAME + " " + number;
    }
    return name;
  }

  <T> DeduplicationOperator<T, K> operator(
      KeySelector<T, ? extends K> key,
      @Nullable OutputTag<T> repeats,
      @Nullable OutputTag<T> untimely) {
    plan.requireComplete();
    return new DeduplicationOperator<>(plan, key, repeats, untimely);
  }

  /**
   * Returns what the filter of each key group is planned for: the number of distinct keys within
   * {@code timeToLive} + {@code outOfOrderness}, with room for uneven groups, and the rate. A group
   * gets more keys with a probability below 10<sup>-6</sup> for all groups together.
   *
   * @param maxParallelism the number of key groups, at least 1
   * @throws IllegalStateException if the size or a time was not set
   * @throws IllegalArgumentException if {@code maxParallelism} is below 1
   */
  public FilterPlan planOfKeyGroup(int maxParallelism) {
    plan.requireComplete();
    if (maxParallelism < 1) {
      throw new IllegalArgumentException(
          "maxParallelism must be at least 1, got " + maxParallelism);
    }
    return plan.size().ofKeyGroup(maxParallelism);
  }
}
