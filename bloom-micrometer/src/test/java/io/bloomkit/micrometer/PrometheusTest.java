package io.bloomkit.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The text that Prometheus scrapes. */
class PrometheusTest {

  /** Values by name and tags, as they stand in the text. */
  private static Map<String, Double> scraped(PrometheusMeterRegistry registry) {
    return registry
        .scrape()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.lastIndexOf(' ')),
                line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1))));
  }

  @Test
  void everyMeterOfTwoFiltersIsScraped() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    CountingBloomFilter<String> filter =
        CountingBloomFilter.create(HashStrategies.utf8(), 1_000, 0.01);
    MeteredDeletableFilter<String> sessions =
        FilterMetrics.of(registry, "sessions").plannedFpp(0.01).bind(filter);
    FilterMetrics.of(registry, "others")
        .plannedFpp(0.02)
        .bind(CountingBloomFilter.<String>create(HashStrategies.utf8(), 10, 0.02))
        .add("a");
    List.of("a", "b", "b").forEach(sessions::add);
    sessions.remove("a");
    sessions.remove("x");
    sessions.mightContain("b");
    sessions.mightContain("x");
    sessions.foundFalsePositive();

    Map<String, Double> values = scraped(registry);
    assertEquals(26, values.size(), values::toString);
    assertEquals(3, values.get("bloom_filter_insertions_total{filter=\"sessions\"}"));
    assertEquals(1, values.get("bloom_filter_insertions_total{filter=\"others\"}"));
    assertEquals(
        1, values.get("bloom_filter_queries_total{filter=\"sessions\",result=\"positive\"}"));
    assertEquals(
        1, values.get("bloom_filter_queries_total{filter=\"sessions\",result=\"negative\"}"));
    assertEquals(
        1, values.get("bloom_filter_removals_total{filter=\"sessions\",result=\"removed\"}"));
    assertEquals(
        1, values.get("bloom_filter_removals_total{filter=\"sessions\",result=\"refused\"}"));
    assertEquals(1, values.get("bloom_filter_false_positives_total{filter=\"sessions\"}"));
    assertEquals(0.5, values.get("bloom_filter_fpp_observed{filter=\"sessions\"}"));
    assertEquals(0.01, values.get("bloom_filter_fpp_planned{filter=\"sessions\"}"));
    assertEquals(
        filter.expectedFpp(), values.get("bloom_filter_fpp_expected{filter=\"sessions\"}"));
    assertEquals(
        filter.estimate().elements().value(),
        values.get("bloom_filter_elements{filter=\"sessions\"}"));
    assertEquals(
        (double) filter.memoryBytes(),
        values.get("bloom_filter_memory_bytes{filter=\"sessions\"}"));
    assertEquals(
        registry.get("bloom.filter.fill").tag("filter", "sessions").gauge().value(),
        values.get("bloom_filter_fill{filter=\"sessions\"}"));

    sessions.close();
    assertEquals(13, scraped(registry).size());
  }
}
