package io.bloomkit.scalable;

import io.bloomkit.LayeredFormulas;
import io.bloomkit.InsertableFilter;
import io.bloomkit.Shape;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.SectionRole;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that grows: it holds any number of elements and never exceeds its false-positive
 * probability (P. Almeida, C. Baquero, N. Preguiça, D. Hutchison, <i>Scalable Bloom filters</i>,
 * 2007).
 *
 * <p>It is a row of {@linkplain ClassicBloomFilter classic filters}, or of {@linkplain
 * Builder#blocked() blocked} ones. Only the newest takes elements; when its fill has used up its
 * part of the error, a larger and stricter one follows. An element that any layer claims is not
 * added again. The parts form a geometric series whose sum is the error of the whole, so the bound
 * holds at every moment and for every number of layers.
 *
 * <pre>{@code
 * ScalableBloomFilter<String> urls =
 *     ScalableBloomFilter.create(HashStrategies.utf8(), 10_000, 0.01);
 * }</pre>
 *
 * <p>Who knows how many elements will come does better with a {@link ClassicBloomFilter}. Grown
 * from 10<sup>4</sup> to 10<sup>7</sup> elements at 1 %, this filter takes 14 to 16 bits an element
 * when its newest layer is full and 30 to 41 when that was just begun, instead of 9.6; and asking
 * for an absent element looks into every layer. The hash is computed once for all of them.
 *
 * <p><b>Threads.</b> For one thread, or many readers of a filter that is handed over safely and no
 * longer changed. Built {@linkplain Builder#concurrent() concurrent}, {@code add} and the queries
 * may be called by any number of threads, and take no lock. Whoever finds the newest layer full
 * makes another under a lock, for which only those wait who would also add to the full one. Then
 * (1) a query answers true if an addition of the element happened before it, also while a layer is
 * made; (2) of several threads that first add an element at the same time at least one gets true,
 * unless it is then a false positive, and several may; (3) the bound on the error holds while up to
 * {@value #MAX_ADDITIONS_AT_ONCE} threads add at the same time, for which each layer has room.
 * Clearing and copying need a moment without writers, whom they must happen after.
 *
 * @param <T> the type of the elements
 */
public final class ScalableBloomFilter<T> implements InsertableFilter<T>, StorableFilter<T> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND = new ScalableKind();

  private static final int MAX_ADDITIONS_AT_ONCE = 256;

  /** Stands for an unknown number of additions: so low that no counting makes it known. */
  private static final long UNKNOWN = Long.MIN_VALUE / 2;

  private final HashStrategy<? super T> strategy;
  private final GrowthPlan plan;

  /** The additions at once of the file that this filter was read from; else those of the plan. */
  private final int writtenAdditionsAtOnce;

  private final boolean concurrent;

  /** Held by whoever makes a layer. */
  private final Object growing = new Object();

  /**
   * From the oldest to the newest, which alone takes elements. An array that was published here is
   * never written again: who has read it has a row of layers that were all made before.
   */
  private volatile BitLayer<T>[] layers;

  /** Additions to a concurrent filter; null in others, which have a plain field. */
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

  /** A filter that was read. */
  ScalableBloomFilter(
      HashStrategy<? super T> strategy,
      GrowthPlan plan,
      int writtenAdditionsAtOnce,
      boolean concurrent,
      BitLayer<T>[] layers,
      OptionalLong additions) {
    this.strategy = strategy;
    this.plan = plan;
    this.writtenAdditionsAtOnce = writtenAdditionsAtOnce;
    this.concurrent = concurrent;
    this.sharedAdditions = concurrent ? new LongAdder() : null;
    this.layers = layers;
    countAdditions(additions.orElse(UNKNOWN));
  }

  private ScalableBloomFilter(ScalableBloomFilter<T> other) {
    this.strategy = other.strategy;
    this.plan = other.plan;
    this.writtenAdditionsAtOnce = other.writtenAdditionsAtOnce;
    this.concurrent = other.concurrent;
    this.sharedAdditions = concurrent ? new LongAdder() : null;
    BitLayer<T>[] row = other.layers.clone();
    for (int i = 0; i < row.length; i++) {
      row[i] = row[i].copy();
    }
    this.layers = row;
    countAdditions(other.additions());
  }

  @SuppressWarnings("unchecked") // an array of a generic type has no other way to be made
  private static <T> BitLayer<T>[] rowOf(BitLayer<T> layer) {
    return (BitLayer<T>[]) new BitLayer<?>[] {layer};
  }

  /**
   * Returns an empty filter that doubles with every layer.
   *
   * @param strategy turns elements into hashes
   * @param initialCapacity how many distinct elements the first layer takes, at least 1
   * @param fpp the probability, never exceeded, that an element never added is claimed; between 0
   *     and 1, both excluded
   * @throws IllegalArgumentException if an argument is missing or out of its range
   */
  public static <T> ScalableBloomFilter<T> create(
      HashStrategy<? super T> strategy, long initialCapacity, double fpp) {
    return ScalableBloomFilter.builder(strategy).expecting(initialCapacity, fpp).build();
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
  public static <T> ScalableBloomFilter<T> readFrom(
      InputStream in, HashStrategy<? super T> strategy) throws IOException {
    return ScalableBloomFilter.builder(strategy).readFrom(in);
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
  public static <T> ScalableBloomFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return ScalableBloomFilter.builder(strategy).readFrom(file);
  }

  /**
   * Reads a filter for one writer from what {@link #toBytes} gave.
   *
   * @param strategy see {@link #readFrom(InputStream, HashStrategy)}
   * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was filled
   *     by another strategy
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
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
    return isClaimed(row, row.length - 1, hash);
  }

  /** Whether a layer claims a hash, from the newest that is asked down to the oldest. */
  private static <T> boolean isClaimed(BitLayer<T>[] row, int newest, long hash) {
    for (int i = newest; i >= 0; i--) {
      if (row[i].filter.mightContainHash(hash)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Adds an element, in a new layer if the newest is full.
   *
   * @return true exactly if the element was certainly absent before
   * @throws NullPointerException if the element is null
   * @throws IllegalStateException if another layer is needed but would have to be stricter than
   *     64-bit hashes allow: after billions of elements, sooner if the filter was begun very small
   *     with a very low {@code fpp} or tightening ratio; or if it would be one of more than a
   *     thousand, as with a growth factor of 1 and a tightening ratio near it
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
      if (isClaimed(row, newest - 1, hash)) {
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

  /** Adds a layer, unless somebody else has. */
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
    Objects.checkFromIndexSize(offset, length, hashes.length);
    if (!hasRoomFor(length)) {
      // It may be unable to grow in the middle of them: then a copy is, first.
      ScalableBloomFilter<T> copy = copy();
      for (int i = offset; i < offset + length; i++) {
        copy.addHash(hashes[i]);
      }
    }
    return InsertableFilter.super.addHashes(hashes, offset, length);
  }

  /** Whether the layers that can be planned take so many elements, whatever they are. */
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

  /** Removes everything, and all layers but the first. */
  @Override
  public void clear() {
    BitLayer<T> first = layers[0];
    first.clear();
    layers = rowOf(first);
    countAdditions(-additions());
  }

  /** Returns a filter of its own with the same contents, as concurrent as this one. */
  public ScalableBloomFilter<T> copy() {
    return new ScalableBloomFilter<>(this);
  }

  /**
   * Returns 1 − Π(1 − pᵢ) for the present probabilities pᵢ of the layers, at most the probability
   * that the filter was made for.
   *
   * <p>Layers share their hashes, and a layer only takes what the older ones do not claim, so their
   * errors overlap less than independent ones would. At 5 % and less that is below half a percent
   * of the value; measured against it, a filter made for 20 % errs 0.3 % more often, one for 50 % 1
   * %, one for 90 % 3 %. The bound holds all the same, since it is on Σ pᵢ.
   */
  @Override
  public double expectedFpp() {
    return LayeredFormulas.compoundFpp(
        Arrays.stream(layers).mapToDouble(layer -> layer.filter.expectedFpp()).toArray());
  }

  @Override
  public long approximateElementCount() {
    long sum = 0;
    for (BitLayer<T> layer : layers) {
      sum += layer.filter.approximateElementCount();
    }
    return sum;
  }

  /**
   * Returns how often something was added since the filter was made or cleared, repeats included;
   * empty if it was read from a file that does not say so.
   */
  public OptionalLong elementCount() {
    long count = additions();
    return count >= 0 ? OptionalLong.of(count) : OptionalLong.empty();
  }

  @Override
  public FilterContents contents() {
    BitLayer<T>[] row = layers;
    GrowthPlan written = plan.withAdditionsAtOnce(additionsAtOnceToWrite(row));
    FilterContents.Builder contents =
        FilterContents.of(KIND.variant(), StrategyIdentity.of(strategy), LayerTable.fields(written))
            .elementCount(elementCount(), leastElements(row), mostElements(row))
            .section(
                SectionRole.TABLE,
                LayerTable.words(Arrays.stream(row).map(BitLayer::row).toList()));
    for (BitLayer<T> layer : row) {
      contents.sectionsOf(layer.contents());
    }
    return contents.build();
  }

  /**
   * A filter of one writer that was read for many threads is written as it was read, until it has a
   * layer for them, or one that more threads filled than it has room for.
   */
  private int additionsAtOnceToWrite(BitLayer<T>[] row) {
    int additions = writtenAdditionsAtOnce;
    for (BitLayer<T> layer : row) {
      boolean isOverfull = layer.fill() > layer.plan.mostFill();
      additions =
          Math.max(
              additions, isOverfull ? plan.additionsAtOnce() : layer.plan.plannedAdditionsAtOnce());
    }
    return additions;
  }

  private static <T> long leastElements(BitLayer<T>[] row) {
    long sum = 0;
    for (BitLayer<T> layer : row) {
      sum +=
          Math.max(layer.row().elements(), Layer.leastElements(layer.setPositions(), layer.plan));
    }
    return sum;
  }

  private static <T> long mostElements(BitLayer<T>[] row) {
    return leastElements(row) == 0 ? 0 : Long.MAX_VALUE;
  }

  @Override
  public long memoryBytes() {
    long sum = 0;
    for (BitLayer<T> layer : layers) {
      sum += layer.filter.memoryBytes();
    }
    return sum;
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /** Returns how many layers there are, at least 1. */
  public int layerCount() {
    return layers.length;
  }

  /** Returns the shape of every layer there is, from the oldest to the newest. */
  public List<Shape> layerShapes() {
    return Arrays.stream(layers).map(layer -> layer.plan.shape()).toList();
  }

  /** Returns the layers, the bytes and the error of this moment, for logs and metrics. */
  public ScalableFilterState state() {
    return ScalableFilterState.of(Arrays.stream(layers).map(Layer::state).toList(), 0);
  }

  /** Returns layers, bytes, present false-positive probability and strategy, for logs. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "ScalableBloomFilter[layers=%d, bytes=%d, elements~%d, expectedFpp=%.3g, strategy=%s]",
        layerCount(),
        memoryBytes(),
        approximateElementCount(),
        expectedFpp(),
        strategy.id());
  }

  private long hashOf(T element) {
    return strategy.hash(Objects.requireNonNull(element, "element"));
  }

  /**
   * Builds scalable filters.
   *
   * @param <S> the type that the strategy takes; the filters may be of a subtype
   */
  public static final class Builder<S> {

    private final HashStrategy<S> strategy;
    private boolean sized;
    private boolean concurrent;
    private GrowthPlan plan = GrowthPlan.ofDefaults(LayerKind.CLASSIC);

    private Builder(HashStrategy<S> strategy) {
      StrategyIdentity.of(strategy);
      this.strategy = strategy;
    }

    /**
     * Sets the size to begin with and the error of the whole.
     *
     * @param initialCapacity how many distinct elements the first layer takes, at least 1
     * @param fpp the probability, never exceeded, that an element never added is claimed; between 0
     *     and 1, both excluded
     * @return this builder
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public Builder<S> expecting(long initialCapacity, double fpp) {
      plan = plan.withSize(initialCapacity, fpp);
      sized = true;
      return this;
    }

    /**
     * Sets how many times the elements of a layer the next one takes; 2 by default. More means
     * fewer layers, so faster queries, and up to as much memory in reserve. Grown from
     * 10<sup>4</sup> to 10<sup>7</sup> elements at 1 %, 4 makes six layers in place of ten, answers
     * in two thirds of the time, and takes 14 to 15 bits an element when the newest layer is full
     * but 60 when that was just begun.
     *
     * @param factor from 1 to 100
     * @return this builder
     * @throws IllegalArgumentException if the factor is out of its range
     */
    public Builder<S> growthFactor(double factor) {
      plan = plan.withGrowthFactor(factor);
      return this;
    }

    /**
     * Sets the ratio of the error of a layer to that of the one before it; 0.85 by default. More
     * spares bits in later layers and costs some in the first.
     *
     * @param ratio between 0 and 1, both excluded
     * @return this builder
     * @throws IllegalArgumentException if the ratio is out of its range
     */
    public Builder<S> tighteningRatio(double ratio) {
      plan = plan.withTighteningRatio(ratio);
      return this;
    }

    /**
     * Makes the layers of {@linkplain BlockedBloomFilter blocked filters}: one cache line a layer,
     * for an operation, in place of several. Layers are stricter than the filter as a whole, and
     * strict blocked filters are larger: by a fifth for the first layer of one made for 1 %, by a
     * quarter for its tenth.
     *
     * <p>The error of such a layer is not known but by a pass over all its bits, so it is full by
     * its number of distinct elements, with a reserve: the bound on its part of the error holds in
     * all but a few of 10,000 layers. The smallest layer takes 4 KiB; {@link
     * ScalableBloomFilter#expectedFpp} takes the pass.
     *
     * @return this builder
     */
    public Builder<S> blocked() {
      plan = plan.withKind(LayerKind.BLOCKED);
      return this;
    }

    /**
     * Lets any number of threads add and ask at once; see the class comment.
     *
     * @return this builder
     */
    public Builder<S> concurrent() {
      plan = plan.withAdditionsAtOnce(MAX_ADDITIONS_AT_ONCE);
      concurrent = true;
      return this;
    }

    /**
     * Returns the shapes of the layers that a filter needs for a number of distinct elements, from
     * the first on, without building any: as many as it takes until their capacities add up to the
     * elements. A filter that holds as many has these layers, or, when a last one is all but full
     * or all but empty, one more or one less.
     *
     * @param elements at least 1
     * @throws IllegalStateException if no size was given, or a layer would have to be stricter than
     *     64-bit hashes allow
     * @throws IllegalArgumentException if there are no elements, or the first layer would be larger
     *     than one array
     */
    public List<Shape> layerShapes(long elements) {
      requireSized();
      return plan.layerShapes(elements);
    }

    /**
     * Returns exactly the {@linkplain ScalableBloomFilter#memoryBytes bytes} of a filter that has
     * the layers of {@link #layerShapes}, without making it.
     *
     * @param elements at least 1; at most those of the first layer for an empty filter
     * @throws IllegalStateException as {@link #layerShapes}
     * @throws IllegalArgumentException as {@link #layerShapes}
     */
    public long memoryBytes(long elements) {
      requireSized();
      return plan.layersFor(elements).stream()
          .mapToLong(layer -> BitLayer.memoryBytes(strategy, layer))
          .sum();
    }

    /**
     * Returns an empty filter.
     *
     * @throws IllegalStateException if no size was given
     * @throws IllegalArgumentException if the first layer would be larger than one array
     */
    public <T extends S> ScalableBloomFilter<T> build() {
      requireSized();
      return new ScalableBloomFilter<>(strategy, plan, concurrent);
    }

    /**
     * Reads a filter from a stream, and not a byte more. It grows on as the one that was written.
     * If a size was given, that one must have been made for it, with the same kind of layers,
     * growth factor and tightening ratio.
     *
     * <p>For many threads, if {@link #concurrent()} was called. Of a filter that was written by one
     * writer every layer then counts as full a little earlier, so that the bound on the error
     * holds.
     *
     * @param in needs no buffer
     * @throws FilterFormatException if what comes is damaged, cut off, no filter of this kind, or
     *     was filled by another strategy
     * @throws IOException if the stream fails
     */
    public <T extends S> ScalableBloomFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /**
     * Reads a filter from a file that holds nothing else; see {@link #readFrom(InputStream)}.
     *
     * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was
     *     filled by another strategy
     * @throws IOException if the file cannot be read
     */
    public <T extends S> ScalableBloomFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /**
     * Reads a filter from what {@link ScalableBloomFilter#toBytes} gave; see {@link
     * #readFrom(InputStream)}.
     *
     * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was
     *     filled by another strategy
     */
    public <T extends S> ScalableBloomFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    <T extends S> ScalableBloomFilter<T> read(FilterReader reader) throws IOException {
      reader.require(KIND.variant(), StrategyIdentity.of(strategy), LayerTable.PLAN_FIELDS);
      GrowthPlan written = LayerTable.readPlan(reader, LayerKind.CLASSIC, LayerKind.BLOCKED);
      if (sized) {
        LayerTable.requireGrowth(reader, written, plan);
      }
      BitLayer<T>[] row = readLayers(LayerTable.read(reader, written), reader, written);
      reader.requireElementCount(reader.elementCount(), leastElements(row), mostElements(row));
      int additionsAtOnce = Math.max(written.additionsAtOnce(), plan.additionsAtOnce());
      for (int i = 0; i < row.length; i++) { // the first is the newest when the filter is cleared
        if (row[i].plan.additionsAtOnce() != additionsAtOnce) {
          row[i] = row[i].withRoomFor(additionsAtOnce);
        }
      }
      return new ScalableBloomFilter<>(
          strategy,
          written.withAdditionsAtOnce(additionsAtOnce),
          written.additionsAtOnce(),
          concurrent,
          row,
          reader.elementCount());
    }

    private <T extends S> BitLayer<T>[] readLayers(
        LayerTable table, FilterReader reader, GrowthPlan written) throws IOException {
      table.requireIndexesInOrder();
      @SuppressWarnings("unchecked") // as in rowOf
      BitLayer<T>[] layers = (BitLayer<T>[]) new BitLayer<?>[table.rows()];
      for (int i = 0; i < layers.length; i++) {
        LayerRow row = table.bitRow(i);
        layers[i] = BitLayer.read(strategy, row, concurrent, reader);
        requireFill(layers[i], i == layers.length - 1, reader, written.additionsAtOnce());
      }
      return layers;
    }

    /** Whoever adds a layer has found the one before full. */
    private void requireFill(
        BitLayer<?> layer, boolean isNewest, FilterReader reader, int additionsAtOnce)
        throws FilterFormatException {
      long fill = layer.fill();
      // More threads than there was room for may have filled a layer of theirs beyond that.
      long most = additionsAtOnce == 1 ? layer.plan.mostFill() : Long.MAX_VALUE;
      long least = isNewest ? 0 : layer.plan.withRoomFor(additionsAtOnce).limit() + 1;
      if (fill < least || fill > most) {
        throw reader.wrongSection(
            "the fill of layer "
                + layer.plan.index()
                + " must lie in ["
                + least
                + ", "
                + most
                + "] but is "
                + fill);
      }
    }

    private void requireSized() {
      if (!sized) {
        throw new IllegalStateException(
            "the filter has no size: call expecting(initialCapacity, fpp) first");
      }
    }
  }
}
