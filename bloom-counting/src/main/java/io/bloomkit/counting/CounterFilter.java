package io.bloomkit.counting;

import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterPlan;
import io.bloomkit.MembershipFilter;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Prefetch;
import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The common base of filters of counters: exact counts, equality of contents and thread-safety. The
 * subclasses determine the counters of an element.
 *
 * <p>A filter has m counters, and an element has k positions among them, derived from its hash. An
 * insertion adds one to the counter at each position, a removal subtracts one. An element is
 * positive if none of its counters is zero. {@link #add} returns true if one of them was zero
 * before.
 *
 * <p><b>Counting is exact.</b> Values above fifteen are kept in a side table, so a counter never
 * overflows. After insertions, and removals of inserted elements, a filter equals a new filter to
 * which only the remaining elements were added. As long as only inserted elements are removed:
 *
 * <ul>
 *   <li>{@link #remove} succeeds for every element with more insertions than removals;
 *   <li>{@link #count} returns at least the number of insertions minus the number of removals.
 * </ul>
 *
 * <p><b>Remove only what was added.</b> A filter cannot recognize a false positive. If an element
 * that was never added is a false positive, {@link #remove} usually succeeds and takes counts from
 * other elements, which may become false negatives. If it is negative, {@link #remove} returns
 * false and changes nothing.
 *
 * <p><b>Repeated positions.</b> In a {@link CountingBloomFilter}, some of the k positions of an
 * element may be equal, and an insertion increments their counter once for each. The removal of a
 * false positive returns false and changes nothing if a counter is less than the number of equal
 * positions. In a {@link BlockedCountingBloomFilter}, the k positions are distinct, and every
 * positive element can be removed.
 *
 * <p><b>Threads.</b> A filter built without {@code concurrent()} requires external synchronization;
 * several threads may query it while no thread writes. A filter built with {@code concurrent()}
 * accepts insertions, removals and queries from any number of threads. {@code mightContain} takes
 * no lock. Insertions and {@code count} take one only if a counter is fifteen or more. Removals
 * take one always: a {@link CountingBloomFilter} has one lock, a {@link BlockedCountingBloomFilter}
 * one for each group of blocks. If every removal is of an element whose insertion happened before
 * it, and each insertion is removed at most once:
 *
 * <ol>
 *   <li>A query returns true if the insertions of its element that happened before the query
 *       outnumber the removals of that element that have begun.
 *   <li>Of several threads that insert the same new element at the same time, at least one gets
 *       true, unless other elements held each of its counters at some moment meanwhile. Several may
 *       get true.
 *   <li>When all operations have ended, the counters are those of some sequential order of the
 *       operations.
 *   <li>A removal that returns false has no effect that another thread can see.
 * </ol>
 *
 * <p>Insertions and removals are not atomic: another thread may see some counters of an element
 * changed and others not yet. Counts, fill and rates are approximate while other threads write.
 * Merging, subtracting, clearing, copying, comparing, converting and writing to a file must not run
 * concurrently with writers; a happens-before edge from earlier writes is required.
 *
 * <p>Methods except {@code equals} throw {@link NullPointerException} if an argument is null.
 *
 * @param <T> the type of the elements
 */
public abstract sealed class CounterFilter<T> implements DeletableFilter<T>, StorableFilter<T>
    permits CountingBloomFilter, BlockedCountingBloomFilter {

  final HashStrategy<? super T> strategy;
  final StrategyIdentity strategyIdentity;
  final CounterArray counters;

  /** The shape, which together with the strategy determines the counters of an element. */
  private final Record size;

  /** Number of words at the beginning of the array that are not part of the filter. */
  private final int padding;

  /** Element count of a concurrent filter; {@code null} otherwise. */
  final @Nullable LongAdder sharedElements;

  private Optional<FilterPlan> plan = Optional.empty();
  long elements;
  private volatile boolean elementCountKnown = true;

  CounterFilter(
      HashStrategy<? super T> strategy,
      StrategyIdentity strategyIdentity,
      Record size,
      int padding,
      boolean concurrent,
      CounterArray counters) {
    this.strategy = strategy;
    this.strategyIdentity = strategyIdentity;
    this.size = size;
    this.padding = padding;
    this.counters = counters;
    this.sharedElements = concurrent ? new LongAdder() : null;
  }

  /** Returns the number of hashes that the batch forms take at once. */
  abstract int batch();

  /**
   * Reads words of some hashes, if that makes what follows faster.
   *
   * @return any number that depends on all that was read
   */
  abstract long readAhead(long[] hashes, int from, int to);

  @Override
  public long addHashes(long[] hashes, int offset, int length) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromIndexSize(offset, length, hashes.length);
    long added = 0;
    int batch = batch();
    int end = offset + length;
    for (int from = offset; from < end; from += Math.min(batch, end - from)) {
      int to = from + Math.min(batch, end - from);
      Prefetch.keep(readAhead(hashes, from, to));
      for (int i = from; i < to; i++) {
        added += addHash(hashes[i]) ? 1 : 0;
      }
    }
    return added;
  }

  @Override
  public long removeHashes(long[] hashes, int offset, int length) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromIndexSize(offset, length, hashes.length);
    long removed = 0;
    int batch = batch();
    int end = offset + length;
    for (int from = offset; from < end; from += Math.min(batch, end - from)) {
      int to = from + Math.min(batch, end - from);
      Prefetch.keep(readAhead(hashes, from, to));
      for (int i = from; i < to; i++) {
        removed += removeHash(hashes[i]) ? 1 : 0;
      }
    }
    return removed;
  }

  /** Called when the counters have changed as a whole. */
  abstract void countersChanged();

  @Override
  public boolean isConcurrent() {
    return sharedElements != null;
  }

  @Override
  public void clear() {
    counters.clear();
    countersChanged();
    setElements(OptionalLong.of(0));
  }

  /**
   * Returns the number of elements in this filter, repeats included: insertions minus successful
   * removals. Merging adds the counts, subtracting subtracts them. Does not read the counters.
   *
   * @return the count, or empty if it is unknown. It is unknown if the filter was read from a file
   *     without a count, if a filter with an unknown count was merged or subtracted, or if merging
   *     exceeded 2<sup>63</sup> − 1.
   */
  @Override
  public OptionalLong elementCount() {
    // While others write, a removal may be counted before the addition that it takes back.
    return elementCountKnown ? OptionalLong.of(Math.max(0, elements())) : OptionalLong.empty();
  }

  /** Returns class, size, element count and strategy, for {@code toString()}. */
  final String toString(String sizeText) {
    OptionalLong count = elementCount();
    return String.format(
        Locale.ROOT,
        "%s[%s, elements=%s, strategy=%s]",
        getClass().getSimpleName(),
        sizeText,
        count.isPresent() ? count.getAsLong() : "unknown",
        strategyIdentity.id());
  }

  private long elements() {
    return sharedElements == null ? elements : sharedElements.sum();
  }

  private void setElements(OptionalLong count) {
    elementCountKnown = count.isPresent();
    if (sharedElements == null) {
      elements = count.orElse(0);
    } else {
      sharedElements.reset();
      sharedElements.add(count.orElse(0));
    }
  }

  /** Takes over the element count and the plan of another filter. */
  final void copyCountAndPlan(CounterFilter<?> other) {
    plan = other.plan;
    setElements(OptionalLong.of(other.elements()));
    elementCountKnown = other.elementCountKnown;
  }

  /** Sets what this filter was made for. */
  final void setPlan(Optional<FilterPlan> plan) {
    this.plan = plan;
  }

  @Override
  public Optional<FilterPlan> plan() {
    return plan;
  }

  /**
   * Returns the smallest counter of an element. This is the number of its insertions minus its
   * removals, or more if other elements share all its counters, or if each of its positions occurs
   * several times.
   *
   * @throws NullPointerException if the element is null
   */
  @Override
  public long count(T element) {
    return countHash(hashOf(element));
  }

  /** {@inheritDoc} The size of the side table for values above fifteen is an estimate. */
  @Override
  public long memoryBytes() {
    return counters.memoryBytes();
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /** Returns the number of counters above fifteen. Each takes at least 16 bytes in a side table. */
  public int overflowedCounters() {
    return counters.overflowedCounters();
  }

  /** Returns the contents to write to a file. Each element has up to {@code hashes} counters. */
  final FilterContents contents(FilterVariant variant, int hashes, long... fields) {
    FilterContents.Builder contents =
        FilterContents.of(variant, strategyIdentity, fields)
            .plan(plan)
            .elementCount(
                elementCount(), counters.sumOver(hashes, true), counters.sumOver(hashes, false));
    return CounterFile.addTo(contents, counters, padding).build();
  }

  /** Ends the reading of this filter, whose counters were read. */
  final void setElementsAsRead(FilterReader reader, OptionalLong elementCount, int hashes)
      throws IOException {
    // Every element adds one for each hash.
    long least = counters.sumOver(hashes, true);
    long most = counters.sumOver(hashes, false);
    if (least > most) {
      throw reader.wrongSection(
          "no number of elements of " + hashes + " hashes gives the sum of its counters");
    }
    reader.requireElementCount(elementCount, least, most);
    countersChanged();
    setElements(elementCount);
  }

  /**
   * Returns whether another filter puts every element at the same positions, so that the two can be
   * merged: same class, same strategy id and fingerprint, same shape.
   */
  public boolean isCompatible(MembershipFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return other instanceof CounterFilter<?> filter
        && getClass() == filter.getClass()
        && fits(filter);
  }

  final boolean fits(CounterFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return strategyIdentity.equals(other.strategyIdentity) && size.equals(other.size);
  }

  final void mergeCounters(CounterFilter<?> other) {
    requireFits(other, "merge");
    long full = CounterSums.anyWithoutRoom(counters, other.counters);
    if (full >= 0) {
      throw new IllegalArgumentException(
          "cannot merge: a counter would exceed 2^62, " + valuesOf(full, other));
    }
    long mine = elements();
    long theirs = other.elements();
    boolean known =
        elementCountKnown
            && other.elementCountKnown
            && theirs <= Long.MAX_VALUE - Math.max(0, mine);
    CounterSums.add(counters, other.counters);
    countersChanged();
    plan = FilterPlan.ofMerged(plan, other.plan);
    setElements(known ? OptionalLong.of(mine + theirs) : OptionalLong.empty());
  }

  final void subtractCounters(CounterFilter<?> other) {
    requireFits(other, "subtract");
    long below = CounterSums.anyBelow(counters, other.counters);
    if (below >= 0) {
      throw new IllegalArgumentException(
          "cannot subtract: other holds more than this filter, " + valuesOf(below, other));
    }
    boolean known = elementCountKnown && other.elementCountKnown;
    long difference = elements() - other.elements();
    CounterSums.subtract(counters, other.counters);
    countersChanged();
    setElements(known ? OptionalLong.of(difference) : OptionalLong.empty());
  }

  private String valuesOf(long index, CounterFilter<?> other) {
    return String.format(
        Locale.ROOT,
        "counter %d is %d here and %d there",
        index - CounterWord.firstOf(padding),
        counters.get(index),
        other.counters.get(index));
  }

  private void requireFits(CounterFilter<?> other, String operation) {
    if (!fits(other)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "cannot %s: this filter has %s and %s, other has %s and %s",
              operation,
              size,
              strategyIdentity,
              other.size,
              other.strategyIdentity));
    }
  }

  final long hashOf(T element) {
    return strategy.hash(Objects.requireNonNull(element, "element"));
  }

  /**
   * Returns whether an object is a filter of this class with the same strategy id and fingerprint,
   * shape and counters. The element count, the plan and {@code concurrent} are ignored. Costs a
   * pass over all counters.
   */
  @Override
  public final boolean equals(@Nullable Object object) {
    return object instanceof CounterFilter<?> other
        && getClass() == other.getClass()
        && fits(other)
        && counters.equals(other.counters);
  }

  /**
   * Returns a hash code of the contents, which changes with them. Costs a pass over all counters.
   */
  @Override
  public final int hashCode() {
    return Objects.hash(strategyIdentity, size, counters);
  }
}
