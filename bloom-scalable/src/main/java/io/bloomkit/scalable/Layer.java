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

  /** How full it is, in what the plan counts; not less than it is. */
  abstract long fill();

  /** How many bits are set, or counters above zero. */
  abstract long setPositions();

  /** What is written of it: its row of the table. */
  abstract LayerRow row();

  /** What is written of it: its filter. */
  abstract FilterContents contents();

  /** Returns the fewest elements that can have set a number of positions of a layer. */
  static long leastElements(long setPositions, GrowthPlan.Layer plan) {
    int hashes = plan.shape().hashes();
    return (setPositions + hashes - 1) / hashes;
  }

  /** Removes everything. */
  void clear() {
    filter.clear();
  }

  /** Whether one more element could lift its error above what is planned for it. */
  final boolean isFull() {
    return fill() > plan.limit();
  }

  /** How many elements it takes before it is full, whatever they are. */
  final long room() {
    return plan.room(fill());
  }

  final ScalableFilterState.Layer state() {
    return new ScalableFilterState.Layer(
        plan.index(), plan.shape(), setPositions(), filter.memoryBytes(), filter.expectedFpp());
  }
}
