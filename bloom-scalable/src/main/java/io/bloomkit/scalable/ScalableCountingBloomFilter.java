package io.bloomkit.scalable;

import io.bloomkit.LayeredFormulas;
import io.bloomkit.DeletableFilter;
import io.bloomkit.Shape;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that grows and can forget: it holds any number of elements, gives any of them back
 * without harm to the others, and never exceeds its false-positive probability; with blocked
 * layers, in all but a few of 10,000 layers.
 *
 * <p>It is a row of {@linkplain CountingBloomFilter counting filters}, or of {@linkplain
 * Builder#blocked() blocked} ones, sized as in a {@link ScalableBloomFilter} (P. Almeida et al.,
 * <i>Scalable Bloom filters</i>, 2007). The newest layer is <i>active</i>. When the fill of the
 * active layer has used up its part of the error, a larger and stricter one follows, and the layer
 * is <i>sealed</i> until every newer one is empty. An element is added to the oldest layer that
 * claims it, else to the active one; it is removed from the oldest layer that claims it.
 *
 * <p><b>Why that is exact.</b>
 *
 * <ol>
 *   <li>Say x is put into layer L: no layer older than L claims it then, and all of them are
 *       sealed.
 *   <li>They stay sealed while L is not empty, thus as long as x is in L.
 *   <li>A sealed layer only receives what it claims already: its set of counters above zero never
 *       grows. So what it does not claim it never will, and no layer older than L comes to claim x.
 *   <li>L claims x as long as it holds x: so L is the oldest layer that claims x, and every further
 *       copy and every removal of x goes to L, however often and in whatever order.
 *   <li>So each layer sees all additions and removals of what it holds and is an exact multiset.
 * </ol>
 *
 * <p>To remove from the newest layer that claims an element, as other filters do, is not exact: a
 * layer that began later may come to claim it by mistake, and then loses counts of its own.
 *
 * <pre>{@code
 * ScalableCountingBloomFilter<String> sessions =
 *     ScalableCountingBloomFilter.create(HashStrategies.utf8(), 10_000, 0.01);
 * sessions.add("alice");
 * sessions.remove("alice");
 * }</pre>
 *
 * <p><b>The error.</b> Layer i has at most the part P₀·rⁱ of it, with P₀ = fpp·(1 − r), at every
 * moment. No two layers have the same i, so the sum is below fpp whichever of them there are. A
 * layer that becomes empty is dropped and its i is free for another.
 *
 * <p><b>Memory.</b> A layer becomes empty when its last element is removed, not before: few
 * elements that stay for long may keep large layers. A filter that has become empty takes as much
 * as a new one. No layer is made before the one before it was filled, so the largest is at most as
 * many times larger than the most elements that were there at once as a layer is larger than the
 * one before.
 *
 * <p><b>Remove only what was added.</b> Removing an absent element changes nothing, unless it is a
 * false positive: its removal takes counts from others, and these may then be denied. What is left
 * of their counts nobody can remove, so that their layer is not dropped until the filter is
 * cleared.
 *
 * <p>It takes four times the memory of a {@link ScalableBloomFilter}. Whoever knows how many
 * elements there will be at once does better with a {@link CountingBloomFilter}. Adding and asking
 * for an absent element look into every layer, at two or three counters each. The hash is computed
 * once.
 *
 * <p><b>Threads.</b> For one thread, or many readers of a filter that is handed over safely and no
 * longer changed.
 *
 * @param <T> the type of the elements
 */
