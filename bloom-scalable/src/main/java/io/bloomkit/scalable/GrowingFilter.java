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
   * Returns 1 − Π(1 − pᵢ) for the present probabilities pᵢ of the layers, which is at most the
   * planned probability. With blocked layers the bound is statistical, see {@code Builder.blocked},
   * and the call costs a pass over all bits or counters.
   *
   * <p>Layers share their hashes, and an element goes to a newer layer only if no older one is
   * positive, so their false positives overlap less than independent ones would. The actual rate is
   * higher than this value: by less than 0.5 % of it in a filter made for 5 % or less, by 0.3 % for
   * 20 %, 1 % for 50 % and 3 % for 90 %. The bound holds nevertheless, since it is on Σ pᵢ.
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
   */
  @Override
  public Optional<FilterPlan> plan() {
    return Optional.of(new FilterPlan(plan.initialCapacity(), plan.fpp()));
  }

  /**
   * Returns how many arbitrary elements can be added before the filter creates another layer, at
   * least 0. Removals may increase it.
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
   * Returns the number of bytes of the arrays of all layers, and of up to two empty layers that a
   * filter with removals keeps for reuse.
   */
  @Override
  public long memoryBytes() {
    return reservedBytes() + layers().stream().mapToLong(layer -> layer.filter.memoryBytes()).sum();
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /** Returns the number of layers, at least 1; empty ones kept for reuse are not counted. */
  public int layerCount() {
    return layers().size();
  }

  /** Returns the layers, the bytes and the false-positive probability, for logs and metrics. */
  public ScalableFilterState state() {
    return ScalableFilterState.of(layers().stream().map(Layer::state).toList(), reservedBytes());
  }

  /**
   * Returns whether an object is a filter of this class with the same strategy, size and layers;
   * see {@link io.bloomkit.MembershipFilter}. The layers depend on the order of insertions and
   * removals. Costs a pass over all layers.
   */
  @Override
  public final boolean equals(@Nullable Object object) {
    return object instanceof GrowingFilter<?> other
        && getClass() == other.getClass()
        && StrategyIdentity.of(strategy).equals(StrategyIdentity.of(other.strategy))
        && plan.growsAs(other.plan)
        && filters().equals(other.filters());
  }

  /** Returns a hash code of the contents: it changes with them and costs a pass over all layers. */
  @Override
  public final int hashCode() {
    return Objects.hash(StrategyIdentity.of(strategy), plan.initialCapacity(), filters());
  }

  /** The filters of the layers, each with the index of its layer. */
  private List<?> filters() {
    return layers().stream().map(layer -> Map.entry(layer.plan.index(), layer.filter)).toList();
  }

  /**
   * Returns layers, bytes, element count and strategy, for logs and debuggers; reads no contents.
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
