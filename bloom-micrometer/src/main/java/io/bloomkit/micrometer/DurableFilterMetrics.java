package io.bloomkit.micrometer;

import io.bloomkit.durable.DurableFilter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Registers the meters of the log of a {@link DurableFilter}. Requires {@code bloom-durable}, which
 * this module does not bring. For those of the filter in memory, bind {@link DurableFilter#filter}
 * by {@link FilterMetrics}.
 *
 * <pre>{@code
 * DurableFilterMetrics metrics = DurableFilterMetrics.bind(registry, "seen", filter);
 * }</pre>
 *
 * <p>Every meter has the tag {@code filter}:
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
 * <p>All values take constant time. Thread-safe.
 */
public final class DurableFilterMetrics implements AutoCloseable {

  private final MeterRegistry registry;
  private final List<Meter> meters = new ArrayList<>();

  private DurableFilterMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Registers the meters.
   *
   * @param name the value of the tag {@code filter}; must be unique in the registry
   * @return an object that removes the meters when it is closed
   * @throws NullPointerException if an argument is null
   */
  public static DurableFilterMetrics bind(
      MeterRegistry registry, String name, DurableFilter<?> filter) {
    Objects.requireNonNull(registry, "registry");
    Objects.requireNonNull(filter, "filter");
    Tags tags = Tags.of("filter", Objects.requireNonNull(name, "name"));
    DurableFilterMetrics metrics = new DurableFilterMetrics(registry);
    metrics.keep(
        Gauge.builder("bloom.durable.log", filter, DurableFilter::logBytes)
            .description("Bytes of the log, which opening would repeat")
            .baseUnit(BaseUnits.BYTES)
            .tags(tags)
            .strongReference(true)
            .register(registry));
    metrics.keep(
        Gauge.builder("bloom.durable.sync.age", filter, DurableFilterMetrics::syncAge)
            .description("Time since updates last became durable")
            .baseUnit("seconds")
            .tags(tags)
            .strongReference(true)
            .register(registry));
    metrics.keep(
        Gauge.builder("bloom.durable.replayed", filter, f -> f.recovery().updates())
            .description("Updates that were repeated when the folder was opened")
            .tags(tags)
            .strongReference(true)
            .register(registry));
    metrics.keep(
        Gauge.builder("bloom.durable.failed", filter, f -> f.hasFailed() ? 1 : 0)
            .description("Whether the log has failed, so that updates throw")
            .tags(tags)
            .strongReference(true)
            .register(registry));
    metrics.keep(
        FunctionCounter.builder("bloom.durable.forces", filter, DurableFilter::forces)
            .description("Times that the log was forced to the disk")
            .tags(tags)
            .register(registry));
    return metrics;
  }

  private static double syncAge(DurableFilter<?> filter) {
    return Duration.between(filter.lastSync(), Instant.now()).toMillis() / 1000.0;
  }

  private void keep(Meter meter) {
    meters.add(meter);
  }

  /** Removes the meters from the registry. */
  @Override
  public void close() {
    meters.forEach(registry::remove);
  }
}
