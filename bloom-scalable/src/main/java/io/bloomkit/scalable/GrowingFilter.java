package io.bloomkit.scalable;

import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterPlan;
import io.bloomkit.LayeredFormulas;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The base class of growing filters: the strategy, the plan, and results computed from all layers.
 *
 * <p>Operations on elements are in the subclasses. Each subclass has its own loop over its layers,
 * so the JIT compiler sees only one class of layer in each loop.
 *
 * @param <T> the type of the elements
 */
abstract sealed class GrowingFilter<T> implements StorableFilter<T>
    permits ScalableBloomFilter, ScalableCountingBloomFilter {

  /** An unknown element count. It stays negative, however many insertions are added to it. */
  static final long UNKNOWN = Long.MIN_VALUE / 2;

  final HashStrategy<? super T> strategy;
  final GrowthPlan plan;

  GrowingFilter(HashStrategy<? super T> strategy, GrowthPlan plan) {
    this.strategy = strategy;
    this.plan = plan;
  }

  /** Returns the layers from the oldest to the newest, at least one. */
  abstract List<? extends Layer<?>> layers();

  /** Returns the number of bytes of the empty layers that are kept for reuse. */
  abstract long reservedBytes();

  /**
   * Returns the probability that the query of an element that was never added is positive. This is
   * 1 − Π(1 − pᵢ), where pᵢ is the rate of layer i in its present state. The result is at most the
   * planned rate; with blocked layers it is higher in rare cases, see {@code Builder.blocked()}.
   *
   * <p>The formula assumes independent layers, which is nearly true. The actual rate is slightly
   * higher, but at most Σ pᵢ. The planned rate is a bound on this sum.
   *
   * <p>The cost is a pass over all layers. A {@link ScalableCountingBloomFilter} without blocked
   * layers takes constant time per layer.
   */
  @Override
  public double expectedFpp() {
    return LayeredFormulas.compoundFpp(
        layers().stream().mapToDouble(layer -> layer.filter.expectedFpp()).toArray());
  }

  @Override
  public FilterEstimate estimate(int lines) {
    return FilterEstimate.ofLayers(layers().stream().map(layer -> layer.filter).toList(), lines);
  }

  /**
   * Returns the planned number of distinct elements of the first layer, and the bound on the
   * false-positive rate of the whole filter.
   *
   * @return the plan, never empty
   */
  @Override
  public Optional<FilterPlan> plan() {
    return Optional.of(new FilterPlan(plan.initialCapacity(), plan.fpp()));
  }

  /**
   * Returns a lower bound of the number of elements that can be added before the filter creates
   * another layer, at least 0. Usually more elements fit, because the bound assumes that each
   * element sets as many positions as possible. In a filter of counters, removals may increase the
   * result. The cost is at most a pass over the newest layer.
   */
  public long headroom() {
    List<? extends Layer<?>> row = layers();
    return row.get(row.size() - 1).room();
  }

  @Override
  public long approximateElementCount() {
    return layers().stream().mapToLong(layer -> layer.filter.approximateElementCount()).sum();
  }

  /**
   * Returns the number of bytes of the arrays of all layers. This includes up to two empty layers
   * that a {@link ScalableCountingBloomFilter} keeps for reuse.
   */
  @Override
  public long memoryBytes() {
    return reservedBytes() + layers().stream().mapToLong(layer -> layer.filter.memoryBytes()).sum();
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /**
   * Returns the number of layers, at least 1. Empty layers that are kept for reuse do not count.
   */
  public int layerCount() {
    return layers().size();
  }

  /**
   * Returns a snapshot of the layers, the memory and the expected false-positive rate, for logs and
   * metrics. The cost is about that of {@link #expectedFpp}.
   */
  public ScalableFilterState state() {
    return ScalableFilterState.of(layers().stream().map(Layer::state).toList(), reservedBytes());
  }

  /**
   * Returns whether an object is a filter of the same class with the same strategy (id and
   * fingerprint), the same builder settings except {@code concurrent}, and the same layers with the
   * same contents. Two filters with the same elements may differ, because the layer of an element
   * depends on the order of insertions and removals. The element count is ignored. The cost is a
   * pass over all layers.
   */
  @Override
  public final boolean equals(@Nullable Object object) {
    return object instanceof GrowingFilter<?> other
        && getClass() == other.getClass()
        && StrategyIdentity.of(strategy).equals(StrategyIdentity.of(other.strategy))
        && plan.growsAs(other.plan)
        && filters().equals(other.filters());
  }

  /** Returns a hash code that changes with the contents. The cost is a pass over all layers. */
  @Override
  public final int hashCode() {
    return Objects.hash(StrategyIdentity.of(strategy), plan.initialCapacity(), filters());
  }

  /** Returns the filters of the layers, each with the index of its layer. */
  private List<?> filters() {
    return layers().stream().map(layer -> Map.entry(layer.plan.index(), layer.filter)).toList();
  }

  /**
   * Returns the numbers of layers, bytes and elements, and the strategy, for logs. Does not read
   * bits or counters.
   */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s[layers=%d, bytes=%d, elements=%s, strategy=%s]",
        getClass().getSimpleName(),
        layerCount(),
        memoryBytes(),
        elementCount().isPresent() ? elementCount().getAsLong() : "unknown",
        strategy.id());
  }
}
