package io.bloomkit.micrometer;

import io.bloomkit.MembershipFilter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The meters of one filter in one registry, whose names begin alike. */
final class FilterMeters {

  /** Makes the check for an existing meter and the registration of the first meter atomic. */
  private static final Object BINDING = new Object();

  private final MeterRegistry registry;
  private final String prefix;
  private final Tags tags;
  private final List<Meter> meters = new ArrayList<>();

  private FilterMeters(MeterRegistry registry, String prefix, Tags tags) {
    this.registry = registry;
    this.prefix = prefix;
    this.tags = tags;
  }

  /**
   * Registers the first gauge of a filter, which is of bytes.
   *
   * @throws IllegalStateException if the registry contains the gauge of another filter with these
   *     tags
   */
  static <S> FilterMeters register(
      MeterRegistry registry,
      Tags tags,
      String prefix,
      String name,
      String description,
      S source,
      ToDoubleFunction<S> bytes) {
    FilterMeters meters = new FilterMeters(registry, prefix, tags);
    synchronized (BINDING) {
      // The registry may add or drop tags, so only it knows which meters are the same.
      Collection<Meter> existing = registry.find(prefix + name).meters();
      meters.gauge(name, BaseUnits.BYTES, description, source, bytes);
      if (existing.contains(meters.meters.get(0))) {
        throw new IllegalStateException(
            "a filter is already bound to this registry with the tags "
                + tags.stream().toList()
                + ": close it first, or choose another name");
      }
    }
    return meters;
  }

  /**
   * Registers the gauges of a filter.
   *
   * @throws IllegalStateException as for the other method
   */
  static FilterMeters register(
      MeterRegistry registry, Tags tags, MembershipFilter<?> filter, OptionalDouble plannedFpp) {
    FilterMeters meters =
        register(
            registry,
            tags,
            "bloom.filter.",
            "memory",
            "Memory of the filter",
            filter,
            MembershipFilter::memoryBytes);
    meters.gauge(
        "elements",
        "Estimated number of distinct elements",
        filter,
        f -> f.estimate().elements().value());
    meters.gauge(
        "fpp.expected",
        "Expected false-positive rate in the present state of the filter",
        filter,
        f -> f.estimate().fpp().value());
    meters.gauge(
        "fpp.expected.error",
        "Standard error of the expected false-positive rate",
        filter,
        f -> f.estimate().fpp().standardError());
    plannedFpp.ifPresent(
        fpp ->
            meters.gauge("fpp.planned", "Planned false-positive rate of the filter", fpp, f -> f));
    if (!Double.isNaN(filter.estimate().fill().value())) {
      meters.gauge("fill", "Fill ratio of the filter", filter, f -> f.estimate().fill().value());
    }
    return meters;
  }

  /**
   * Registers a gauge with a strong reference to its source, since the application may drop the
   * filter.
   */
  <S> void gauge(String name, String description, S source, ToDoubleFunction<S> value) {
    gauge(name, null, description, source, value);
  }

  /** Registers a gauge in the same way, with a unit. */
  <S> void gauge(
      String name, @Nullable String unit, String description, S source, ToDoubleFunction<S> value) {
    keep(
        Gauge.builder(prefix + name, source, value)
            .description(description)
            .baseUnit(unit)
            .tags(tags)
            .strongReference(true)
            .register(registry));
  }

  /** Registers a counter and returns the adder that it reads. */
  LongAdder counter(String name, String description, String... moreTags) {
    LongAdder count = new LongAdder();
    counter(name, description, count, LongAdder::sum, moreTags);
    return count;
  }

  /** Registers a counter that reads a source, which another meter keeps. */
  <S> void counter(
      String name, String description, S source, ToDoubleFunction<S> value, String... moreTags) {
    keep(
        FunctionCounter.builder(prefix + name, source, value)
            .description(description)
            .tags(tags.and(moreTags))
            .register(registry));
  }

  private void keep(Meter meter) {
    meters.add(meter);
  }

  /** Removes all meters from the registry. A second call does nothing. */
  synchronized void remove() {
    meters.forEach(registry::remove);
    meters.clear();
  }
}
