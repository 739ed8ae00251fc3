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
 * A Bloom filter that grows and from which elements can be removed. The number of elements need not
 * be known in advance, and the false-positive rate stays below a fixed bound while the filter grows
 * (P. Almeida et al., <i>Scalable Bloom filters</i>, 2007).
 *
 * <pre>{@code
 * ScalableCountingBloomFilter<String> sessions =
 *     ScalableCountingBloomFilter.create(HashStrategies.utf8(), 10_000, 0.01);
 * sessions.add("alice");
 * sessions.remove("alice");
 * }</pre>
 *
 * <p><b>Layers.</b> The filter is a sequence of layers. Each layer is a {@linkplain
 * CountingBloomFilter counting filter} or, if chosen, a {@linkplain Builder#blocked() blocked
 * counting filter}. A query is positive if it is positive in any layer. An insertion goes to the
 * oldest layer in which the element is positive. If the element is positive in no layer, the
 * insertion goes to the newest layer, or to a new layer if the newest one is full. A layer is full
 * when it holds about its planned number of elements. The new layer is larger by default, and has a
 * lower false-positive rate. A removal goes to the oldest layer from which the element can be
 * removed. If only inserted elements are removed, each removal goes to the layer that holds the
 * element. Therefore removals do not affect other elements.
 *
 * <p><b>Remove only elements that were added.</b> The filter cannot recognize a false positive. The
 * removal of a false positive usually succeeds and decrements counters of other elements, which may
 * become false negatives. Some layers may then never become empty. The removal of a negative
 * element returns false and changes nothing.
 *
 * <p><b>Memory.</b> When the last element of a layer is removed, the layer is dropped or kept for
 * reuse. At most two empty layers are kept for reuse. A few remaining elements may keep large
 * layers in memory. When no element remains, all layers except the first one are dropped, so the
 * filter takes the memory of a new filter. The filter takes four times the memory of a {@link
 * ScalableBloomFilter} of equal capacity, and more than that with blocked layers. {@link
 * Builder#memoryBytes Builder.memoryBytes} returns the number of bytes for a number of elements.
 *
 * <p><b>When to choose another filter.</b> If the largest number of elements is known, use a {@link
 * CountingBloomFilter}. In a scalable filter, the insertion or query of an absent element reads
 * every layer.
 *
 * <p>Every method throws {@link NullPointerException} if an argument is null, except {@code
 * equals}.
 *
 * <p><b>Threads.</b> Single-writer by default: access from several threads requires external
 * synchronization, unless the filter is safely published and not changed afterwards. In a filter
 * that was built {@linkplain Builder#concurrent() concurrent}, queries, insertions, removals,
 * counts, {@link #clear} and {@link #copy} are thread-safe. Queries take no lock; all other
 * operations take the same lock. Each removal must have an insertion of its own: an insertion of
 * the same element that happened before the removal. Under this condition, the guarantees are:
 *
 * <ol>
 *   <li>Let I be the number of insertions of an element that happened before a query of the
 *       element. Let R be the number of removals of the element that began before the query ended.
 *       The query returns true if I &gt; R, unless a {@code clear} runs, even in part, between the
 *       beginning of the first of these insertions and the end of the query.
 *   <li>Insertions, removals, counts and {@code clear} are linearizable. Therefore, if several
 *       threads add the same absent element, {@code add} returns true for exactly one of them,
 *       unless the element is a false positive.
 *   <li>A removal that returns false, an insertion that throws, and an {@link #addHashes} that
 *       throws have no effect that another thread can see.
 * </ol>
 *
 * <p>Queries are not linearizable: a query may see only some of the counter changes of a concurrent
 * operation. Therefore the query of an absent element may be positive while other threads write,
 * although it is negative before and after. While other threads write, fill ratios and
 * false-positive rates are approximate.
 *
 * <p>{@link #contents}, writing to a file, {@link #equals} and {@link #hashCode} must not run
 * concurrently with writers; a happens-before edge from earlier writes is required. To write a file
 * while other threads update the filter, write a {@link #copy}.
 *
 * @param <T> the type of the elements
 */
public final class ScalableCountingBloomFilter<T> extends GrowingFilter<T>
    implements DeletableFilter<T> {

  /** The descriptor of this kind of filter, for tools that work with every kind. */
  public static final FilterKind KIND = new ScalableCountingKind();

  private final CountingLayers<T> row;

  ScalableCountingBloomFilter(
      HashStrategy<? super T> strategy, GrowthPlan plan, CountingLayers<T> row) {
    super(strategy, plan);
    this.row = row;
  }

  /** Returns an empty, single-writer filter; see {@link Builder#expecting}. */
  public static <T> ScalableCountingBloomFilter<T> create(
      HashStrategy<? super T> strategy, long initialCapacity, double fpp) {
    return ScalableCountingBloomFilter.builder(strategy).expecting(initialCapacity, fpp).build();
  }

  /** Returns a builder that has no size yet. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a filter; the result is single-writer. See {@link Builder#readFrom(InputStream)}. */
  public static <T> ScalableCountingBloomFilter<T> readFrom(
      InputStream in, HashStrategy<? super T> strategy) throws IOException {
    return ScalableCountingBloomFilter.builder(strategy).readFrom(in);
  }

  /** Reads a filter; the result is single-writer. See {@link Builder#readFrom(Path)}. */
  public static <T> ScalableCountingBloomFilter<T> readFrom(
      Path file, HashStrategy<? super T> strategy) throws IOException {
    return ScalableCountingBloomFilter.builder(strategy).readFrom(file);
  }

  /** Reads a filter; the result is single-writer. See {@link Builder#fromBytes(byte[])}. */
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
   * Adds an element. If the newest layer is full and the query of the element is negative, the
   * element goes to a new layer.
   *
   * @return true if the element was certainly absent before; false if its query was positive
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
   * Returns the number of insertions of an element minus the number of its removals. The result is
   * higher if every counter of the element is also a counter of other elements. In particular, it
   * is above 0 for a false positive.
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

  /** Removes all elements, and all layers except the first one. */
  @Override
  public void clear() {
    row.clear();
  }

  /**
   * Returns an independent filter with the same contents, concurrent if this filter is. The copy
   * may take less memory, because it keeps at most one empty layer for reuse.
   */
  public ScalableCountingBloomFilter<T> copy() {
    return new ScalableCountingBloomFilter<>(strategy, plan, row.copy());
  }

  /**
   * Returns the number of insertions minus the number of successful removals, since the filter was
   * created or cleared. Repeated insertions of an element also count.
   *
   * @return the count, or empty if the filter was read from a file without a count
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
   * Builds and reads filters. Not thread-safe.
   *
   * @param <S> the type that the strategy hashes; the elements of a filter may be of a subtype
   */
  public static final class Builder<S> extends GrowingFilterBuilder<S, Builder<S>> {

    private boolean concurrent;

    private Builder(HashStrategy<S> strategy) {
      super(strategy, LayerKind.COUNTING);
    }

    /** Makes the filters of this builder concurrent. Returns this builder. */
    public Builder<S> concurrent() {
      concurrent = true;
      return this;
    }

    /**
     * Returns an empty filter. {@link io.bloomkit.scalable} states the limits of the first layer.
     *
     * @throws IllegalStateException if no size was given
     * @throws IllegalArgumentException if the first layer would exceed these limits
     */
    public <T extends S> ScalableCountingBloomFilter<T> build() {
      CountingLayers<T> row = CountingLayers.of(strategy, requirePlan(), concurrent);
      return new ScalableCountingBloomFilter<>(strategy, plan, row);
    }

    /**
     * Reads a filter, which then grows and shrinks in the same way as the written filter. {@link
     * io.bloomkit.scalable} states the rules for reading.
     *
     * @param in need not be buffered; not closed
     * @throws FilterFormatException if damaged, or a filter of another kind, strategy or size
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
