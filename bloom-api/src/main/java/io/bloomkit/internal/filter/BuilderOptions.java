package io.bloomkit.internal.filter;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterReader;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The options that builders of sized filters have in common: the strategy, the size, the plan, and
 * whether the filter is concurrent. The methods that set an option return the builder.
 *
 * @param <S> the type of the elements that the strategy hashes
 * @param <Z> the type of the size
 * @param <B> the type of the builder
 */
public final class BuilderOptions<S, Z, B> {

  private final B builder;
  private final HashStrategy<S> strategy;
  private final StrategyIdentity strategyIdentity;
  private final String sizingCalls;
  private @Nullable Z size;
  private Optional<FilterPlan> plan = Optional.empty();

  /** Whether the size was computed from the plan. */
  private boolean isPlanned;

  private boolean concurrent;

  /**
   * Creates options without a size.
   *
   * @param builder the builder with these options
   * @param sizingCalls the methods that set a size, for an error message
   */
  public BuilderOptions(B builder, HashStrategy<S> strategy, String sizingCalls) {
    this.strategyIdentity = StrategyIdentity.of(strategy);
    this.strategy = strategy;
    this.builder = builder;
    this.sizingCalls = sizingCalls;
  }

  /**
   * Sets the size directly. Keeps the plan.
   *
   * @throws IllegalStateException if the size was set with a plan
   */
  public B setShape(Z shape) {
    Objects.requireNonNull(shape, "shape");
    if (isPlanned) {
      throw new IllegalStateException(
          "expecting(...) has set size and plan: call shape(...) or expecting(...), not both");
    }
    this.size = shape;
    return builder;
  }

  /**
   * Sets the size and the plan from which it was computed. Replaces an earlier size and plan.
   *
   * @throws IllegalStateException if the size or the plan was set directly
   */
  public B setSize(Z size, FilterPlan plan) {
    if (!isPlanned && (this.size != null || this.plan.isPresent())) {
      throw new IllegalStateException(
          "shape(...) or plan(...) was called: expecting(...) would replace what it has set");
    }
    this.size = Objects.requireNonNull(size, "size");
    this.plan = Optional.of(plan);
    isPlanned = true;
    return builder;
  }

  /**
   * Sets the plan, for a size that is set directly, before or afterwards.
   *
   * @throws IllegalStateException if the size was set with a plan
   */
  public B setPlan(FilterPlan plan) {
    Objects.requireNonNull(plan, "plan");
    if (isPlanned) {
      throw new IllegalStateException(
          "expecting(...) has set size and plan: plan(...) is for a builder with a shape(...)");
    }
    this.plan = Optional.of(plan);
    return builder;
  }

  public B setConcurrent() {
    concurrent = true;
    return builder;
  }

  public HashStrategy<S> strategy() {
    return strategy;
  }

  /** Returns the id and the fingerprint of the strategy, computed once. */
  public StrategyIdentity strategyIdentity() {
    return strategyIdentity;
  }

  /**
   * Returns the size.
   *
   * @throws IllegalStateException if none was set
   */
  public Z requireSize() {
    if (size == null) {
      throw new IllegalStateException("the filter has no size: call " + sizingCalls + " first");
    }
    return size;
  }

  /**
   * Returns {@code read}, the size in a file.
   *
   * @throws FilterFormatException if a different size was set
   */
  public Z requireSame(FilterReader reader, Z read) throws FilterFormatException {
    if (size != null && !size.equals(read)) {
      boolean byPlan = plan.isPresent() && reader.plan().isPresent() && !plan.equals(reader.plan());
      throw reader.wrongField(
          0,
          "the filter has "
              + MergeKey.describe(byPlan ? reader.plan().get() : read)
              + ", the builder asks for "
              + MergeKey.describe(byPlan ? plan.get() : size)
              + ": build it with what it has");
    }
    return read;
  }

  /** Returns the plan; empty if none was set. */
  public Optional<FilterPlan> plan() {
    return plan;
  }

  /** Returns whether the filter will be concurrent. */
  public boolean isConcurrent() {
    return concurrent;
  }
}
