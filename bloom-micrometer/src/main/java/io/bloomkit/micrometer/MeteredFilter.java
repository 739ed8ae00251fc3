package io.bloomkit.micrometer;

import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterPlan;
import io.bloomkit.MembershipFilter;
import io.bloomkit.hash.HashStrategy;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A wrapper that counts the positive queries and the negative queries of a filter, and the false
 * positives that the application reports:
 *
 * <pre>{@code
 * if (seen.mightContain(url) && !database.contains(url)) {
 *   seen.foundFalsePositive();
 * }
 * }</pre>
 *
 * <p>Create one with {@link FilterMetrics#bind(MembershipFilter)}. All methods of {@link
 * MembershipFilter} delegate to the wrapped filter. An operation that throws is not counted. A
 * wrapper has the same thread-safety as the wrapped filter. Counting takes no lock. The counts are
 * meters of a Micrometer registry; {@link FilterMetrics} lists the meters. {@link #close} removes
 * them from the registry.
 *
 * @param <T> the type of the elements
 */
public sealed class MeteredFilter<T> implements MembershipFilter<T>, AutoCloseable
    permits MeteredInsertableFilter {

  private final MembershipFilter<T> filter;
  private final FilterMeters meters;
  private final LongAdder positives;
  private final LongAdder negatives;
  private final LongAdder falsePositives;
  private final AbsentElements absent;

  /** The counters of queries whose elements are known to be absent. */
  private record AbsentElements(LongAdder negatives, LongAdder falsePositives) {

    double positiveRate() {
      long found = falsePositives.sum();
      return (double) found / (found + negatives.sum());
    }
  }

  MeteredFilter(MembershipFilter<T> filter, FilterMeters meters) {
    this.filter = filter;
    this.meters = meters;
    this.positives = meters.counter("queries", "Queries", "result", "positive");
    this.negatives = meters.counter("queries", "Queries", "result", "negative");
    this.falsePositives =
        meters.counter("false.positives", "False positives that the application reported");
    this.absent = new AbsentElements(negatives, falsePositives);
    meters.gauge(
        "fpp.observed",
        "Reported false positives per query of an absent element",
        absent,
        AbsentElements::positiveRate);
  }

  /** Returns the wrapped filter. Operations called directly on that filter are not counted. */
  public MembershipFilter<T> filter() {
    return filter;
  }

  /**
   * Counts a false positive: a positive query of an absent element. Thread-safe. {@link
   * #observedFpp} is correct only if the application verifies every positive query and reports
   * every false positive.
   */
  public final void foundFalsePositive() {
    falsePositives.increment();
  }

  /**
   * Counts several false positives. Thread-safe.
   *
   * @param number the number of false positives, at least 0
   * @throws IllegalArgumentException if the number is negative; nothing is counted
   */
  public final void foundFalsePositives(long number) {
    if (number < 0) {
      throw new IllegalArgumentException("number must be at least 0, got " + number);
    }
    falsePositives.add(number);
  }

  /**
   * Returns the observed false-positive rate: F / (F + N), where F is the number of reported false
   * positives and N is the number of negative queries.
   *
   * @return the rate, or NaN if F + N is 0
   */
  public final double observedFpp() {
    return absent.positiveRate();
  }

  @Override
  public final boolean mightContainHash(long hash) {
    boolean isPositive = filter.mightContainHash(hash);
    (isPositive ? positives : negatives).increment();
    return isPositive;
  }

  @Override
  public final int mightContainHashes(long[] hashes, int offset, int length, boolean[] answers) {
    int positive = filter.mightContainHashes(hashes, offset, length, answers);
    positives.add(positive);
    negatives.add(length - positive);
    return positive;
  }

  @Override
  public final OptionalLong elementCount() {
    return filter.elementCount();
  }

  @Override
  public final Optional<FilterPlan> plan() {
    return filter.plan();
  }

  @Override
  public final boolean isOverfull() {
    return filter.isOverfull();
  }

  @Override
  public final double expectedFpp() {
    return filter.expectedFpp();
  }

  @Override
  public final FilterEstimate estimate(int lines) {
    return filter.estimate(lines);
  }

  @Override
  public final long approximateElementCount() {
    return filter.approximateElementCount();
  }

  @Override
  public final long memoryBytes() {
    return filter.memoryBytes();
  }

  @Override
  public final HashStrategy<? super T> strategy() {
    return filter.strategy();
  }

  /**
   * Removes the meters of this wrapper from the registry. Afterwards, {@link FilterMetrics} can
   * bind another filter with the same tags. Before this call, the registry keeps a strong reference
   * to the wrapped filter. The wrapper and the wrapped filter remain usable after this call. A
   * second call does nothing.
   */
  @Override
  public final void close() {
    meters.remove();
  }

  /** Returns the string representation of the wrapped filter. */
  @Override
  public final String toString() {
    return filter.toString();
  }
}
