package io.bloomkit.scalable;

import io.bloomkit.BlockedShape;
import io.bloomkit.HashStrategy;
import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A layer of a filter that only grows. */
abstract class BitLayer<T> extends Layer<InsertableFilter<T>> {

  private BitLayer(InsertableFilter<T> filter, GrowthPlan.Layer plan) {
    super(filter, plan);
  }

  static <T> BitLayer<T> of(
      HashStrategy<? super T> strategy, GrowthPlan.Layer plan, boolean concurrent) {
    return plan.blocks() == null
        ? classic(strategy, plan, concurrent)
        : blocked(strategy, plan, plan.blocks(), concurrent);
  }

  private static <T> BitLayer<T> classic(
      HashStrategy<? super T> strategy, GrowthPlan.Layer plan, boolean concurrent) {
    ClassicBloomFilter.Builder<? super T> builder =
        ClassicBloomFilter.builder(strategy).shape(plan.shape());
    if (concurrent) {
      builder.concurrent();
    }
    ClassicBloomFilter<T> classic = builder.build();
    return new Classic<>(classic, plan);
  }

  private static <T> BitLayer<T> blocked(
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
    return new Blocked<>(blocked, plan, concurrent);
  }

  /** A layer of its own with the same contents. */
  abstract BitLayer<T> copy();

  private static final class Classic<T> extends BitLayer<T> {
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
    BitLayer<T> copy() {
      return new Classic<>(classic.copy(), plan);
    }
  }

  private static final class Blocked<T> extends BitLayer<T> {
    private final BlockedBloomFilter<T> blocked;

    /**
     * How many distinct elements were added to a layer for many threads; null in others, which have
     * a plain field. Threads that race to add an element first may count it more than once, so the
     * layer is full a little early then.
     */
    private final @Nullable LongAdder sharedDistinct;

    private long distinct;

    Blocked(BlockedBloomFilter<T> blocked, GrowthPlan.Layer plan, boolean concurrent) {
      super(blocked, plan);
      this.blocked = blocked;
      this.sharedDistinct = concurrent ? new LongAdder() : null;
    }

    @Override
    boolean addHash(long hash) {
      boolean added = blocked.addHash(hash);
      if (added) {
        count(1);
      }
      return added;
    }

    private void count(long elements) {
      if (sharedDistinct == null) {
        distinct += elements;
      } else {
        sharedDistinct.add(elements);
      }
    }

    @Override
    void clear() {
      super.clear();
      count(-fill());
    }

    @Override
    long fill() {
      return sharedDistinct == null ? distinct : sharedDistinct.sum();
    }

    @Override
    long setPositions() {
      return blocked.setPositions();
    }

    @Override
    BitLayer<T> copy() {
      Blocked<T> copy = new Blocked<>(blocked.copy(), plan, sharedDistinct != null);
      copy.count(fill());
      return copy;
    }
  }
}
