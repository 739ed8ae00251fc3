package io.bloomkit.counting;

import io.bloomkit.BlockedShape;
import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterPlan;
import io.bloomkit.FlatShape;
import io.bloomkit.MembershipFilter;
import io.bloomkit.Shape;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.Prefetch;
import io.bloomkit.internal.filter.ElementCount;
import io.bloomkit.internal.filter.FilterState;
import io.bloomkit.internal.format.FilterContents;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The common base of the counting Bloom filters: exact counts, equality and thread-safety. The
 * subclasses determine which counters an element has.
 *
 * <p>A filter has m counters, and an element has k positions among them, derived from its hash. An
 * insertion increments the counter at each position; a removal decrements it. The query of an
 * element is positive if none of its counters is zero. {@link #add} returns true if at least one
 * counter of the element was zero before.
 *
 * <p><b>Exact counts.</b> A counter has four bits. A side table holds the part of its value above
 * fifteen, so a counter neither saturates nor wraps around. An insertion or a merge that would
 * raise a counter above 2<sup>62</sup> throws and changes nothing. As long as only elements in the
 * filter are removed:
 *
 * <ul>
 *   <li>the filter equals a new filter to which only the remaining elements were added;
 *   <li>{@link #remove} succeeds for every element with more insertions than removals;
 *   <li>{@link #count} returns at least the number of insertions of an element minus the number of
 *       its removals.
 * </ul>
 *
 * <p><b>Remove only what was added.</b> A filter usually cannot recognize a false positive. If the
 * query of an absent element is a false positive, {@link #remove} usually succeeds and decrements
 * counters of other elements. These elements may then become false negatives. If the query is
 * negative, {@link #remove} returns false and changes nothing.
 *
 * <p><b>Repeated positions.</b> In a {@link CountingBloomFilter}, several of the k positions of an
 * element may be equal. If r positions are equal, an insertion adds r to their common counter, and
 * a removal subtracts r. If this counter is below r, the element is absent, and {@link #remove}
 * returns false and changes nothing. In a {@link BlockedCountingBloomFilter}, the k positions are
 * distinct, and {@link #remove} succeeds for every false positive.
 *
 * <p><b>Threads.</b> A filter built without {@code concurrent()} requires external synchronization;
 * several threads may query it while no thread writes. A filter built with {@code concurrent()}
 * accepts insertions, removals and queries from any number of threads. A query takes no lock.
 * {@code count} takes a lock if a counter of the element is fifteen or more, and an insertion if
 * one would exceed fifteen or while a snapshot is taken. A removal always takes a lock: a {@link
 * CountingBloomFilter} has one lock for all removals, a {@link BlockedCountingBloomFilter} has one
 * lock per group of blocks. The following holds if each removal takes back an insertion that
 * happened before the removal, and no two removals take back the same insertion:
 *
 * <ol>
 *   <li>For a query of an element, count its insertions that happened before the query, and its
 *       removals that began before the query ended. If there are more insertions than removals, the
 *       query returns true.
 *   <li>If several threads insert the same new element concurrently, {@code add} returns true in at
 *       least one of them, and possibly in several. However, {@code add} may return false in all
 *       threads if insertions of other elements make each counter of the element non-zero during
 *       these calls, even temporarily.
 *   <li>When all operations have ended, each counter has the value that some sequential order of
 *       the operations would give.
 *   <li>Even if removals violate the condition above, a removal that returns false has no effect
 *       that another thread could see.
 * </ol>
 *
 * <p>Insertions and removals are not atomic: another thread may see some counters of an element
 * already changed and others not yet. Counts, fill ratios and rates are approximate while other
 * threads write.
 *
 * <p>A concurrent filter may be copied, compared, converted, written to a file and be the argument
 * of {@code merge} and {@code subtract} while other threads write. These operations work on a
 * snapshot with every insertion and removal that happened before the call, and each other one as a
 * whole or not at all. Taking it blocks updates for one pass over the counters, or for two if an
 * addition was under way for long, and needs a second copy of the counters. Merging into the
 * filter, subtracting from it and clearing must not run concurrently with writers; a happens-before
 * edge from earlier writes is required.
 *
 * <p>Every method except {@code equals} throws {@link NullPointerException} if an argument is null.
 *
 * @param <T> the type of the elements
 */
@SuppressWarnings("exports") // FilterContents is not for users
public abstract sealed class CounterFilter<T>
    implements DeletableFilter<T>, StorableFilter<T>, FilterContents.Source
    permits CountingBloomFilter, BlockedCountingBloomFilter {

  final FilterState<T> state;
  final HashStrategy<? super T> strategy;
  final ElementCount elements;
  final CounterArray counters;

  /** The gate of a concurrent filter; null otherwise. */
  private final @Nullable SnapshotGate gate;

  /**
   * Creates a filter.
   *
   * @param removalLocks the monitors of removals of a concurrent filter
   */
  CounterFilter(FilterState<T> state, CounterArray counters, Object... removalLocks) {
    this.state = state;
    this.strategy = state.strategy();
    this.elements = state.elements();
    this.counters = counters;
    this.gate =
        elements.isConcurrent()
            ? new SnapshotGate(
                counters,
                elements,
                state.shape().hashes(),
                CounterWord.firstOf(CounterFile.padding(state.shape())),
                removalLocks)
            : null;
  }

  final SnapshotGate gate() {
    return Objects.requireNonNull(gate);
  }

  /** Waits until no snapshot of a concurrent filter is being taken. */
  final void awaitOpenGate() {
    SnapshotGate present = gate();
    if (present.isClosed()) {
      present.await();
    }
  }

  /** Returns the counters and their count at one moment; of a concurrent filter, a copy. */
  final SnapshotGate.Snapshot snapshot() {
    return gate == null ? new SnapshotGate.Snapshot(counters, elements.get()) : gate.take();
  }

  private void resetGate() {
    if (gate != null) {
      gate.reset();
    }
  }

  /** Returns the filter of a state, of the class for its shape. The filter keeps the counters. */
  static <T> CounterFilter<T> of(FilterState<T> state, CounterArray counters) {
    return state.shape() instanceof BlockedShape blocked
        ? new BlockedCountingBloomFilter<>(state, blocked, counters)
        : new CountingBloomFilter<>(state, (FlatShape) state.shape(), counters);
  }

  /** Returns the shape, which together with the strategy determines the counters of an element. */
  public abstract Shape shape();

  /** Returns how many hashes an operation on many hashes reads ahead before it processes them. */
  abstract int batch();

  /**
   * Reads counters of the hashes from index {@code from} to {@code to - 1} into the cache, if that
   * makes the following operations on them faster.
   *
   * @return a value computed from everything that was read, so the compiler keeps the reads
   */
  abstract long readAhead(long[] hashes, int from, int to);

  /**
   * Adds copies of a hash to the counters. Thread-safe in every filter: calls are too rare for
   * plain additions to pay.
   *
   * @return whether a counter was zero
   */
  abstract boolean addToCounters(long hash, long copies);

  /**
   * Subtracts copies of a hash from the counters, for a caller that holds {@link #removalLock}.
   *
   * @return false if a counter is too small; nothing is changed
   */
  abstract boolean subtractFromCounters(long hash, long copies);

  /** Returns the monitor of removals of a hash; in a filter of one thread, any object. */
  abstract Object removalLock(long hash);

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if a counter would exceed 2<sup>62</sup>; nothing is changed
   */
  @Override
  public boolean addHash(long hash, long copies) {
    Arguments.checkAtLeast(1, copies, "copies");
    if (isConcurrent()) {
      awaitOpenGate();
    }
    elements.add(copies); // before the counters, as SnapshotGate requires
    try {
      boolean isNew = addToCounters(hash, copies);
      elements.forgetAbove(CounterSums.MAX_SUM);
      return isNew;
    } catch (Throwable e) { // a full stack as well
      elements.add(-copies);
      throw e;
    }
  }

  @Override
  public boolean removeHash(long hash, long copies) {
    Arguments.checkAtLeast(1, copies, "copies");
    while (true) {
      synchronized (removalLock(hash)) {
        if (gate == null || !gate.isClosed()) {
          boolean isRemoved = subtractFromCounters(hash, copies);
          if (isRemoved) {
            elements.add(-copies);
          }
          return isRemoved;
        }
      }
      awaitOpenGate();
    }
  }

  @Override
  public long addHashes(long[] hashes, int offset, int length, boolean @Nullable [] wasNew) {
    Arguments.checkBatch(hashes, offset, length, wasNew);
    long added = 0;
    int batch = batch();
    int end = offset + length;
    int next = offset;
    try {
      while (next < end) {
        int to = next + Math.min(batch, end - next);
        Prefetch.keep(readAhead(hashes, next, to));
        for (; next < to; next++) {
          boolean isNew = addHash(hashes[next]);
          added += isNew ? 1 : 0;
          if (wasNew != null) {
            wasNew[next] = isNew;
          }
        }
      }
    } catch (IllegalStateException | OutOfMemoryError e) {
      takeBack(hashes, offset, next);
      throw e;
    }
    return added;
  }

  private void takeBack(long[] hashes, int from, int to) {
    for (int i = from; i < to; i++) {
      try {
        removeHash(hashes[i]);
      } catch (OutOfMemoryError e) {
        // The caller throws the first error. Other hashes may need no memory.
      }
    }
  }

  @Override
  public long removeHashes(long[] hashes, int offset, int length, boolean @Nullable [] wasRemoved) {
    Arguments.checkBatch(hashes, offset, length, wasRemoved);
    long removed = 0;
    int batch = batch();
    int end = offset + length;
    for (int from = offset; from < end; from += Math.min(batch, end - from)) {
      int to = from + Math.min(batch, end - from);
      Prefetch.keep(readAhead(hashes, from, to));
      for (int i = from; i < to; i++) {
        boolean isRemoved = removeHash(hashes[i]);
        removed += isRemoved ? 1 : 0;
        if (wasRemoved != null) {
          wasRemoved[i] = isRemoved;
        }
      }
    }
    return removed;
  }

  @Override
  public boolean isConcurrent() {
    return elements.isConcurrent();
  }

  @Override
  public void clear() {
    counters.clear();
    elements.set(OptionalLong.of(0));
    resetGate();
  }

  /**
   * Returns the number of elements in this filter, repeats included: insertions minus successful
   * removals. Merging a filter adds its count, subtracting a filter subtracts its count. Does not
   * read the counters.
   *
   * @return the count, or empty if it is unknown: the filter was read from a file without a count,
   *     a filter with an unknown count was merged or subtracted, the sum of merged counts exceeded
   *     2<sup>63</sup> − 1, or the count exceeded 2<sup>62</sup> when copies were added
   */
  @Override
  public OptionalLong elementCount() {
    return elements.get();
  }

  @Override
  public Optional<FilterPlan> plan() {
    return state.plan();
  }

  /**
   * Returns the smallest value of the counters of an element. As long as only elements in the
   * filter are removed, the result is at least the number of insertions of the element minus the
   * number of its removals. It is higher if every counter of the element is also incremented by
   * other elements, or by the element itself several times per insertion (see <b>Repeated
   * positions</b>).
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

  /** Returns the number of counters above fifteen; each takes at least 16 bytes in a side table. */
  public int overflowedCounters() {
    return counters.overflowedCounters();
  }

  /** Returns the number of non-zero counters. Costs a pass over all counters. */
  public long nonZeroCounters() {
    return counters.countNonZero();
  }

  /** {@inheritDoc} Costs a pass over all counters. */
  @Override
  public long approximateElementCount() {
    return Math.round(shape().estimatedElements(nonZeroCounters()));
  }

  /**
   * Returns the value of a counter.
   *
   * @param position the index of the counter, from 0 to {@code shape().positions() - 1}; in a
   *     blocked filter, the counters of block b begin at 128 · b
   * @throws IndexOutOfBoundsException if there is no such position
   */
  public long counter(long position) {
    Arguments.checkIndex(position, shape().positions());
    return counters.getShared(CounterWord.firstOf(CounterFile.padding(shape())) + position);
  }

  final FilterLayout layout() {
    return FilterLayout.of(shape(), memoryBytes()).withSetPositions(nonZeroCounters());
  }

  final CounterFilter<T> copyOfThis() {
    SnapshotGate.Snapshot now = snapshot();
    return of(state.copy(now.elementCount()), isConcurrent() ? now.counters() : counters.copy());
  }

  /**
   * Returns whether another filter can be merged with this one: it has the same class, strategy id,
   * {@linkplain HashStrategy#fingerprint strategy fingerprint} and shape. Such filters put every
   * element at the same positions.
   */
  public boolean isCompatible(MembershipFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return other instanceof CounterFilter<?> filter && state.equals(filter.state);
  }

  /** Not for users: see {@link StorableFilter} for writing a filter. */
  @Override
  public FilterContents contents() {
    SnapshotGate.Snapshot now = snapshot();
    return CounterFile.contents(state, now.counters(), now.elementCount());
  }

  final void mergeCounters(CounterFilter<?> other) {
    state.requireEqual(Objects.requireNonNull(other, "other").state, "merge");
    SnapshotGate.Snapshot added = other.snapshot();
    long full = CounterSums.anyWithoutRoom(counters, added.counters());
    if (full >= 0) {
      throw new IllegalArgumentException(
          "cannot merge: a counter would exceed 2^62, " + valuesOf(full, added.counters()));
    }
    FilterState<?> addedState = other.state.copy(added.elementCount());
    try {
      CounterSums.add(counters, added.counters());
      state.merge(addedState);
    } finally {
      resetGate();
    }
  }

  final void subtractCounters(CounterFilter<?> other) {
    state.requireEqual(Objects.requireNonNull(other, "other").state, "subtract");
    SnapshotGate.Snapshot snapshot = other.snapshot();
    if (CounterSums.anyBelow(counters, snapshot.counters()) >= 0) {
      throw new IllegalArgumentException(
          "cannot subtract: other holds an element more often than this filter; subtract only what"
              + " was added to this filter");
    }
    ElementCount otherCount = new ElementCount(false, snapshot.elementCount());
    try {
      CounterSums.subtract(counters, snapshot.counters());
      elements.subtract(otherCount);
    } finally {
      resetGate();
    }
  }

  private String valuesOf(long index, CounterArray other) {
    return String.format(
        Locale.ROOT,
        "counter %d is %d here and %d there",
        index - CounterWord.firstOf(CounterFile.padding(shape())),
        counters.get(index),
        other.get(index));
  }

  final long hashOf(T element) {
    return strategy.hash(Objects.requireNonNull(element, "element"));
  }

  /**
   * Returns whether an object is a filter of this class with the same strategy id, strategy
   * fingerprint, shape and counters. The element count, the plan and the option {@code
   * concurrent()} are ignored. Costs a pass over all counters; a concurrent filter is copied for
   * it, which takes its memory once more.
   */
  @Override
  public final boolean equals(@Nullable Object object) {
    return this == object
        || (object instanceof CounterFilter<?> other
            && state.equals(other.state)
            && snapshot().counters().equals(other.snapshot().counters()));
  }

  /** Returns a hash code that changes with the counters. Costs a pass over all counters. */
  @Override
  public final int hashCode() {
    return Objects.hash(state, snapshot().counters());
  }
}
