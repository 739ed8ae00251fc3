package io.bloomkit.internal.filter;

import io.bloomkit.FilterPlan;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The state of a filter of one shape, without its bits or counters. Two states are equal if their
 * strategies (id and fingerprint) and shapes are equal. An element then has the same positions in
 * both filters.
 *
 * @param <T> the type of the elements
 */
public final class FilterState<T> {

  private final HashStrategy<? super T> strategy;
  private final Shape shape;
  private final MergeKey key;
  private final ElementCount elements;
  private Optional<FilterPlan> plan;

  /**
   * Creates a state.
   *
   * @param identity the identity of the strategy
   */
  public FilterState(
      HashStrategy<? super T> strategy,
      StrategyIdentity identity,
      Shape shape,
      Optional<FilterPlan> plan,
      ElementCount elements) {
    this.strategy = strategy;
    this.shape = shape;
    this.key = new MergeKey(shape, identity);
    this.plan = plan;
    this.elements = elements;
  }

  /** Returns an independent state with the same contents. */
  public FilterState<T> copy() {
    return copy(elements.get());
  }

  /** Returns an independent state with another element count. */
  public FilterState<T> copy(OptionalLong elementCount) {
    return new FilterState<>(
        strategy, identity(), shape, plan, new ElementCount(elements.isConcurrent(), elementCount));
  }

  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /** Returns the id and the fingerprint of the strategy. */
  public StrategyIdentity identity() {
    return key.strategy();
  }

  public Shape shape() {
    return shape;
  }

  public Optional<FilterPlan> plan() {
    return plan;
  }

  /** Returns the element count, which this state shares with its filter. */
  public ElementCount elements() {
    return elements;
  }

  /**
   * Checks that another state is equal to this one.
   *
   * @param operation the operation that needs equal states, for the message
   * @throws IllegalArgumentException if the states are not equal
   */
  public void requireEqual(FilterState<?> other, String operation) {
    key.requireEqual(other.key, operation, plan, other.plan);
  }

  /** Adds the element count of another filter, and keeps the stricter plan. */
  public void merge(FilterState<?> other) {
    plan = FilterPlan.ofMerged(plan, other.plan);
    elements.merge(other.elements);
  }

  /** Makes the element count unknown, and keeps the stricter plan. */
  public void intersect(FilterState<?> other) {
    plan = FilterPlan.ofMerged(plan, other.plan);
    elements.set(OptionalLong.empty());
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof FilterState<?> other && key.equals(other.key);
  }

  @Override
  public int hashCode() {
    return key.hashCode();
  }

  /**
   * Returns the text of a filter: its class, its size, its insertions less removals, and the
   * strategy id.
   */
  public String toString(String filter, String size) {
    return String.format(
        Locale.ROOT,
        "%s[%s, netInsertions=%s, strategy=%s]",
        filter,
        size,
        elements,
        identity().id());
  }
}
