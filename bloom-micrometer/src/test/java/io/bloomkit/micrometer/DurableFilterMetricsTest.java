package io.bloomkit.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.durable.DurableFilter;
import io.bloomkit.durable.SyncPolicy;
import io.bloomkit.hash.HashStrategies;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFilterMetricsTest {

  @Test
  void theMetersFollowTheLog(@TempDir Path folder) throws Exception {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (DurableFilter<String> filter =
        DurableFilter.open(
            folder.resolve("seen"),
            DynamicCuckooFilter.builder(HashStrategies.utf8()).expecting(100, 0.01),
            SyncPolicy.EVERY_UPDATE)) {
      DurableFilterMetrics metrics =
          DurableFilterMetrics.of(registry, "seen").tags(Tags.of("region", "eu"));
      DurableFilterMetrics.Binding binding = metrics.bind(filter);
      assertThrows(IllegalStateException.class, () -> metrics.bind(filter));
      double empty = gauge(registry, "log");
      filter.add("a");
      assertEquals((double) filter.logBytes(), gauge(registry, "log"));
      assertTrue(gauge(registry, "log") > empty);
      assertEquals(0, gauge(registry, "failed"));
      assertEquals(0, gauge(registry, "replayed"));
      assertTrue(gauge(registry, "sync.age") < 60);
      assertEquals(1, registry.get("bloom.durable.forces").functionCounter().count());
      binding.close();
      assertEquals(0, registry.getMeters().size());
      metrics.bind(filter).close();
    }
  }

  private static double gauge(MeterRegistry registry, String name) {
    return registry
        .get("bloom.durable." + name)
        .tags("filter", "seen", "region", "eu")
        .gauge()
        .value();
  }
}
