package io.bloomkit.scalable;

import io.bloomkit.DeletableFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterReader;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A Bloom filter that grows and from which elements can be removed. Its number of elements need not
 * be known, and its false-positive rate is bounded however large it grows (P. Almeida et al.,
 * <i>Scalable Bloom filters</i>, 2007).
 *
 * <pre>{@code
 * ScalableCountingBloomFilter<String> sessions =
 *     ScalableCountingBloomFilter.create(HashStrategies.utf8(), 10_000, 0.01);
 * sessions.add("alice");
 * sessions.remove("alice");
 * }</pre>
 *
 * <p><b>Layers.</b> The filter is a sequence of layers, which are {@linkplain CountingBloomFilter
 * counting filters} or {@linkplain Builder#blocked() blocked} ones. A query is positive if it is
 * positive in any layer. When the newest layer is full, a larger layer with a lower rate follows.
 * An element is added to the oldest layer in which its query is positive, or to the newest layer if
 * there is none. It is removed from the oldest layer that can remove it. As long as only inserted
 * elements are removed, each removal goes to the layer that holds the element. So elements are
 * counted exactly, and removals have no effect on other elements.
 *
 * <p><b>Remove only what was added.</b> The filter cannot recognize a false positive. Its removal
 * usually succeeds and takes counts from other elements, which may become false negatives. A layer
 * may then never become empty. The removal of a negative element returns false and changes nothing.
 *
 * <p><b>Memory.</b> A layer is dropped when its last element is removed, so a few old elements may
 * keep large layers. An empty filter takes as much memory as a new one. A filter takes four times
 * as much as a {@link ScalableBloomFilter} of equal size, or more with blocked layers. {@link
 * Builder#memoryBytes Builder.memoryBytes} returns the number of bytes.
 *
 * <p><b>When to choose another.</b> If the largest number of elements is known, use a {@link
 * CountingBloomFilter}. In this filter, insertions and queries of absent elements read every layer.
 *
 * <p>Methods except {@code equals} throw {@link NullPointerException} if an argument is null.
 *
 * <p><b>Threads.</b> Requires external synchronization unless built {@linkplain
 * Builder#concurrent() concurrent}; several threads may query it while no thread writes. A
 * concurrent filter accepts insertions, removals, counts, queries, {@link #clear} and {@link #copy}
 * from any number of threads. A query takes no lock. All others take one lock. If every removal is
 * of an element whose insertion happened before it, and each insertion is removed at most once:
 *
 * <ol>
 *   <li>A query returns true if the insertions of its element that happened before the query
 *       outnumber the removals of that element that have begun, and no {@code clear} has begun
 *       since these insertions.
 *   <li>Insertions, removals, counts and {@code clear} are linearizable: their results are those of
 *       some sequential order. So of several threads that insert the same new element, exactly one
 *       gets true, unless the element is a false positive.
 *   <li>A removal that returns false, an insertion that throws, and a refused {@link #addHashes}
 *       have no effect that another thread can see.
 * </ol>
 *
 * <p>Queries are not linearizable: a query may see some counters of an element changed and others
 * not yet. So the query of an absent element may be positive while other threads write, although it
 * is negative before and after. Fill and rates are approximate while other threads write.
 *
 * <p>{@link #contents}, writing to a file, {@link #equals} and {@link #hashCode} must not run
 * concurrently with writers; a happens-before edge from earlier writes is required. To write a file
 * while other threads update the filter, write a {@link #copy}.
 *
 * @param <T> the type of the elements
 */
public final class ScalableCountingBloomFilter<T> extends GrowingFilter<T>
    implements DeletableFilter<T> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND = new ScalableCountingKind();

  private final CountingLayers<T> row;

  ScalableCountingBloomFilter(
      HashStrategy<? super T> strategy, GrowthPlan plan, CountingLayers<T> row) {
    super(strategy, plan);
    this.row = row;
  }

  /** Equivalent to {@code builder(strategy).expecting(initialCapacity, fpp).build()}. */
  public static <T> ScalableCountingBloomFilter<T> create(
      HashStrategy<? super T> strategy, long initialCapacity, double fpp) {
    return ScalableCountingBloomFilter.builder(strategy).expecting(initialCapacity, fpp).build();
  }

  /** Returns a builder, for options beyond those of {@code create}. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a filter that is not concurrent; see {@link Builder#readFrom(InputStream)}. */
  public static <T> ScalableCountingBloomFilter<T> readFrom(
      InputStream in, HashStrategy<? super T> strategy) throws IOException {
    return ScalableCountingBloomFilter.builder(strategy).readFrom(in);
  }

  /** Reads a filter that is not concurrent; see {@link Builder#readFrom(Path)}. */
  public static <T> ScalableCountingBloomFilter<T> readFrom(
      Path file, HashStrategy<? super T> strategy) throws IOException {
    return ScalableCountingBloomFilter.builder(strategy).readFrom(file);
  }

  /** Reads a filter that is not concurrent; see {@link Builder#fromBytes(byte[])}. */
  public static <T> ScalableCountingBloomFilter<T> fromBytes(
      byte[] bytes, HashStrategy<? super T> strategy) throws FilterFormatException {
    return ScalableCountingBloomFilter.builder(strategy).fromBytes(bytes);
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(hashOf(element));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return row.contains(hash);
  }

  /**
   * Adds an element, to a new layer if the newest is full.
   *
   * @return true exactly if the element was certainly absent before
   * @throws NullPointerException if the element is null
   * @throws IllegalStateException if another layer is needed but cannot be created, as described at
   *     {@link ScalableBloomFilter#add}; nothing is changed. Removing elements may help.
   */
  @Override
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  @Override
  public boolean addHash(long hash) {
    return row.add(hash);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException as for {@link #add}; no hash is added
   */
  @Override
  public long addHashes(long[] hashes, int offset, int length) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromIndexSize(offset, length, hashes.length);
    return row.addAll(hashes, offset, length);
  }

  @Override
  public boolean remove(T element) {
    return removeHash(hashOf(element));
  }

  @Override
  public boolean removeHash(long hash) {
    return row.remove(hash);
  }

  /**
   * Returns the number of insertions of an element minus its removals, or more if other elements
   * share all its counters. Returns more than 0 for a false positive.
   *
   * @throws NullPointerException if the element is null
   */
  @Override
  public long count(T element) {
    return countHash(hashOf(element));
  }

  @Override
  public long countHash(long hash) {
    return row.count(hash);
  }

  @Override
  public boolean isConcurrent() {
    return row.isConcurrent();
  }

  /** Removes all elements, and all layers except the first. */
  @Override
  public void clear() {
    row.clear();
  }

  /**
   * Returns an independent filter with the same contents, concurrent if this one is. It may take
   * less memory than this filter, which can keep an empty layer for reuse.
   */
  public ScalableCountingBloomFilter<T> copy() {
    return new ScalableCountingBloomFilter<>(strategy, plan, row.copy());
  }

  /**
   * Returns the number of elements, repeats included: insertions minus successful removals.
   *
   * @return the count, or empty if the filter was read from a file without the count
   */
  @Override
  public OptionalLong elementCount() {
    long elements = row.elements();
    return elements >= 0 ? OptionalLong.of(elements) : OptionalLong.empty();
  }

  @Override
  public FilterContents contents() {
    return ScalableCountingFile.contents(this, row);
  }

  @Override
  List<CountingLayer<T>> layers() {
    return Arrays.asList(row.inUse());
  }

  @Override
  public long headroom() {
    return row.room();
  }

  @Override
  long reservedBytes() {
    return row.reservedBytes();
  }

  private long hashOf(T element) {
    return strategy.hash(Objects.requireNonNull(element, "element"));
  }

  /**
   * Builds filters that grow and from which elements can be removed.
   *
   * @param <S> the type that the strategy hashes; the elements may be of a subtype
   */
  public static final class Builder<S> extends GrowingFilterBuilder<S, Builder<S>> {

    private boolean concurrent;

    private Builder(HashStrategy<S> strategy) {
      super(strategy, LayerKind.COUNTING);
    }

    /** Makes the filter concurrent; see the class comment. Returns this builder. */
    public Builder<S> concurrent() {
      concurrent = true;
      return this;
    }

    /**
     * Returns an empty filter.
     *
     * @throws IllegalStateException if no size was given
     * @throws IllegalArgumentException if the first layer cannot be built; see the package comment
     */
    public <T extends S> ScalableCountingBloomFilter<T> build() {
      CountingLayers<T> row = CountingLayers.of(strategy, requirePlan(), concurrent);
      return new ScalableCountingBloomFilter<>(strategy, plan, row);
    }

    /**
     * Reads a filter, which grows and shrinks as the written filter would; {@link
     * io.bloomkit.scalable} has the details.
     *
     * @param in not closed; needs no buffering
     * @throws FilterFormatException if damaged, truncated, or of another kind, strategy or size
     * @throws IOException if the stream fails
     */
    public <T extends S> ScalableCountingBloomFilter<T> readFrom(InputStream in)
        throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /** Reads a filter from a file with nothing else in it, like {@link #readFrom(InputStream)}. */
    public <T extends S> ScalableCountingBloomFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /** Reads a filter from bytes that contain nothing else, like {@link #readFrom(InputStream)}. */
    public <T extends S> ScalableCountingBloomFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    private <T extends S> ScalableCountingBloomFilter<T> read(FilterReader reader)
        throws IOException {
      return ScalableCountingFile.read(reader, strategy, expectedPlan(), concurrent);
    }
  }
}
