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
 * The common base of the growing filters: strategy, plan, and sums over the layers.
 *
 * <p>Operations on elements are not here: each filter has its own loop over its layers, so that the
 * compiler sees one kind of layer in it.
 *
 * @param <T> the type of the elements
 */
abstract sealed class GrowingFilter<T> implements StorableFilter<T>
    permits ScalableBloomFilter, ScalableCountingBloomFilter {

  /** An unknown element count: so low that no counting makes it known. */
  static final long UNKNOWN = Long.MIN_VALUE / 2;

  final HashStrategy<? super T> strategy;
  final GrowthPlan plan;

  GrowingFilter(HashStrategy<? super T> strategy, GrowthPlan plan) {
    this.strategy = strategy;
    this.plan = plan;
  }

  /** Returns the layers from the oldest to the newest, at least one. */
  abstract List<? extends Layer<?>> layers();

  /** Returns the bytes of empty layers that are kept to reuse. */
  abstract long reservedBytes();

  /**
   * Returns the probability that the query of an element that was never added is positive. This is
   * 1 − Π(1 − pᵢ), where pᵢ is the rate of layer i in its present state. It is at most the planned
   * rate; with blocked layers it is higher in rare cases, see {@code Builder.blocked()}.
   *
   * <p>The formula treats the layers as independent, which they nearly are. The actual rate is
   * slightly higher, but not above Σ pᵢ, to which the bound applies.
   *
   * <p>Costs a pass over all layers, except in a {@link ScalableCountingBloomFilter} whose layers
   * are not blocked.
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
   * Returns the number of distinct elements of the first layer, and the bound on the false-positive
   * rate of the whole filter.
   *
   * @return the plan, never empty
   */
  @Override
  public Optional<FilterPlan> plan() {
    return Optional.of(new FilterPlan(plan.initialCapacity(), plan.fpp()));
  }

  /**
   * Returns how many elements can be added before the filter may create another layer, at least 0.
   * It counts with elements that set as many positions as possible; usually more can be added.
   * Removals may increase it. Costs up to a pass over the newest layer.
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
   * Returns the number of bytes of the arrays of all layers. A filter with removals keeps up to two
   * empty layers for reuse, which are included.
   */
  @Override
  public long memoryBytes() {
    return reservedBytes() + layers().stream().mapToLong(layer -> layer.filter.memoryBytes()).sum();
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /** Returns the number of layers, at least 1, without empty layers that are kept for reuse. */
  public int layerCount() {
    return layers().size();
  }

  /**
   * Returns the layers, the memory and the expected false-positive rate, for logs and metrics.
   * Costs about as much as {@link #expectedFpp}.
   */
  public ScalableFilterState state() {
    return ScalableFilterState.of(layers().stream().map(Layer::state).toList(), reservedBytes());
  }

  /**
   * Returns whether an object is a filter of this class with the same strategy id and fingerprint,
   * the same settings of the builder except {@code concurrent}, and the same layers with the same
   * contents. Two filters that hold the same elements may differ, since the layer of an element
   * depends on the order of insertions and removals. The element count is ignored. Costs a pass
   * over all layers.
   */
  @Override
  public final boolean equals(@Nullable Object object) {
    return object instanceof GrowingFilter<?> other
        && getClass() == other.getClass()
        && StrategyIdentity.of(strategy).equals(StrategyIdentity.of(other.strategy))
        && plan.growsAs(other.plan)
        && filters().equals(other.filters());
  }

  /** Returns a hash code of the contents, which changes with them. Costs a pass over all layers. */
  @Override
  public final int hashCode() {
    return Objects.hash(StrategyIdentity.of(strategy), plan.initialCapacity(), filters());
  }

  /** The filters of the layers, each with the index of its layer. */
  private List<?> filters() {
    return layers().stream().map(layer -> Map.entry(layer.plan.index(), layer.filter)).toList();
  }

  /**
   * Returns the numbers of layers, bytes and elements, and the strategy, for logs. Reads no
   * contents.
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
