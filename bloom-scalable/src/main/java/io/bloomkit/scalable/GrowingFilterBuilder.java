package io.bloomkit.scalable;

import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The common base of the builders of growing filters: the plan of the layers. */
abstract sealed class GrowingFilterBuilder<S, B extends GrowingFilterBuilder<S, B>>
    permits ScalableBloomFilter.Builder, ScalableCountingBloomFilter.Builder {

  final HashStrategy<S> strategy;
  GrowthPlan plan;
  private boolean sized;

  GrowingFilterBuilder(HashStrategy<S> strategy, LayerKind flat) {
    StrategyIdentity.of(strategy);
    this.strategy = strategy;
    this.plan = GrowthPlan.ofDefaults(flat);
  }

  @SuppressWarnings("unchecked") // each builder is its own B
  private B self() {
    return (B) this;
  }

  /**
   * Sets the initial size and the bound on the false-positive probability of the whole filter.
   *
   * @param initialCapacity the distinct elements of the first layer, at least 1
   * @param fpp in (0, 1); a strict bound unless {@link #blocked()} is called
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public B expecting(long initialCapacity, double fpp) {
    plan = plan.withSize(initialCapacity, fpp);
    sized = true;
    return self();
  }

  /**
   * Sets the ratio of the capacity of a layer to that of the one before it; 2 by default. A larger
   * factor means fewer layers and faster queries, and more unused memory.
   *
   * @param factor from 1 to 100
   * @throws IllegalArgumentException if the factor is out of its range
   */
  public B growthFactor(double factor) {
    plan = plan.withGrowthFactor(factor);
    return self();
  }

  /**
   * Sets the ratio of the false-positive probability of a layer to that of the one before it; 0.85
   * by default. A larger ratio saves memory in later layers and costs some in the first.
   *
   * @param ratio in (0, 1)
   * @throws IllegalArgumentException if the ratio is out of its range
   */
  public B tighteningRatio(double ratio) {
    plan = plan.withTighteningRatio(ratio);
    return self();
  }

  /**
   * Makes layers of blocked filters: an operation touches one cache line per layer. They take more
   * memory, at least 4 KiB per layer; see the class comment of the filter.
   *
   * <p>Only a pass over such a layer reveals its fill, so a layer is sealed by its number of
   * distinct elements, with a reserve: the bound on its part of the false-positive probability
   * holds in all but a few of 10,000 layers.
   */
  public B blocked() {
    plan = plan.withKind(plan.kind().blocked());
    return self();
  }

  /**
   * Returns the shapes of the layers, from the first on, whose capacities add up to at least a
   * number of distinct elements. A filter to which as many elements were added has these layers; it
   * may have one more or less if the last one is nearly full or nearly empty.
   *
   * @param elements at least 1
   * @throws IllegalStateException if no size was given, or a layer would have to be stricter than
   *     64-bit hashes allow
   * @throws IllegalArgumentException if {@code elements} is below 1, or the first layer would be
   *     larger than one array
   */
  public List<Shape> layerShapes(long elements) {
    return requirePlan().layerShapes(elements);
  }

  /**
   * Returns the exact bytes of a filter with the layers of {@link #layerShapes} without making it;
   * throws as that method. Removals, and elements added more than fifteen times, may add to them.
   *
   * @param elements at least 1; at most those of the first layer for an empty filter
   */
  public long memoryBytes(long elements) {
    return requirePlan().memoryBytes(strategy, elements);
  }

  /** The plan that a file must have; null if any will do. */
  final @Nullable GrowthPlan expectedPlan() {
    return sized ? plan : null;
  }

  final GrowthPlan requirePlan() {
    if (!sized) {
      throw new IllegalStateException(
          "the filter has no size: call expecting(initialCapacity, fpp) first");
    }
    return plan;
  }
}
