package io.bloomkit;

import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.internal.Arguments;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * An approximate set with queries: no false negatives, and false positives at a known rate. Only a
 * filter whose class says so forgets elements by itself, when their time to live has passed.
 *
 * <p>A query hashes the element to 64 bits with the filter's {@link #strategy()}. In the filters of
 * this library, a query of one element allocates nothing unless the strategy does. {@link
 * #mightContainHash} takes a precomputed hash, so several filters with the same strategy can share
 * one hash. {@link #mightContainLong} takes an unboxed long.
 *
 * <p>A filter is a {@link Predicate} that accepts an element if its query is positive: {@code
 * urls.filter(seen)} keeps the positive elements, and {@code urls.filter(seen.negate())} keeps the
 * elements that are certainly absent.
 *
 * <p><b>Equality.</b> Two filters are equal if they have the same class, the same strategy (id and
 * fingerprint), the same size and the same contents. Equality ignores the element count, the
 * {@linkplain #plan() plan}, and whether a filter is concurrent. {@code equals} and {@code
 * hashCode} read the whole filter, and may run at any time if it is concurrent. Both depend on the
 * contents, so do not change a filter while it is a key of a map or an element of a set. A filter
 * that wraps another filter is equal only to itself. A memory-mapped filter is equal only to
 * itself, too.
 *
 * <p>Each class of filters documents its contents, its costs and its thread-safety.
 *
 * @param <T> the type of the elements
 */
public interface MembershipFilter<T> extends Predicate<T> {

  /**
   * Returns whether this filter may contain an element. False means that the element is certainly
   * absent. For an absent element, the result is true with the probability {@link #expectedFpp()}.
   *
   * @throws NullPointerException if the element is null
   */
  default boolean mightContain(T element) {
    return mightContainHash(strategy().hash(Objects.requireNonNull(element, "element")));
  }

  /** Equivalent to {@link #mightContain}. */
  @Override
  default boolean test(T element) {
    return mightContain(element);
  }

  /**
   * Equivalent to {@link #mightContain} of an element with a given hash. If the element itself is a
   * long, use {@link #mightContainLong}.
   *
   * @param hash the {@linkplain HashStrategy#hash hash} of the element by {@link #strategy()}
   */
  boolean mightContainHash(long hash);

  /**
   * Equivalent to {@link #mightContain} of a long, without boxing it.
   *
   * @throws IllegalStateException if the strategy is not a {@link LongHashStrategy}
   */
  default boolean mightContainLong(long element) {
    return mightContainHash(LongHashStrategy.hashLong(strategy(), element));
  }

  /**
   * Queries the hashes of many elements, which {@link HashStrategy#hashAll} returns, faster than
   * one by one. Sets {@code answers[i]} to {@code mightContainHash(hashes[i])} for {@code i} from
   * {@code offset} to {@code offset + length - 1}. Other answers are not changed.
   *
   * @return the number of hashes in the range whose answer is true
   * @throws IndexOutOfBoundsException if the range does not lie within both arrays
   */
  default int mightContainHashes(long[] hashes, int offset, int length, boolean[] answers) {
    Arguments.checkQuery(hashes, offset, length, answers);
    int positives = 0;
    for (int i = offset; i < offset + length; i++) {
      boolean answer = mightContainHash(hashes[i]);
      answers[i] = answer;
      positives += answer ? 1 : 0;
    }
    return positives;
  }

  /**
   * Returns the probability that the query of an element that was never added is positive, given
   * the present state of this filter. The result is 0 for an empty filter. It does not include
   * false positives from different elements with nearly equal 64-bit hashes. Such false positives
   * occur in a filter of any size, at a rate of at most about {@link BloomFormulas#hashFloor}.
   *
   * <p>The value is computed from the whole filter, not from a sample. The cost ranges from
   * constant time to a pass over the filter, as the class of the filter documents. For a gauge or
   * log, use {@link #estimate()}.
   */
  double expectedFpp();

  /**
   * Returns an estimate of the number of distinct elements in this filter, computed from the whole
   * filter. Costs at most about as much as {@link #expectedFpp()}.
   *
   * @return the estimate, or {@link Long#MAX_VALUE} if the filter is too full for an estimate
   */
  long approximateElementCount();

  /**
   * Estimates the false-positive rate, the fill ratio and the number of distinct elements, each
   * with its standard error. Equivalent to {@link #estimate(int)} with {@value
   * FilterEstimate#LINES} cache lines, 256 KiB.
   */
  default FilterEstimate estimate() {
    return estimate(FilterEstimate.LINES);
  }

  /**
   * Estimates the false-positive rate, the fill ratio and the number of distinct elements from a
   * sample of up to a given number of cache lines. If the whole filter has at most this number of
   * cache lines, all of them are read. A value that was computed exactly, not from a sample, has
   * the standard error 0.
   *
   * <p>The default implementation does not sample. It returns {@link #expectedFpp()}, {@link
   * #approximateElementCount()} and NaN as an unknown fill ratio, and costs as much as these two
   * methods.
   *
   * @param lines the largest number of cache lines to read, at least 1
   * @throws IllegalArgumentException if {@code lines} is less than 1
   */
  default FilterEstimate estimate(int lines) {
    return FilterEstimate.ofWhole(this, Double.NaN, lines);
  }

  /**
   * Returns the number of insertions minus the number of successful removals. Repeated insertions
   * of the same element are all counted. The contents are not read.
   *
   * @return the count, or empty if it is unknown; by default empty
   */
  default OptionalLong elementCount() {
    return OptionalLong.empty();
  }

  /**
   * Returns the number of elements and the false-positive rate that this filter was made for. Takes
   * constant time.
   *
   * @return the plan; empty if the size of the filter was given directly and no plan with it, or
   *     the filter was read from a format without plans, such as a format of another library
   */
  default Optional<FilterPlan> plan() {
    return Optional.empty();
  }

  /**
   * Returns {@link #expectedFpp()} divided by the planned rate. The ratio is about 1 when the
   * filter holds the planned number of elements. Costs as much as {@link #expectedFpp()}.
   *
   * @return the ratio, or NaN if there is no {@link #plan()}
   */
  default double fppRatio() {
    return plan().isPresent() ? expectedFpp() / plan().get().fpp() : Double.NaN;
  }

  /**
   * Returns whether this filter holds more elements than planned and {@link #expectedFpp()}
   * {@linkplain FilterPlan#isExceededBy exceeds} the planned rate. If the {@link #elementCount()}
   * is unknown, only the rate is compared. Returns false if there is no {@link #plan()}.
   *
   * <p>Takes constant time while the element count is at most the planned number; otherwise costs
   * as much as {@link #expectedFpp()}.
   */
  default boolean isOverfull() {
    Optional<FilterPlan> plan = plan();
    return plan.isPresent()
        && elementCount().orElse(Long.MAX_VALUE) > plan.get().expectedInsertions()
        && plan.get().isExceededBy(expectedFpp());
  }

  /** Returns the number of bytes that the arrays of this filter occupy now. */
  long memoryBytes();

  /** Returns the strategy that turns elements into hashes. */
  HashStrategy<? super T> strategy();
}
