package io.bloomkit.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.durable.DurableFilter;
import io.bloomkit.hash.HashStrategies;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs what docs/in-java.md shows of metrics, and compares its table with the meters. */
class MetricsDocumentTest {

  @TempDir private Path folder;

  private static List<String> matches(String pattern) throws Exception {
    return matches(
        pattern, Files.readString(Path.of("../docs/in-java.md")).split("(?m)^## Metrics$", -1)[1]);
  }

  private static List<String> matches(String pattern, String text) {
    return Pattern.compile(pattern, Pattern.DOTALL)
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  @Test
  void theExampleCountsAFalsePositiveAndShowsALog() throws Exception {
    String block = matches("```java\n(.*?)```").get(0);
    int code = block.indexOf("\n\n");
    Path source = folder.resolve("Sample.java");
    Files.writeString(
        source,
        """
        %s
        import io.bloomkit.counting.CountingBloomFilter;
        import io.bloomkit.durable.DurableFilter;
        import io.micrometer.core.instrument.MeterRegistry;
        import java.util.Set;

        public class Sample {
          public static void run(
              MeterRegistry registry,
              CountingBloomFilter<String> filter,
              Set<String> database,
              DurableFilter<String> seen) {
        %s
          }
        }
        """
            .formatted(block.substring(0, code), block.substring(code)));
    String classPath = System.getProperty("java.class.path");
    assertEquals(
        0,
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                classPath,
                "-d",
                folder.toString(),
                source.toString()));
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    CountingBloomFilter.Builder<CharSequence> builder =
        CountingBloomFilter.builder(HashStrategies.utf8()).expecting(1_000, 0.01);
    CountingBloomFilter<String> filter = builder.build();
    filter.add("bob"); // which the database does not know
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()});
        DurableFilter<String> seen = DurableFilter.open(folder.resolve("seen"), builder)) {
      loader
          .loadClass("Sample")
          .getMethod(
              "run", MeterRegistry.class, CountingBloomFilter.class, Set.class, DurableFilter.class)
          .invoke(null, registry, filter, Set.of(), seen);
      seen.add("alice");
      assertEquals(
          1, registry.get("bloom.filter.elements").tag("filter", "seen").gauge().value(), 0.1);
      assertEquals((double) seen.logBytes(), registry.get("bloom.durable.log").gauge().value());
    }
    assertEquals(
        1,
        registry
            .get("bloom.filter.false.positives")
            .tag("filter", "sessions")
            .functionCounter()
            .count());
    assertEquals(
        1,
        registry
            .get("bloom.filter.insertions")
            .tag("filter", "sessions")
            .functionCounter()
            .count());
  }

  @Test
  void theTableNamesTheMeters() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    FilterMetrics.of(registry, "sessions")
        .plannedFpp(0.01)
        .bind(CountingBloomFilter.<String>create(HashStrategies.utf8(), 10, 0.01));
    assertEquals(
        registry.getMeters().stream()
            .map(meter -> meter.getId().getName())
            .collect(Collectors.toSet()),
        Set.copyOf(matches("\\| `(bloom\\.[a-z.]+)`")));
    String text = registry.scrape();
    for (String name : matches("`(bloom_[a-z_]+)`")) {
      assertTrue(text.contains("\n" + name + "{"), name);
    }
  }
}
