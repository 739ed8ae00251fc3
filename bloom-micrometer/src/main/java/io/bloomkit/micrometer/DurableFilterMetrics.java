package io.bloomkit.micrometer;

import io.bloomkit.durable.DurableFilter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Registers the meters of the log of a {@link DurableFilter}, as {@link FilterMetrics} does those
 * of a filter. Requires {@code bloom-durable}, which this module does not bring.
 *
 * <pre>{@code
 * DurableFilterMetrics.of(registry, "seen").bind(seen);
 * MeteredInsertableFilter<String> metered = FilterMetrics.of(registry, "seen").bind(seen);
 * }</pre>
 *
 * <p>Every meter has the tag {@code filter} with the name passed to {@link #of}:
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>name<th>type<th>value
 * <tr><td>{@code bloom.durable.log}<td>gauge<td>{@link DurableFilter#logBytes}, in bytes
 * <tr><td>{@code bloom.durable.sync.age}<td>gauge
 *     <td>seconds since {@link DurableFilter#lastSync}
 * <tr><td>{@code bloom.durable.replayed}<td>gauge
 *     <td>updates that were repeated when the folder was opened
 * <tr><td>{@code bloom.durable.failed}<td>gauge<td>1 if {@link DurableFilter#hasFailed}, else 0
 * <tr><td>{@code bloom.durable.forces}<td>counter<td>{@link DurableFilter#forces}
 * </table>
 *
 * <p>All values take constant time. Immutable and thread-safe.
 */
public final class DurableFilterMetrics {

  private final MeterRegistry registry;
  private final Tags tags;

  private DurableFilterMetrics(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  /** The meters of a filter, which remain until they are closed. */
  @FunctionalInterface
  public interface Binding extends AutoCloseable {

    /** Removes the meters from the registry. A second call does nothing. */
    @Override
    void close();
  }

  /**
   * Returns an object whose {@code bind} method registers the meters of a filter.
   *
   * @param name the value of the tag {@code filter}, as for {@link FilterMetrics#of}
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if the name is blank
   */
  public static DurableFilterMetrics of(MeterRegistry registry, String name) {
    return new DurableFilterMetrics(
        Objects.requireNonNull(registry, "registry"), FilterMetrics.tagsOf(name));
  }

  /**
   * Returns a copy of this object that adds more tags to every meter.
   *
   * @throws NullPointerException if the tags are null
   */
  public DurableFilterMetrics tags(Iterable<Tag> tags) {
    return new DurableFilterMetrics(registry, this.tags.and(Objects.requireNonNull(tags, "tags")));
  }

  /**
   * Registers the meters of a filter. The registry keeps a strong reference to it.
   *
   * @throws NullPointerException if the filter is null
   * @throws IllegalStateException if a durable filter is already bound to this registry with these
   *     tags; the registry is unchanged
   */
  public Binding bind(DurableFilter<?> filter) {
    FilterMeters meters =
        FilterMeters.register(
            registry,
            tags,
            "bloom.durable.",
            "log",
            "Bytes of the log, which opening would repeat",
            Objects.requireNonNull(filter, "filter"),
            DurableFilter::logBytes);
    meters.gauge(
        "sync.age",
        "seconds",
        "Time since updates last became durable",
        filter,
        DurableFilterMetrics::syncAge);
    meters.gauge(
        "replayed",
        "Updates that were repeated when the folder was opened",
        filter,
        f -> f.recovery().updates());
    meters.gauge(
        "failed",
        "Whether the log has failed, so that updates throw",
        filter,
        f -> f.hasFailed() ? 1 : 0);
    meters.counter(
        "forces", "Times that the log was forced to the disk", filter, DurableFilter::forces);
    return meters::remove;
  }

  private static double syncAge(DurableFilter<?> filter) {
    return Duration.between(filter.lastSync(), Instant.now()).toMillis() / 1000.0;
  }
}
