package io.bloomkit.counting;

import io.bloomkit.FilterPlan;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.filter.BuilderOptions;
import java.io.IOException;
import java.util.Objects;

/** The common base of the builders of counting Bloom filters: strategy, shape and threads. */
abstract sealed class CounterFilterBuilder<
        S, Z extends Record, B extends CounterFilterBuilder<S, Z, B>>
    permits CountingBloomFilter.Builder, BlockedCountingBloomFilter.Builder {

  final HashStrategy<S> strategy;
  final StrategyIdentity strategyIdentity;
  final BuilderOptions<S, Z, B> options;
  private final CounterShapes<Z> shapes;

  @SuppressWarnings("unchecked") // each builder is its own B
  CounterFilterBuilder(HashStrategy<S> strategy, CounterShapes<Z> shapes) {
    this.options =
        new BuilderOptions<>((B) this, strategy, "expecting(insertions, fpp) or shape(...)");
    this.strategy = strategy;
    this.strategyIdentity = options.strategyIdentity();
    this.shapes = shapes;
  }

  /**
   * Sizes the filter for a largest number of distinct elements at any one time, at least 1, and a
   * false-positive rate in (0, 1). Replaces an earlier size and plan.
   *
   * @return this builder
   * @throws IllegalArgumentException if an argument is out of its range, or the filter would be
   *     larger than one array (16 GiB)
   * @throws IllegalStateException if {@link #shape} or {@link #plan} was called
   */
  public B expecting(long expectedInsertions, double fpp) {
    Z shape = shapes.of(expectedInsertions, fpp);
    shapes.check(shape);
    return options.setSize(shape, new FilterPlan(expectedInsertions, fpp));
  }

  /**
   * Sets the number of counters and the number of hashes directly. Replaces an earlier shape.
   *
   * @return this builder
   * @throws IllegalArgumentException if a blocked shape does not have 128 positions per block, or
   *     the filter would be larger than one array (16 GiB)
   * @throws IllegalStateException if {@link #expecting} was called
   */
  public B shape(Z shape) {
    shapes.check(Objects.requireNonNull(shape, "shape"));
    return options.setShape(shape);
  }

  /**
   * Sets the {@link CounterFilter#plan() plan} of a filter whose {@link #shape} is set. Returns
   * this builder.
   *
   * @throws IllegalStateException if {@link #expecting} was called, which sets the plan
   */
  public B plan(FilterPlan plan) {
    return options.setPlan(plan);
  }

  /** Makes the filter thread-safe, as {@link CounterFilter} describes. Returns this builder. */
  public B concurrent() {
    return options.setConcurrent();
  }

  /** Returns the number of bytes that the empty filter will occupy. Requires a size. */
  public long memoryBytes() {
    return CounterArray.memoryBytes(shapes.counters(options.requireSize()));
  }

  final CounterArray newCounters() {
    return new CounterArray(shapes.counters(options.requireSize()));
  }

  /** Sets the plan of this builder in a filter, and returns the filter. */
  final <F extends CounterFilter<?>> F planned(F filter) {
    filter.setPlan(options.plan());
    return filter;
  }

  /** Reads the shape from a file. If a shape was set, the two must be equal. */
  final Z readShape(FilterReader reader, FilterVariant variant) throws IOException {
    reader.require(variant, strategyIdentity, 2);
    return options.requireSame(reader, shapes.read(reader));
  }

  final CounterArray readCounters(FilterReader reader, Z of) throws IOException {
    return CounterFile.read(reader, shapes.padding(), shapes.positions(of));
  }
}
