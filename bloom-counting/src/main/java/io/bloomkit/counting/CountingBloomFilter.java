package io.bloomkit.counting;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FlatShape;
import io.bloomkit.MergeableFilter;
import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterReader;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A Bloom filter with 4-bit counters in place of bits, so elements can be removed. Source: L. Fan,
 * P. Cao, J. Almeida, A. Broder, <i>Summary cache</i>, 2000.
 *
 * <pre>{@code
 * CountingBloomFilter<String> sessions =
 *     CountingBloomFilter.create(HashStrategies.utf8(), 1_000_000, 0.01);
 * sessions.add("alice");
 * sessions.remove("alice");
 * }</pre>
 *
 * <p><b>When to choose another filter.</b> At a false-positive rate of 1 %, this filter takes 38
 * bits per element, four times as much as a {@link ClassicBloomFilter}. A {@link CuckooFilter}
 * takes 10.5 bits but has a fixed capacity. In this filter, an operation on a stored element
 * touches up to one cache line per hash, 7 lines at 1 %. A {@link BlockedCountingBloomFilter}
 * touches one line per operation and takes 47 bits per element. To send the set to readers that
 * only query it, use {@link #toClassic()}.
 *
 * <p><b>Exact counts (also above 15), removal, threads, null.</b> See {@link CounterFilter}.
 * Insertions, removals and queries are thread-safe if {@link Builder#concurrent()} was called.
 *
 * @param <T> the type of the elements
 */
public final class CountingBloomFilter<T> extends CounterFilter<T>
    implements MergeableFilter<CountingBloomFilter<? extends T>> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND = new CountingKind();

  /** Hashes whose counters are read ahead: at 1 %, 224 reads, more than a core overlaps. */
  private static final int BATCH = 32;

  private final FlatShape shape;
  private final long positions;
  private final int hashes;

  private CountingBloomFilter(
      HashStrategy<? super T> strategy,
      StrategyIdentity strategyIdentity,
      FlatShape shape,
      boolean concurrent,
      CounterArray counters) {
    super(strategy, strategyIdentity, shape, 0, concurrent, counters);
    this.shape = shape;
    this.positions = shape.positions();
    this.hashes = shape.hashes();
  }

  /**
   * Returns an empty filter of the shape that {@link Shape#of} computes.
   *
   * @param expectedInsertions the largest number of distinct elements in the filter at any one
   *     time, at least 1; with more elements, the false-positive rate exceeds {@code fpp}
   * @param fpp the false-positive rate with that number of elements, in (0, 1)
   * @throws IllegalArgumentException if an argument is out of its range, or the filter would be
   *     larger than one array (16 GiB)
   */
  public static <T> CountingBloomFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return CountingBloomFilter.builder(strategy).expecting(expectedInsertions, fpp).build();
  }

  /** Returns a builder, for options that {@code create} does not have. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a filter by {@link Builder#readFrom(InputStream)}; the result is not concurrent. */
  public static <T> CountingBloomFilter<T> readFrom(
      InputStream in, HashStrategy<? super T> strategy) throws IOException {
    return CountingBloomFilter.builder(strategy).readFrom(in);
  }

  /** Reads a filter by {@link Builder#readFrom(Path)}; the result is not concurrent. */
  public static <T> CountingBloomFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return CountingBloomFilter.builder(strategy).readFrom(file);
  }

  /** Reads a filter by {@link Builder#fromBytes(byte[])}; the result is not concurrent. */
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
    return sharedElements == null
        ? FlatCounters.contains(counters, positions, hashes, hash)
        : FlatCounters.containsShared(counters, positions, hashes, hash);
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
    int fromZero = FlatCounters.increment(counters, positions, hashes, hash);
    elements++;
    return fromZero != 0;
  }

  private boolean addShared(long hash, LongAdder elementCount) {
    int fromZero = FlatCounters.incrementShared(counters, positions, hashes, hash);
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
    if (!FlatCounters.decrement(counters, positions, hashes, hash)) {
      return false;
    }
    elements--;
    return true;
  }

  private boolean removeShared(long hash, LongAdder elementCount) {
    if (!FlatCounters.decrementShared(counters, positions, hashes, hash)) {
      return false;
    }
    elementCount.decrement();
    return true;
  }

  @Override
  int batch() {
    return BATCH;
  }

  @Override
  long readAhead(long[] hashes, int from, int to) {
    if (positions < FlatCounters.BEYOND_CACHE) {
      return 0;
    }
    long all = 0;
    for (int i = from; i < to; i++) {
      all ^= FlatCounters.readAhead(counters, positions, this.hashes, hashes[i]);
    }
    return all;
  }

  @Override
  public long countHash(long hash) {
    return FlatCounters.least(counters, positions, hashes, hash);
  }

  /**
   * Adds the elements of another filter, each as often as that filter contains it. This filter then
   * equals one to which the elements of both were added. A filter may be merged with itself.
   *
   * @throws IllegalArgumentException if the filters are not {@linkplain #isCompatible compatible},
   *     or a {@linkplain CounterFilter counter} would exceed 2<sup>62</sup>; nothing is changed
   */
  @Override
  public void merge(CountingBloomFilter<? extends T> other) {
    mergeCounters(other);
  }

  /**
   * Removes the elements of another filter, each as often as that filter contains it. If this
   * filter contained all of them, it then equals a filter to which only the rest was added.
   *
   * @throws IllegalArgumentException if the filters are not {@linkplain #isCompatible compatible},
   *     or a counter would fall below zero; nothing is changed
   */
  public void subtract(CountingBloomFilter<? extends T> other) {
    subtractCounters(other);
  }

  /** Returns an independent filter with the same contents, concurrent if this filter is. */
  @Override
  public CountingBloomFilter<T> copy() {
    CountingBloomFilter<T> copy =
        new CountingBloomFilter<>(
            strategy, strategyIdentity, shape, isConcurrent(), counters.copy());
    copy.copyCountAndPlan(this);
    return copy;
  }

  /**
   * Returns an independent filter with one bit per counter, a quarter of the size. It answers
   * queries as this filter does now, and is concurrent if this filter is. Reads all counters.
   */
  public ClassicBloomFilter<T> toClassic() {
    var builder = ClassicBloomFilter.builder(strategy).shape(shape);
    if (sharedElements != null) {
      builder.concurrent();
    }
    plan().ifPresent(builder::plan);
    OptionalLong count = elementCount();
    long[] bits = counters.toBits(0);
    return count.isPresent() ? builder.buildFrom(bits, count.getAsLong()) : builder.buildFrom(bits);
  }

  @Override
  public FilterContents contents() {
    return contents(KIND.variant(), hashes, positions, hashes);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The value is (X/m)<sup>k</sup>, where X is {@link #nonZeroCounters()}, m the number of
   * counters and k the number of hashes. The cost is a pass over all counters.
   */
  @Override
  public double expectedFpp() {
    return BloomFormulas.fppAtFill(nonZeroCounters(), positions, hashes);
  }

  /** {@inheritDoc} The cost is a pass over all counters. */
  @Override
  public long approximateElementCount() {
    return Math.round(BloomFormulas.estimatedElements(nonZeroCounters(), positions, hashes));
  }

  @Override
  public FilterEstimate estimate(int lines) {
    return FilterEstimate.ofFlat(
        positions, hashes, CounterWord.COUNTERS, w -> counters.countNonZero((int) w), lines);
  }

  /** Returns the shape: the number of counters and the number of hashes. */
  public FlatShape shape() {
    return shape;
  }

  /** Returns the number of non-zero counters. Reads all counters. */
  public long nonZeroCounters() {
    return counters.countNonZero();
  }

  /**
   * Returns the value of a counter.
   *
   * @param position the index of the counter, from 0 to {@code shape().positions() - 1}
   * @throws IndexOutOfBoundsException if there is no such position
   */
  public long counter(long position) {
    Objects.checkIndex(position, positions);
    return counters.getShared(position);
  }

  /** Returns shape, element count and strategy, for logs. Takes constant time. */
  @Override
  public String toString() {
    return toString("positions=" + positions + ", hashes=" + hashes);
  }

  /** Builds filters of elements of type S or a subtype, sized by {@link Shape#of}. */
  public static final class Builder<S> extends CounterFilterBuilder<S, FlatShape, Builder<S>> {

    private Builder(HashStrategy<S> strategy) {
      super(strategy, new CounterShapes.Flat());
    }

    /** Returns an empty filter. Throws {@link IllegalStateException} if no size was set. */
    public <T extends S> CountingBloomFilter<T> build() {
      return planned(filter(options.requireSize(), newCounters()));
    }

    /** Reads a filter from a stream, as {@link io.bloomkit.counting} describes. */
    public <T extends S> CountingBloomFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /** Reads a filter from a file with no other contents; see {@link #readFrom(InputStream)}. */
    public <T extends S> CountingBloomFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /** Reads a filter from bytes that contain nothing else; see {@link #readFrom(InputStream)}. */
    public <T extends S> CountingBloomFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    <T extends S> CountingBloomFilter<T> read(FilterReader reader) throws IOException {
      FlatShape shape = readShape(reader, KIND.variant());
      CountingBloomFilter<T> filter = filter(shape, readCounters(reader, shape));
      filter.setElementsAsRead(reader, reader.elementCount(), shape.hashes());
      filter.setPlan(reader.plan());
      return filter;
    }

    private <T extends S> CountingBloomFilter<T> filter(FlatShape shape, CounterArray counters) {
      return new CountingBloomFilter<>(
          strategy, strategyIdentity, shape, options.isConcurrent(), counters);
    }
  }
}
