package io.bloomkit.scalable;

import io.bloomkit.BloomFormulas;
import io.bloomkit.Shape;
import io.bloomkit.classic.BitFilter;
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

  final LayerKind kind;
  final long initialCapacity;
  final double fpp;
  final double growthFactor;
  final double tighteningRatio;
  final int additionsAtOnce;
  private final Map<Integer, Layer> layers = new HashMap<>();

  /**
   * Creates a plan.
   *
   * @param kind the kind of the layers
   * @param initialCapacity the number of distinct elements of the first layer
   * @param fpp the false-positive probability that the filter does not exceed; with blocked layers
   *     it is exceeded in rare cases, see {@link LayerKind}
   * @param growthFactor s
   * @param tighteningRatio r
   * @param additionsAtOnce the number of threads that may add to a layer at the same time without
   *     exceeding its rate: each may have found that the layer is not full before the others added
   *     their elements
   * @throws IllegalArgumentException if an argument is out of its range
   */
  GrowthPlan(
      LayerKind kind,
      long initialCapacity,
      double fpp,
      double growthFactor,
      double tighteningRatio,
      int additionsAtOnce) {
    if (!(growthFactor >= 1 && growthFactor <= MAX_GROWTH_FACTOR)) { // also refuses NaN
      throw new IllegalArgumentException(
          "growthFactor must be in [1, " + MAX_GROWTH_FACTOR + "], got " + growthFactor);
    }
    BloomFormulas.layerFpp(fpp, tighteningRatio, 0); // checks both
    this.kind = kind;
    this.initialCapacity = initialCapacity;
    this.fpp = fpp;
    this.growthFactor = growthFactor;
    this.tighteningRatio = tighteningRatio;
    this.additionsAtOnce = additionsAtOnce;
  }

  /** Returns a plan with default options. Its size must be set by {@link #withSize}. */
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

  /** Returns whether two plans size layers alike, given the same {@code additionsAtOnce}. */
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

  GrowthPlan withAdditionsAtOnce(int additions) {
    return new GrowthPlan(kind, initialCapacity, fpp, growthFactor, tighteningRatio, additions);
  }

  /**
   * Returns the planned layer of an index.
   *
   * @throws IllegalArgumentException if the first layer would be too large, or its rate too low
   * @throws IllegalStateException if the rate of a later layer would be below what 64-bit hashes
   *     allow, or if the index is {@link #MAX_LAYERS}
   */
  synchronized Layer layer(int index) {
    return layers.computeIfAbsent(index, this::plan);
  }

  /**
   * Returns a layer that was planned before, when a file is read. Does not plan the layer again.
   *
   * @throws IllegalArgumentException if the layer does not belong to this plan
   */
  Layer planned(int index, long capacity, long positions, int hashes, int roomForAdditions) {
    double wanted = wantedCapacity(index);
    boolean fits = capacity <= wanted && (capacity == wanted || LayerKind.fillsAnArray(positions));
    if (index == 0 ? capacity != initialCapacity : !fits) {
      throw new IllegalArgumentException("it would not take " + capacity + " elements");
    }
    double layerFpp = layerFpp(index);
    if (layerFpp < BloomFormulas.hashFloor(capacity)) {
      throw new IllegalArgumentException("64-bit hashes do not allow its error of " + layerFpp);
    }
    return kind.planned(index, capacity, positions, hashes, layerFpp, roomForAdditions);
  }

  private double layerFpp(int index) {
    // A rate that underflows to 0 becomes the smallest number, which is refused as too low.
    return Math.max(Double.MIN_VALUE, BloomFormulas.layerFpp(fpp, tighteningRatio, index));
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
  List<Layer> layersFor(long elements) {
    Arguments.checkAtLeast(1, elements, "elements");
    List<Layer> planned = new ArrayList<>();
    long left = elements;
    while (left > 0) {
      Layer layer = layer(planned.size());
      planned.add(layer);
      left -= layer.capacity();
    }
    return List.copyOf(planned);
  }

  /** Returns the shapes of {@link #layersFor}. */
  List<Shape> layerShapes(long elements) {
    return layersFor(elements).stream().map(Layer::shape).collect(Collectors.toUnmodifiableList());
  }

  /** Returns the number of bytes of a filter with the layers of {@link #layersFor}. */
  long memoryBytes(long elements) {
    return layerShapes(elements).stream().mapToLong(BitFilter::memoryBytes).sum();
  }

  private long capacity(int index, double layerFpp) {
    if (index == 0) {
      return initialCapacity; // a first layer that is too large is refused, not made smaller
    }
    return (long) Math.min(wantedCapacity(index), kind.mostElements(layerFpp));
  }

  /** Returns the number of elements of a layer, regardless of the largest size of an array. */
  private double wantedCapacity(int index) {
    return Math.ceil(initialCapacity * StrictMath.pow(growthFactor, index));
  }

  /**
   * Returns whether the layers that can be planned from an index on have room for a number of
   * elements, whatever their hashes are.
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
   * A planned layer. The unit of its fill is set positions in a flat layer, and distinct elements
   * in a blocked layer.
   *
   * @param index i, counted from 0; determines the false-positive rate of the layer
   * @param capacity the number of distinct elements that the layer takes, except in rare cases
   * @param shape the shape of the filter of the layer
   * @param limit the largest fill at which the layer takes another element
   * @param mostPerElement the largest increase of the fill by an element
   * @param additionsAtOnce the number of threads for which the layer has room
   * @param plannedAdditionsAtOnce the number of threads for which the layer was planned; files
   *     store this number, from which the limit follows
   */
  record Layer(
      int index,
      long capacity,
      Shape shape,
      long limit,
      int mostPerElement,
      int additionsAtOnce,
      int plannedAdditionsAtOnce) {

    /** Creates a layer with room for the number of threads for which it is planned. */
    Layer(
        int index,
        long capacity,
        Shape shape,
        long limit,
        int mostPerElement,
        int additionsAtOnce) {
      this(index, capacity, shape, limit, mostPerElement, additionsAtOnce, additionsAtOnce);
    }

    /** Returns the largest possible fill, if no more threads add than the layer has room for. */
    long mostFill() {
      return limit + (long) additionsAtOnce * mostPerElement;
    }

    /** Returns this layer with room for more threads: a lower limit, and the same largest fill. */
    Layer withRoomFor(int additions) {
      long lower = limit - (long) (additions - additionsAtOnce) * mostPerElement;
      return new Layer(
          index, capacity, shape, lower, mostPerElement, additions, plannedAdditionsAtOnce);
    }

    /**
     * Returns a number of elements that can always be added at a given fill before the layer is
     * full.
     */
    long room(long fill) {
      return fill > limit ? 0 : (limit - fill) / mostPerElement + 1;
    }
  }
}
