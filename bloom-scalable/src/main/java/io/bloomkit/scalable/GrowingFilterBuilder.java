package io.bloomkit.scalable;

import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The base class of the builders of growing filters, which sets the plan of the layers. */
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
   * Sets the size of the first layer and the bound on the false-positive rate of the whole filter.
   *
   * @param initialCapacity the number of distinct elements planned for the first layer, at least 1
   * @param fpp the bound, in (0, 1); {@link #blocked()} describes an exception
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public B expecting(long initialCapacity, double fpp) {
    plan = plan.withSize(initialCapacity, fpp);
    sized = true;
    return self();
  }

  /**
   * Sets the ratio of the capacities of a layer and its predecessor, 2 by default. A larger factor
   * leads to fewer layers and faster queries, but to more unused memory.
   *
   * @param factor from 1 to 100
   * @throws IllegalArgumentException if the factor is out of its range
   */
  public B growthFactor(double factor) {
    plan = plan.withGrowthFactor(factor);
    return self();
  }

  /**
   * Sets the ratio of the false-positive rates of a layer and its predecessor, 0.85 by default. A
   * larger ratio saves memory in later layers, but the first layer takes more.
   *
   * @param ratio in (0, 1)
   * @throws IllegalArgumentException if the ratio is out of its range
   */
  public B tighteningRatio(double ratio) {
    plan = plan.withTighteningRatio(ratio);
    return self();
  }

  /**
   * Makes all layers blocked filters, so an operation touches one cache line per layer. Blocked
   * layers take more memory; each takes at least 4 KiB.
   *
   * <p>A blocked layer is full when it has a certain number of distinct elements. By chance, its
   * false-positive rate may then exceed the planned rate of the layer. Layers are sized so that
   * this is rare.
   */
  public B blocked() {
    plan = plan.withKind(plan.kind().blocked());
    return self();
  }

  /**
   * Returns the planned layers of a filter with a given number of distinct elements, oldest first.
   * A filter may have one layer more or less if its newest layer is nearly full or nearly empty.
   *
   * @param elements the number of distinct elements, at least 1
   * @throws IllegalStateException if no size was given, if a later layer would need a lower
   *     false-positive rate than 64-bit hashes allow, or if there would be more than 1,024 layers
   * @throws IllegalArgumentException if {@code elements} is less than 1, or the first layer cannot
   *     be built
   */
  public List<Shape> layerShapes(long elements) {
    return requirePlan().layerShapes(elements);
  }

  /**
   * Returns {@code memoryBytes()} of a filter with the layers of {@link #layerShapes}, and throws
   * as that method does. In a filter of counters, removals and repetitions may increase the bytes.
   *
   * @param elements the number of distinct elements, at least 1; for an empty filter pass 1
   */
  public long memoryBytes(long elements) {
    return requirePlan().memoryBytes(strategy, elements);
  }

  /** Returns the plan that a file must have, or null if any plan is accepted. */
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
