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
 * A Bloom filter that grows. The number of elements need not be known in advance, and the
 * false-positive rate stays below a fixed bound while the filter grows (P. Almeida, C. Baquero, N.
 * Preguiça, D. Hutchison, <i>Scalable Bloom filters</i>, 2007).
 *
 * <p>The filter is a sequence of layers. Each layer is a {@linkplain ClassicBloomFilter classic
 * filter} or, if chosen, a {@linkplain Builder#blocked() blocked filter}. A query is positive if it
 * is positive in any layer. An insertion sets bits in the newest layer, unless the element is
 * positive in an older layer. The newest layer is full when it holds about its planned number of
 * elements. The filter then adds a layer with a lower false-positive rate; by default, the new
 * layer is larger. The planned rates of the layers form a geometric series, whose sum is the bound.
 * With blocked layers, the false-positive rate may exceed the bound in rare cases; see {@link
 * Builder#blocked()}.
 *
 * <pre>{@code
 * ScalableBloomFilter<String> urls =
 *     ScalableBloomFilter.create(HashStrategies.utf8(), 10_000, 0.01);
 * }</pre>
 *
 * <p><b>When to choose another filter.</b> If the number of elements is known, use a {@link
 * ClassicBloomFilter}, which takes 9.6 bits per element at a false-positive rate of 1 %. At this
 * rate, a scalable filter that grows from ten thousand to ten million elements takes 14 to 41 bits
 * per element: 14 bits when its newest layer is full, and 41 bits when that layer is nearly empty.
 * A query of an absent element reads every layer. A larger {@linkplain Builder#growthFactor growth
 * factor} leads to fewer layers.
 *
 * <p><b>Threads.</b> Single-writer by default: access from several threads requires external
 * synchronization, unless the filter is safely published and not changed afterwards. In a filter
 * that was built {@linkplain Builder#concurrent() concurrent}, insertions and queries are
 * thread-safe. They take no lock, with one exception: an insertion that needs another layer waits
 * until that layer is created. The guarantees of a concurrent filter are:
 *
 * <ol>
 *   <li>A query returns true if an insertion of the element happened before the query.
 *   <li>If several threads add the same new element at the same time, {@code add} returns true for
 *       at least one of them, and possibly for several. If the element is a false positive, {@code
 *       add} may return false for all of them.
 *   <li>The bound on the false-positive rate holds while up to {@value #MAX_ADDITIONS_AT_ONCE}
 *       threads insert at the same time.
 * </ol>
 *
 * <p>{@code clear}, {@code copy}, comparing and writing to a file must not run concurrently with
 * writers; a happens-before edge from earlier writes is required.
 *
 * <p>Every method throws {@link NullPointerException} if an argument is null, except {@code
 * equals}.
 *
 * @param <T> the type of the elements
 */
public final class ScalableBloomFilter<T> extends GrowingFilter<T> implements InsertableFilter<T> {

  /** The descriptor of this kind of filter, for tools that work with every kind. */
  public static final FilterKind KIND = new ScalableKind();

  static final int MAX_ADDITIONS_AT_ONCE = 256;

  /** The {@code additionsAtOnce} of the file from which this filter was read, or of the plan. */
  final int writtenAdditionsAtOnce;

  private final boolean concurrent;

  /** The lock for adding a layer. */
  private final Object growing = new Object();

  /**
   * From the oldest to the newest layer; elements are added to the newest only. A published array
   * is never written again, so a thread that reads it sees complete layers.
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

  /** Creates a filter with given layers. */
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

  /** Returns an empty, single-writer filter; see {@link Builder#expecting}. */
  public static <T> ScalableBloomFilter<T> create(
      HashStrategy<? super T> strategy, long initialCapacity, double fpp) {
    return ScalableBloomFilter.builder(strategy).expecting(initialCapacity, fpp).build();
  }

  /** Returns a builder that has no size yet. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a filter; the result is single-writer. See {@link Builder#readFrom(InputStream)}. */
  public static <T> ScalableBloomFilter<T> readFrom(
      InputStream in, HashStrategy<? super T> strategy) throws IOException {
    return ScalableBloomFilter.builder(strategy).readFrom(in);
  }

  /** Reads a filter; the result is single-writer. See {@link Builder#readFrom(Path)}. */
  public static <T> ScalableBloomFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return ScalableBloomFilter.builder(strategy).readFrom(file);
  }

  /** Reads a filter; the result is single-writer. See {@link Builder#fromBytes(byte[])}. */
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
    // Newest first: the newest layer is the largest, so it holds most elements.
    return anyContains(row, row.length - 1, hash);
  }

  /** Returns whether any layer from an index down to the oldest may contain a hash. */
  private static <T> boolean anyContains(BitLayer<T>[] row, int newest, long hash) {
    for (int i = newest; i >= 0; i--) {
      if (row[i].filter.mightContainHash(hash)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Adds an element. If the newest layer is full and the query of the element is negative, the
   * element goes to a new layer.
   *
   * @return true if the element was certainly absent before; false if its query was positive
   * @throws NullPointerException if the element is null
   * @throws IllegalStateException if another layer is needed but cannot be created; nothing is
   *     changed. A layer cannot be created if it would need a lower false-positive rate than 64-bit
   *     hashes allow, or if there are 1,024 layers already. At a rate of 1 %, with the default
   *     growth factor and {@linkplain Builder#tighteningRatio tightening ratio}, this happens only
   *     after billions of elements.
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
      // Other threads may fill the layer from here on; the plan reserves room for them.
      if (!layer.isFull()) {
        return layer.addHash(hash);
      }
      if (layer.filter.mightContainHash(hash)) {
        return false;
      }
      growBeyond(row);
    }
  }

  /** Adds a layer, unless another thread has added one to these layers. */
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
   * {@inheritDoc}
   *
   * @throws IllegalStateException as for {@link #add}. No hash is added, with one exception: if
   *     other threads add to a concurrent filter at the same time, some of the hashes may have been
   *     added.
   */
  @Override
  public long addHashes(long[] hashes, int offset, int length) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromIndexSize(offset, length, hashes.length);
    if (!hasRoomFor(length)) { // growing may fail on the way, so try with a copy first
      ScalableBloomFilter<T> copy = copy();
      for (int i = offset; i < offset + length; i++) {
        copy.addHash(hashes[i]);
      }
    }
    return InsertableFilter.super.addHashes(hashes, offset, length);
  }

  /**
   * Returns whether the present and all possible further layers have room for a number of elements.
   */
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

  /** Removes all elements, and all layers except the first one. */
  @Override
  public void clear() {
    BitLayer<T> first = layers[0];
    first.clear();
    layers = rowOf(first);
    countAdditions(-additions());
  }

  /** Returns an independent filter with the same contents, concurrent if this filter is. */
  public ScalableBloomFilter<T> copy() {
    BitLayer<T>[] row = layers.clone();
    for (int i = 0; i < row.length; i++) {
      row[i] = row[i].copy();
    }
    return new ScalableBloomFilter<>(
        strategy, plan, writtenAdditionsAtOnce, concurrent, row, elementCount());
  }

  /**
   * Returns the number of insertions since the filter was created or cleared. Repeated insertions
   * of an element also count.
   *
   * @return the count, or empty if the filter was read from a file without a count
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

  /** Returns the number of bits and of hashes of each layer, from the oldest to the newest. */
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
   * Builds and reads filters. Not thread-safe.
   *
   * @param <S> the type that the strategy hashes; the elements of a filter may be of a subtype
   */
  public static final class Builder<S> extends GrowingFilterBuilder<S, Builder<S>> {

    private boolean concurrent;

    private Builder(HashStrategy<S> strategy) {
      super(strategy, LayerKind.CLASSIC);
    }

    /** Makes the filters of this builder concurrent. Returns this builder. */
    public Builder<S> concurrent() {
      plan = plan.withAdditionsAtOnce(MAX_ADDITIONS_AT_ONCE);
      concurrent = true;
      return this;
    }

    /**
     * Returns an empty filter. {@link io.bloomkit.scalable} states the limits of the first layer.
     *
     * @throws IllegalStateException if no size was given
     * @throws IllegalArgumentException if the first layer would exceed these limits
     */
    public <T extends S> ScalableBloomFilter<T> build() {
      return new ScalableBloomFilter<>(strategy, requirePlan(), concurrent);
    }

    /**
     * Reads a filter, which then grows in the same way as the written filter. If this builder is
     * concurrent but the written filter was not, layers become full slightly earlier. {@link
     * io.bloomkit.scalable} states the rules for reading.
     *
     * @param in need not be buffered; not closed
     * @throws FilterFormatException if damaged, or a filter of another kind, strategy or size
     * @throws IOException if the stream fails
     */
    public <T extends S> ScalableBloomFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /** Reads a filter from a file with nothing else in it, like {@link #readFrom(InputStream)}. */
    public <T extends S> ScalableBloomFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /** Reads a filter from bytes that contain nothing else, like {@link #readFrom(InputStream)}. */
    public <T extends S> ScalableBloomFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    private <T extends S> ScalableBloomFilter<T> read(FilterReader reader) throws IOException {
      return ScalableFile.read(reader, strategy, expectedPlan(), concurrent);
    }
  }
}
