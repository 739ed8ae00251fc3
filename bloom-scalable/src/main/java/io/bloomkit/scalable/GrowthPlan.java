package io.bloomkit.scalable;

import io.bloomkit.BlockedShape;
import io.bloomkit.BloomFormulas;
import io.bloomkit.LayeredFormulas;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the layers of a growing filter are sized, so that their errors add up to no more than the
 * whole may have (P. Almeida et al., <i>Scalable Bloom filters</i>, 2007): layer i takes
 * s<sup>i</sup> times the elements of the first, at the rate {@link LayeredFormulas#layerFpp}.
 *
 * <p>A layer is planned once, however many filters and threads share a plan.
 */
final class GrowthPlan {

  static final double MAX_GROWTH_FACTOR = 100;

  /** An operation looks into each layer. At a tightening ratio of 0.85 hashes allow some 220. */
  static final int MAX_LAYERS = 1 << 10;

  private static final double DEFAULT_GROWTH_FACTOR = 2;

  /** Almeida et al. find 0.8 to 0.9 to take the least memory for growth by two. */
  private static final double DEFAULT_TIGHTENING_RATIO = 0.85;

  private final LayerKind kind;
  private final long initialCapacity;
  private final double fpp;
  private final double growthFactor;
  private final double tighteningRatio;
  private final int additionsAtOnce;
  private final Map<Integer, Layer> layers = new HashMap<>();

  /**
   * Makes a plan.
   *
   * @param kind what the layers are made of
   * @param initialCapacity the distinct elements of the first layer
   * @param fpp the false-positive probability that the filter does not exceed: never with flat
   *     layers; with layers of blocks in all but a few cases, see {@link BlockedLayers}
   * @param growthFactor s
   * @param tighteningRatio r
   * @param additionsAtOnce how many threads may have found that a layer is not full and not yet
   *     added to it: their elements still go there, within its part of the error
   * @throws IllegalArgumentException if an argument is out of its range
   */
  GrowthPlan(
      LayerKind kind,
      long initialCapacity,
      double fpp,
      double growthFactor,
      double tighteningRatio,
      int additionsAtOnce) {
    if (initialCapacity < 1) {
      throw new IllegalArgumentException(
          "initialCapacity must be at least 1, got " + initialCapacity);
    }
    if (!(growthFactor >= 1 && growthFactor <= MAX_GROWTH_FACTOR)) { // also refuses NaN
      throw new IllegalArgumentException(
          "growthFactor must be in [1, " + MAX_GROWTH_FACTOR + "], got " + growthFactor);
    }
    LayeredFormulas.layerFpp(fpp, tighteningRatio, 0); // checks both
    this.kind = kind;
    this.initialCapacity = initialCapacity;
    this.fpp = fpp;
    this.growthFactor = growthFactor;
    this.tighteningRatio = tighteningRatio;
    this.additionsAtOnce = additionsAtOnce;
  }

  /** A plan that says how, but not yet how large: {@link #withSize} does. */
  static GrowthPlan ofDefaults(LayerKind kind) {
    return new GrowthPlan(kind, 1, 0.01, DEFAULT_GROWTH_FACTOR, DEFAULT_TIGHTENING_RATIO, 1);
  }

  GrowthPlan withKind(LayerKind ofLayers) {
    return new GrowthPlan(
        ofLayers, initialCapacity, fpp, growthFactor, tighteningRatio, additionsAtOnce);
  }

  GrowthPlan withGrowthFactor(double factor) {
    return new GrowthPlan(kind, initialCapacity, fpp, factor, tighteningRatio, additionsAtOnce);
  }

  GrowthPlan withTighteningRatio(double ratio) {
    return new GrowthPlan(kind, initialCapacity, fpp, growthFactor, ratio, additionsAtOnce);
  }

  GrowthPlan withSize(long capacity, double probability) {
    return new GrowthPlan(
        kind, capacity, probability, growthFactor, tighteningRatio, additionsAtOnce);
  }

  /** Whether layers are sized alike, for as many threads. */
  boolean growsAs(GrowthPlan other) {
    return kind == other.kind
        && initialCapacity == other.initialCapacity
        && fpp == other.fpp
        && growthFactor == other.growthFactor
        && tighteningRatio == other.tighteningRatio;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "layers %s, initialCapacity %d, fpp %s, growthFactor %s, tighteningRatio %s",
        kind,
        initialCapacity,
        fpp,
        growthFactor,
        tighteningRatio);
  }

  LayerKind kind() {
    return kind;
  }

  long initialCapacity() {
    return initialCapacity;
  }

  double fpp() {
    return fpp;
  }

  double growthFactor() {
    return growthFactor;
  }

  double tighteningRatio() {
    return tighteningRatio;
  }

  int additionsAtOnce() {
    return additionsAtOnce;
  }

  GrowthPlan withAdditionsAtOnce(int additions) {
    return new GrowthPlan(kind, initialCapacity, fpp, growthFactor, tighteningRatio, additions);
  }

  /**
   * Returns the layer of an index.
   *
   * @throws IllegalArgumentException if the first layer would be too large or too strict
   * @throws IllegalStateException if the rate of a later one would be below what 64-bit hashes
   *     allow, or there are {@link #MAX_LAYERS} before it
   */
  synchronized Layer layer(int index) {
    return layers.computeIfAbsent(index, this::plan);
  }

  /**
   * Returns a layer that was planned before, without planning it again: for readers.
   *
   * @throws IllegalArgumentException if it does not belong to this plan
   */
  Layer planned(int index, long capacity, Shape shape, int roomForAdditions) {
    double wanted = wantedCapacity(index);
    boolean fits = capacity <= wanted && (capacity == wanted || kind.fillsAnArray(shape));
    if (index == 0 ? capacity != initialCapacity : !fits) {
      throw new IllegalArgumentException("it would not take " + capacity + " elements");
    }
    double layerFpp = layerFpp(index);
    if (layerFpp < BloomFormulas.hashFloor(capacity)) {
      throw new IllegalArgumentException("64-bit hashes do not allow its error of " + layerFpp);
    }
    return kind.planned(index, capacity, shape, layerFpp, roomForAdditions);
  }

  private double layerFpp(int index) {
    // What is less than any number is refused as one that is too small, not as none.
    return Math.max(Double.MIN_VALUE, LayeredFormulas.layerFpp(fpp, tighteningRatio, index));
  }

  private Layer plan(int index) {
    if (index == MAX_LAYERS) {
      throw new IllegalStateException(
          "the filter cannot grow: it would have more than "
              + MAX_LAYERS
              + " layers; choose a larger initial capacity or growth factor");
    }
    double layerFpp = layerFpp(index);
    try {
      return kind.size(index, capacity(index, layerFpp), layerFpp, additionsAtOnce);
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
              "the first layer for initialCapacity = %d and fpp = %s, of which it has %.3g at a"
                  + " tightening ratio of %s, cannot be made: %s",
              initialCapacity,
              fpp,
              layerFpp,
              tighteningRatio,
              e.getMessage()),
          e);
    }
  }

  /** As many layers as it takes until their capacities add up to the elements. */
  List<Layer> layersFor(long elements) {
    if (elements < 1) {
      throw new IllegalArgumentException("elements must be at least 1, got " + elements);
    }
    List<Layer> planned = new ArrayList<>();
    long left = elements;
    while (left > 0) {
      Layer layer = layer(planned.size());
      planned.add(layer);
      left -= layer.capacity();
    }
    return List.copyOf(planned);
  }

  /** The shapes of {@link #layersFor}. */
  List<Shape> layerShapes(long elements) {
    return layersFor(elements).stream().map(Layer::shape).toList();
  }

  /** The bytes of a filter with the layers of {@link #layersFor}. */
  long memoryBytes(HashStrategy<?> strategy, long elements) {
    return layersFor(elements).stream().mapToLong(layer -> kind.memoryBytes(strategy, layer)).sum();
  }

  private long capacity(int index, double layerFpp) {
    if (index == 0) {
      return initialCapacity; // what cannot be built is refused, not made smaller
    }
    return (long) Math.min(wantedCapacity(index), kind.mostElements(layerFpp));
  }

  /** The elements of a layer that is not cut to what an array takes. */
  private double wantedCapacity(int index) {
    return Math.ceil(initialCapacity * StrictMath.pow(growthFactor, index));
  }

  /**
   * Returns whether the layers that can be planned from an index on take a number of elements, of
   * any kind.
   */
  boolean hasRoomFrom(int index, long elements) {
    try {
      long room = 0;
      for (int i = index; room < elements; i++) {
        room += layer(i).room(0);
      }
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /**
   * A planned layer. How full it is, is counted in set positions or, in layers of blocks, in
   * distinct elements.
   *
   * @param index i, from 0 on: says its part of the error
   * @param capacity the distinct elements that it takes in all but a few cases
   * @param shape how many positions it has, and how many of them an element takes
   * @param blocks how they are arranged; null in a flat layer
   * @param limit it takes another element while it is no fuller than this
   * @param mostPerElement how much fuller an element can make it
   * @param additionsAtOnce for how many threads it has room
   * @param plannedAdditionsAtOnce for how many threads it was planned; files say this number, from
   *     which its limit follows
   */
  record Layer(
      int index,
      long capacity,
      Shape shape,
      @Nullable BlockedShape blocks,
      long limit,
      int mostPerElement,
      int additionsAtOnce,
      int plannedAdditionsAtOnce) {

    /** A layer as it is planned. */
    Layer(
        int index,
        long capacity,
        Shape shape,
        @Nullable BlockedShape blocks,
        long limit,
        int mostPerElement,
        int additionsAtOnce) {
      this(index, capacity, shape, blocks, limit, mostPerElement, additionsAtOnce, additionsAtOnce);
    }

    /** The fill that it does not exceed, if no more threads add than it has room for. */
    long mostFill() {
      return limit + (long) additionsAtOnce * mostPerElement;
    }

    /** This layer with room for more threads: full so much sooner that its most fill stays. */
    Layer withRoomFor(int additions) {
      long lower = limit - (long) (additions - additionsAtOnce) * mostPerElement;
      return new Layer(
          index, capacity, shape, blocks, lower, mostPerElement, additions, plannedAdditionsAtOnce);
    }

    /**
     * Returns the number of elements that can be added at a given fill before the layer is full,
     * whatever they are.
     */
    long room(long fill) {
      return fill > limit ? 0 : (limit - fill) / mostPerElement + 1;
    }
  }
}
