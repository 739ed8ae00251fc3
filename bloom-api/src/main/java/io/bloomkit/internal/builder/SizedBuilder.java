package io.bloomkit.internal.builder;

import io.bloomkit.FilterPlan;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterReader;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the builders of filters of one size share: the strategy, the size, what the filter is made
 * for, and whether it is thread-safe. Users cannot see this class, so nothing of it is public.
 *
 * @param <S> the type that the strategy takes
 * @param <Z> the type of the size
 * @param <B> the builder itself
 */
public abstract class SizedBuilder<S, Z, B extends SizedBuilder<S, Z, B>> {

  /** The strategy of the filters. */
  protected final HashStrategy<S> strategy;

  /** The id and the fingerprint of the strategy, computed once. */
  protected final StrategyIdentity strategyIdentity;

  private final String sizingCalls;
  private @Nullable Z size;
  private Optional<FilterPlan> plan = Optional.empty();
  private boolean concurrent;

  /**
   * Makes a builder without a size.
   *
   * @param sizingCalls the methods that set one, as an error message names them
   */
  protected SizedBuilder(HashStrategy<S> strategy, String sizingCalls) {
    this.strategyIdentity = StrategyIdentity.of(strategy);
    this.strategy = strategy;
    this.sizingCalls = sizingCalls;
  }

  /** Makes the filter thread-safe. */
  protected final B makeConcurrent() {
    concurrent = true;
    return self();
  }

  /** Returns this builder. */
  @SuppressWarnings("unchecked") // each builder is its own B
  protected final B self() {
    return (B) this;
  }

  /** Sets the size, and forgets what a filter of an earlier size was made for. */
  protected final B sized(Z size) {
    this.size = Objects.requireNonNull(size, "shape");
    plan = Optional.empty();
    return self();
  }

  /** Says what a filter of the size set before is made for. */
  protected final B planned(FilterPlan plan) {
    this.plan = Optional.of(Objects.requireNonNull(plan, "plan"));
    return self();
  }

  /** Returns what the filter is made for; empty if nobody said it. */
  protected final Optional<FilterPlan> planned() {
    return plan;
  }

  /** Returns whether the filter will be thread-safe. */
  protected final boolean isConcurrent() {
    return concurrent;
  }

  /** Returns the size; null if none was set. */
  protected final @Nullable Z size() {
    return size;
  }

  /**
   * Returns the size.
   *
   * @throws IllegalStateException if none was set
   */
  protected final Z requireSize() {
    if (size == null) {
      throw new IllegalStateException("the filter has no size: call " + sizingCalls + " first");
    }
    return size;
  }

  /**
   * Returns the size that a file states.
   *
   * @throws FilterFormatException if another one was set
   */
  protected final Z requireSame(FilterReader reader, Z read) throws FilterFormatException {
    if (size != null && !size.equals(read)) {
      throw reader.wrongField(0, "the filter must have " + size + " but has " + read);
    }
    return read;
  }
}
