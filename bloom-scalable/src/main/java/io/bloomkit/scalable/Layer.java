package io.bloomkit.scalable;

import io.bloomkit.BlockedShape;
import io.bloomkit.DeletableFilter;
import io.bloomkit.HashStrategy;
import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;

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

  private Layer(F filter, GrowthPlan.Layer plan) {
    this.filter = filter;
    this.plan = plan;
  }

  static <T> Layer<InsertableFilter<T>> ofBits(
      HashStrategy<? super T> strategy, GrowthPlan.Layer plan, boolean concurrent) {
    return plan.blocks() == null
        ? classic(strategy, plan, concurrent)
        : blocked(strategy, plan, plan.blocks(), concurrent);
  }

  private static <T> Layer<InsertableFilter<T>> classic(
      HashStrategy<? super T> strategy, GrowthPlan.Layer plan, boolean concurrent) {
    ClassicBloomFilter.Builder<? super T> builder =
        ClassicBloomFilter.builder(strategy).shape(plan.shape());
    if (concurrent) {
      builder.concurrent();
    }
    ClassicBloomFilter<T> classic = builder.build();
    return new Classic<>(classic, plan);
  }

  private static <T> Layer<InsertableFilter<T>> blocked(
      HashStrategy<? super T> strategy,
      GrowthPlan.Layer plan,
      BlockedShape shape,
      boolean concurrent) {
    BlockedBloomFilter.Builder<? super T> builder =
        BlockedBloomFilter.builder(strategy).shape(shape);
    if (concurrent) {
      builder.concurrent();
    }
    BlockedBloomFilter<T> blocked = builder.build();
    return new Blocked<>(blocked, plan);
  }

  static <T> Layer<DeletableFilter<T>> ofCounters(
      HashStrategy<? super T> strategy, GrowthPlan.Layer plan) {
    return new Counting<>(CountingBloomFilter.builder(strategy).shape(plan.shape()).build(), plan);
  }

  /** Adds a hash. Returns whether it was certainly absent. */
  abstract boolean addHash(long hash);

  /** How full it is, in what the plan counts. */
  abstract long fill();

  /** How many bits are set, or counters above zero. */
  abstract long setPositions();

  /** A layer of its own with the same contents. */
  abstract Layer<F> copy();

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

  private static final class Classic<T> extends Layer<InsertableFilter<T>> {
    private final ClassicBloomFilter<T> classic;

    Classic(ClassicBloomFilter<T> classic, GrowthPlan.Layer plan) {
      super(classic, plan);
      this.classic = classic;
    }

    @Override
    boolean addHash(long hash) {
      return classic.addHash(hash);
    }

    @Override
    long fill() {
      return classic.setPositions();
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

  private static final class Blocked<T> extends Layer<InsertableFilter<T>> {
    private final BlockedBloomFilter<T> blocked;

    Blocked(BlockedBloomFilter<T> blocked, GrowthPlan.Layer plan) {
      super(blocked, plan);
      this.blocked = blocked;
    }

    @Override
    boolean addHash(long hash) {
      // What is claimed is not added, so that the element count is one of distinct elements.
      return !blocked.mightContainHash(hash) && blocked.addHash(hash);
    }

    @Override
    long fill() {
      return blocked.elementCount().orElseThrow();
    }

    @Override
    long setPositions() {
      return blocked.setPositions();
    }

    @Override
    Layer<InsertableFilter<T>> copy() {
      return new Blocked<>(blocked.copy(), plan);
    }
  }

  private static final class Counting<T> extends Layer<DeletableFilter<T>> {
    private final CountingBloomFilter<T> counting;

    Counting(CountingBloomFilter<T> counting, GrowthPlan.Layer plan) {
      super(counting, plan);
      this.counting = counting;
    }

    @Override
    boolean addHash(long hash) {
      return counting.addHash(hash);
    }

    @Override
    long fill() {
      return counting.nonZeroCounters();
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
