package io.bloomkit.scalable;

import io.bloomkit.InsertableFilter;
import io.bloomkit.format.FilterContents;

/**
 * A layer of a growing filter: a filter of fixed size, and its plan.
 *
 * <p>Queries call {@link #filter} directly, with one virtual call per layer. This class has only
 * those operations that the filters do not share in an interface.
 *
 * @param <F> the interface through which the growing filter uses its layers
 */
abstract class Layer<F extends InsertableFilter<?>> {

  final F filter;
  final GrowthPlan.Layer plan;

  Layer(F filter, GrowthPlan.Layer plan) {
    this.filter = filter;
    this.plan = plan;
  }

  /** Adds a hash. Returns whether the hash was certainly absent before. */
  abstract boolean addHash(long hash);

  /** Returns an upper bound of the fill of this layer, in the unit of {@link GrowthPlan.Layer}. */
  abstract long fill();

  /** Returns the number of set bits or non-zero counters. */
  abstract long setPositions();

  /** Returns the row of this layer in the table of the file. */
  abstract LayerRow row();

  /** Returns the contents of the filter of this layer for the file. */
  abstract FilterContents contents();

  /** Returns the smallest number of elements that can set a number of positions of a layer. */
  static long leastElements(long setPositions, GrowthPlan.Layer plan) {
    int hashes = plan.shape().hashes();
    return (setPositions + hashes - 1) / hashes;
  }

  /** Removes all elements. */
  void clear() {
    filter.clear();
  }

  /** Returns whether one more element could raise the false-positive rate above the planned one. */
  final boolean isFull() {
    return fill() > plan.limit();
  }

  /**
   * Returns a number of elements that can always be added before this layer is full, at least 0.
   */
  final long room() {
    return plan.room(fill());
  }

  final ScalableFilterState.Layer state() {
    return new ScalableFilterState.Layer(
        plan.index(), plan.shape(), setPositions(), filter.memoryBytes(), filter.expectedFpp());
  }
}
