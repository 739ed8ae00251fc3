package io.bloomkit.flink;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import org.apache.flink.util.function.SerializableSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link StreamDeduplicator} was told; sent to every task.
 *
 * @param strategy the source of the strategy
 * @param size what filters are planned for; numbers that were not set are 0
 * @param time which time counts
 * @param stepMillis how far one record may move the time; 0 for the default
 * @param late what happens to late records
 * @param tooFarAhead what happens to records that are too far ahead
 * @param isAtLeastOnceAllowed whether the job may have checkpoints in at-least-once mode
 */
record DeduplicationPlan<K>(
    SerializableSupplier<? extends HashStrategy<K>> strategy,
    PlannedSize size,
    Time time,
    long stepMillis,
    RecordPolicy late,
    RecordPolicy tooFarAhead,
    boolean isAtLeastOnceAllowed)
    implements Serializable {

  private static final long serialVersionUID = 1;

  /** Which time counts. */
  enum Time {
    UNSET(0),
    EVENT(1),
    PROCESSING(2);

    /** The time in the state. */
    final int code;

    Time(int code) {
      this.code = code;
    }
  }

  /** The longest time to live of a filter, and the longest step. */
  static final long LONGEST_MILLIS = 1L << 60;

  /** The least default of the step. */
  private static final long MIN_DEFAULT_STEP = Duration.ofMinutes(1).toMillis();

  static <K> DeduplicationPlan<K> of(SerializableSupplier<? extends HashStrategy<K>> strategy) {
    return new DeduplicationPlan<>(
        strategy,
        new PlannedSize(0, 0, 0, 0),
        Time.UNSET,
        0,
        RecordPolicy.PASS,
        RecordPolicy.PASS,
        false);
  }

  /** Calls the source of the strategy: once on the client, and once per task. */
  HashStrategy<K> newStrategy() {
    return Objects.requireNonNull(
        strategy.get(),
        "the supplier passed to StreamDeduplicator.of must return a strategy, got null");
  }

  private DeduplicationPlan<K> with(PlannedSize newSize, Time newTime) {
    return new DeduplicationPlan<>(
        strategy, newSize, newTime, stepMillis, late, tooFarAhead, isAtLeastOnceAllowed);
  }

  DeduplicationPlan<K> withSize(long expected, double fpp) {
    PlannedSize.unsized(HashStrategies.longs()).expecting(expected, fpp); // checks both
    return with(
        new PlannedSize(Math.max(1, expected), fpp, size.ttlMillis(), size.boundMillis()), time);
  }

  DeduplicationPlan<K> withTimeToLive(Duration timeToLive) {
    if (timeToLive.isNegative() || timeToLive.isZero()) {
      throw new IllegalArgumentException("timeToLive must be above 0, got " + timeToLive);
    }
    long millis = millisOf(timeToLive, "timeToLive");
    return with(new PlannedSize(size.expected(), size.fpp(), millis, size.boundMillis()), time);
  }

  DeduplicationPlan<K> withTime(Time newTime, Duration outOfOrderness) {
    if (outOfOrderness.isNegative()) {
      throw new IllegalArgumentException(
          "outOfOrderness must be at least 0, got " + outOfOrderness);
    }
    long millis = millisOf(outOfOrderness, "outOfOrderness");
    return with(new PlannedSize(size.expected(), size.fpp(), size.ttlMillis(), millis), newTime);
  }

  DeduplicationPlan<K> withStep(Duration step) {
    if (step.isNegative() || step.isZero()) {
      throw new IllegalArgumentException("step must be above 0, got " + step);
    }
    return new DeduplicationPlan<>(
        strategy, size, time, millisOf(step, "step"), late, tooFarAhead, isAtLeastOnceAllowed);
  }

  DeduplicationPlan<K> withPolicies(RecordPolicy newLate, RecordPolicy newTooFarAhead) {
    return new DeduplicationPlan<>(
        strategy, size, time, stepMillis, newLate, newTooFarAhead, isAtLeastOnceAllowed);
  }

  DeduplicationPlan<K> allowingAtLeastOnce() {
    return new DeduplicationPlan<>(strategy, size, time, stepMillis, late, tooFarAhead, true);
  }

  private static long millisOf(Duration duration, String name) {
    if (duration.compareTo(Duration.ofMillis(LONGEST_MILLIS)) > 0) {
      throw new IllegalArgumentException(
          name + " must be at most 2^60 milliseconds, got " + duration);
    }
    return duration.plusNanos(999_999).toMillis();
  }

  /** Returns how far one record may move the time. */
  long step() {
    long longest = size.longestMillis();
    return stepMillis > 0 ? stepMillis : Math.max(MIN_DEFAULT_STEP, 2 * longest);
  }

  /**
   * Checks that all was set, and that filters can have it.
   *
   * @throws IllegalStateException if something was not set
   * @throws IllegalArgumentException if the longest time or F is too large, or the step too short
   */
  void requireComplete() {
    if (size.expected() == 0 || size.ttlMillis() == 0 || time == Time.UNSET) {
      throw new IllegalStateException(
          "the deduplicator is not complete: call expecting(keys, fpp), timeToLive(duration), and"
              + " eventTime(outOfOrderness) or processingTime() first");
    }
    if (size.longestMillis() > LONGEST_MILLIS) {
      throw new IllegalArgumentException(
          "timeToLive + outOfOrderness must be at most 2^60 milliseconds, got "
              + Duration.ofMillis(size.longestMillis()));
    }
    if (step() < size.ttlMillis()) {
      throw new IllegalArgumentException(
          "the step of maxTimeStep must be at least timeToLive, "
              + Duration.ofMillis(size.ttlMillis())
              + ", got "
              + Duration.ofMillis(stepMillis));
    }
    size.builder(HashStrategies.longs(), 1); // checks the size, which depends on no strategy
  }

  /**
   * Checks that records with a policy of side output have one.
   *
   * @throws IllegalStateException if not
   */
  void requireSideOutput(@Nullable Object untimely) {
    if (untimely == null
        && (late == RecordPolicy.SIDE_OUTPUT || tooFarAhead == RecordPolicy.SIDE_OUTPUT)) {
      throw new IllegalStateException(
          "the policy SIDE_OUTPUT needs an output: call apply(records, repeats, untimely)");
    }
  }

  /**
   * Checks that there are watermarks, if they are needed.
   *
   * @throws IllegalStateException if event time is to be that of a batch
   */
  void requireStream(boolean isBatch) {
    if (isBatch && time == Time.EVENT) {
      throw new PermanentFailureException(
          "event time needs records in about the order of their timestamps, which a batch does"
              + " not have: call setRuntimeMode(RuntimeExecutionMode.STREAMING) on the"
              + " environment (AUTOMATIC is a batch if all sources are bounded), or"
              + " processingTime()");
    }
  }
}
