package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.scalable.ScalableBloomFilter;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The filters as Java modules and on the class path, beside either artifact of fastutil or both.
 */
class ModulePathTest {

  /** A class of the whole of fastutil that its core has not. */
  private static final String BEYOND_THE_CORE = "it.unimi.dsi.fastutil.shorts.Short2CharArrayMap";

  private static final String ON_MODULES =
      "20, true, module io.bloomkit.scalable, module it.unimi.dsi.fastutil.core";

  /** Counts past 15, where fastutil comes in, and names the modules in use. */
  static final class CountToTwenty {

    private CountToTwenty() {}

    public static void main(String[] classesToLoad) throws ClassNotFoundException {
      for (String name : classesToLoad) {
        Class.forName(name);
      }
      CountingBloomFilter<String> flat =
          CountingBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
      ScalableBloomFilter<String> growing =
          ScalableBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
      for (int i = 0; i < 20; i++) {
        flat.add("alice");
        growing.add("alice");
      }
      System.out.print(
          flat.count("alice")
              + ", "
              + growing.mightContain("alice")
              + ", "
              + growing.getClass().getModule()
              + ", "
              + Long2LongOpenHashMap.class.getModule());
    }
  }

  @Test
  void modulesNeedTheCoreAlone() throws Exception {
    Run run = onModulePath(List.of("fastutil-core"), List.of());
    assertEquals(new Run(0, ON_MODULES, ""), run);
  }

  /** They have the same packages, and no package can be in two modules. */
  @Test
  void aModulePathWithBothFastutilsIsRefused() throws Exception {
    Run run = onModulePath(List.of("fastutil-core", "fastutil"), List.of());
    assertNotEquals(0, run.exitCode);
    assertTrue(run.out.contains("package it.unimi.dsi.fastutil"), run.out);
  }

  @Test
  void theModuleOfTheCoreCanBePatchedWithTheWhole() throws Exception {
    Run run =
        onModulePath(
            List.of("fastutil-core"),
            List.of("--patch-module", "it.unimi.dsi.fastutil.core=" + library("fastutil")),
            BEYOND_THE_CORE);
    assertEquals(new Run(0, ON_MODULES, ""), run);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fastutil-core fastutil", "fastutil fastutil-core"})
  void aClassPathTakesBothFastutilsInEitherOrder(String both) throws Exception {
    List<String> entries = filters(List.of(both.split(" ")));
    entries.add(location(ModulePathTest.class));
    Run run = run(List.of("-cp", String.join(File.pathSeparator, entries)), BEYOND_THE_CORE);
    assertEquals("", run.err);
    assertTrue(run.out.startsWith("20, true, unnamed module"), run.out);
  }

  private static Run onModulePath(
      List<String> fastutils, List<String> options, String... classesToLoad) throws Exception {
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of("-p", String.join(File.pathSeparator, filters(fastutils))));
    all.addAll(List.of("--add-modules", "io.bloomkit.counting,io.bloomkit.scalable"));
    all.addAll(List.of("-cp", location(ModulePathTest.class)));
    return run(all, classesToLoad);
  }

  /** Returns where the filters and what they need are. */
  private static List<String> filters(List<String> fastutils) throws URISyntaxException {
    List<String> all = new ArrayList<>();
    for (Class<?> one :
        List.of(
            HashStrategies.class,
            ClassicBloomFilter.class,
            CountingBloomFilter.class,
            ScalableBloomFilter.class)) {
      all.add(location(one));
    }
    all.add(library("hash4j"));
    fastutils.forEach(one -> all.add(library(one)));
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

  private static Run run(List<String> options, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(options);
    command.add(CountToTwenty.class.getName());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), out, err);
  }
}
