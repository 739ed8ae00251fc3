package io.bloomkit.flink;

import io.bloomkit.FilterPlan;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.flink.DeduplicationPlan.Time;
import io.bloomkit.hash.HashStrategy;
import java.time.Duration;
import java.util.Objects;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
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
 * <p><b>What is certain.</b> A record does not pass if a record of its key has passed within the
 * time to live before it. This also holds after a restart from a checkpoint or savepoint, and with
 * another parallelism. With checkpoints in exactly-once mode, the records that pass are those that
 * would have passed without the failure.
 *
 * <p><b>What is not certain.</b> The first record of a key is mistaken for a repeat and dropped
 * with a probability of at most {@code fpp}, if there are not more keys than expected. A key is
 * remembered for up to two epochs longer than requested, where an epoch is a fifteenth of {@code
 * timeToLive} + {@code outOfOrderness}. In event time, the watermark counts these times, and it
 * lags behind the records: in their timestamps, a key is remembered longer by as much as the later
 * record is ahead of the watermark. A repeat that is dropped does not prolong the time.
 *
 * <p><b>Event time.</b> The watermark is the time of the filters. A key is remembered until the
 * watermark has reached the timestamp of its record plus the time to live. This needs an upper
 * limit of how far a record is ahead of the watermark: {@code outOfOrderness}. The key of a record
 * further ahead is remembered for as long as that of a record at the limit; the counter {@code
 * tooFarAhead} counts such records. A late record is judged by what the filters remember when it
 * comes; if it passes, its key is remembered for the time to live from the watermark. A filter
 * without a watermark has the time of its first record or of the checkpoint, and keeps it until the
 * watermark is later. A watermark that jumps ahead lets the filters forget what has expired by
 * then.
 *
 * <p><b>Batches.</b> A batch has no watermark but the last, so event time refuses it: by {@code
 * apply} in the mode {@code BATCH}, and at the start of the job if Flink chooses a batch in the
 * mode {@code AUTOMATIC}, when all sources are bounded.
 *
 * <p><b>Metrics</b> of the operator: counters {@code repeats} and {@code tooFarAhead}; gauges
 * {@code liveElements}, {@code falsePositiveRate} and {@code filterBytes} of a task. Each reading
 * of the first two gauges costs a pass over the tables, about a nanosecond per entry, in the thread
 * of the reader.
 *
 * <p><b>Failures.</b> The job stops, before the record is processed, at a null key and, in event
 * time, at a record without a timestamp. It does not start from state that is damaged or was
 * written with another strategy, expected number, rate, time to live, out-of-orderness or kind of
 * time.
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
   */
  public static <K> StreamDeduplicator<K> of(
      SerializableSupplier<? extends HashStrategy<K>> strategy) {
    Objects.requireNonNull(strategy, "strategy");
    DeduplicationPlan<K> plan = new DeduplicationPlan<>(strategy, 0, 0, 0, Time.UNSET, 0);
    plan.newStrategy(); // so a supplier that fails does so on the client
    return new StreamDeduplicator<>(plan);
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
   * Returns a deduplicator by the timestamps of records, with watermarks as its clock.
   *
   * @param outOfOrderness how far a record is ahead of the watermark at most, from 0 to
   *     2<sup>60</sup> milliseconds: the bound of {@code
   *     WatermarkStrategy.forBoundedOutOfOrderness}, plus what is read between two watermarks, plus
   *     how far the sources are apart
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
   * Returns the stream of the first records. Give the result a {@code uid}, by which Flink finds
   * its state in a savepoint. Records that pass keep their order within a key.
   *
   * @param records a keyed stream; no key may be null
   * @throws IllegalStateException if {@link #expecting}, {@link #timeToLive}, and one of {@link
   *     #eventTime} and {@link #processingTime} were not called; or in event time, if the mode of
   *     the environment is {@code BATCH}
   * @throws IllegalArgumentException if the time to live plus {@code outOfOrderness} is above
   *     2<sup>60</sup> milliseconds
   */
  public <T> SingleOutputStreamOperator<T> apply(KeyedStream<T, ? extends K> records) {
    return transform(records, null);
  }

  /**
   * Returns the stream of the first records, with the repeats as a side output. See {@link
   * #apply(KeyedStream)}.
   *
   * @param repeats the side output to which the records go that do not pass
   */
  public <T> SingleOutputStreamOperator<T> apply(
      KeyedStream<T, ? extends K> records, OutputTag<T> repeats) {
    return transform(records, Objects.requireNonNull(repeats, "repeats"));
  }

  private <T> SingleOutputStreamOperator<T> transform(
      KeyedStream<T, ? extends K> records, @Nullable OutputTag<T> repeats) {
    plan.requireWatermarks(
        records.getExecutionEnvironment().getConfiguration().get(ExecutionOptions.RUNTIME_MODE)
            == RuntimeExecutionMode.BATCH);
    return records.transform(NAME, records.getType(), operator(records.getKeySelector(), repeats));
  }

  <T> DeduplicationOperator<T, K> operator(
      KeySelector<T, ? extends K> key, @Nullable OutputTag<T> repeats) {
    plan.requireComplete();
    return new DeduplicationOperator<>(plan, key, repeats);
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
    return plan.ofKeyGroup(maxParallelism);
  }
}
