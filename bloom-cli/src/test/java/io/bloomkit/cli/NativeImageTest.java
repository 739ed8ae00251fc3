package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The configuration of native images names each class and field that a module looks up by name.
 * GraalVM is not at hand, so no image is built.
 */
class NativeImageTest {

  private static final Path TOP = Path.of("..");

  private static final Pattern LOOK_UP =
      Pattern.compile(
          "\\b(forName|getResource\\w*|get(Declared)?(Field|Method|Constructor)s?|newInstance"
              + "|newProxyInstance|newUpdater|unreflect\\w*|find(Static|Virtual|Constructor|Special"
              + "|Getter|Setter|Class|(Static)?VarHandle)|ServiceLoader\\.load)\\(");

  /** Look-ups of the JDK's own classes. In a native image they do not run. */
  private static final Map<String, List<String>> NOT_IN_AN_IMAGE =
      Map.of(
          "io.bloomkit.internal.JdkInternals",
          List.of("findVirtual", "forName", "getDeclaredField", "getMethod"),
          "io.bloomkit.internal.LongSegment",
          List.of("findStatic", "findVirtual", "forName", "getField", "getMethod"));

  /** Finds the constant {@code KIND} of each class of filters. */
  private static final Map<String, List<String>> KINDS =
      Map.of("io.bloomkit.format.InstalledKind", List.of("forName", "getField"));

  private static final Pattern HAS_KIND = Pattern.compile("public static final FilterKind KIND\\b");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bloom-api",
        "bloom-classic",
        "bloom-counting",
        "bloom-durable",
        "bloom-interop",
        "bloom-scalable",
        "bloom-micrometer"
      })
  void eachLookUpByNameIsNamed(String module) throws Exception {
    Path main = TOP.resolve(module).resolve("src/main");
    Map<String, String> entries = new TreeMap<>();
    for (Map.Entry<String, String> source : sources(main.resolve("java")).entrySet()) {
      String name = source.getKey();
      List<String> lookUps =
          LOOK_UP
              .matcher(source.getValue())
              .results()
              .map(result -> result.group(1))
              .distinct()
              .sorted()
              .toList();
      if (lookUps.equals(List.of("findVarHandle"))) {
        entries.put(name, fieldsEntry(name, source.getValue()));
      } else {
        List<String> known =
            NOT_IN_AN_IMAGE.getOrDefault(name, KINDS.getOrDefault(name, List.of()));
        assertEquals(known, lookUps, name);
      }
      if (HAS_KIND.matcher(source.getValue()).find()) {
        entries.put(name, "{\"name\": \"%s\", \"fields\": [{\"name\": \"KIND\"}]}".formatted(name));
      }
    }
    Path configuration =
        main.resolve("resources/META-INF/native-image/io.bloomkit").resolve(module);
    Path reflection = configuration.resolve("reflect-config.json");
    assertEquals(
        entries.isEmpty()
            ? "none"
            : entries.values().stream().collect(Collectors.joining(",\n  ", "[\n  ", "\n]\n")),
        Files.exists(reflection) ? Files.readString(reflection) : "none");
  }

  @Test
  void internalsOfTheJdkAreNotLookedUp() throws Exception {
    System.setProperty("org.graalvm.nativeimage.imagecode", "runtime");
    try (URLClassLoader loader = AndroidTest.phone()) {
      AndroidTest.assertNoDoors(loader);
    } finally {
      System.clearProperty("org.graalvm.nativeimage.imagecode");
    }
  }

  private static Map<String, String> sources(Path folder) throws IOException {
    Map<String, String> sources = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        String name = folder.relativize(file).toString().replace(".java", "");
        sources.put(name.replace(File.separatorChar, '.'), Files.readString(file));
      }
    }
    return sources;
  }

  /** The entry of a class that looks up its own fields, by literal names. */
  private static String fieldsEntry(String name, String source) throws Exception {
    List<String> fields = new ArrayList<>();
    for (MatchResult result :
        Pattern.compile("(?<!\\w)(?:handle\\(|findVarHandle\\(\\w+\\.class, )\"(\\w+)\"")
            .matcher(source)
            .results()
            .toList()) {
      fields.add(Class.forName(name).getDeclaredField(result.group(1)).getName());
    }
    assertTrue(!fields.isEmpty(), name);
    return fields.stream()
        .map("{\"name\": \"%s\"}"::formatted)
        .collect(Collectors.joining(", ", "{\"name\": \"" + name + "\", \"fields\": [", "]}"));
  }
}
