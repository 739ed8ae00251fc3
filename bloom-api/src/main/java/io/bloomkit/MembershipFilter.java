package io.bloomkit;

import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * An approximate set with queries: no false negatives, and false positives at a known rate.
 *
 * <p>A query hashes the element to 64 bits by the filter's {@link #strategy()} and reads a few
 * words of memory. Queries of this library's filters allocate nothing, unless the strategy does.
 * Use {@link #mightContainHash} if you have the 64 bits already, for several filters of one
 * strategy, and {@link #mightContainLong} for unboxed longs.
 *
 * <p>A filter is the {@link Predicate} of its positives: {@code urls.filter(seen)} keeps the
 * positive ones, {@code urls.filter(seen.negate())} those that are certainly absent.
 *
 * <p><b>Equality.</b> Filters are equal if they are of one class, strategy (id and fingerprint) and
 * size, and have the same contents; {@code concurrent}, the element count and the {@linkplain
 * #plan() plan} are ignored. {@code equals} and {@code hashCode} cost a pass over the filter, and
 * must not run concurrently with writers. Both change with the contents, so a filter makes a poor
 * key of a map or element of a set. Wrappers and mapped files are equal to themselves only.
 *
 * <p>Each implementation documents what it holds, its costs and its thread-safety.
 *
 * @param <T> the type of the elements
 */
public interface MembershipFilter<T> extends Predicate<T> {

  /**
   * Returns whether this filter may contain an element. False means that it is certainly absent; an
   * absent element returns true with the probability {@link #expectedFpp()}.
   *
   * @throws NullPointerException if the element is null
   */
  boolean mightContain(T element);

  /** Returns {@link #mightContain}. */
  @Override
  default boolean test(T element) {
    return mightContain(element);
  }

  /**
   * Equivalent to {@link #mightContain} of an element whose {@linkplain HashStrategy#hash hash}
   * this is. A long that is itself the element goes to {@link #mightContainLong}.
   */
  boolean mightContainHash(long hash);

  /**
   * Equivalent to {@link #mightContain} of a long, which is not boxed.
   *
   * @throws IllegalStateException if the strategy is not a {@link LongHashStrategy}
   */
  default boolean mightContainLong(long element) {
    return mightContainHash(LongHashStrategy.hashLong(strategy(), element));
  }

  /**
   * Queries many elements at once.
   *
   * @param elements iterated once; their hashes take some sixteen bytes each while the call lasts
   * @return the answer of {@link #mightContain} for each element, in the order of iteration
   * @throws NullPointerException if an element is null
   */
  default boolean[] mightContainEach(Iterable<? extends T> elements) {
    long[] hashes = strategy().hashAll(elements);
    boolean[] answers = new boolean[hashes.length];
    mightContainHashes(hashes, answers);
    return answers;
  }

  /**
   * Queries many hashes at once: {@code answers[i]} becomes {@code mightContainHash(hashes[i])}.
   *
   * @return how many of the answers are true
   * @throws IndexOutOfBoundsException if there are fewer answers than hashes
   */
  default int mightContainHashes(long[] hashes, boolean[] answers) {
    Objects.requireNonNull(hashes, "hashes");
    return mightContainHashes(hashes, 0, hashes.length, answers);
  }

  /**
   * Queries many hashes at once: {@code answers[i]} becomes {@code mightContainHash(hashes[i])} for
   * {@code i} from {@code offset} to {@code offset + length - 1}. Other answers stay as they are.
   *
   * @return how many of these answers are true
   * @throws IndexOutOfBoundsException if the range does not lie within both arrays
   */
  default int mightContainHashes(long[] hashes, int offset, int length, boolean[] answers) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.requireNonNull(answers, "answers");
    Objects.checkFromIndexSize(offset, length, Math.min(hashes.length, answers.length));
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
   * the present state of this filter: 0 for an empty one. What 64-bit hashes add to it, {@link
   * BloomFormulas#hashFloor}, is left out.
   *
   * <p>The value is exact, not sampled. Costs up to a pass over the filter, as its class says; for
   * a gauge or log that reads it often, use {@link #estimate()}.
   */
  double expectedFpp();

  /**
   * Returns the number of distinct elements in this filter, estimated from its whole fill. Costs as
   * much as {@link #expectedFpp()}.
   *
   * @return the estimate, or {@link Long#MAX_VALUE} if the filter is too full for one
   */
  long approximateElementCount();

  /**
   * Estimates rate, fill and elements from a sample of {@value FilterEstimate#LINES} cache lines,
   * whatever the size of the filter. Each value has its standard error. Filters up to 256 KiB, and
   * those that maintain the values, return them exact.
   */
  default FilterEstimate estimate() {
    return estimate(FilterEstimate.LINES);
  }

  /**
   * Estimates rate, fill and elements from a sample of a given size. By default, returns {@link
   * #expectedFpp()} and {@link #approximateElementCount()}, and costs as much as they.
   *
   * @param lines the largest number of cache lines to read, at least 1
   * @throws IllegalArgumentException if {@code lines} is less than 1
   */
  default FilterEstimate estimate(int lines) {
    FormulaArguments.checkAtLeast(1, lines, "lines");
    return FilterEstimate.ofWhole(this);
  }

  /**
   * Returns the number of elements in this filter, repeats included: insertions minus removals.
   * Does not read the contents.
   *
   * @return the count, or empty if it is unknown, as it is by default
   */
  default OptionalLong elementCount() {
    return OptionalLong.empty();
  }

  /**
   * Returns what this filter was made for; empty if its size was given directly, or read from a
   * format that does not say it, such as those of other libraries. Takes constant time.
   */
  default Optional<FilterPlan> plan() {
    return Optional.empty();
  }

  /**
   * Returns {@link #expectedFpp()} divided by the planned rate: about 1 when the filter holds as
   * many elements as it was made for. Costs as much as {@link #expectedFpp()}.
   *
   * @return the ratio, or NaN if there is no {@link #plan()}
   */
  default double fppRatio() {
    return plan().isPresent() ? expectedFpp() / plan().get().fpp() : Double.NaN;
  }

  /**
   * Returns whether this filter holds more than it was made for, so that its false-positive rate is
   * {@linkplain FilterPlan#isExceededBy above} the planned one. False if there is no {@link
   * #plan()}, and while the {@link #elementCount()} is at most the planned number; only above it
   * does the call cost as much as {@link #expectedFpp()}.
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
