package io.bloomkit.scalable;

import io.bloomkit.BlockedShape;
import io.bloomkit.DeletableFilter;
import io.bloomkit.Shape;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterReader;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.util.OptionalLong;

/** A layer of a {@link ScalableCountingBloomFilter}. */
abstract class CountingLayer<T> extends Layer<DeletableFilter<T>> {

  private CountingLayer(DeletableFilter<T> filter, GrowthPlan.Layer plan) {
    super(filter, plan);
  }

  @SuppressWarnings("unchecked") // Java makes no array of a generic type
  static <T> CountingLayer<T>[] newArray(int length) {
    return (CountingLayer<T>[]) new CountingLayer<?>[length];
  }

  /** Returns an array of one layer. */
  static <T> CountingLayer<T>[] rowOf(CountingLayer<T> layer) {
    CountingLayer<T>[] row = newArray(1);
    row[0] = layer;
    return row;
  }

  static <T> CountingLayer<T> of(
      HashStrategy<? super T> strategy, GrowthPlan.Layer plan, boolean concurrent) {
    if (plan.blocks() == null) {
      CountingBloomFilter<T> standard = standard(strategy, plan.shape(), concurrent).build();
      return new Standard<>(standard, plan);
    }
    BlockedCountingBloomFilter<T> blocked = blocked(strategy, plan.blocks(), concurrent).build();
    return new Blocked<>(blocked, plan, 0, 0);
  }

  /** Returns the number of bytes of the filter of a layer that {@link #of} returns. */
  static long memoryBytes(HashStrategy<?> strategy, GrowthPlan.Layer plan) {
    return plan.blocks() == null
        ? CountingBloomFilter.builder(strategy).shape(plan.shape()).memoryBytes()
        : BlockedCountingBloomFilter.builder(strategy).shape(plan.blocks()).memoryBytes();
  }

  /** Reads the filter of a layer whose row was read. */
  static <T> CountingLayer<T> read(
      HashStrategy<? super T> strategy, LayerRow row, boolean concurrent, FilterReader reader)
      throws IOException {
    GrowthPlan.Layer plan = row.plan();
    OptionalLong elementCount =
        row.elementCount() == LayerRow.UNKNOWN
            ? OptionalLong.empty()
            : OptionalLong.of(row.elementCount());
    CountingLayer<T> layer;
    long least;
    if (plan.blocks() == null) {
      CountingBloomFilter<T> standard =
          standard(strategy, plan.shape(), concurrent).readSections(reader, elementCount);
      layer = new Standard<>(standard, plan);
      least = 0;
    } else {
      BlockedCountingBloomFilter<T> blocked =
          blocked(strategy, plan.blocks(), concurrent).readSections(reader, elementCount);
      layer = new Blocked<>(blocked, plan, row.elements(), row.removals());
      // The number may be an estimate that was rounded down.
      least = Math.min(plan.mostFill(), layer.setPositions() / plan.shape().hashes());
    }
    long fill = plan.blocks() == null ? layer.fill() : row.elements();
    if (fill < least || fill > plan.mostFill()) {
      throw LayerTable.wrongFill(reader, plan, least, plan.mostFill(), fill);
    }
    return layer;
  }

  private static <T> CountingBloomFilter.Builder<? super T> standard(
      HashStrategy<? super T> strategy, Shape shape, boolean concurrent) {
    CountingBloomFilter.Builder<? super T> builder =
        CountingBloomFilter.builder(strategy).shape(shape).liveFill();
    return concurrent ? builder.concurrent() : builder;
  }

  private static <T> BlockedCountingBloomFilter.Builder<? super T> blocked(
      HashStrategy<? super T> strategy, BlockedShape blocks, boolean concurrent) {
    BlockedCountingBloomFilter.Builder<? super T> builder =
        BlockedCountingBloomFilter.builder(strategy).shape(blocks);
    return concurrent ? builder.concurrent() : builder;
  }

  /** Returns the largest number of removals in a row; more removals make no difference. */
  static long mostRemovals(GrowthPlan.Layer plan) {
    return plan.capacity() / Blocked.PARTS + 1;
  }

