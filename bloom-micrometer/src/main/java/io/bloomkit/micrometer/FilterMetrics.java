package io.bloomkit.micrometer;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * Registers the meters of a filter, and wraps the filter so that its operations are counted:
 *
 * <pre>{@code
 * MeteredDeletableFilter<String> sessions =
 *     FilterMetrics.of(registry, "sessions").bind(filter);
 * }</pre>
 *
 * <p>Every meter has the tag {@code filter} with the name passed to {@link #of}:
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>name<th>type<th>value
 * <tr><td>{@code bloom.filter.fill}<td>gauge
 *     <td>fill ratio, from 0 to 1, estimated from a sample. For a {@code DynamicCuckooFilter}: the
 *     number of distinct fingerprints divided by the planned number of distinct elements, above 1
 *     if there are more than planned. For an {@code ExpiringCuckooFilter}: the same of its live
 *     fingerprints and the largest number of them that is planned. The gauge is absent if the class
 *     of the filter does not estimate its fill ratio.
 * <tr><td>{@code bloom.filter.fpp.expected}<td>gauge
 *     <td>{@link MembershipFilter#expectedFpp}, estimated from a sample
 * <tr><td>{@code bloom.filter.fpp.expected.error}<td>gauge
 *     <td>standard error of {@code bloom.filter.fpp.expected}; 0 if that value is exact
 * <tr><td>{@code bloom.filter.fpp.planned}<td>gauge
 *     <td>{@link #plannedFpp} if set, otherwise the rate of the {@linkplain MembershipFilter#plan()
 *     plan}; absent if there is neither
 * <tr><td>{@code bloom.filter.fpp.observed}<td>gauge
 *     <td>{@link MeteredFilter#observedFpp}
 * <tr><td>{@code bloom.filter.elements}<td>gauge
 *     <td>number of distinct elements, estimated from a sample; infinite if the filter is too full
 *     for an estimate
 * <tr><td>{@code bloom.filter.memory}<td>gauge<td>{@link MembershipFilter#memoryBytes}, in bytes
 * <tr><td>{@code bloom.filter.insertions}<td>counter<td>insertions, including repeated ones
 * <tr><td>{@code bloom.filter.queries}<td>counter
 *     <td>queries, by the tag {@code result}: {@code positive} or {@code negative}
 * <tr><td>{@code bloom.filter.removals}<td>counter
 *     <td>removals, by the tag {@code result}: {@code removed} if the removal returned true,
 *     {@code refused} if it returned false
 * <tr><td>{@code bloom.filter.false.positives}<td>counter
 *     <td>false positives that the application reports by {@link MeteredFilter#foundFalsePositive}
 * </table>
 *
 * <p>The counters include only operations that go through the wrapper that {@code bind} returns.
 * The static type of the argument of {@code bind} determines the class of the wrapper. A {@link
 * MeteredFilter} counts queries, a {@link MeteredInsertableFilter} also counts insertions, and a
 * {@link MeteredDeletableFilter} also counts removals.
 *
 * <p><b>Cost.</b> Counting takes no lock. When the registry reads a gauge, the gauge reads the
 * filter in the same thread. Each gauge that is estimated takes its own {@linkplain
 * MembershipFilter#estimate() sample}; those of an {@code ExpiringCuckooFilter} read all of its
 * tables, about a nanosecond per entry. If another thread writes at the same time to a filter that
 * is not {@linkplain InsertableFilter#isConcurrent concurrent}, a gauge may be inaccurate or NaN.
 *
 * <p>Immutable and thread-safe.
 */
public final class FilterMetrics {

  private final MeterRegistry registry;
  private final Tags tags;
  private final OptionalDouble plannedFpp;

  private FilterMetrics(MeterRegistry registry, Tags tags, OptionalDouble plannedFpp) {
    this.registry = registry;
    this.tags = tags;
    this.plannedFpp = plannedFpp;
  }

  /**
   * Returns an object whose {@code bind} methods register the meters of a filter.
   *
   * @param registry the registry that receives the meters
   * @param name the value of the tag {@code filter}; must be unique in the registry, unless {@link
   *     #tags} distinguishes the filters
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if the name is blank
   */
  public static FilterMetrics of(MeterRegistry registry, String name) {
    Objects.requireNonNull(registry, "registry");
    return new FilterMetrics(registry, tagsOf(name), OptionalDouble.empty());
  }

  static Tags tagsOf(String name) {
    Objects.requireNonNull(name, "name");
    if (name.isBlank()) {
      throw new IllegalArgumentException("name must not be blank, got \"" + name + "\"");
    }
    return Tags.of("filter", name);
  }

  /**
   * Returns a copy of this object that adds more tags to every meter. Some registries, such as
   * Prometheus, require the same tag keys for all filters.
   *
   * @throws NullPointerException if the tags are null
   */
  public FilterMetrics tags(Iterable<Tag> tags) {
    return new FilterMetrics(
        registry, this.tags.and(Objects.requireNonNull(tags, "tags")), plannedFpp);
  }

  /**
   * Returns a copy of this object that sets the value of {@code bloom.filter.fpp.planned}, which
   * otherwise comes from the {@linkplain MembershipFilter#plan() plan} of the filter.
   *
   * @param fpp the planned false-positive rate, in (0, 1)
   * @throws IllegalArgumentException if the rate is not in (0, 1)
   */
  public FilterMetrics plannedFpp(double fpp) {
    if (!(fpp > 0 && fpp < 1)) {
      throw new IllegalArgumentException("fpp must be in (0, 1), got " + fpp + "; 1 % is 0.01");
    }
    return new FilterMetrics(registry, tags, OptionalDouble.of(fpp));
  }

  /**
   * Registers the meters of a filter, and returns a wrapper that counts queries.
   *
   * @throws NullPointerException if the filter is null
   * @throws IllegalStateException if a filter is already bound to this registry with these tags;
   *     the registry is unchanged
   */
  public <T> MeteredFilter<T> bind(MembershipFilter<T> filter) {
    return new MeteredFilter<>(filter, meters(filter));
  }

  /**
   * Registers the meters of a filter, and returns a wrapper that counts queries and insertions.
   *
   * @throws NullPointerException if the filter is null
   * @throws IllegalStateException as for {@link #bind(MembershipFilter)}
   */
  public <T> MeteredInsertableFilter<T> bind(InsertableFilter<T> filter) {
    return new MeteredInsertableFilter<>(filter, meters(filter));
  }

  /**
   * Registers the meters of a filter, and returns a wrapper that counts queries, insertions and
   * removals.
   *
   * @throws NullPointerException if the filter is null
   * @throws IllegalStateException as for {@link #bind(MembershipFilter)}
   */
  public <T> MeteredDeletableFilter<T> bind(DeletableFilter<T> filter) {
    return new MeteredDeletableFilter<>(filter, meters(filter));
  }

  private FilterMeters meters(MembershipFilter<?> filter) {
    Objects.requireNonNull(filter, "filter");
    OptionalDouble ofFilter =
        filter.plan().map(plan -> OptionalDouble.of(plan.fpp())).orElseGet(OptionalDouble::empty);
    return FilterMeters.register(
        registry, tags, filter, plannedFpp.isPresent() ? plannedFpp : ofFilter);
  }
}
