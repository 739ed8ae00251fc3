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

/** The meters of one filter in one registry. */
final class FilterMeters {

  /** Makes the check for an existing meter and the registration of the first meter atomic. */
  private static final Object BINDING = new Object();

  private final MeterRegistry registry;
  private final Tags tags;
  private final List<Meter> meters = new ArrayList<>();

  private FilterMeters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  /**
   * Registers the gauges of a filter.
   *
   * @throws IllegalStateException if the registry contains the gauges of another filter with these
   *     tags
   */
  static FilterMeters register(
      MeterRegistry registry, Tags tags, MembershipFilter<?> filter, OptionalDouble plannedFpp) {
    FilterMeters meters = new FilterMeters(registry, tags);
    synchronized (BINDING) {
      // The registry may add or drop tags, so only it knows which meters are the same.
      Collection<Meter> existing = registry.find("bloom.filter.memory").meters();
      Gauge memory =
          Gauge.builder("bloom.filter.memory", filter, MembershipFilter::memoryBytes)
              .description("Memory of the filter")
              .baseUnit(BaseUnits.BYTES)
              .tags(tags)
              .strongReference(true)
              .register(registry);
      if (existing.contains(memory)) {
        throw new IllegalStateException(
            "a filter is already bound to this registry with the tags "
                + tags.stream().toList()
                + ": close it first, or choose another name");
      }
      meters.keep(memory);
    }
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
    keep(
        Gauge.builder("bloom.filter." + name, source, value)
            .description(description)
            .tags(tags)
            .strongReference(true)
            .register(registry));
  }

  /** Registers a counter and returns the adder that it reads. */
  LongAdder counter(String name, String description, String... moreTags) {
    LongAdder count = new LongAdder();
    keep(
        FunctionCounter.builder("bloom.filter." + name, count, LongAdder::sum)
            .description(description)
            .tags(tags.and(moreTags))
            .register(registry));
    return count;
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