  /** Returns the element count to write: unknown if it is impossible for the counters. */
  static long elementCount(FilterContents contents) {
    return contents.header().elementCount().orElse(LayerRow.UNKNOWN);
  }

  /** Removes a hash. Returns false and changes nothing if the hash is certainly absent. */
  abstract boolean removeHash(long hash);

  /** Returns whether all counters are zero. */
  abstract boolean isEmpty();

  /** Returns an independent layer with the same contents. */
  abstract CountingLayer<T> copy();

  private static final class Standard<T> extends CountingLayer<T> {
    private final CountingBloomFilter<T> counting;

    Standard(CountingBloomFilter<T> counting, GrowthPlan.Layer plan) {
      super(counting, plan);
      this.counting = counting;
    }

    @Override
    boolean addHash(long hash) {
      return counting.addHashExclusively(hash);
    }

    @Override
    boolean removeHash(long hash) {
      return counting.removeHashExclusively(hash);
    }

    @Override
    boolean isEmpty() {
      return counting.nonZeroCounters() == 0;
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
    LayerRow row() {
      return LayerRow.of(plan).withElementCount(elementCount(contents()));
    }

    @Override
    FilterContents contents() {
      return counting.contents();
    }

    @Override
    CountingLayer<T> copy() {
      return new Standard<>(counting.copy(), plan);
    }
  }

  /**
   * A blocked layer. The fill of a blocked filter is known only after a pass over all counters.
   * Therefore this class keeps a number of distinct elements: the estimate of the last pass plus
   * the new elements since. Before the first pass, the number is an upper bound. Afterwards it may
   * be slightly too low; the reserve of {@link BlockedLayers} covers that. Another pass is made
   * when the number reaches the limit and enough elements were removed since the last pass.
   */
  private static final class Blocked<T> extends CountingLayer<T> {

    /** A pass is made only after removals of more than the capacity divided by this number. */
    private static final int PARTS = 64;

    private final BlockedCountingBloomFilter<T> blocked;
    private long mostElements;
    private long removals;

    /** The element count, kept here because {@code elementCount()} of the filter allocates. */
    private long copies;

    Blocked(
        BlockedCountingBloomFilter<T> blocked,
        GrowthPlan.Layer plan,
        long mostElements,
        long removals) {
      super(blocked, plan);
      this.blocked = blocked;
      this.mostElements = mostElements;
      this.removals = removals;
      this.copies = blocked.elementCount().orElse(Long.MAX_VALUE);
    }

    @Override
    boolean addHash(long hash) {
      // Adding a positive element does not change the number of non-zero counters.
      boolean added = blocked.addHash(hash);
      mostElements += added ? 1 : 0;
      copies++;
      return added;
    }

    @Override
    boolean removeHash(long hash) {
      boolean removed = blocked.removeHash(hash);
      if (removed) {
        removals++;
        copies--;
      }
      return removed;
    }

    @Override
    boolean isEmpty() {
      return copies == 0;
    }

    @Override
    long fill() {
      if (mostElements > plan.limit() && removals > plan.capacity() / PARTS) {
        mostElements = blocked.approximateElementCount();
        removals = 0;
      }
      return mostElements;
    }

    @Override
    long setPositions() {
      return blocked.nonZeroCounters();
    }

    @Override
    void clear() {
      super.clear();
      mostElements = 0;
      removals = 0;
      copies = 0;
    }

    @Override
    LayerRow row() {
      // Values beyond these limits have no effect before the next pass, which resets both.
      return LayerRow.of(plan)
          .withElements(Math.min(mostElements, plan.mostFill()))
          .withRemovals(Math.min(removals, mostRemovals(plan)))
          .withElementCount(elementCount(contents()));
    }

    @Override
    FilterContents contents() {
      return blocked.contents();
    }

    @Override
    CountingLayer<T> copy() {
      return new Blocked<>(blocked.copy(), plan, mostElements, removals);
    }
  }
}
