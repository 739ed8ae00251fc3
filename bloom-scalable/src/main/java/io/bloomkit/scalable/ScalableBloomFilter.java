package io.bloomkit.scalable;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.InsertableFilter;
import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.filter.ElementCount;
import io.bloomkit.internal.filter.TypedKind;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.Variant;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that grows. The number of elements need not be known in advance, and the
 * false-positive rate stays below a fixed bound while the filter grows (P. Almeida, C. Baquero, N.
 * Preguiça, D. Hutchison, <i>Scalable Bloom filters</i>, 2007).
 *
 * <p>The filter is a sequence of layers. Each layer is a {@linkplain ClassicBloomFilter classic
 * filter}. A query is positive if it is positive in any layer. An insertion sets bits in the newest
 * layer, unless the element is positive in an older layer. The newest layer is full when it holds
 * about its planned number of elements. The filter then adds a layer with a lower false-positive
 * rate; by default, the new layer is larger. The planned rates of the layers form a geometric
 * series, whose sum is the bound.
 *
 * <pre>{@code
 * ScalableBloomFilter<String> urls =
 *     ScalableBloomFilter.create(HashStrategies.utf8(), 10_000, 0.01);
 * }</pre>
 *
 * <p><b>When to choose another filter.</b> If the number of elements is known, use a {@link
 * ClassicBloomFilter}, which takes 9.6 bits per element at a false-positive rate of 1 %. At this
 * rate, a scalable filter that grows from ten thousand to ten million elements takes 14 to 42 bits
 * per element: fewest when its newest layer is full, most when that layer is nearly empty. A query
 * of an absent element reads every layer. A larger {@linkplain Builder#growthFactor growth factor}
 * leads to fewer layers.
 *
 * <p><b>Merging.</b> Scalable filters do not merge, so a parallel stream or several machines cannot
 * fill parts of one. Use a {@code DynamicCuckooFilter} of the module {@code bloom-counting} for
 * that, planned for the largest number of elements that is possible, such as 10<sup>12</sup>: its
 * memory follows the elements that it contains, with 38 bits each at a million.
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
 *   <li>The bound on the false-positive rate holds while up to {@value #MAX_WRITERS} threads insert
 *       at the same time.
 * </ol>
 *
 * <p>A concurrent filter may be copied, compared and written to a file while other threads insert
 * elements: the copy contains every element whose insertion happened before the call. {@code clear}
 * must not run concurrently with writers; a happens-before edge from earlier writes is required.
 *
 * <p>Every method throws {@link NullPointerException} if an argument is null, except {@code
 * equals}.
 *
 * @param <T> the type of the elements
 */
@SuppressWarnings("exports") // FilterContents is not for users
public final class ScalableBloomFilter<T>
    implements InsertableFilter<T>, StorableFilter<T>, FilterContents.Source {

  /** The descriptor of this kind of filter, for tools that work with every kind. */
  public static final FilterKind KIND =
      new TypedKind<ScalableBloomFilter<Object>>(
          Variant.SCALABLE,
          "scalable",
          ScalableBloomFilter.class,
          Set.of(FilterKind.Trait.CONCURRENT, FilterKind.Trait.GROWING),
          (n, fpp) -> LayeredLayout.planned(GrowthPlan.ofDefaults().withSize(n, fpp), n),
          filter -> LayeredLayout.of(filter.layers()),
          ScalableBloomFilter::create,
          ScalableBloomFilter::read);

  static final int MAX_WRITERS = 256;

  final HashStrategy<? super T> strategy;
  final GrowthPlan plan;

  /** The {@code maxWriters} of the file from which this filter was read, or of the plan. */
  final int writtenMaxWriters;

  private final boolean concurrent;

  /** The lock for adding a layer. */
  private final Object growing = new Object();

  /**
   * From the oldest to the newest layer; elements are added to the newest only. A published array
   * is never written again, so a thread that reads it sees complete layers.
   */
  private volatile Layer<T>[] layers;

  private final ElementCount additions;

  ScalableBloomFilter(HashStrategy<? super T> strategy, GrowthPlan plan, boolean concurrent) {
    this(
        strategy,
        plan,
        plan.maxWriters,
        concurrent,
        arrayOf(Layer.of(strategy, plan.layer(0), concurrent)),
        OptionalLong.of(0));
  }

  /** Creates a filter with given layers. */
  ScalableBloomFilter(
      HashStrategy<? super T> strategy,
      GrowthPlan plan,
      int writtenMaxWriters,
      boolean concurrent,
      Layer<T>[] layers,
      OptionalLong additions) {
    this.strategy = strategy;
    this.plan = plan;
    this.writtenMaxWriters = writtenMaxWriters;
    this.concurrent = concurrent;
    this.layers = layers;
    this.additions = new ElementCount(concurrent, additions);
  }

  private static <T> Layer<T>[] arrayOf(Layer<T> layer) {
    Layer<T>[] layers = Layer.newArray(1);
    layers[0] = layer;
    return layers;
  }

  /** Returns an empty, single-writer filter; see {@link Builder#expecting}. */
  public static <T> ScalableBloomFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return ScalableBloomFilter.builder(strategy).expecting(expectedInsertions, fpp).build();
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

  private static <T> ScalableBloomFilter<T> read(
      FilterReader reader, HashStrategy<? super T> strategy) throws IOException {
    return ScalableFile.read(reader, strategy, null, false);
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(hashOf(element));
  }

  @Override
  public boolean mightContainHash(long hash) {
    Layer<T>[] snapshot = layers;
    // Newest first: the newest layer is the largest, so it holds most elements.
    return anyContains(snapshot, snapshot.length - 1, hash);
  }

  /** Returns whether any layer from an index down to the oldest may contain a hash. */
  private static <T> boolean anyContains(Layer<T>[] layers, int newest, long hash) {
    for (int i = newest; i >= 0; i--) {
      if (layers[i].filter.mightContainHash(hash)) {
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
    additions.add(1); // before the bits are set, so no thread sees uncounted bits
    boolean done = false;
    try {
      boolean added = addToLayers(hash);
      done = true;
      return added;
    } finally {
      if (!done) {
        additions.add(-1);
      }
    }
  }

  private boolean addToLayers(long hash) {
    while (true) {
      Layer<T>[] snapshot = layers;
      int newest = snapshot.length - 1;
      if (anyContains(snapshot, newest - 1, hash)) {
        return false;
      }
      Layer<T> layer = snapshot[newest];
      // Other threads may fill the layer from here on; the plan has a reserve for them.
      if (!layer.isFull()) {
        return layer.addHash(hash);
      }
      if (layer.filter.mightContainHash(hash)) {
        return false;
      }
      addLayer(snapshot);
    }
  }

  /** Adds a layer, unless another thread has added one to these layers. */
  private void addLayer(Layer<T>[] full) {
    synchronized (growing) {
      if (layers == full) {
        Layer<T>[] grown = Arrays.copyOf(full, full.length + 1);
        grown[full.length] = Layer.of(strategy, plan.layer(full.length), concurrent);
        layers = grown;
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
  public long addHashes(long[] hashes, int offset, int length, boolean @Nullable [] wasNew) {
    Arguments.checkBatch(hashes, offset, length, wasNew);
    if (!canHold(length)) { // growing may fail on the way, so try with a copy first
      ScalableBloomFilter<T> copy = copy();
      for (int i = offset; i < offset + length; i++) {
        copy.addHash(hashes[i]);
      }
    }
    return InsertableFilter.super.addHashes(hashes, offset, length, wasNew);
  }

  /**
   * Returns whether a number of elements can be added to the present and all possible later layers.
   */
  private boolean canHold(long elements) {
    Layer<T>[] snapshot = layers;
    return plan.canHoldFrom(snapshot.length, elements - snapshot[snapshot.length - 1].headroom());
  }

  @Override
  public boolean isConcurrent() {
    return concurrent;
  }

  /** Removes all elements, and all layers except the first one. */
  @Override
  public void clear() {
    Layer<T> first = layers[0];
    first.clear();
    layers = arrayOf(first);
    additions.set(OptionalLong.of(0));
  }

  /** Returns an independent filter with the same contents, concurrent if this filter is. */
  public ScalableBloomFilter<T> copy() {
    Layer<T>[] copies = layers.clone();
    for (int i = 0; i < copies.length; i++) {
      copies[i] = copies[i].copy();
    }
    return new ScalableBloomFilter<>(
        strategy, plan, writtenMaxWriters, concurrent, copies, elementCount());
  }

  /**
   * Returns the number of insertions since the filter was created or cleared. Repeated insertions
   * of an element also count.
   *
   * @return the count, or empty if the filter was read from a file without a count
   */
  @Override
  public OptionalLong elementCount() {
    return additions.get();
  }

  /** Not for users: see {@link StorableFilter} for writing a filter. */
  @Override
  public FilterContents contents() {
    return ScalableFile.contents(concurrent ? copy() : this);
  }

  List<Layer<T>> layerList() {
    return Arrays.asList(layers);
  }

  /**
   * Returns the probability that the query of an element that was never added is positive. This is
   * 1 − Π(1 − pᵢ), where pᵢ is the rate of layer i in its present state. The result is at most the
   * planned rate.
   *
   * <p>The formula assumes independent layers, which is nearly true. The actual rate is slightly
   * higher, but at most Σ pᵢ. The planned rate is a bound on this sum. The cost is a pass over all
   * layers.
   */
  @Override
  public double expectedFpp() {
    return BloomFormulas.compoundFpp(
        layerList().stream().mapToDouble(layer -> layer.filter.expectedFpp()).toArray());
  }

  @Override
  public FilterEstimate estimate(int lines) {
    return FilterEstimate.ofLayers(
        layerList().stream().map(layer -> layer.filter).collect(Collectors.toUnmodifiableList()),
        lines);
  }

  /**
   * Returns the planned number of distinct elements of the first layer, and the bound on the
   * false-positive rate of the whole filter.
   *
   * @return the plan, never empty
   */
  @Override
  public Optional<FilterPlan> plan() {
    return Optional.of(new FilterPlan(plan.initialCapacity, plan.fpp));
  }

  /**
   * Returns a lower bound of the number of elements that can be added before the filter creates
   * another layer, at least 0. Usually more elements fit, because the bound assumes that each
   * element sets as many bits as possible. The cost is at most a pass over the newest layer.
   */
  public long headroom() {
    Layer<T>[] snapshot = layers;
    return snapshot[snapshot.length - 1].headroom();
  }

  @Override
  public long approximateElementCount() {
    return layerList().stream().mapToLong(layer -> layer.filter.approximateElementCount()).sum();
  }

  /** Returns the number of bytes of the arrays of all layers. */
  @Override
  public long memoryBytes() {
    return layerList().stream().mapToLong(layer -> layer.filter.memoryBytes()).sum();
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /** Returns the number of layers, at least 1. */
  public int layerCount() {
    return layers.length;
  }

  /**
   * Returns a snapshot of the layers, from the oldest to the newest, for logs and metrics. The cost
   * is about that of {@link #expectedFpp}.
   */
  public List<LayerState> layers() {
    return layerList().stream().map(Layer::state).collect(Collectors.toUnmodifiableList());
  }

  /**
   * A snapshot of a layer, for logs and metrics.
   *
   * @param index the index i of the layer, from 0; unique within a filter. The false-positive rate
   *     planned for the layer is fpp · (1 − r) · rⁱ, where fpp is the planned rate of the whole
   *     filter and r the {@linkplain Builder#tighteningRatio tightening ratio}.
   * @param shape the number of bits, and the number of hashes
   * @param setPositions the number of set bits
   * @param memoryBytes the number of bytes of the arrays of the layer
   * @param expectedFpp the expected false-positive rate of the layer in its present state
   */
  public record LayerState(
      int index, Shape shape, long setPositions, long memoryBytes, double expectedFpp) {

    /**
     * Creates a layer. Only the shape is checked.
     *
     * @throws NullPointerException if the shape is null
     */
    public LayerState {
      Objects.requireNonNull(shape, "shape");
    }

    /** Returns the fill ratio, from 0 to 1. */
    public double fill() {
      return (double) setPositions / shape.positions();
    }
  }

  /**
   * Returns whether an object is a scalable filter with the same strategy (id and fingerprint), the
   * same builder settings except {@link Builder#concurrent}, and the same layers with the same
   * contents. Two filters with the same elements may differ, because the layer of an element
   * depends on the order of insertions. The element count is ignored. The cost is a pass over all
   * layers.
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return this == object
        || (object instanceof ScalableBloomFilter<?> other
            && StrategyIdentity.of(strategy).equals(StrategyIdentity.of(other.strategy))
            && plan.hasSameGrowth(other.plan)
            && filters().equals(other.filters()));
  }

  /** Returns a hash code that changes with the contents. The cost is a pass over all layers. */
  @Override
  public int hashCode() {
    return Objects.hash(StrategyIdentity.of(strategy), plan.initialCapacity, filters());
  }

  private List<?> filters() {
    return layerList().stream().map(layer -> layer.filter).collect(Collectors.toUnmodifiableList());
  }

  /**
   * Returns the numbers of layers, bytes and insertions, and the strategy, for logs. Does not read
   * bits.
   */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "ScalableBloomFilter[layers=%d, bytes=%d, netInsertions=%s, strategy=%s]",
        layerCount(),
        memoryBytes(),
        additions,
        strategy.id());
  }

  private long hashOf(T element) {
    return strategy.hash(Objects.requireNonNull(element, "element"));
  }

  /**
   * Builds and reads filters. Not thread-safe.
   *
   * @param <S> the type that the strategy hashes; the elements of a filter may be of a subtype
   */
  public static final class Builder<S> implements FilterBuilder<S> {

    private final HashStrategy<S> strategy;
    private GrowthPlan plan = GrowthPlan.ofDefaults();
    private boolean sized;
    private boolean concurrent;

    private Builder(HashStrategy<S> strategy) {
      StrategyIdentity.of(strategy);
      this.strategy = strategy;
    }

    /**
     * Sets the size of the first layer and the bound on the false-positive rate of the whole
     * filter.
     *
     * @param expectedInsertions the number of distinct elements planned for the first layer, at
     *     least 0; 0, for an empty set, is planned as 1
     * @param fpp the bound, in (0, 1)
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public Builder<S> expecting(long expectedInsertions, double fpp) {
      plan = plan.withSize(Arguments.atLeastOne(expectedInsertions, "expectedInsertions"), fpp);
      sized = true;
      return this;
    }

    /**
     * Sets the ratio of the capacities of a layer and its predecessor, 2 by default. A larger
     * factor leads to fewer layers and faster queries, but to more unused memory.
     *
     * <p>The closer the factor is to 1, the sooner the growth ends: each layer has a lower rate
     * than the one before, and 64-bit hashes limit the rate. From a first layer of 1,000 elements
     * at 1 %, a filter grows to 2.7·10<sup>11</sup> elements with the factor 2, to 5·10<sup>8</sup>
     * with 1.1, and only to 180,000 with 1. {@link #maxElements()} returns the number.
     *
     * @param factor from 1 to 100
     * @throws IllegalArgumentException if the factor is out of its range
     */
    public Builder<S> growthFactor(double factor) {
      plan = plan.withGrowthFactor(factor);
      return this;
    }

    /**
     * Sets the ratio of the false-positive rates of a layer and its predecessor, 0.85 by default. A
     * larger ratio saves memory in later layers, but the first layer takes more.
     *
     * @param ratio in (0, 1)
     * @throws IllegalArgumentException if the ratio is out of its range
     */
    public Builder<S> tighteningRatio(double ratio) {
      plan = plan.withTighteningRatio(ratio);
      return this;
    }

    /**
     * Makes the filters of this builder concurrent. Returns this builder.
     *
     * <p>New layers are larger, with a reserve for insertions of other threads. So a concurrent
     * filter usually does not equal a single-writer filter with the same elements.
     */
    public Builder<S> concurrent() {
      plan = plan.withMaxWriters(MAX_WRITERS);
      concurrent = true;
      return this;
    }

    /**
     * Returns the planned layers of a filter with a given number of distinct elements, oldest
     * first. A filter may have one layer more or less if its newest layer is nearly full or nearly
     * empty.
     *
     * @param elements the number of distinct elements, at least 1
     * @throws IllegalStateException if no size was given, if a later layer would need a lower
     *     false-positive rate than 64-bit hashes allow, or if there would be more than 1,024 layers
     * @throws IllegalArgumentException if {@code elements} is less than 1, or the first layer
     *     cannot be built
     */
    public List<Shape> layerShapes(long elements) {
      return requirePlan().layerShapes(elements);
    }

    /**
     * Returns the number of distinct elements that the filter can grow to, the sum of its layers
     * until one would need a lower false-positive rate than 64-bit hashes allow; {@link
     * Long#MAX_VALUE} if the sum exceeds it. Beyond that number, an insertion may throw {@link
     * IllegalStateException}. Plans all layers, which takes up to some seconds.
     *
     * @throws IllegalStateException if no size was given
     * @throws IllegalArgumentException if the first layer cannot be built
     */
    public long maxElements() {
      return requirePlan().maxElements();
    }

    /**
     * Returns {@code memoryBytes()} of a filter with the layers of {@link #layerShapes}, and throws
     * as that method does.
     *
     * @param elements the number of distinct elements, at least 1; for an empty filter pass 1
     */
    public long memoryBytes(long elements) {
      return requirePlan().memoryBytes(elements);
    }

    /**
     * Returns an empty filter. {@link io.bloomkit.scalable} states the limits of the first layer.
     *
     * @throws IllegalStateException if no size was given
     * @throws IllegalArgumentException if the first layer would exceed these limits
     */
    @Override
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
    @Override
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
      return ScalableFile.read(reader, strategy, sized ? plan : null, concurrent);
    }

    private GrowthPlan requirePlan() {
      if (!sized) {
        throw new IllegalStateException(
            "the filter has no size: call expecting(expectedInsertions, fpp) first");
      }
      return plan;
    }
  }
}
