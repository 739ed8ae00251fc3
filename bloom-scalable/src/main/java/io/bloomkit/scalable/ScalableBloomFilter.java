package io.bloomkit.scalable;

import io.bloomkit.InsertableFilter;
import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
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
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that grows: it takes any number of elements and never exceeds its false-positive
 * probability (P. Almeida, C. Baquero, N. Preguiça, D. Hutchison, <i>Scalable Bloom filters</i>,
 * 2007).
 *
 * <p>It is a sequence of {@linkplain ClassicBloomFilter classic filters}, or of {@linkplain
 * Builder#blocked() blocked} ones. Elements are added to the newest layer only. When its fill
 * reaches its part of the false-positive probability, a larger and stricter layer follows. An
 * element is not added again if a query of any layer is positive. The parts form a geometric series
 * whose sum is the probability of the whole filter, so the bound holds at every moment and for
 * every number of layers.
 *
 * <pre>{@code
 * ScalableBloomFilter<String> urls =
 *     ScalableBloomFilter.create(HashStrategies.utf8(), 10_000, 0.01);
 * }</pre>
 *
 * <p>If the number of elements is known, use a {@link ClassicBloomFilter}. Grown from
 * 10<sup>4</sup> to 10<sup>7</sup> elements at 1 %, this filter takes 14 to 16 bits per element
 * when its newest layer is full and 30 to 41 when that has just begun, instead of 9.6; and a query
 * of an absent element reads every layer. The hash is computed once for all layers. A {@linkplain
 * Builder#growthFactor growth factor} of 4 makes six layers in place of ten, queries take two
 * thirds of the time, and the filter takes 14 to 15 bits per element when its newest layer is full
 * but 60 when that has just begun. Blocked layers are larger by an eighth for the first layer of a
 * filter made for 1 %, by a fifth for its tenth: layers are stricter than the filter as a whole,
 * and strict blocked filters are large.
 *
 * <p><b>Threads.</b> Queries may run concurrently with each other, and must not run concurrently
 * with writers; a happens-before edge from earlier writes is required. Built {@linkplain
 * Builder#concurrent() concurrent}, {@code add} and queries are thread-safe and lock-free, except
 * that a thread which finds the newest layer full makes the next one under a lock; only threads
 * that would add to the full layer wait for it. Then (1) a query is positive if an addition of the
 * element happened before it, also while a layer is made; (2) of several threads that first add an
 * element at the same time at least one gets true, unless it is then a false positive, and several
 * may; (3) the bound on the false-positive probability holds while up to {@value
 * #MAX_ADDITIONS_AT_ONCE} threads add at the same time, for which each layer has room. {@code
 * clear}, {@code copy} and writing must not run concurrently with writers; a happens-before edge
 * from earlier writes is required.
 *
 * @param <T> the type of the elements
 */
public final class ScalableBloomFilter<T> extends GrowingFilter<T> implements InsertableFilter<T> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND = new ScalableKind();

  static final int MAX_ADDITIONS_AT_ONCE = 256;

  /** The additions at once of the file that this filter was read from; else those of the plan. */
  final int writtenAdditionsAtOnce;

  private final boolean concurrent;

  /** Held to make a layer. */
  private final Object growing = new Object();

  /**
   * From the oldest to the newest, which alone takes elements. A published array is never written
   * again, so its reader sees complete layers.
   */
  private volatile BitLayer<T>[] layers;

  /** Insertion count of a concurrent filter; null otherwise. */
  private final @Nullable LongAdder sharedAdditions;

  private long additions;

  ScalableBloomFilter(HashStrategy<? super T> strategy, GrowthPlan plan, boolean concurrent) {
    this(
        strategy,
        plan,
        plan.additionsAtOnce(),
        concurrent,
        rowOf(BitLayer.of(strategy, plan.layer(0), concurrent)),
        OptionalLong.of(0));
  }

  /** A filter with given layers. */
  ScalableBloomFilter(
      HashStrategy<? super T> strategy,
      GrowthPlan plan,
      int writtenAdditionsAtOnce,
      boolean concurrent,
      BitLayer<T>[] layers,
      OptionalLong additions) {
    super(strategy, plan);
    this.writtenAdditionsAtOnce = writtenAdditionsAtOnce;
    this.concurrent = concurrent;
    this.sharedAdditions = concurrent ? new LongAdder() : null;
    this.layers = layers;
    countAdditions(additions.orElse(UNKNOWN));
  }

  private static <T> BitLayer<T>[] rowOf(BitLayer<T> layer) {
    BitLayer<T>[] row = BitLayer.newArray(1);
    row[0] = layer;
    return row;
  }

  /** Returns an empty filter that doubles with every layer; see {@link Builder#expecting}. */
  public static <T> ScalableBloomFilter<T> create(
      HashStrategy<? super T> strategy, long initialCapacity, double fpp) {
    return ScalableBloomFilter.builder(strategy).expecting(initialCapacity, fpp).build();
  }

  /** Returns a builder; throws {@link NullPointerException} if the strategy is null. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a single-writer filter; see {@link Builder#readFrom(InputStream)}. */
  public static <T> ScalableBloomFilter<T> readFrom(
      InputStream in, HashStrategy<? super T> strategy) throws IOException {
    return ScalableBloomFilter.builder(strategy).readFrom(in);
  }

  /** Reads a single-writer filter; see {@link Builder#readFrom(Path)}. */
  public static <T> ScalableBloomFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return ScalableBloomFilter.builder(strategy).readFrom(file);
  }

  /** Reads a single-writer filter; see {@link Builder#fromBytes(byte[])}. */
  public static <T> ScalableBloomFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    return ScalableBloomFilter.builder(strategy).fromBytes(bytes);
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(hashOf(element));
  }

  @Override
  public boolean mightContainHash(long hash) {
    BitLayer<T>[] row = layers;
    // Newest first: it is the largest, so it holds most of what is there.
    return anyContains(row, row.length - 1, hash);
  }

  /** Whether a layer from an index down to the oldest may contain a hash. */
  private static <T> boolean anyContains(BitLayer<T>[] row, int newest, long hash) {
    for (int i = newest; i >= 0; i--) {
      if (row[i].filter.mightContainHash(hash)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Adds an element, to a new layer if the newest is full.
   *
   * @return true exactly if the element was certainly absent before
   * @throws NullPointerException if the element is null
   * @throws IllegalStateException if another layer is needed but would have to be stricter than
   *     64-bit hashes allow: after billions of elements, sooner if the first layer is very small
   *     and {@code fpp} or the tightening ratio very low; or if there would be more than a thousand
   *     layers, as with a growth factor of 1 and a tightening ratio near 1
   */
  @Override
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  @Override
  public boolean addHash(long hash) {
    boolean added = addToLayers(hash);
    countAdditions(1);
    return added;
  }

  private boolean addToLayers(long hash) {
    while (true) {
      BitLayer<T>[] row = layers;
      int newest = row.length - 1;
      if (anyContains(row, newest - 1, hash)) {
        return false;
      }
      BitLayer<T> layer = row[newest];
      // Others may fill it from here on: the plan leaves room for that.
      if (!layer.isFull()) {
        return layer.addHash(hash);
      }
      if (layer.filter.mightContainHash(hash)) {
        return false;
      }
      growBeyond(row);
    }
  }

  /** Adds a layer, unless another thread has. */
  private void growBeyond(BitLayer<T>[] full) {
    synchronized (growing) {
      if (layers == full) {
        BitLayer<T>[] row = Arrays.copyOf(full, full.length + 1);
        row[full.length] = BitLayer.of(strategy, plan.layer(full.length), concurrent);
        layers = row;
      }
    }
  }

  /**
   * Adds many hashes, or none: see {@link InsertableFilter#addHashes(long[], int, int)}.
   *
   * @throws IllegalStateException as {@link #add}; nothing has been added then, unless other
   *     threads were adding to a concurrent filter and took the last room
   */
  @Override
  public long addHashes(long[] hashes, int offset, int length) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromIndexSize(offset, length, hashes.length);
    if (!hasRoomFor(length)) { // then it may be unable to grow on the way: a copy tries first
      ScalableBloomFilter<T> copy = copy();
      for (int i = offset; i < offset + length; i++) {
        copy.addHash(hashes[i]);
      }
    }
    return InsertableFilter.super.addHashes(hashes, offset, length);
  }

  /** Whether all layers that can be planned have room for a number of arbitrary elements. */
  private boolean hasRoomFor(long elements) {
    BitLayer<T>[] row = layers;
    return plan.hasRoomFrom(row.length, elements - row[row.length - 1].room());
  }

  private long additions() {
    return sharedAdditions == null ? additions : sharedAdditions.sum();
  }

  private void countAdditions(long more) {
    if (sharedAdditions == null) {
      additions += more;
    } else {
      sharedAdditions.add(more);
    }
  }

  @Override
  public boolean isConcurrent() {
    return concurrent;
  }

  /** Removes all elements, and all layers except the first. */
  @Override
  public void clear() {
    BitLayer<T> first = layers[0];
    first.clear();
    layers = rowOf(first);
    countAdditions(-additions());
  }

  /** Returns an independent filter with the same contents, concurrent if this one is. */
  public ScalableBloomFilter<T> copy() {
    BitLayer<T>[] row = layers.clone();
    for (int i = 0; i < row.length; i++) {
      row[i] = row[i].copy();
    }
    return new ScalableBloomFilter<>(
        strategy, plan, writtenAdditionsAtOnce, concurrent, row, elementCount());
  }

  /**
   * Returns the number of additions since the filter was made or cleared, repeats included; empty
   * if it was read from a file without that number.
   */
  @Override
  public OptionalLong elementCount() {
    long count = additions();
    return count >= 0 ? OptionalLong.of(count) : OptionalLong.empty();
  }

  @Override
  public FilterContents contents() {
    return ScalableFile.contents(this);
  }

  /** Returns the shapes of all layers, from the oldest to the newest. */
  public List<Shape> layerShapes() {
    return layers().stream().map(layer -> layer.plan.shape()).toList();
  }

  @Override
  List<BitLayer<T>> layers() {
    return Arrays.asList(layers);
  }

  @Override
  long reservedBytes() {
    return 0;
  }

  private long hashOf(T element) {
    return strategy.hash(Objects.requireNonNull(element, "element"));
  }

  /**
   * Builds scalable filters.
   *
   * @param <S> the type that the strategy takes; the filters may be of a subtype
   */
  public static final class Builder<S> extends GrowingFilterBuilder<S, Builder<S>> {

    private boolean concurrent;

    private Builder(HashStrategy<S> strategy) {
      super(strategy, LayerKind.CLASSIC);
    }

    /** Makes {@code add} and queries thread-safe; see the class comment. */
    public Builder<S> concurrent() {
      plan = plan.withAdditionsAtOnce(MAX_ADDITIONS_AT_ONCE);
      concurrent = true;
      return this;
    }

    /**
     * Returns an empty filter.
     *
     * @throws IllegalStateException if no size was given
     * @throws IllegalArgumentException if the first layer would be larger than one array
     */
    public <T extends S> ScalableBloomFilter<T> build() {
      return new ScalableBloomFilter<>(strategy, requirePlan(), concurrent);
    }

    /**
     * Reads a filter, which grows as the written one. If a size was given, the written filter must
     * have it, and the kind of layers, growth factor and tightening ratio of this builder. In a
     * {@link #concurrent()} filter, layers of a single-writer one are full a little earlier.
     *
     * @param in read as by {@link FilterReader#readFrom(InputStream, FilterReader.Body)}
     * @throws FilterFormatException if damaged, truncated, or of another kind, strategy or size
     * @throws IOException if the stream fails
     */
    public <T extends S> ScalableBloomFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /** Reads a filter from a file that holds nothing else; see {@link #readFrom(InputStream)}. */
    public <T extends S> ScalableBloomFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /** Reads a filter from bytes that are nothing else; see {@link #readFrom(InputStream)}. */
    public <T extends S> ScalableBloomFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    private <T extends S> ScalableBloomFilter<T> read(FilterReader reader) throws IOException {
      return ScalableFile.read(reader, strategy, expectedPlan(), concurrent);
    }
  }
}
