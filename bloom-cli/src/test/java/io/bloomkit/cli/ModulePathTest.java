package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.durable.DurableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The filters as Java modules: on a module path, beside fastutil, and in a linked image. */
class ModulePathTest {

  private static final String MODULES =
      "io.bloomkit.counting,io.bloomkit.durable,io.bloomkit.scalable";

  private static final String ON_MODULES = "20, true, module io.bloomkit.scalable";

  /** Counts past 15, removes, writes, and names the module in use. */
  static final class CountToTwenty {

    private CountToTwenty() {}

    public static void main(String[] arguments) throws IOException {
      CountingBloomFilter<String> flat =
          CountingBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
      ScalableBloomFilter<String> growing =
          ScalableBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
      for (int i = 0; i < 21; i++) {
        flat.add("alice");
        growing.add("alice");
      }
      flat.remove("alice");
      flat.writeTo(OutputStream.nullOutputStream());
      Path folder = Files.createTempDirectory("durable");
      DurableFilter.create(folder, flat);
      try (DurableFilter<String> durable =
          DurableFilter.open(
              folder, CountingBloomFilter.builder(HashStrategies.utf8()).expecting(100, 0.01))) {
        durable.compact();
      }
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
      System.out.print(
          flat.count("alice")
              + ", "
              + growing.mightContain("alice")
              + ", "
              + growing.getClass().getModule());
    }
  }

  @Test
  void modulesNeedNoFastutil() throws Exception {
    assertEquals(new Run(0, ON_MODULES, ""), onModulePath());
  }

  /** Whatever else an application brings. */
  @ParameterizedTest
  @ValueSource(strings = {"fastutil-core", "fastutil"})
  void modulesShareAPathWithFastutil(String artifact) throws Exception {
    Run run = onModulePath(artifact);
    assertEquals(0, run.exitCode, run.err);
    assertEquals(ON_MODULES, run.out);
  }

  @Tag("deep")
  @Test
  void anImageLinkedFromTheFiltersRunsThem(@TempDir Path folder) throws Exception {
    Path image = folder.resolve("image");
    StringWriter output = new StringWriter();
    PrintWriter printer = new PrintWriter(output);
    int exitCode =
        ToolProvider.findFirst("jlink")
            .orElseThrow()
            .run(
                printer,
                printer,
                "--module-path",
                String.join(File.pathSeparator, filters()),
                "--add-modules",
                MODULES,
                "--output",
                image.toString());
    assertEquals(0, exitCode, output.toString());
    try (Stream<Path> files = Files.walk(image)) {
      long bytes =
          files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
      System.out.printf("an image with %s takes %,d bytes%n", MODULES, bytes);
    }
    assertEquals(
        new Run(0, ON_MODULES, ""),
        run(
            image.resolve("bin").resolve("java"),
            List.of("--add-modules", MODULES, "-cp", location(ModulePathTest.class))));
  }

  private static Run onModulePath(String... libraries) throws Exception {
    List<String> path = filters();
    Stream.of(libraries).map(ModulePathTest::library).forEach(path::add);
    return run(
        Path.of(System.getProperty("java.home"), "bin", "java"),
        List.of(
            "-p",
            String.join(File.pathSeparator, path),
            "--add-modules",
            MODULES,
            "-cp",
            location(ModulePathTest.class)));
  }

  /** Returns where the filters and what they need are. */
  private static List<String> filters() throws URISyntaxException {
    List<String> all = new ArrayList<>();
    for (Class<?> one :
        List.of(
            HashStrategies.class,
            ClassicBloomFilter.class,
            CountingBloomFilter.class,
            DurableFilter.class,
            ScalableBloomFilter.class)) {
      all.add(location(one));
    }
    all.add(library("hash4j"));
    return all;
  }

  private static String location(Class<?> one) throws URISyntaxException {
    return Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  private static String library(String artifact) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> new File(entry).getName().matches(artifact + "-[0-9.]+\\.jar"))
        .findAny()
        .orElseThrow();
  }

  private record Run(int exitCode, String out, String err) {}

  private static Run run(Path java, List<String> options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(options);
    command.add(CountToTwenty.class.getName());
    Process process = new ProcessBuilder(command).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), out, err);
  }
}
