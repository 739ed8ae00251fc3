package io.bloomkit.counting;

import io.bloomkit.BloomFormulas;
import io.bloomkit.MergeableFilter;
import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterReader;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.IndexDerivation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
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
 * <p><b>When to choose another.</b> It takes four times the memory of a {@link ClassicBloomFilter},
 * 38 bits an element at 1 %. If the set is only read elsewhere, send {@link #toClassic()}: the same
 * answers in a quarter of the bytes. Adding, removing and asking for an element that is there touch
 * k cache lines each; a {@link BlockedCountingBloomFilter} touches one, for 49 bits at 1 %. Least
 * memory of all, 10.5 bits at 1 %, takes a {@link CuckooFilter}, for one thread and a fixed number
 * of elements.
 *
 * <p><b>Threads.</b> For one thread, or many readers of a filter that is handed over safely and no
 * longer changed. Built {@linkplain Builder#concurrent() concurrent}, elements may be added,
 * removed and asked for by any number of threads. Additions and queries take no lock while counters
 * stay below fifteen; removals exclude each other. The promise, provided that every removal has an
 * addition of its own that happened before it: (1) if the additions of an element that happened
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
public final class CountingBloomFilter<T> extends CounterFilter<T>
    implements MergeableFilter<CountingBloomFilter<? extends T>> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND = new CountingKind();

  /** Eight mebibytes: in a smaller filter fetching ahead gains nothing (docs/performance.md). */
  private static final long WORTH_FETCHING = 1 << 24;

  /** From a state to the fourth after it. */
  private static final long LEAP_OF_FOUR = IndexDerivation.leap(4);

  /** With seven lines a hash already more than a core reads at once. */
  private static final int BATCH = 32;

  private final Shape shape;
  private final long positions;
  private final int hashes;

  /** The fill of a concurrent filter; null in others, which have a plain field. */
  private final @Nullable LongAdder sharedNonZeroCounters;

  private long nonZeroCounters;

  private CountingBloomFilter(
      HashStrategy<? super T> strategy,
      StrategyIdentity strategyIdentity,
      Shape shape,
      boolean concurrent,
      CounterArray counters) {
    super(strategy, strategyIdentity, concurrent, counters);
    this.shape = shape;
    this.positions = shape.positions();
    this.hashes = shape.hashes();
    this.sharedNonZeroCounters = concurrent ? new LongAdder() : null;
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

  /**
   * Reads a filter for one writer from a stream, and not a byte more, so that several may follow
   * each other. {@link Builder#readFrom(InputStream)} reads one for many threads.
   *
   * @param in needs no buffer
   * @param strategy the one that the filter was filled by: same id, same fingerprint
   * @throws FilterFormatException if what comes is damaged, cut off, no filter of this kind, or was
   *     filled by another strategy
   * @throws IOException if the stream fails
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <T> CountingBloomFilter<T> readFrom(
      InputStream in, HashStrategy<? super T> strategy) throws IOException {
    return CountingBloomFilter.builder(strategy).readFrom(in);
  }

  /**
   * Reads a filter for one writer from a file that holds nothing else.
   *
   * @param strategy see {@link #readFrom(InputStream, HashStrategy)}
   * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was filled
   *     by another strategy
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <T> CountingBloomFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return CountingBloomFilter.builder(strategy).readFrom(file);
  }

  /**
   * Reads a filter for one writer from what {@link #toBytes} gave.
   *
   * @param strategy see {@link #readFrom(InputStream, HashStrategy)}
   * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was filled
   *     by another strategy
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <T> CountingBloomFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    return CountingBloomFilter.builder(strategy).fromBytes(bytes);
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(hashOf(element));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return sharedElements == null ? isClaimed(hash) : isClaimedShared(hash);
  }

  private boolean isClaimed(long hash) {
    long state = IndexDerivation.start(hash);
    int left = hashes;
    // Three counters before the first branch, since half of those of an absent element are zero and
    // nobody can guess which; then one by one, which what got so far mostly passes. States that do
    // not wait for each other are computed at once. No loop for the seven hashes of 1 %
    // (docs/performance.md).
    if (left >= 3) {
      long second = IndexDerivation.next(state);
      long third = IndexDerivation.next(second);
      if (((valueOf(state) - 1) | (valueOf(second) - 1) | (valueOf(third) - 1)) < 0) {
        return false;
      }
      state = IndexDerivation.next(third);
      left -= 3;
    }
    if (left >= 4) {
      long second = IndexDerivation.next(state);
      long third = IndexDerivation.next(second);
      long fourth = IndexDerivation.next(third);
      if (valueOf(state) == 0
          || valueOf(second) == 0
          || valueOf(third) == 0
          || valueOf(fourth) == 0) {
        return false;
      }
      state = IndexDerivation.next(fourth);
      left -= 4;
    }
    for (; left > 0; left--) {
      if (valueOf(state) == 0) {
        return false;
      }
      state = IndexDerivation.next(state);
    }
    return true;
  }

  /** The counter of a state, or fifteen if it is more. */
  private int valueOf(long state) {
    return counters.fourBits(IndexDerivation.position(state, positions));
  }

  private boolean isClaimedShared(long hash) {
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < hashes; i++) {
      if (counters.isZeroShared(IndexDerivation.position(state, positions))) {
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
    return sharedElements == null ? addPlain(hash) : addShared(hash, sharedElements);
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

  private boolean addShared(long hash, LongAdder elementCount) {
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
    Objects.requireNonNull(sharedNonZeroCounters).add(fromZero);
    elementCount.increment();
    return fromZero != 0;
  }

  @Override
  public boolean remove(T element) {
    return removeHash(hashOf(element));
  }

  @Override
  public boolean removeHash(long hash) {
    return sharedElements == null ? removePlain(hash) : removeShared(hash, sharedElements);
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

  private boolean removeShared(long hash, LongAdder elementCount) {
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
      Objects.requireNonNull(sharedNonZeroCounters).add(-toZero);
      elementCount.decrement();
      return true;
    }
  }

  @Override
  int batch() {
    return BATCH;
  }

  @Override
  long read(long[] hashes, int from, int to) {
    if (positions < WORTH_FETCHING) {
      return 0;
    }
    long all = 0;
    for (int i = from; i < to; i++) {
      all ^= wordsOf(hashes[i]);
    }
    return all;
  }

  /** Mixes the words of a hash, without a loop for up to seven (docs/performance.md). */
  private long wordsOf(long hash) {
    long state = IndexDerivation.start(hash);
    long all = 0;
    if ((hashes & 1) != 0) {
      all = wordAt(state);
      state = IndexDerivation.next(state);
    }
    if ((hashes & 2) != 0) {
      long second = IndexDerivation.next(state);
      all ^= wordAt(state) ^ wordAt(second);
      state = IndexDerivation.next(second);
    }
    if ((hashes & 4) != 0) {
      all ^= fourWordsOf(state);
      state *= LEAP_OF_FOUR;
    }
    for (int left = hashes & ~7; left > 0; left -= 4) {
      all ^= fourWordsOf(state);
      state *= LEAP_OF_FOUR;
    }
    return all;
  }

  private long fourWordsOf(long state) {
    long second = IndexDerivation.next(state);
    long third = IndexDerivation.next(second);
    return wordAt(state) ^ wordAt(second) ^ wordAt(third) ^ wordAt(IndexDerivation.next(third));
  }

  /** The word with the counter of a state. */
  private long wordAt(long state) {
    return counters.wordAt(IndexDerivation.position(state, positions));
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
      long count = sharedElements == null ? counters.get(position) : counters.getShared(position);
      least = Math.min(least, count);
      state = IndexDerivation.next(state);
    }
    return least;
  }

  @Override
  Shape size() {
    return shape;
  }

  @Override
  int padding() {
    return 0;
  }

  @Override
  void countersChanged() {
    setNonZeroCounters(counters.countNonZero());
  }

  /**
   * Adds everything that another filter holds, as often as it holds it: afterwards this one equals
   * the filter to which the elements of both were added. A filter may be merged with itself.
   *
   * @throws IllegalArgumentException if the other is not {@linkplain #isCompatible compatible}, or
   *     a counter would exceed 2<sup>62</sup>; nothing has changed then
   */
  @Override
  public void merge(CountingBloomFilter<? extends T> other) {
    mergeCounters(other);
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
    subtractCounters(other);
  }

  /** Returns a filter of its own with the same contents, as concurrent as this one. */
  @Override
  public CountingBloomFilter<T> copy() {
    CountingBloomFilter<T> copy =
        new CountingBloomFilter<>(
            strategy, strategyIdentity, shape, sharedElements != null, counters.copy());
    copy.setNonZeroCounters(nonZeroCounters());
    copy.copyElementCount(this);
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
    if (sharedElements != null) {
      builder.concurrent();
    }
    OptionalLong count = elementCount();
    return count.isPresent()
        ? builder.buildFrom(counters.toBits(0), count.getAsLong())
        : builder.buildFrom(counters.toBits(0));
  }

  @Override
  public FilterContents contents() {
    return contents(KIND.variant(), hashes, positions, hashes);
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

  /** Returns the number of counters and of hashes. */
  public Shape shape() {
    return shape;
  }

  /** Returns how many counters are above zero: X. */
  public long nonZeroCounters() {
    // A sum taken while others add and remove is no snapshot and may leave the possible range.
    return sharedNonZeroCounters == null
        ? nonZeroCounters
        : Math.max(0, Math.min(positions, sharedNonZeroCounters.sum()));
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

  private void setNonZeroCounters(long count) {
    if (sharedNonZeroCounters == null) {
      nonZeroCounters = count;
    } else {
      sharedNonZeroCounters.reset();
      sharedNonZeroCounters.add(count);
    }
  }

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
     * Returns the {@linkplain CountingBloomFilter#memoryBytes bytes} of the filter that {@link
     * #build} would make, without making it.
     *
     * @throws IllegalStateException if no size was given
     */
    public long memoryBytes() {
      return CounterArray.memoryBytes(requireShape().positions());
    }

    /**
     * Returns an empty filter.
     *
     * @throws IllegalStateException if no size was given
     */
    public <T extends S> CountingBloomFilter<T> build() {
      Shape size = requireShape();
      return new CountingBloomFilter<>(
          strategy, strategyIdentity, size, concurrent, new CounterArray(size.positions()));
    }

    /**
     * Reads a filter from a stream, and not a byte more. If a size was given, it must be that of
     * the filter.
     *
     * @param in needs no buffer
     * @throws FilterFormatException if what comes is damaged, cut off, no filter of this kind, or
     *     was filled by another strategy
     * @throws IOException if the stream fails
     */
    public <T extends S> CountingBloomFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /**
     * Reads a filter from a file that holds nothing else; see {@link #readFrom(InputStream)}.
     *
     * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was
     *     filled by another strategy
     * @throws IOException if the file cannot be read
     */
    public <T extends S> CountingBloomFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /**
     * Reads a filter from what {@link CountingBloomFilter#toBytes} gave; see {@link
     * #readFrom(InputStream)}.
     *
     * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was
     *     filled by another strategy
     */
    public <T extends S> CountingBloomFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    <T extends S> CountingBloomFilter<T> read(FilterReader reader) throws IOException {
      reader.require(KIND.variant(), strategyIdentity, 2);
      Shape size =
          new Shape(
              reader.field(0, "positions", 1, CounterArray.MAX_COUNTERS),
              (int) reader.field(1, "hashes", 1, Shape.MAX_HASHES));
      if (shape != null && !shape.equals(size)) {
        throw reader.wrongField(0, "the filter must have " + shape + " but has " + size);
      }
      return readSections(size, reader, reader.elementCount());
    }

    /**
     * Reads the counters of a filter from the next two sections: for authors of filters that are
     * made of others.
     *
     * @param elementCount how many elements the file says it holds
     * @throws IllegalStateException if no size was given
     * @throws FilterFormatException if the sections do not hold a filter of this size
     * @throws IOException if the stream fails
     */
    public <T extends S> CountingBloomFilter<T> readSections(
        FilterReader reader, OptionalLong elementCount) throws IOException {
      return readSections(requireShape(), reader, elementCount);
    }

    private <T extends S> CountingBloomFilter<T> readSections(
        Shape size, FilterReader reader, OptionalLong elementCount) throws IOException {
      CountingBloomFilter<T> filter =
          new CountingBloomFilter<>(
              strategy,
              strategyIdentity,
              size,
              concurrent,
              CounterFile.read(reader, 0, size.positions()));
      filter.setElementsAsRead(reader, elementCount, size.hashes());
      return filter;
    }

    private Shape requireShape() {
      if (shape == null) {
        throw new IllegalStateException(
            "the filter has no size: call expecting(insertions, fpp) or shape(...) first");
      }
      return shape;
    }
  }
}
