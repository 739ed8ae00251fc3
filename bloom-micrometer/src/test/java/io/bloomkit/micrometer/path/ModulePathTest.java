package io.bloomkit.micrometer.path;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.micrometer.FilterMetrics;
import io.bloomkit.micrometer.MeteredInsertableFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The meters as a Java module, beside filters that are one. In a package of its own: those of a
 * module are not looked up on the class path.
 */
class ModulePathTest {

  /** Meters a filter and names the modules in use. */
  static final class Metered {

    private Metered() {}

    public static void main(String[] arguments) {
      SimpleMeterRegistry registry = new SimpleMeterRegistry();
      MeteredInsertableFilter<String> seen =
          FilterMetrics.of(registry, "seen")
              .bind(ClassicBloomFilter.<String>create(HashStrategies.utf8(), 10, 0.01));
      seen.add("a");
      System.out.print(
          registry.get("bloom.filter.insertions").functionCounter().count()
              + ", "
              + (registry.get("bloom.filter.fill").gauge().value() > 0)
              + ", "
              + seen.getClass().getModule()
              + ", "
              + seen.filter().getClass().getModule());
    }
  }

  @Test
  void aFilterIsMeteredOnTheModulePath() throws Exception {
    List<String> modules = new ArrayList<>();
    for (Class<?> one :
        List.of(HashStrategies.class, ClassicBloomFilter.class, FilterMetrics.class)) {
      modules.add(location(one));
    }
    modules.addAll(libraries("hash4j|micrometer-(core|commons|observation)|jspecify|HdrHistogram"));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-p",
                String.join(File.pathSeparator, modules),
                "--add-modules",
                "io.bloomkit.micrometer,io.bloomkit.classic",
                "-cp",
                location(ModulePathTest.class),
                Metered.class.getName())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    assertEquals("1.0, true, module io.bloomkit.micrometer, module io.bloomkit.classic", out);
  }

  private static String location(Class<?> one) throws URISyntaxException {
    return Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  private static List<String> libraries(String artifacts) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> new File(entry).getName().matches("(" + artifacts + ")-[0-9.]+\\.jar"))
        .toList();
  }
}
