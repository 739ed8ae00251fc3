package io.bloomkit.counting;

import io.bloomkit.BloomFormulas;
import io.bloomkit.DeletableFilter;
import io.bloomkit.HashStrategy;
import io.bloomkit.IndexDerivation;
import io.bloomkit.Shape;
import io.bloomkit.StrategyIdentity;
import io.bloomkit.classic.ClassicBloomFilter;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that can forget: counters of four bits in place of bits, so that an element can be
 * removed again (L. Fan, P. Cao, J. Almeida, A. Broder, <i>Summary cache</i>, 2000).
 *
 * <p>Counting is exact. Each distinct position of an element counts once, and counters go on beyond
 * fifteen in a table aside, so the filter is a multiset: after any additions and matching removals
 * it equals, bit for bit, the filter that only ever saw what is left. An element is claimed exactly
 * if all its counters are above zero, and exactly then {@link #remove} succeeds.
 *
 * <pre>{@code
 * CountingBloomFilter<String> sessions =
 *     CountingBloomFilter.create(HashStrategies.utf8(), 1_000_000, 0.01);
 * sessions.add("alice");
 * sessions.remove("alice");
 * }</pre>
 *
 * <p><b>Remove only what was added.</b> Removing an absent element changes nothing, unless it is a
 * false positive, which at 1 % one absent element in a hundred is: its removal takes counts from
 * others, and these may then be denied. No counting filter can tell.
 *
 * <p>It takes four times the memory of a {@link ClassicBloomFilter}, 38 bits an element at 1 %. If
 * the set is only read elsewhere, send {@link #toClassic()}: the same answers in a quarter of the
 * bytes. Adding, removing and asking for an element that is there touch k cache lines each.
 *
 * <p><b>Threads.</b> For one thread, or many readers of a filter that is handed over safely and no
 * longer changed. Built {@linkplain Builder#concurrent() concurrent}, elements may be added,
 * removed and asked for by any number of threads. Additions and queries take no lock while counters
 * stay below fifteen; removals exclude each other. The promise, provided that every removal is of
 * an element whose addition happened before it: (1) if the additions of an element that happened
 * before a query outnumber its removals that have begun, the query answers true; (2) of several
 * threads that first add an element at the same time at least one gets true, unless each of its
 * positions was held by other elements at some moment meanwhile, and several may; (3) when all is
 * quiet the counters are those of some order of the same operations; (4) a removal that returns
 * false never showed. An element as a whole is not linearizable: another thread may see some of its
 * counters before the others. Fill, counts and the rate derived from them are approximate while
 * others write. Merging, subtracting, clearing, copying, comparing and converting need a moment
 * without writers, whom they must happen after.
 *
 * @param <T> the type of the elements
 */
public final class CountingBloomFilter<T> implements DeletableFilter<T> {

  private final HashStrategy<? super T> strategy;
  private final StrategyIdentity strategyIdentity;
  private final Shape shape;
  private final long positions;
  private final int hashes;
  private final CounterArray counters;

  /** Counts of a concurrent filter; null in others, which have plain fields. */
  private final @Nullable SharedCounts sharedCounts;

  private long nonZeroCounters;
  private long elements;
  private volatile boolean elementCountKnown = true;

  private CountingBloomFilter(
      HashStrategy<? super T> strategy,
      StrategyIdentity strategyIdentity,
      Shape shape,
      boolean concurrent,
      CounterArray counters) {
    this.strategy = strategy;
    this.strategyIdentity = strategyIdentity;
    this.shape = shape;
    this.positions = shape.positions();
    this.hashes = shape.hashes();
    this.counters = counters;
    this.sharedCounts = concurrent ? new SharedCounts(new LongAdder(), new LongAdder()) : null;
  }

  /**
   * Returns an empty filter for a number of elements and a false-positive probability; its shape is
   * {@link Shape#of}.
   *
   * @param strategy turns elements into hashes
   * @param expectedInsertions the number of distinct elements planned for at any one time, at least
   *     1; with more the rate rises, nothing else happens
   * @param fpp the probability that an element never added is claimed, between 0 and 1, both
   *     excluded
   * @throws IllegalArgumentException if an argument is missing or out of its range, or the filter
   *     would be larger than one array
   */
  public static <T> CountingBloomFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return CountingBloomFilter.builder(strategy).expecting(expectedInsertions, fpp).build();
  }

  /**
   * Returns a builder, for everything that {@link #create} does not offer.
   *
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(hashOf(element));
  }

  @Override
  public boolean mightContainHash(long hash) {
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < hashes; i++) {
      long position = IndexDerivation.position(state, positions);
      if (sharedCounts == null ? counters.isZero(position) : counters.isZeroShared(position)) {
        return false;
      }
      state = IndexDerivation.next(state);
    }
    return true;
  }

  @Override
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  @Override
  public boolean addHash(long hash) {
    return sharedCounts == null ? addPlain(hash) : addShared(hash, sharedCounts);
  }

  private boolean addPlain(long hash) {
    long state = IndexDerivation.start(hash);
    long seen = 0;
    int fromZero = 0;
    for (int i = 0; i < hashes; i++) {
      long position = IndexDerivation.position(state, positions);
      if (isFirstOccurrence(position, seen, hash, i)) {
        fromZero += counters.increment(position);
      }
      seen |= 1L << position;
      state = IndexDerivation.next(state);
    }
    nonZeroCounters += fromZero;
    elements++;
    return fromZero != 0;
  }

  private boolean addShared(long hash, SharedCounts counts) {
    long state = IndexDerivation.start(hash);
    long seen = 0;
    int fromZero = 0;
    for (int i = 0; i < hashes; i++) {
      long position = IndexDerivation.position(state, positions);
      if (isFirstOccurrence(position, seen, hash, i)) {
        fromZero += counters.incrementShared(position);
      }
      seen |= 1L << position;
      state = IndexDerivation.next(state);
    }
    counts.nonZero.add(fromZero);
    counts.elements.increment();
    return fromZero != 0;
  }

  @Override
  public boolean remove(T element) {
    return removeHash(hashOf(element));
  }

  @Override
  public boolean removeHash(long hash) {
    return sharedCounts == null ? removePlain(hash) : removeShared(hash, sharedCounts);
  }

  private boolean removePlain(long hash) {
    if (!mightContainHash(hash)) {
      return false;
    }
    long state = IndexDerivation.start(hash);
    long seen = 0;
    int toZero = 0;
    for (int i = 0; i < hashes; i++) {
      long position = IndexDerivation.position(state, positions);
      if (isFirstOccurrence(position, seen, hash, i)) {
        toZero += counters.decrement(position);
      }
      seen |= 1L << position;
      state = IndexDerivation.next(state);
    }
    nonZeroCounters -= toZero;
    elements--;
    return true;
  }

  private boolean removeShared(long hash, SharedCounts counts) {
    // Only removals make counters less and they exclude each other, so a claim that is seen here
    // lasts until all counters are taken: no counter is ever taken and given back.
    synchronized (counters) {
      if (!mightContainHash(hash)) {
        return false;
      }
      long state = IndexDerivation.start(hash);
      long seen = 0;
      int toZero = 0;
      for (int i = 0; i < hashes; i++) {
        long position = IndexDerivation.position(state, positions);
        if (isFirstOccurrence(position, seen, hash, i)) {
          toZero += counters.decrementShared(position);
        }
        seen |= 1L << position;
        state = IndexDerivation.next(state);
      }
      counts.nonZero.add(-toZero);
      counts.elements.decrement();
      return true;
    }
  }

  /**
   * Whether the i-th position of a hash is none of those before it. Mostly a look at a word tells,
   * in which position p marks bit p mod 64; else, for one position in twenty of seven hashes and
   * two in five of 64, those before it are derived again, so that nothing is allocated.
   */
  private boolean isFirstOccurrence(long position, long seen, long hash, int i) {
    return (seen >>> position & 1) == 0
        || !IndexDerivation.isAmongFirst(position, hash, i, positions);
  }

  /**
   * Returns the smallest counter of an element: how often it was added and not removed, and more if
   * others share all its positions.
   *
   * @throws NullPointerException if the element is null
   */
  @Override
  public long count(T element) {
    return countHash(hashOf(element));
  }

  @Override
  public long countHash(long hash) {
    long state = IndexDerivation.start(hash);
    long least = Long.MAX_VALUE;
    for (int i = 0; i < hashes && least > 0; i++) {
      long position = IndexDerivation.position(state, positions);
      long count = sharedCounts == null ? counters.get(position) : counters.getShared(position);
      least = Math.min(least, count);
      state = IndexDerivation.next(state);
    }
    return least;
  }

  @Override
  public void clear() {
    counters.clear();
    elementCountKnown = true;
    setCounts(0, 0);
  }

  /**
   * Returns whether another filter puts every element at the same positions, so that the two can be
   * merged or subtracted: same strategy id, same fingerprint, same shape.
   */
  public boolean isCompatible(CountingBloomFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return strategyIdentity.equals(other.strategyIdentity) && shape.equals(other.shape);
  }

  /**
   * Adds everything that another filter holds, as often as it holds it: afterwards this one equals
   * the filter to which the elements of both were added. A filter may be merged with itself.
   *
   * @throws IllegalArgumentException if the other is not {@linkplain #isCompatible compatible}, or
   *     a counter would exceed 2<sup>62</sup>; nothing has changed then
   */
  public void merge(CountingBloomFilter<? extends T> other) {
    requireCompatible(other, "merge");
    long mine = elements();
    long theirs = other.elements();
    boolean known = elementCountKnown && other.elementCountKnown;
    counters.add(other.counters);
    elementCountKnown = known && theirs <= Long.MAX_VALUE - Math.max(0, mine);
    setCounts(counters.countNonZero(), elementCountKnown ? mine + theirs : 0);
  }

  /**
   * Removes everything that another filter holds, as often as it holds it: afterwards this one
   * equals the filter to which only the rest was added.
   *
   * @throws IllegalArgumentException if the other is not {@linkplain #isCompatible compatible}, or
   *     holds what this one does not, so that a counter would fall below zero; nothing has changed
   *     then
   */
  public void subtract(CountingBloomFilter<? extends T> other) {
    requireCompatible(other, "subtract");
    long below = counters.anyBelow(other.counters);
    if (below >= 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "cannot subtract: other holds more than this filter, counter %d is %d here and %d there",
              below,
              counters.get(below),
              other.counters.get(below)));
    }
    boolean known = elementCountKnown && other.elementCountKnown;
    long difference = known ? elements() - other.elements() : 0;
    counters.subtract(other.counters);
    elementCountKnown = known;
    setCounts(counters.countNonZero(), difference);
  }

  /** Returns a filter of its own with the same contents, as concurrent as this one. */
  public CountingBloomFilter<T> copy() {
    CountingBloomFilter<T> copy =
        new CountingBloomFilter<>(
            strategy, strategyIdentity, shape, sharedCounts != null, counters.copy());
    copy.elementCountKnown = elementCountKnown;
    copy.setCounts(nonZeroCounters(), elements());
    return copy;
  }

  /**
   * Returns a classic filter that answers every query as this one does now, in a quarter of the
   * memory: the same positions, a bit for each counter that is not zero. It is as concurrent as
   * this one.
   */
  public ClassicBloomFilter<T> toClassic() {
    ClassicBloomFilter.Builder<? super T> builder =
        ClassicBloomFilter.builder(strategy).shape(shape);
    if (sharedCounts != null) {
      builder.concurrent();
    }
    OptionalLong count = elementCount();
    return count.isPresent()
        ? builder.buildFrom(counters.toBits(), count.getAsLong())
        : builder.buildFrom(counters.toBits());
  }

  /** Returns (X/m)<sup>k</sup> for the X counters that are not zero now; costs nothing. */
  @Override
  public double expectedFpp() {
    return BloomFormulas.fppAtFill(nonZeroCounters(), positions, hashes);
  }

  @Override
  public long approximateElementCount() {
    return Math.round(BloomFormulas.estimatedElements(nonZeroCounters(), positions, hashes));
  }

  /**
   * Returns how many occurrences of elements are in the filter: additions less successful removals;
   * merging adds up, subtracting takes off.
   *
   * @return the count, or empty if it is unknown, because it is below zero (only after false
   *     positives were removed) or rose above 2<sup>63</sup> − 1 by merging
   */
  public OptionalLong elementCount() {
    long count = elements();
    return elementCountKnown && count >= 0 ? OptionalLong.of(count) : OptionalLong.empty();
  }

  /**
   * {@inheritDoc} Those are the counters and, estimated from its entries, the table of what exceeds
   * fifteen.
   */
  @Override
  public long memoryBytes() {
    return counters.memoryBytes();
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /** Returns the number of counters and of hashes. */
  public Shape shape() {
    return shape;
  }

  /** Returns how many counters are above zero: X. */
  public long nonZeroCounters() {
    // A sum taken while others add and remove is no snapshot and may leave the possible range.
    return sharedCounts == null
        ? nonZeroCounters
        : Math.max(0, Math.min(positions, sharedCounts.nonZero.sum()));
  }

  /** Returns how many counters are above fifteen and take a place, sixteen bytes or more, aside. */
  public int overflowedCounters() {
    return counters.overflowedCounters();
  }

  /**
   * Returns the value of a counter.
   *
   * @param position from 0 to m − 1
   * @throws IndexOutOfBoundsException if there is no such position
   */
  public long counter(long position) {
    Objects.checkIndex(position, positions);
    return counters.getShared(position);
  }

  /**
   * Returns whether an object is a counting filter with the same strategy, shape and counters.
   * Whether a filter is concurrent does not count. Costs a pass over all counters.
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof CountingBloomFilter<?> other
        && isCompatible(other)
        && counters.equals(other.counters);
  }

  /**
   * Returns a hash code of the contents: it changes with them and costs a pass over all counters.
   */
  @Override
  public int hashCode() {
    return 31 * Objects.hash(strategyIdentity, shape) + counters.hashCode();
  }

  /** Returns shape, fill, present false-positive probability and strategy, for logs. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "CountingBloomFilter[positions=%d, hashes=%d, nonZero=%d, expectedFpp=%.3g, strategy=%s]",
        positions,
        hashes,
        nonZeroCounters(),
        expectedFpp(),
        strategyIdentity.id());
  }

  private long hashOf(T element) {
    return strategy.hash(Objects.requireNonNull(element, "element"));
  }

  private long elements() {
    return sharedCounts == null ? elements : sharedCounts.elements.sum();
  }

  private void setCounts(long newNonZeroCounters, long newElements) {
    if (sharedCounts == null) {
      nonZeroCounters = newNonZeroCounters;
      elements = newElements;
    } else {
      sharedCounts.nonZero.reset();
      sharedCounts.nonZero.add(newNonZeroCounters);
      sharedCounts.elements.reset();
      sharedCounts.elements.add(newElements);
    }
  }

  private void requireCompatible(CountingBloomFilter<?> other, String operation) {
    if (!isCompatible(other)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "cannot %s: this filter has %s and %s, other has %s and %s",
              operation,
              shape,
              strategyIdentity,
              other.shape,
              other.strategyIdentity));
    }
  }

  private record SharedCounts(LongAdder nonZero, LongAdder elements) {}

  /**
   * Builds counting filters. Say how large by {@link #expecting} or {@link #shape}; the later call
   * counts.
   *
   * @param <S> the type that the strategy takes; the filters may be of a subtype
   */
  public static final class Builder<S> {

    private final HashStrategy<S> strategy;
    private final StrategyIdentity strategyIdentity;
    private @Nullable Shape shape;
    private boolean concurrent;

    private Builder(HashStrategy<S> strategy) {
      this.strategyIdentity = StrategyIdentity.of(strategy);
      this.strategy = strategy;
    }

    /**
     * Sizes the filter by {@link Shape#of}.
     *
     * @param expectedInsertions the number of distinct elements planned for at any one time, at
     *     least 1
     * @param fpp between 0 and 1, both excluded
     * @return this builder
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public Builder<S> expecting(long expectedInsertions, double fpp) {
      return shape(Shape.of(expectedInsertions, fpp));
    }

    /**
     * Sets the number of counters and of hashes.
     *
     * @return this builder
     * @throws IllegalArgumentException if the filter would be larger than one array
     */
    public Builder<S> shape(Shape shape) {
      Objects.requireNonNull(shape, "shape");
      if (shape.positions() > CounterArray.MAX_COUNTERS) {
        throw new IllegalArgumentException(
            "shape must have at most "
                + CounterArray.MAX_COUNTERS
                + " positions, the counters that an array holds, but is "
                + shape);
      }
      this.shape = shape;
      return this;
    }

    /**
     * Lets any number of threads add, remove and ask at once; see the class comment.
     *
     * @return this builder
     */
    public Builder<S> concurrent() {
      concurrent = true;
      return this;
    }

    /**
     * Returns an empty filter.
     *
     * @throws IllegalStateException if no size was given
     */
    public <T extends S> CountingBloomFilter<T> build() {
      if (shape == null) {
        throw new IllegalStateException(
            "the filter has no size: call expecting(insertions, fpp) or shape(...) first");
      }
      return new CountingBloomFilter<>(
          strategy, strategyIdentity, shape, concurrent, new CounterArray(shape.positions()));
    }
  }
}
