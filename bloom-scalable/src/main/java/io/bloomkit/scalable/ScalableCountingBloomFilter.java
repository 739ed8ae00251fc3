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
 * A Bloom filter that grows and from which elements can be removed: it takes any number of
 * elements, removes any of them without harm to the others, and never exceeds its false-positive
 * probability; with blocked layers, in all but a few of 10,000 layers.
 *
 * <p>It is a sequence of {@linkplain CountingBloomFilter counting filters}, or of {@linkplain
 * Builder#blocked() blocked} ones, sized as in a {@link ScalableBloomFilter} (P. Almeida et al.,
 * <i>Scalable Bloom filters</i>, 2007). The newest layer is <i>active</i>. When the fill of the
 * active layer has used up its part of the false-positive probability, a larger and stricter one
 * follows, and the layer is <i>sealed</i> until every newer one is empty. A layer <i>matches</i> an
 * element if its own query is positive.
 *
 * <p><b>The oldest-layer rule.</b> An element is added to the oldest layer that matches it, else to
 * the active one. It is removed from the oldest layer that can remove it, which for a stored
 * element is the oldest that matches it. The rule makes removals exact. Proof:
 *
 * <ol>
 *   <li>Let x be added to layer L: no layer older than L matches it then, and all of them are
 *       sealed.
 *   <li>They stay sealed while L is not empty, thus as long as x is in L.
 *   <li>A sealed layer only receives elements that it matches already: its set of non-zero counters
 *       never grows. An element that it does not match it never will match, so no layer older than
 *       L comes to match x.
 *   <li>L matches x as long as it holds x: so L is the oldest layer that matches x, and every
 *       further copy and every removal of x goes to L, however often and in whatever order.
 *   <li>So each layer sees all additions and removals of the elements it holds and is an exact
 *       multiset.
 * </ol>
 *
 * <p>Removal from the newest layer that matches an element, as in other filters, is not exact: a
 * younger layer may come to match it by a false positive, and then loses counts of its own.
 *
 * <pre>{@code
 * ScalableCountingBloomFilter<String> sessions =
 *     ScalableCountingBloomFilter.create(HashStrategies.utf8(), 10_000, 0.01);
 * sessions.add("alice");
 * sessions.remove("alice");
 * }</pre>
 *
 * <p><b>False positives.</b> Layer i has at most the part P₀·rⁱ of the probability, with P₀ =
 * fpp·(1 − r), at every moment. No two layers have the same i, so the sum is below fpp whichever
 * layers there are. A layer that becomes empty is dropped and its i can be reused.
 *
 * <p><b>Memory.</b> A layer becomes empty when its last element is removed, not before: a few
 * long-lived elements may keep large layers. A filter that has become empty takes as much memory as
 * a new one. A layer is made only when the one before it was filled, so the largest layer exceeds
 * the most elements that were stored at once by at most the growth factor. Standard layers take
 * four times the memory of a {@link ScalableBloomFilter}. {@linkplain Builder#blocked() Blocked}
 * layers take more, since strict blocks of counters are large: grown from 10<sup>4</sup> to
 * 10<sup>7</sup> elements, the newest layer just full, 15 bytes per element at 1 % (standard
 * layers: 8), 30 (11) at 0.1 % and 64 (13) at 0.01 %. From 2.3 · 10<sup>-5</sup> down, at the
 * default tightening ratio, blocked layers would take more than a cache line per element and are
 * refused.
 *
 * <p><b>Remove only elements that were added.</b> Removing an absent element changes nothing,
 * unless it is a false positive: its removal takes counts from others, which may become false
 * negatives. The remaining counts of those cannot be removed, so their layer is dropped only by
 * {@link #clear}.
 *
 * <p>If the largest number of elements is known, use a {@link CountingBloomFilter}. Additions and
 * queries of absent elements read every layer, about two counters each. The hash is computed once.
 *
 * <p><b>Threads.</b> Queries may run concurrently with each other, and must not run concurrently
 * with writers; a happens-before edge from earlier writes is required. Built {@linkplain
 * Builder#concurrent() concurrent}, the filter takes insertions, removals, queries and {@link
 * #clear} from any number of threads. Updates and {@link #count} exclude each other; a query takes
 * no lock and never waits, also while a layer is made or dropped. Provided that every removal has
 * an insertion of its own that happened before it:
 *
 * <ol>
 *   <li>If the insertions of an element that happened before a query outnumber its removals that
 *       have begun, and no {@code clear} has begun since, the query is positive.
 *   <li>Updates and counts are linearizable: their results, and the contents, are those of the
 *       single-writer form if it executed them one after the other. So of several first insertions
 *       of an element exactly one returns true, unless it is a false positive.
 *   <li>A removal that returns false, or an insertion that throws, was never visible, and neither
 *       was a part of a refused {@link #addHashes}.
 * </ol>
 *
 * <p>Queries are not linearizable: a query that runs during updates may see some counters of their
 * elements before others, so an absent element may then be positive although it is no false
 * positive before or after them. Fill, counts and rates are approximate while others write. {@link
 * #copy} may run at any time and is a snapshot between two updates. {@link #contents}, writing,
 * {@link #equals} and {@link #hashCode} must not run concurrently with writers; a happens-before
 * edge from earlier writes is required. To write while others update, write a copy.
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

  /** Returns an empty filter that doubles with every layer; see {@link Builder#expecting}. */
  public static <T> ScalableCountingBloomFilter<T> create(
      HashStrategy<? super T> strategy, long initialCapacity, double fpp) {
    return ScalableCountingBloomFilter.builder(strategy).expecting(initialCapacity, fpp).build();
  }

  /** Returns a builder; throws {@link NullPointerException} if the strategy is null. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads for one writer; for many, {@code builder(strategy).concurrent().readFrom(in)}. */
  public static <T> ScalableCountingBloomFilter<T> readFrom(
      InputStream in, HashStrategy<? super T> strategy) throws IOException {
    return ScalableCountingBloomFilter.builder(strategy).readFrom(in);
  }

  /** Reads for one writer; for many, {@code builder(strategy).concurrent().readFrom(file)}. */
  public static <T> ScalableCountingBloomFilter<T> readFrom(
      Path file, HashStrategy<? super T> strategy) throws IOException {
    return ScalableCountingBloomFilter.builder(strategy).readFrom(file);
  }

  /** Reads for one writer; for many, {@code builder(strategy).concurrent().fromBytes(bytes)}. */
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
   * Adds an element, to a new layer if the active one is full.
   *
   * @return true exactly if the element was certainly absent before
   * @throws NullPointerException if the element is null
   * @throws IllegalStateException if another layer is needed but would have to be stricter than
   *     64-bit hashes allow, or would be one of more than a thousand, see {@link
   *     ScalableBloomFilter#add}; nothing has changed then, and elements can be added again when
   *     others were removed
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
   * Adds many hashes, or none: see {@link DeletableFilter#addHashes(long[], int, int)}.
   *
   * @throws IllegalStateException as {@link #add}; nothing has been added then
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
   * Returns the number of stored occurrences of an element, and more if others share all its
   * positions in its layer, or if it is a false positive.
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
   * Returns an independent filter with the same contents, concurrent if this one is. Of the empty
   * layers kept to reuse it has the first only: it may take less memory, and its next growth may
   * have to make a layer.
   */
  public ScalableCountingBloomFilter<T> copy() {
    return new ScalableCountingBloomFilter<>(strategy, plan, row.copy());
  }

  /**
   * Returns the number of stored occurrences of elements: additions less successful removals.
   *
   * @return the count, or empty if the file that the filter was read from does not say it
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
   * Builds scalable counting filters.
   *
   * @param <S> the type that the strategy takes; the filters may be of a subtype
   */
  public static final class Builder<S> extends GrowingFilterBuilder<S, Builder<S>> {

    private boolean concurrent;

    private Builder(HashStrategy<S> strategy) {
      super(strategy, LayerKind.COUNTING);
    }

    /** Makes the filter thread-safe; see the class comment. */
    public Builder<S> concurrent() {
      concurrent = true;
      return this;
    }

    /**
     * Returns an empty filter.
     *
     * @throws IllegalStateException if no size was given
     * @throws IllegalArgumentException if the first layer would be larger than one array, stricter
     *     than 64-bit hashes allow, or blocked and larger than a cache line for each element
     */
    public <T extends S> ScalableCountingBloomFilter<T> build() {
      CountingLayers<T> row = CountingLayers.of(strategy, requirePlan(), concurrent);
      return new ScalableCountingBloomFilter<>(strategy, plan, row);
    }

    /**
     * Reads a filter; it grows and shrinks on as the written one. If a size was given, the written
     * filter must have it, and the kind of layers, growth factor and tightening ratio of this
     * builder.
     *
     * @param in read as by {@link FilterReader#readFrom(InputStream, FilterReader.Body)}
     * @throws FilterFormatException if damaged, truncated, or of another kind, strategy or size
     * @throws IOException if the stream fails
     */
    public <T extends S> ScalableCountingBloomFilter<T> readFrom(InputStream in)
        throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /** Reads a filter from a file that holds nothing else; see {@link #readFrom(InputStream)}. */
    public <T extends S> ScalableCountingBloomFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /** Reads a filter from bytes that are nothing else; see {@link #readFrom(InputStream)}. */
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
