package io.bloomkit.flink;

import io.bloomkit.FilterPlan;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.apache.flink.util.function.SerializableSupplier;

/**
 * What a {@link StreamDeduplicator} was told; sent to every task.
 *
 * @param strategy the source of the strategy
 * @param expected the number of distinct keys of the whole stream per time to live; 0 if not set
 * @param fpp the probability that a first record is dropped
 * @param ttlMillis how long a key is remembered; 0 if not set
 * @param time which time counts
 * @param aheadMillis in event time, how far records are ahead of the watermark at most; else 0
 */
record DeduplicationPlan<K>(
    SerializableSupplier<? extends HashStrategy<K>> strategy,
    long expected,
    double fpp,
    long ttlMillis,
    Time time,
    long aheadMillis)
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

  /** The longest time to live of a filter. */
  static final long LONGEST_MILLIS = 1L << 60;

  /** Times are limited to this many milliseconds from 1970, as those of filters are. */
  static final long MAX_MILLIS = 1L << 61;

  /** A clock that never moves: a filter's time is the one to which it was advanced. */
  private static final InstantSource STANDING =
      InstantSource.fixed(Instant.ofEpochMilli(-MAX_MILLIS));

  /** Calls the source of the strategy: once on the client, and once per task. */
  HashStrategy<K> newStrategy() {
    return Objects.requireNonNull(
        strategy.get(),
        "the supplier passed to StreamDeduplicator.of must return a strategy, got null");
  }

  DeduplicationPlan<K> withSize(long newExpected, double newFpp) {
    unsized(HashStrategies.longs()).expecting(newExpected, newFpp); // checks both
    long atLeastOne = Math.max(1, newExpected);
    return new DeduplicationPlan<>(strategy, atLeastOne, newFpp, ttlMillis, time, aheadMillis);
  }

  DeduplicationPlan<K> withTimeToLive(Duration timeToLive) {
    if (timeToLive.isNegative() || timeToLive.isZero()) {
      throw new IllegalArgumentException("timeToLive must be above 0, got " + timeToLive);
    }
    long millis = millisOf(timeToLive, "timeToLive");
    return new DeduplicationPlan<>(strategy, expected, fpp, millis, time, aheadMillis);
  }

  DeduplicationPlan<K> withTime(Time newTime, Duration outOfOrderness) {
    if (outOfOrderness.isNegative()) {
      throw new IllegalArgumentException(
          "outOfOrderness must be at least 0, got " + outOfOrderness);
    }
    long millis = millisOf(outOfOrderness, "outOfOrderness");
    return new DeduplicationPlan<>(strategy, expected, fpp, ttlMillis, newTime, millis);
  }

  private static long millisOf(Duration duration, String name) {
    if (duration.compareTo(Duration.ofMillis(LONGEST_MILLIS)) > 0) {
      throw new IllegalArgumentException(
          name + " must be at most 2^60 milliseconds, got " + duration);
    }
    return duration.plusNanos(999_999).toMillis();
  }

  /**
   * Checks that all was set, and that filters can have it.
   *
   * @throws IllegalStateException if something was not set
   * @throws IllegalArgumentException if the longest time or F is too large
   */
  void requireComplete() {
    if (expected == 0 || ttlMillis == 0 || time == Time.UNSET) {
      throw new IllegalStateException(
          "the deduplicator is not complete: call expecting(keys, fpp), timeToLive(duration), and"
              + " eventTime(outOfOrderness) or processingTime() first");
    }
    if (longest().toMillis() > LONGEST_MILLIS) {
      throw new IllegalArgumentException(
          "timeToLive + outOfOrderness must be at most 2^60 milliseconds, got " + longest());
    }
    builder(HashStrategies.longs(), 1); // checks the size, which depends on no strategy
  }

  /**
   * Checks that there are watermarks, if they are needed.
   *
   * @throws IllegalStateException if event time is to be that of a batch
   */
  void requireWatermarks(boolean isBatch) {
    if (isBatch && time == Time.EVENT) {
      throw new IllegalStateException(
          "event time needs watermarks, and a batch has only one, at its end, so no key would be"
              + " forgotten: call setRuntimeMode(RuntimeExecutionMode.STREAMING) on the"
              + " environment (AUTOMATIC is a batch if all sources are bounded), or"
              + " processingTime()");
    }
  }

  /** Returns the longest time that a filter remembers a key. */
  Duration longest() {
    return Duration.ofMillis(ttlMillis + aheadMillis);
  }

  /** Returns what a filter is planned for: the distinct keys in {@link #longest()}. */
  FilterPlan ofKeyGroup(int keyGroups) {
    double keys = expected * ((double) (ttlMillis + aheadMillis) / ttlMillis);
    return new FilterPlan(KeyGroupSize.of((long) Math.ceil(keys), keyGroups), fpp);
  }

  /** Returns a builder of the filter of one of a number of key groups. */
  <S> ExpiringCuckooFilter.Builder<S> builder(HashStrategy<S> hash, int keyGroups) {
    FilterPlan plan = ofKeyGroup(keyGroups);
    return unsized(hash).expecting(plan.expectedInsertions(), fpp).expireAfterAdd(longest());
  }

  /** Returns a builder that reads filters of any size. */
  static <S> ExpiringCuckooFilter.Builder<S> unsized(HashStrategy<S> hash) {
    return ExpiringCuckooFilter.builder(hash).clock(STANDING);
  }
}
