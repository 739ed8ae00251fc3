package io.bloomkit.counting;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.MergeableFilter;
import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.filter.ElementCount;
import io.bloomkit.internal.filter.FilterState;
import io.bloomkit.internal.filter.TypedKind;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.Variant;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
 * bits per element, four times as much as a {@link ClassicBloomFilter}. A {@link
 * io.bloomkit.cuckoo.CuckooFilter} takes 10.5 bits but has a fixed capacity. In this filter, an
 * operation on a stored element touches up to one cache line per hash, 7 lines at 1 %. A {@link
 * BlockedCountingBloomFilter} touches one line per operation and takes 47 bits per element. To send
 * the set to readers that only query it, use {@link #toClassic()}.
 *
 * <p><b>Exact counts (also above 15), removal, threads, null.</b> See {@link CounterFilter}.
 * Insertions, removals and queries are thread-safe if {@link Builder#concurrent()} was called.
 *
 * @param <T> the type of the elements
 */
public final class CountingBloomFilter<T> extends CounterFilter<T>
    implements MergeableFilter<CountingBloomFilter<?>> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND =
      new TypedKind<CountingBloomFilter<Object>>(
              Variant.COUNTING,
              "counting",
              CountingBloomFilter.class,
              Set.of(FilterKind.Trait.CONCURRENT, FilterKind.Trait.COMPARABLE),
              (n, fpp) ->
                  CountingBloomFilter.builder(HashStrategies.bytes()).expecting(n, fpp).layout(),
              CounterFilter::layout,
              CountingBloomFilter::create,
              CountingBloomFilter::read)
          .subtracting(CountingBloomFilter::subtract)
          .converting(ClassicBloomFilter.class, CountingBloomFilter::toClassic);

  /** Hashes whose counters are read ahead: at 1 %, 224 reads, more than a core overlaps. */
  private static final int BATCH = 32;

  private final FlatShape shape;
  private final long positions;
  private final int hashes;

  /**
   * The element count of a concurrent filter; null otherwise. The compiler makes faster queries of
   * a null check than of a boolean.
   */
  private final @Nullable ElementCount concurrentCount;

  CountingBloomFilter(FilterState<T> state, FlatShape shape, CounterArray counters) {
    super(state, counters, counters);
    this.shape = shape;
    this.positions = shape.positions();
    this.hashes = shape.hashes();
    this.concurrentCount = isConcurrent() ? elements : null;
  }

  /**
   * Returns an empty filter of the shape that {@link Shape#of} computes.
   *
   * @param expectedInsertions the largest number of distinct elements in the filter at any one
   *     time, at least 0; 0, for an empty set, is planned as 1. With more elements, the
   *     false-positive rate exceeds {@code fpp}.
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

  private static <T> CountingBloomFilter<T> read(
      FilterReader reader, HashStrategy<? super T> strategy) throws IOException {
    return (CountingBloomFilter<T>) CountingBloomFilter.builder(strategy).<T>read(reader);
  }

  // Here and not in the base class: otherwise, List.of(flat, blocked) does not compile.
  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(hashOf(element));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return concurrentCount == null
        ? FlatCounters.contains(counters, positions, hashes, hash)
        : FlatCounters.containsShared(counters, positions, hashes, hash);
  }

  @Override
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  @Override
  public boolean addHash(long hash) {
    return concurrentCount == null ? addPlain(hash) : addShared(hash, concurrentCount);
  }

  private boolean addPlain(long hash) {
    boolean added = FlatCounters.increment(counters, positions, hashes, hash);
    elements.addPlain(1);
    return added;
  }

  private boolean addShared(long hash, ElementCount elementCount) {
    awaitOpenGate();
    elementCount.add(1); // before the counters, as SnapshotGate requires
    try {
      return FlatCounters.incrementShared(counters, positions, hashes, hash);
    } catch (Throwable e) { // a full stack as well
      elementCount.add(-1);
      throw e;
    }
  }

  @Override
  public boolean remove(T element) {
    return removeHash(hashOf(element));
  }

  @Override
  public boolean removeHash(long hash) {
    return concurrentCount == null ? removePlain(hash) : removeShared(hash, concurrentCount);
  }

  private boolean removePlain(long hash) {
    if (!FlatCounters.decrement(counters, positions, hashes, hash)) {
      return false;
    }
    elements.addPlain(-1);
    return true;
  }

  private boolean removeShared(long hash, ElementCount elementCount) {
    return FlatCounters.decrementShared(counters, positions, hashes, hash, gate(), elementCount);
  }

  @Override
  boolean addToCounters(long hash, long copies) {
    return FlatCounters.addShared(counters, positions, hashes, hash, copies);
  }

  @Override
  boolean subtractFromCounters(long hash, long copies) {
    return FlatCounters.subtractLocked(counters, positions, hashes, hash, copies);
  }

  @Override
  Object removalLock(long hash) {
    return counters;
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
    return FlatCounters.min(counters, positions, hashes, hash);
  }

  /**
   * Adds the elements of another filter, each as often as that filter contains it. This filter then
   * equals one to which the elements of both were added. A filter may be merged with itself.
   *
   * @throws IllegalArgumentException if the filters are not {@linkplain #isCompatible compatible},
   *     or a {@linkplain CounterFilter counter} would exceed 2<sup>62</sup>; nothing is changed
   */
  @Override
  public void merge(CountingBloomFilter<?> other) {
    mergeCounters(other);
  }

  /**
   * Removes the elements of another filter, each as often as that filter contains it. If this
   * filter contained all of them, it then equals a filter to which only the rest was added.
   *
   * @throws IllegalArgumentException if the filters are not {@linkplain #isCompatible compatible},
   *     or a counter would fall below zero; nothing is changed
   */
  public void subtract(CountingBloomFilter<?> other) {
    subtractCounters(other);
  }

  /**
   * Returns an independent filter with the same contents, concurrent if this filter is. It contains
   * every update that happened before the call, and other updates as a whole or not at all.
   */
  @Override
  public CountingBloomFilter<T> copy() {
    return (CountingBloomFilter<T>) copyOfThis();
  }

  /**
   * Returns an independent filter with one bit per counter, a quarter of the size. It answers
   * queries as this filter does now, and is concurrent if this filter is. Reads all counters.
   */
  public ClassicBloomFilter<T> toClassic() {
    var builder = ClassicBloomFilter.builder(strategy).shape(shape);
    if (concurrentCount != null) {
      builder.concurrent();
    }
    plan().ifPresent(builder::plan);
    SnapshotGate.Snapshot now = snapshot();
    OptionalLong count = now.elementCount();
    long[] bits = now.counters().toBits(0);
    return count.isPresent() ? builder.buildFrom(bits, count.getAsLong()) : builder.buildFrom(bits);
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

  @Override
  public FilterEstimate estimate(int lines) {
    return FilterEstimate.ofFlat(
        positions, hashes, CounterWord.COUNTERS, w -> counters.countNonZero((int) w), lines);
  }

  /** Returns the shape: the number of counters and the number of hashes. */
  @Override
  public FlatShape shape() {
    return shape;
  }

  /** Returns shape, element count and strategy, for logs. Takes constant time. */
  @Override
  public String toString() {
    return state.toString("CountingBloomFilter", "positions=" + positions + ", hashes=" + hashes);
  }

  /** Builds filters of elements of type S or a subtype, sized by {@link Shape#of}. */
  public static final class Builder<S> extends CounterFilterBuilder<S, Builder<S>> {

    private Builder(HashStrategy<S> strategy) {
      super(strategy);
    }

    @Override
    FlatShape shapeFor(long expectedInsertions, double fpp) {
      return Shape.of(expectedInsertions, fpp);
    }

    @Override
    FlatShape readShape(FilterReader reader, StrategyIdentity strategy)
        throws FilterFormatException {
      return CounterFile.readFlat(reader, strategy);
    }

    /**
     * Sets the number of counters and the number of hashes directly. Replaces an earlier shape.
     *
     * @return this builder
     * @throws IllegalArgumentException if the filter would be larger than one array (16 GiB)
     * @throws IllegalStateException if {@link #expecting} was called
     */
    public Builder<S> shape(FlatShape shape) {
      return setShape(shape);
    }

    @Override
    public <T extends S> CountingBloomFilter<T> build() {
      return (CountingBloomFilter<T>) super.<T>build();
    }

    @Override
    public <T extends S> CountingBloomFilter<T> readFrom(InputStream in) throws IOException {
      return (CountingBloomFilter<T>) super.<T>readFrom(in);
    }

    @Override
    public <T extends S> CountingBloomFilter<T> readFrom(Path file) throws IOException {
      return (CountingBloomFilter<T>) super.<T>readFrom(file);
    }

    @Override
    public <T extends S> CountingBloomFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return (CountingBloomFilter<T>) super.<T>fromBytes(bytes);
    }
  }
}
