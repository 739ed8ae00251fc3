package io.bloomkit.scalable;

import io.bloomkit.BloomFormulas;
import io.bloomkit.HashStrategy;
import io.bloomkit.InsertableFilter;
import io.bloomkit.Shape;
import io.bloomkit.StrategyIdentity;
import io.bloomkit.classic.ClassicBloomFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A Bloom filter that grows: it holds any number of elements and never exceeds its false-positive
 * probability (P. Almeida, C. Baquero, N. Preguiça, D. Hutchison, <i>Scalable Bloom filters</i>,
 * 2007).
 *
 * <p>It is a row of {@linkplain ClassicBloomFilter classic filters}. Only the newest takes
 * elements; when its fill has used up its part of the error, a larger and stricter one follows. An
 * element that any layer claims is not added again. The parts form a geometric series whose sum is
 * the error of the whole, so the bound holds at every moment and for every number of layers.
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
 * longer changed.
 *
 * @param <T> the type of the elements
 */
public final class ScalableBloomFilter<T> implements InsertableFilter<T> {

  private final HashStrategy<? super T> strategy;
  private final GrowthPlan plan;

  /** From the oldest to the newest, which alone takes elements. */
  private final List<ClassicBloomFilter<T>> layers = new ArrayList<>();

  private ClassicBloomFilter<T> newest;
  private long fillLimit;
  private long additions;

  private ScalableBloomFilter(HashStrategy<? super T> strategy, GrowthPlan plan) {
    this.strategy = strategy;
    this.plan = plan;
    GrowthPlan.Layer first = plan.layer(0);
    this.newest = newLayer(strategy, first);
    this.fillLimit = first.fillLimit();
    this.layers.add(newest);
  }

  private ScalableBloomFilter(ScalableBloomFilter<T> other) {
    this.strategy = other.strategy;
    this.plan = other.plan;
    for (ClassicBloomFilter<T> layer : other.layers) {
      layers.add(layer.copy());
    }
    this.newest = layers.get(layers.size() - 1);
    this.fillLimit = other.fillLimit;
    this.additions = other.additions;
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

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(hashOf(element));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return newest.mightContainHash(hash) || isClaimedByOlderLayer(hash);
  }

  private boolean isClaimedByOlderLayer(long hash) {
    for (int i = layers.size() - 2; i >= 0; i--) {
      if (layers.get(i).mightContainHash(hash)) {
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
   *     with a very low {@code fpp} or tightening ratio
   */
  @Override
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  @Override
  public boolean addHash(long hash) {
    boolean added;
    if (isClaimedByOlderLayer(hash)) {
      added = false;
    } else if (newest.setPositions() <= fillLimit) {
      added = newest.addHash(hash);
    } else if (newest.mightContainHash(hash)) {
      added = false;
    } else {
      grow();
      added = newest.addHash(hash);
    }
    additions++;
    return added;
  }

  /**
   * Adds many hashes, or none: see {@link InsertableFilter#addHashes(long[], int, int)}.
   *
   * @throws IllegalStateException as {@link #add}; nothing has been added then
   */
  @Override
  public long addHashes(long[] hashes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, hashes.length);
    if (hasRoomFor(length)) {
      return InsertableFilter.super.addHashes(hashes, offset, length);
    }
    // It may be unable to grow in the middle of them: then a copy is given up.
    ScalableBloomFilter<T> copy = new ScalableBloomFilter<>(this);
    long added = 0;
    for (int i = offset; i < offset + length; i++) {
      added += copy.addHash(hashes[i]) ? 1 : 0;
    }
    layers.clear();
    layers.addAll(copy.layers);
    newest = copy.newest;
    fillLimit = copy.fillLimit;
    additions = copy.additions;
    return added;
  }

  /** Whether the layers that can be planned take so many elements, whatever they are. */
  private boolean hasRoomFor(long elements) {
    long room = roomFor(newest.setPositions(), fillLimit, newest.shape().hashes());
    try {
      for (int i = layers.size(); room < elements; i++) {
        GrowthPlan.Layer layer = plan.layer(i);
        room += roomFor(0, layer.fillLimit(), layer.shape().hashes());
      }
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private static long roomFor(long setPositions, long fillLimit, int hashes) {
    return Math.max(0, (fillLimit - setPositions) / hashes + 1);
  }

  private void grow() {
    GrowthPlan.Layer next = plan.layer(layers.size());
    ClassicBloomFilter<T> layer = newLayer(strategy, next);
    layers.add(layer);
    newest = layer;
    fillLimit = next.fillLimit();
  }

  private static <T> ClassicBloomFilter<T> newLayer(
      HashStrategy<? super T> strategy, GrowthPlan.Layer layer) {
    return ClassicBloomFilter.builder(strategy).shape(layer.shape()).build();
  }

  /** Removes everything, and all layers but the first. */
  @Override
  public void clear() {
    newest = layers.get(0);
    newest.clear();
    layers.subList(1, layers.size()).clear();
    fillLimit = plan.layer(0).fillLimit();
    additions = 0;
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
    return BloomFormulas.compoundFpp(
        layers.stream().mapToDouble(ClassicBloomFilter::expectedFpp).toArray());
  }

  @Override
  public long approximateElementCount() {
    long sum = 0;
    for (ClassicBloomFilter<T> layer : layers) {
      sum += layer.approximateElementCount();
    }
    return sum;
  }

  /**
   * Returns how often something was added since the filter was made or cleared, repeats included.
   */
  public OptionalLong elementCount() {
    return OptionalLong.of(additions);
  }

  @Override
  public long memoryBytes() {
    long sum = 0;
    for (ClassicBloomFilter<T> layer : layers) {
      sum += layer.memoryBytes();
    }
    return sum;
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /** Returns how many layers there are, at least 1. */
  public int layerCount() {
    return layers.size();
  }

  /** Returns the shape of every layer there is, from the oldest to the newest. */
  public List<Shape> layerShapes() {
    return layers.stream().map(ClassicBloomFilter::shape).toList();
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
     * Returns an empty filter.
     *
     * @throws IllegalStateException if no size was given
     * @throws IllegalArgumentException if the first layer would be larger than one array
     */
    public <T extends S> ScalableBloomFilter<T> build() {
      requireSized();
      return new ScalableBloomFilter<>(strategy, plan);
    }

    private void requireSized() {
      if (!sized) {
        throw new IllegalStateException(
            "the filter has no size: call expecting(initialCapacity, fpp) first");
      }
    }
  }
}
