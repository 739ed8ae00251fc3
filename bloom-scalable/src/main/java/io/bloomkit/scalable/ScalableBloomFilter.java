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
 * A Bloom filter that grows. Its number of elements need not be known, and its false-positive rate
 * has a bound however large it grows (P. Almeida, C. Baquero, N. Preguiça, D. Hutchison,
 * <i>Scalable Bloom filters</i>, 2007).
 *
 * <p>The filter is a sequence of layers, which are {@linkplain ClassicBloomFilter classic filters}
 * or {@linkplain Builder#blocked() blocked} ones. A query is positive if it is positive in any
 * layer. An element whose query is negative is added to the newest layer; other elements are not
 * added again. When the newest layer is full, a larger layer with a lower rate follows. The rates
 * of the layers form a geometric series, whose sum is the bound.
 *
 * <pre>{@code
 * ScalableBloomFilter<String> urls =
 *     ScalableBloomFilter.create(HashStrategies.utf8(), 10_000, 0.01);
 * }</pre>
 *
 * <p><b>When to choose another.</b> If the number of elements is known, use a {@link
 * ClassicBloomFilter}, which takes 9.6 bits per element at 1 %. This filter takes from 14 bits per
 * element, when its newest layer is full, to 41, when that layer is nearly empty. A query of an
 * absent element reads every layer. A larger {@linkplain Builder#growthFactor growth factor} leads
 * to fewer layers.
 *
 * <p><b>Threads.</b> A filter built without {@code concurrent()} requires external synchronization;
 * several threads may query it while no thread writes. In a filter built {@linkplain
 * Builder#concurrent() concurrent}, insertions and queries are thread-safe. They take no lock,
 * except that insertions into a full layer wait until the next layer is created.
 *
 * <ol>
 *   <li>A query is positive if an insertion of its element happened before it.
 *   <li>Of several threads that insert the same new element at the same time, at least one gets
 *       true, unless the element is a false positive. Several may get true.
 *   <li>The bound on the false-positive rate holds while up to {@value #MAX_ADDITIONS_AT_ONCE}
 *       threads insert at the same time.
 * </ol>
 *
 * <p>{@code clear}, {@code copy}, comparing and writing to a file must not run concurrently with
 * writers; a happens-before edge from earlier writes is required.
 *
 * <p>Methods except {@code equals} throw {@link NullPointerException} if an argument is null.
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

  /** Equivalent to {@code builder(strategy).expecting(initialCapacity, fpp).build()}. */
  public static <T> ScalableBloomFilter<T> create(
      HashStrategy<? super T> strategy, long initialCapacity, double fpp) {
    return ScalableBloomFilter.builder(strategy).expecting(initialCapacity, fpp).build();
  }

  /** Returns a builder, for options that {@code create} does not have. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a filter that is not concurrent; see {@link Builder#readFrom(InputStream)}. */
  public static <T> ScalableBloomFilter<T> readFrom(
      InputStream in, HashStrategy<? super T> strategy) throws IOException {
    return ScalableBloomFilter.builder(strategy).readFrom(in);
  }

  /** Reads a filter that is not concurrent; see {@link Builder#readFrom(Path)}. */
  public static <T> ScalableBloomFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return ScalableBloomFilter.builder(strategy).readFrom(file);
  }

  /** Reads a filter that is not concurrent; see {@link Builder#fromBytes(byte[])}. */
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
   * @throws IllegalStateException if another layer is needed but cannot be created, because it
   *     would need a lower false-positive rate than 64-bit hashes allow, or because there are 1,024
   *     layers already; nothing is changed. With the defaults at 1 %, this takes billions of
   *     elements.
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
   * {@inheritDoc}
   *
   * @throws IllegalStateException as for {@link #add}; no hash is added, unless other threads were
   *     adding to a concurrent filter at the same time
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
   * Returns the number of insertions since the filter was created or cleared, repeats included.
   *
   * @return the count, or empty if the filter was read from a file without it
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
   * Builds filters that grow.
   *
   * @param <S> the type that the strategy hashes; the elements may be of a subtype
   */
  public static final class Builder<S> extends GrowingFilterBuilder<S, Builder<S>> {

    private boolean concurrent;

    private Builder(HashStrategy<S> strategy) {
      super(strategy, LayerKind.CLASSIC);
    }

    /** Makes the filter concurrent; see the class comment. Returns this builder. */
    public Builder<S> concurrent() {
      plan = plan.withAdditionsAtOnce(MAX_ADDITIONS_AT_ONCE);
      concurrent = true;
      return this;
    }

    /**
     * Returns an empty filter.
     *
     * @throws IllegalStateException if no size was given
     * @throws IllegalArgumentException if the first layer cannot be built, see the package comment
     */
    public <T extends S> ScalableBloomFilter<T> build() {
      return new ScalableBloomFilter<>(strategy, requirePlan(), concurrent);
    }

    /**
     * Reads a filter, which grows as the written filter would; {@link io.bloomkit.scalable} has the
     * details. If this builder is concurrent and the written filter was not, layers are full a
     * little earlier.
     *
     * @param in not closed; needs no buffering
     * @throws FilterFormatException if damaged, truncated, or of another kind, strategy or size
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
