package io.bloomkit.scalable;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.internal.Arguments;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Plans the capacity and the rate of each layer of a growing filter, so that the sum of the rates
 * stays below the bound of the filter (P. Almeida et al., <i>Scalable Bloom filters</i>, 2007).
 * Layer i takes s<sup>i</sup> times the elements of the first layer, at the rate {@link
 * BloomFormulas#layerFpp}.
 *
 * <p>Filters and threads may share a plan. Each layer is planned only once.
 */
final class GrowthPlan {

  static final int MAX_GROWTH_FACTOR = 100;

  /** Operations read each layer. With a tightening ratio of 0.85, 64-bit hashes allow about 220. */
  static final int MAX_LAYERS = 1 << 10;

  private static final double DEFAULT_GROWTH_FACTOR = 2;

  /** Almeida et al. find that 0.8 to 0.9 takes the least memory with a growth factor of 2. */
  private static final double DEFAULT_TIGHTENING_RATIO = 0.85;

  final long initialCapacity;
  final double fpp;
  final double growthFactor;
  final double tighteningRatio;
  final int maxWriters;
  private final Map<Integer, LayerPlan> layers = new HashMap<>();

  /**
   * Creates a plan.
   *
   * @param initialCapacity the number of distinct elements of the first layer
   * @param fpp the false-positive probability that the filter does not exceed
   * @param growthFactor s
   * @param tighteningRatio r
   * @param maxWriters the number of threads that may add to a layer at the same time without
   *     exceeding its rate: each may have found that the layer is not full before the others added
   *     their elements
   * @throws IllegalArgumentException if an argument is out of its range
   */
  GrowthPlan(
      long initialCapacity,
      double fpp,
      double growthFactor,
      double tighteningRatio,
      int maxWriters) {
    if (!(growthFactor >= 1 && growthFactor <= MAX_GROWTH_FACTOR)) { // also refuses NaN
      throw new IllegalArgumentException(
          "growthFactor must be in [1, " + MAX_GROWTH_FACTOR + "], got " + growthFactor);
    }
    BloomFormulas.layerFpp(fpp, tighteningRatio, 0); // checks both
    this.initialCapacity = initialCapacity;
    this.fpp = fpp;
    this.growthFactor = growthFactor;
    this.tighteningRatio = tighteningRatio;
    this.maxWriters = maxWriters;
  }

  /** Returns a plan with default options. Its size must be set by {@link #withSize}. */
  static GrowthPlan ofDefaults() {
    return new GrowthPlan(1, 0.01, DEFAULT_GROWTH_FACTOR, DEFAULT_TIGHTENING_RATIO, 1);
  }

  GrowthPlan withGrowthFactor(double factor) {
    return new GrowthPlan(initialCapacity, fpp, factor, tighteningRatio, maxWriters);
  }

  GrowthPlan withTighteningRatio(double ratio) {
    return new GrowthPlan(initialCapacity, fpp, growthFactor, ratio, maxWriters);
  }

  GrowthPlan withSize(long capacity, double probability) {
    return new GrowthPlan(capacity, probability, growthFactor, tighteningRatio, maxWriters);
  }

  /** Returns whether two plans size layers alike, given the same {@code maxWriters}. */
  boolean hasSameGrowth(GrowthPlan other) {
    return initialCapacity == other.initialCapacity
        && fpp == other.fpp
        && growthFactor == other.growthFactor
        && tighteningRatio == other.tighteningRatio;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "initialCapacity %d, fpp %s, growthFactor %s, tighteningRatio %s",
        initialCapacity,
        fpp,
        growthFactor,
        tighteningRatio);
  }

  GrowthPlan withMaxWriters(int writers) {
    return new GrowthPlan(initialCapacity, fpp, growthFactor, tighteningRatio, writers);
  }

  /**
   * Returns the planned layer of an index.
   *
   * @throws IllegalArgumentException if the first layer would be too large, or its rate too low
   * @throws IllegalStateException if the rate of a later layer would be below what 64-bit hashes
   *     allow, or if the index is {@link #MAX_LAYERS}
   */
  synchronized LayerPlan layer(int index) {
    return layers.computeIfAbsent(index, this::plan);
  }

  /**
   * Returns a layer that was planned before, when a file is read. Does not plan the layer again.
   *
   * @throws IllegalArgumentException if the layer does not belong to this plan
   */
  LayerPlan planned(int index, long capacity, FlatShape shape, int layerMaxWriters) {
    double wanted = wantedCapacity(index);
    boolean fits =
        capacity <= wanted && (capacity == wanted || LayerPlan.fillsAnArray(shape.positions()));
    if (index == 0 ? capacity != initialCapacity : !fits) {
      throw new IllegalArgumentException("it would not take " + capacity + " elements");
    }
    double layerFpp = layerFpp(index);
    if (layerFpp < BloomFormulas.hashFloor(capacity)) {
      throw new IllegalArgumentException("64-bit hashes do not allow its error of " + layerFpp);
    }
    return LayerPlan.ofShape(index, capacity, shape, layerFpp, layerMaxWriters);
  }

  private double layerFpp(int index) {
    // A rate that underflows to 0 becomes the smallest number, which is refused as too low.
    return Math.max(Double.MIN_VALUE, BloomFormulas.layerFpp(fpp, tighteningRatio, index));
  }

  private LayerPlan plan(int index) {
    if (index == MAX_LAYERS) {
      throw new IllegalStateException(
          "the filter cannot grow: it would have more than "
              + MAX_LAYERS
              + " layers; choose a larger initial capacity or growth factor");
    }
    double layerFpp = layerFpp(index);
    try {
      return LayerPlan.of(index, capacity(index, layerFpp), layerFpp, maxWriters);
    } catch (IllegalArgumentException e) {
      if (index > 0) {
        throw new IllegalStateException(
            String.format(
                Locale.ROOT,
                "the filter cannot grow: after layer %d the next would need a false-positive"
                    + " probability of %.3g (%s); choose a larger initial capacity, growth factor"
                    + " or tightening ratio",
                index,
                layerFpp,
                e.getMessage()),
            e);
      }
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the first layer for expectedInsertions = %d and fpp = %s, of which it has %.3g at a"
                  + " tightening ratio of %s, cannot be made: %s",
              initialCapacity,
              fpp,
              layerFpp,
              tighteningRatio,
              e.getMessage()),
          e);
    }
  }

  /** Returns the first layers whose capacities add up to at least a number of elements. */
  List<LayerPlan> layersFor(long elements) {
    Arguments.checkAtLeast(1, elements, "elements");
    List<LayerPlan> planned = new ArrayList<>();
    long remaining = elements;
    while (remaining > 0) {
      LayerPlan layer = layer(planned.size());
      planned.add(layer);
      remaining -= layer.capacity();
    }
    return List.copyOf(planned);
  }

  /** Returns the shapes of {@link #layersFor}. */
  List<Shape> layerShapes(long elements) {
    return layersFor(elements).stream()
        .<Shape>map(LayerPlan::shape)
        .collect(Collectors.toUnmodifiableList());
  }

  /** Returns the number of bytes of a filter with the layers of {@link #layersFor}. */
  long memoryBytes(long elements) {
    return layersFor(elements).stream().mapToLong(LayerPlan::memoryBytes).sum();
  }

  /** Returns the sum of the capacities of all layers that can be planned. */
  long maxElements() {
    long sum = 0;
    try {
      for (int i = 0; sum >= 0; i++) {
        sum += layer(i).capacity();
      }
      return Long.MAX_VALUE; // the sum has overflowed
    } catch (IllegalStateException e) {
      return sum;
    }
  }

  private long capacity(int index, double layerFpp) {
    if (index == 0) {
      return initialCapacity; // a first layer that is too large is refused, not made smaller
    }
    return (long) Math.min(wantedCapacity(index), LayerPlan.maxCapacity(layerFpp));
  }

  /** Returns the number of elements of a layer, regardless of the largest size of an array. */
  private double wantedCapacity(int index) {
    return Math.ceil(initialCapacity * StrictMath.pow(growthFactor, index));
  }

  /**
   * Returns whether a number of elements, whatever their hashes are, can be added to the layers
   * that can be planned from an index on.
   */
  boolean canHoldFrom(int index, long elements) {
    try {
      long headroom = 0;
      for (int i = index; headroom < elements; i++) {
        headroom += layer(i).headroom(0);
      }
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }
}
