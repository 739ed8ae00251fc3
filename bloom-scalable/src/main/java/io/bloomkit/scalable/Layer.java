package io.bloomkit.scalable;

import io.bloomkit.DeletableFilter;
import io.bloomkit.HashStrategy;
import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;

/**
 * A layer of a growing filter: a flat filter, and what was planned for it.
 *
 * <p>Elements go straight to {@link #filter}, one virtual call a layer. What is here is the little
 * that flat filters do not share in an interface.
 *
 * @param <F> what the growing filter does with its layers
 */
abstract class Layer<F extends InsertableFilter<?>> {

  final F filter;
  final GrowthPlan.Layer plan;

  private Layer(F filter, GrowthPlan.Layer plan) {
    this.filter = filter;
    this.plan = plan;
  }

  static <T> Layer<InsertableFilter<T>> ofBits(
      HashStrategy<? super T> strategy, GrowthPlan.Layer plan, boolean concurrent) {
    ClassicBloomFilter.Builder<? super T> builder =
        ClassicBloomFilter.builder(strategy).shape(plan.shape());
    if (concurrent) {
      builder.concurrent();
    }
    ClassicBloomFilter<T> classic = builder.build();
    return new Classic<>(classic, plan);
  }

  static <T> Layer<DeletableFilter<T>> ofCounters(
      HashStrategy<? super T> strategy, GrowthPlan.Layer plan) {
    return new Counting<>(CountingBloomFilter.builder(strategy).shape(plan.shape()).build(), plan);
  }

  /** How many bits are set, or counters above zero. */
  abstract long setPositions();

  /** A layer of its own with the same contents. */
  abstract Layer<F> copy();

  /** Whether one more element could lift its error above what is planned for it. */
  final boolean isFull() {
    return setPositions() > plan.fillLimit();
  }

  /** How many elements it takes before it is full, whatever they are. */
  final long room() {
    return plan.room(setPositions());
  }

  final ScalableFilterState.Layer state() {
    return new ScalableFilterState.Layer(
        plan.index(), plan.shape(), setPositions(), filter.memoryBytes(), filter.expectedFpp());
  }

  private static final class Classic<T> extends Layer<InsertableFilter<T>> {
    private final ClassicBloomFilter<T> classic;

    Classic(ClassicBloomFilter<T> classic, GrowthPlan.Layer plan) {
      super(classic, plan);
      this.classic = classic;
    }

    @Override
    long setPositions() {
      return classic.setPositions();
    }

    @Override
    Layer<InsertableFilter<T>> copy() {
      return new Classic<>(classic.copy(), plan);
    }
  }

  private static final class Counting<T> extends Layer<DeletableFilter<T>> {
    private final CountingBloomFilter<T> counting;

    Counting(CountingBloomFilter<T> counting, GrowthPlan.Layer plan) {
      super(counting, plan);
      this.counting = counting;
    }

    @Override
    long setPositions() {
      return counting.nonZeroCounters();
    }

    @Override
    Layer<DeletableFilter<T>> copy() {
      return new Counting<>(counting.copy(), plan);
    }
  }
}
