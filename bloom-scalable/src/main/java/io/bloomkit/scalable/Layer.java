package io.bloomkit.scalable;

import io.bloomkit.InsertableFilter;
import io.bloomkit.format.FilterContents;

/**
 * A layer of a growing filter: a filter of fixed size, and what was planned for it.
 *
 * <p>Queries go straight to {@link #filter}, one virtual call a layer. What is here is the little
 * that the filters do not share in an interface.
 *
 * @param <F> what the growing filter does with its layers
 */
abstract class Layer<F extends InsertableFilter<?>> {

  final F filter;
  final GrowthPlan.Layer plan;

  Layer(F filter, GrowthPlan.Layer plan) {
    this.filter = filter;
    this.plan = plan;
  }

  /** Adds a hash. Returns whether it was certainly absent. */
  abstract boolean addHash(long hash);

  /** Returns an upper bound of the fill of this layer, in the unit of the plan. */
  abstract long fill();

  /** Returns the number of set bits or non-zero counters. */
  abstract long setPositions();

  /** Returns the row of this layer in the table of the file. */
  abstract LayerRow row();

  /** Returns the contents of the filter of this layer for the file. */
  abstract FilterContents contents();

  /** Returns the least number of elements that can set a number of positions of a layer. */
  static long leastElements(long setPositions, GrowthPlan.Layer plan) {
    int hashes = plan.shape().hashes();
    return (setPositions + hashes - 1) / hashes;
  }

  /** Removes everything. */
  void clear() {
    filter.clear();
  }

  /** Returns whether one more element could raise the false-positive rate above the planned one. */
  final boolean isFull() {
    return fill() > plan.limit();
  }

  /**
   * Returns the number of elements that can be added before this layer is full, whatever they are.
   */
  final long room() {
    return plan.room(fill());
  }

  final ScalableFilterState.Layer state() {
    return new ScalableFilterState.Layer(
        plan.index(), plan.shape(), setPositions(), filter.memoryBytes(), filter.expectedFpp());
  }
}