public final class ScalableCountingBloomFilter<T> implements DeletableFilter<T>, StorableFilter<T> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND = new ScalableCountingKind();

  /** Stands for an unknown element count: so low that no counting makes it known. */
  private static final long UNKNOWN = Long.MIN_VALUE / 2;

  /** In a file, the index of a layer that is not there. */
  private static final int NONE = -1;

  private final HashStrategy<? super T> strategy;
  private final GrowthPlan plan;

  /** The layer of index 0. It is kept when it is dropped, so that no removal has to make one. */
  private CountingLayer<T> first;

  /** From the oldest to the newest, which is active. None is empty but where there is only one. */
  private final List<CountingLayer<T>> layers = new ArrayList<>();

  /**
   * The active layer that was the last to become empty, for the next growth: so that one element
   * that comes and goes does not make a layer each time.
   */
  private @Nullable CountingLayer<T> spare;

  private long elements;

  private ScalableCountingBloomFilter(HashStrategy<? super T> strategy, GrowthPlan plan) {
    this.strategy = strategy;
    this.plan = plan;
    this.first = CountingLayer.of(strategy, plan.layer(0));
    this.layers.add(first);
  }

  /** A filter that was read. */
  private ScalableCountingBloomFilter(
      HashStrategy<? super T> strategy,
      GrowthPlan plan,
      List<CountingLayer<T>> layers,
      CountingLayer<T> first,
      @Nullable CountingLayer<T> spare,
      OptionalLong elements) {
    this.strategy = strategy;
    this.plan = plan;
    this.first = first;
    this.layers.addAll(layers);
    this.spare = spare;
    this.elements = elements.orElse(UNKNOWN);
  }

  private ScalableCountingBloomFilter(ScalableCountingBloomFilter<T> other) {
    this.strategy = other.strategy;
    this.plan = other.plan;
    this.first = other.first.copy();
    for (CountingLayer<T> layer : other.layers) {
      layers.add(layer == other.first ? first : layer.copy());
    }
    this.elements = other.elements;
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
  public static <T> ScalableCountingBloomFilter<T> create(
      HashStrategy<? super T> strategy, long initialCapacity, double fpp) {
    return ScalableCountingBloomFilter.builder(strategy).expecting(initialCapacity, fpp).build();
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
   * each other.
   *
   * @param in needs no buffer
   * @param strategy the one that the filter was filled by: same id, same fingerprint
   * @throws FilterFormatException if what comes is damaged, cut off, no filter of this kind, or was
   *     filled by another strategy
   * @throws IOException if the stream fails
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <T> ScalableCountingBloomFilter<T> readFrom(
      InputStream in, HashStrategy<? super T> strategy) throws IOException {
    return ScalableCountingBloomFilter.builder(strategy).readFrom(in);
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
  public static <T> ScalableCountingBloomFilter<T> readFrom(
      Path file, HashStrategy<? super T> strategy) throws IOException {
    return ScalableCountingBloomFilter.builder(strategy).readFrom(file);
  }

  /**
   * Reads a filter for one writer from what {@link #toBytes} gave.
   *
   * @param strategy see {@link #readFrom(InputStream, HashStrategy)}
   * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was filled
   *     by another strategy
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
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
    // Newest first: it is the largest, so it holds most of what is there.
    for (int i = layers.size() - 1; i >= 0; i--) {
      if (layers.get(i).filter.mightContainHash(hash)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Adds an element, in a new layer if the active one is full.
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
    int newest = layers.size() - 1;
    for (int i = 0; i < newest; i++) {
      CountingLayer<T> sealed = layers.get(i);
      if (sealed.filter.mightContainHash(hash)) {
        sealed.addHash(hash);
        elements++;
        return false;
      }
    }
    CountingLayer<T> active = layers.get(newest);
    if (active.isFull() && !active.filter.mightContainHash(hash)) {
      active = grow();
    }
    boolean added = active.addHash(hash);
    elements++;
    return added;
  }

  /**
   * Adds many hashes, or none: see {@link DeletableFilter#addHashes(long[], int, int)}.
   *
   * @throws IllegalStateException as {@link #add}; nothing has been added then
   */
  @Override
  public long addHashes(long[] hashes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, hashes.length);
    if (hasRoomFor(length)) {
      return DeletableFilter.super.addHashes(hashes, offset, length);
    }
    // It may be unable to grow in the middle of them: then a copy is given up.
    ScalableCountingBloomFilter<T> copy = copy();
    long added = 0;
    for (int i = offset; i < offset + length; i++) {
      added += copy.addHash(hashes[i]) ? 1 : 0;
    }
    first = copy.first;
    layers.clear();
    layers.addAll(copy.layers);
    spare = null;
    elements = copy.elements;
    return added;
  }

  /** Whether the layers that can be planned take so many elements, whatever they are. */
  private boolean hasRoomFor(long additions) {
    long room = newest().room();
    int last = 0;
    for (int i = 0; i < layers.size(); i++) { // an iterator would take memory
      last = Math.max(last, layers.get(i).plan.index());
    }
    if (spare != null) {
      room += spare.room();
      last = Math.max(last, spare.plan.index());
    }
    return plan.hasRoomFrom(last + 1, additions - room);
  }

  private CountingLayer<T> grow() {
    CountingLayer<T> next = spare == null ? layerOf(nextIndex()) : spare;
    layers.add(next);
    spare = null;
    return next;
  }

  /**
   * The smallest index that no layer has, of a layer no smaller than the newest: so layers need not
   * be made often. Among layers of one size, any that is free: so filters that do not grow from
   * layer to layer do not run out of indexes.
   */
  private int nextIndex() {
    GrowthPlan.Layer newest = newest().plan;
    int index = 0;
    while (isTaken(index)
        || (index < newest.index() && plan.layer(index).capacity() < newest.capacity())) {
      index++;
    }
    return index;
  }

  private boolean isTaken(int index) {
    for (CountingLayer<T> layer : layers) {
      if (layer.plan.index() == index) {
        return true;
      }
    }
    return false;
  }

  private CountingLayer<T> layerOf(int index) {
    return index == 0 ? first : CountingLayer.of(strategy, plan.layer(index));
  }

  private CountingLayer<T> newest() {
    return layers.get(layers.size() - 1);
  }

  @Override
  public boolean remove(T element) {
    return removeHash(hashOf(element));
  }

  @Override
  public boolean removeHash(long hash) {
    for (int i = 0; i < layers.size(); i++) {
      CountingLayer<T> layer = layers.get(i);
      if (layer.removeHash(hash)) {
        elements--;
        if (layer.isEmpty()) {
          drop(i);
        }
        return true;
      }
    }
    return false;
  }

  private void drop(int i) {
    CountingLayer<T> empty = layers.remove(i);
    if (layers.isEmpty()) {
      layers.add(first);
      spare = null;
    } else if (i == layers.size()) {
      spare = empty;
    }
  }

  /**
   * Returns how often an element was added and not removed, and more if others share all its
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
    for (int i = 0; i < layers.size(); i++) { // an iterator would take memory
      long count = layers.get(i).filter.countHash(hash);
      if (count > 0) {
        return count;
      }
    }
    return 0;
  }

  /** Removes everything, and all layers but the first. */
  @Override
  public void clear() {
    first.clear();
    layers.clear();
    layers.add(first);
    spare = null;
    elements = 0;
  }

  /**
   * Returns a filter of its own with the same contents. Of the empty layers kept to reuse it has
   * but the first: it may take less memory, and its next growth may have to make a layer.
   */
  public ScalableCountingBloomFilter<T> copy() {
    return new ScalableCountingBloomFilter<>(this);
  }

  /**
   * Returns 1 − Π(1 − pᵢ) for the present probabilities pᵢ of the layers, at most the probability
   * that the filter was made for; with blocked layers that is a statistical bound, see {@link
   * Builder#blocked()}. How exact that is: {@link ScalableBloomFilter#expectedFpp}.
   */
  @Override
  public double expectedFpp() {
    return LayeredFormulas.compoundFpp(
        layers.stream().mapToDouble(layer -> layer.filter.expectedFpp()).toArray());
  }

  @Override
  public long approximateElementCount() {
    long sum = 0;
    for (CountingLayer<T> layer : layers) {
      sum += layer.filter.approximateElementCount();
    }
    return sum;
  }

  /**
   * Returns how many occurrences of elements are in the filter: additions less successful removals.
   *
   * @return the count, or empty if it is below zero, which happens only after false positives were
   *     removed, or was so when the filter was written to the file that this one was read from
   */
  public OptionalLong elementCount() {
    return elements >= 0 ? OptionalLong.of(elements) : OptionalLong.empty();
  }

  @Override
  public FilterContents contents() {
    List<CountingLayer<T>> all = new ArrayList<>(layers);
    if (!isTaken(0)) {
      all.add(first);
    }
    if (spare != null && spare != first) {
      all.add(spare);
    }
    List<LayerRow> rows = all.stream().map(CountingLayer::row).toList();
    OptionalLong sum = sumOfCounts(rows.subList(0, layers.size()));
    long[] fields =
        LayerTable.fields(plan, layers.size(), spare == null ? NONE : spare.plan.index());
    FilterContents.Builder contents =
        FilterContents.of(KIND.variant(), StrategyIdentity.of(strategy), fields)
            .elementCount(sum.isPresent() ? elementCount() : sum, sum.orElse(0), sum.orElse(0))
            .section(SectionRole.TABLE, LayerTable.words(rows));
    for (CountingLayer<T> layer : all) {
      contents.sectionsOf(layer.contents());
    }
    return contents.build();
  }

  /** The sum of the element counts of layers, or empty if one of these is unknown. */
  private static OptionalLong sumOfCounts(List<LayerRow> rows) {
    long sum = 0;
    for (LayerRow row : rows) {
      if (row.elementCount() == LayerRow.UNKNOWN || row.elementCount() > Long.MAX_VALUE - sum) {
        return OptionalLong.empty();
      }
      sum += row.elementCount();
    }
    return OptionalLong.of(sum);
  }

  /** {@inheritDoc} Those are the layers' and those of up to two empty ones, kept to reuse. */
  @Override
  public long memoryBytes() {
    long sum = reservedBytes();
    for (CountingLayer<T> layer : layers) {
      sum += layer.filter.memoryBytes();
    }
    return sum;
  }

  private long reservedBytes() {
    long bytes = isTaken(0) ? 0 : first.filter.memoryBytes();
    return spare == null || spare == first ? bytes : bytes + spare.filter.memoryBytes();
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /** Returns how many layers there are, at least 1; the empty ones kept to reuse do not count. */
  public int layerCount() {
    return layers.size();
  }

  /** Returns the layers, the bytes and the error of this moment, for logs and metrics. */
  public ScalableFilterState state() {
    return ScalableFilterState.of(layers.stream().map(Layer::state).toList(), reservedBytes());
  }

  /** Returns layers, bytes, present false-positive probability and strategy, for logs. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "ScalableCountingBloomFilter[layers=%d, bytes=%d, elements~%d, expectedFpp=%.3g,"
            + " strategy=%s]",
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
   * Builds scalable counting filters.
   *
   * @param <S> the type that the strategy takes; the filters may be of a subtype
   */
  public static final class Builder<S> {

    private final HashStrategy<S> strategy;
    private boolean sized;
    private GrowthPlan plan = GrowthPlan.ofDefaults(LayerKind.COUNTING);

    private Builder(HashStrategy<S> strategy) {
      StrategyIdentity.of(strategy);
      this.strategy = strategy;
    }

    /**
     * Sets the size to begin with and the error of the whole.
     *
     * @param initialCapacity how many distinct elements the first layer takes, at least 1
     * @param fpp the probability, not exceeded, that an element never added is claimed; between 0
     *     and 1, both excluded; what that is worth with blocked layers: {@link #blocked()}
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
     * fewer layers and up to as much memory in reserve.
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
     * spares counters in later layers and costs some in the first.
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
     * Makes the layers of {@linkplain BlockedCountingBloomFilter blocked counting filters}: one
     * cache line a layer, for an operation, in place of several. Layers are stricter than the
     * filter as a whole, and strict blocks of counters are large. Grown from 10<sup>4</sup> to
     * 10<sup>7</sup> elements, the newest layer just full, the filter takes 17 bytes an element at
     * 1 % (standard layers: 8), 33 (11) at 0.1 % and 72 (13) at 0.01 %. Below, they take more than
     * a cache line for each element: from 4 · 10<sup>-5</sup> on, at the usual tightening ratio,
     * such a filter is refused.
     *
     * <p>How full such a layer is, and what its error is, is not known but by a pass over it; so a
     * reserve stands for the pass, and the bound on its part of the error holds in all but a few of
     * 10,000 layers: see {@link ScalableBloomFilter.Builder#blocked}. The smallest layer takes 4
     * KiB; {@link ScalableCountingBloomFilter#expectedFpp} takes the pass.
     *
     * @return this builder
     */
    public Builder<S> blocked() {
      plan = plan.withKind(LayerKind.BLOCKED_COUNTING);
      return this;
    }

    /**
     * Returns the shapes of the layers that a filter needs for a number of distinct elements that
     * are only added, from the first on, without building any: see {@link
     * ScalableBloomFilter.Builder#layerShapes}. A counter takes half a byte.
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
     * Returns exactly the {@linkplain ScalableCountingBloomFilter#memoryBytes bytes} of a filter
     * that has the layers of {@link #layerShapes} and nothing else, without making it. A filter to
     * which each element was added once is such a filter. Removals may leave up to two empty layers
     * in reserve, and counters above fifteen, as of elements that were added often, take a table.
     *
     * @param elements at least 1; at most those of the first layer for an empty filter
     * @throws IllegalStateException as {@link #layerShapes}
     * @throws IllegalArgumentException as {@link #layerShapes}
     */
    public long memoryBytes(long elements) {
      requireSized();
      return plan.layersFor(elements).stream()
          .mapToLong(layer -> CountingLayer.memoryBytes(strategy, layer))
          .sum();
    }

    /**
     * Returns an empty filter.
     *
     * @throws IllegalStateException if no size was given
     * @throws IllegalArgumentException if the first layer would be larger than one array, stricter
     *     than 64-bit hashes allow, or blocked and larger than a cache line for each element
     */
    public <T extends S> ScalableCountingBloomFilter<T> build() {
      requireSized();
      return new ScalableCountingBloomFilter<>(strategy, plan);
    }

    /**
     * Reads a filter from a stream, and not a byte more. It grows and shrinks on as the one that
     * was written. If a size was given, that one must have been made for it, with the same kind of
     * layers, growth factor and tightening ratio.
     *
     * @param in needs no buffer
     * @throws FilterFormatException if what comes is damaged, cut off, no filter of this kind, or
     *     was filled by another strategy
     * @throws IOException if the stream fails
     */
    public <T extends S> ScalableCountingBloomFilter<T> readFrom(InputStream in)
        throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /**
     * Reads a filter from a file that holds nothing else; see {@link #readFrom(InputStream)}.
     *
     * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was
     *     filled by another strategy
     * @throws IOException if the file cannot be read
     */
    public <T extends S> ScalableCountingBloomFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /**
     * Reads a filter from what {@link ScalableCountingBloomFilter#toBytes} gave; see {@link
     * #readFrom(InputStream)}.
     *
     * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was
     *     filled by another strategy
     */
    public <T extends S> ScalableCountingBloomFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    <T extends S> ScalableCountingBloomFilter<T> read(FilterReader reader) throws IOException {
      reader.require(KIND.variant(), StrategyIdentity.of(strategy), LayerTable.PLAN_FIELDS + 2);
      GrowthPlan written =
          LayerTable.readPlan(reader, LayerKind.COUNTING);
      reader.field(5, "additionsAtOnce", 1, 1);
      if (sized) {
        LayerTable.requireGrowth(reader, written, plan);
      }
      int inUse = (int) reader.field(LayerTable.PLAN_FIELDS, "layers", 1, GrowthPlan.MAX_LAYERS);
      int spareIndex =
          (int) reader.field(LayerTable.PLAN_FIELDS + 1, "spare", NONE, GrowthPlan.MAX_LAYERS - 1);
      LayerTable table = LayerTable.read(reader, written);
      requireRows(table, inUse, spareIndex, reader);
      List<LayerRow> rows = new ArrayList<>();
      List<CountingLayer<T>> all = new ArrayList<>();
      for (int i = 0; i < table.rows(); i++) {
        rows.add(table.counterRow(i));
        all.add(CountingLayer.read(strategy, rows.get(i), reader));
        requireEmptyOrNot(all.get(i), i, inUse, reader);
      }
      OptionalLong sum = sumOfCounts(rows.subList(0, inUse));
      reader.requireElementCount(
          reader.elementCount(), sum.orElse(Long.MAX_VALUE), sum.orElse(NONE));
      return new ScalableCountingBloomFilter<>(
          strategy,
          written,
          all.subList(0, inUse),
          withIndex(all, 0),
          spareIndex == NONE ? null : withIndex(all, spareIndex),
          reader.elementCount());
    }

    /**
     * After the layers in use stands the first, if it is not among them, and then the spare one.
     */
    private static void requireRows(
        LayerTable table, int inUse, int spareIndex, FilterReader reader)
        throws FilterFormatException {
      if (inUse > table.rows()) {
        throw reader.wrongField(
            LayerTable.PLAN_FIELDS, "there must be " + inUse + " layers but are " + table.rows());
      }
      if (table.hasIndex(spareIndex, inUse)) {
        throw reader.wrongField(
            LayerTable.PLAN_FIELDS + 1, "layer " + spareIndex + " is in use and cannot be spare");
      }
      int rows = inUse;
      if (!table.hasIndex(0, inUse)) {
        table.number(Math.min(rows, table.rows() - 1), 0, "index", 0, 0);
        rows++;
      }
      if (spareIndex > 0) {
        table.number(Math.min(rows, table.rows() - 1), 0, "index", spareIndex, spareIndex);
        rows++;
      }
      if (rows != table.rows()) {
        throw reader.wrongSection("there must be " + rows + " rows but are " + table.rows());
      }
    }

    /** Of layers in use only the very first may be empty, alone; the others must be. */
    private static void requireEmptyOrNot(
        CountingLayer<?> layer, int row, int inUse, FilterReader reader)
        throws FilterFormatException {
      boolean isAlone = inUse == 1 && layer.plan.index() == 0;
      if (row < inUse ? layer.isEmpty() && !isAlone : !layer.isEmpty()) {
        throw reader.wrongSection(
            "layer " + layer.plan.index() + (row < inUse ? " is empty" : " must be empty"));
      }
    }

    private static <T> CountingLayer<T> withIndex(List<CountingLayer<T>> layers, int index) {
      for (CountingLayer<T> layer : layers) {
        if (layer.plan.index() == index) {
          return layer;
        }
      }
      throw new AssertionError("no layer of index " + index);
    }

    private void requireSized() {
      if (!sized) {
        throw new IllegalStateException(
            "the filter has no size: call expecting(initialCapacity, fpp) first");
      }
    }
  }
}
