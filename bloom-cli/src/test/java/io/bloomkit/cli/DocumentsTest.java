package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import io.bloomkit.classic.MappedFilter;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import io.bloomkit.interop.guava.GuavaFunnel;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/**
 * Compiles and runs the code that README and the pages for users show, as it stands there, and
 * checks their links.
 */
class DocumentsTest {

  private static final Path TOP = Path.of("..");

  @TempDir private Path folder;

  private Map<?, ?> run(String code, List<String> variables, Map<String, Object> given)
      throws Exception {
    return new Sources(folder).run(code, variables, given);
  }

  private static List<String> blocks(String page) throws IOException {
    Markdown markdown = new Markdown(page);
    return markdown.blocks("java").stream().map(markdown.imports()::concat).toList();
  }

  /** Returns the first block of a page that has a text. */
  private static String block(String page, String text) throws IOException {
    Markdown markdown = new Markdown(page);
    String code =
        markdown.blocks("java").stream().filter(b -> b.contains(text)).findFirst().orElseThrow();
    return markdown.imports() + code;
  }

  @Test
  void theFirstLinesOfReadmeDoWhatTheirCommentsSay() throws Exception {
    String code = blocks("README.md").get(0);
    assertTrue(code.lines().count() <= 10, "more than ten lines");
    assertEquals(
        Map.of("isNew", true, "there", true, "gone", true, "still", false),
        run(code, List.of("isNew", "there", "gone", "still"), Map.of()));
  }

  @Test
  void everyContractOfTheTestKitIsListed() throws Exception {
    Path sources = Path.of("..", "bloom-testkit", "src", "main", "java");
    String page = new Markdown("docs/testing.md").text();
    try (Stream<Path> files = Files.walk(sources)) {
      List<String> missing =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith("Contract.java"))
              .map(name -> "| `" + name.replace(".java", "` |"))
              .filter(row -> !page.contains(row))
              .toList();
      assertEquals(List.of(), missing);
    }
  }

  @Test
  void theFiltersToChooseFromAreMade() throws Exception {
    Map<?, ?> filters =
        run(
            blocks("docs/choosing.md").get(0),
            List.of("words", "sessions", "clicks", "urls"),
            Map.of());
    assertEquals(4, filters.size());
  }

  @Test
  void theLinesOfTheTenNeedsRun() throws Exception {
    Markdown page = new Markdown("docs/choosing.md");
    List<MatchResult> rows =
        Pattern.compile("(?m)^\\| \".*?\" \\| (.*?) \\| `(.*)` \\|$")
            .matcher(page.section("Ten needs").text())
            .results()
            .toList();
    assertEquals(10, rows.size());
    StringBuilder code = new StringBuilder(page.imports() + NEEDED);
    for (int row = 0; row < rows.size(); row++) {
      String line = rows.get(row).group(2).replaceFirst("^all.merge.*", "$0; all"); // it is void
      int last = line.lastIndexOf("; ") + 1;
      code.append(line, 0, last).append("\nObject row" + row + " =" + line.substring(last) + ";\n");
    }
    List<String> names = IntStream.range(0, 10).mapToObj(row -> "row" + row).toList();
    Map<?, ?> values =
        run(code.toString(), names, Map.of("file", folder.resolve("passwords.bloom")));
    for (int row = 0; row < rows.size(); row++) {
      String made = String.valueOf(values.get("row" + row));
      String filter = rows.get(row).group(1);
      if (rows.get(row).group(2).contains(".create(") && filter.startsWith("`")) {
        assertEquals("`" + made.replaceFirst("(?s)\\[.*", "`"), filter, made);
      }
    }
    assertEquals(true, values.get("row2"), "remove");
    assertEquals(3L, values.get("row3"), "count");
    assertEquals(1L, values.get("row5"), "count of a minute");
    ((MappedFilter<?>) Objects.requireNonNull(values.get("row8"))).close();
  }

  /** What the lines of the ten needs use. */
  private static final String NEEDED =
      """
      import io.bloomkit.classic.MappedFilter;
      import io.bloomkit.classic.ClassicBloomFilter;
      import io.bloomkit.format.Delta;
      import io.bloomkit.hash.HashStrategy;
      import io.bloomkit.interop.guava.GuavaBloomFilter;
      import io.bloomkit.interop.guava.GuavaFunnel;
      HashStrategy<CharSequence> strategy = HashStrategies.utf8();
      DynamicCuckooFilter<String> sessions = DynamicCuckooFilter.create(strategy, 10, 0.01);
      sessions.add("alice");
      DynamicCuckooFilter<String> minute = DynamicCuckooFilter.create(strategy, 10, 0.01);
      String client = "203.0.113.7";
      ClassicBloomFilter<String> all = ClassicBloomFilter.create(strategy, 10, 0.01);
      ClassicBloomFilter<String> part = all.copy();
      ClassicBloomFilter<String> yesterday = all.copy();
      ClassicBloomFilter<String> today = all.copy();
      BlockedBloomFilter<String> passwords = BlockedBloomFilter.create(strategy, 10, 0.01);
      var funnel = GuavaFunnel.longs();
      """;

  @Test
  void aGrowingFilterHasTheLayersThatTheChooserCounts() throws Exception {
    String code = blocks("docs/choosing.md").get(1);
    Map<?, ?> values = run(code, List.of("layers", "pages"), Map.of());
    assertEquals(6, values.get("layers"));
    ScalableBloomFilter<?> pages =
        (ScalableBloomFilter<?>) Objects.requireNonNull(values.get("pages"));
    assertTrue(pages.memoryBytes() >= 4096);
    String byDefault = code.replaceFirst("\\.growthFactor\\(4\\)", "");
    assertEquals(Map.of("layers", 10), run(byDefault, List.of("layers"), Map.of()));
    assertTrue(code.contains(" // 6; with the default factor of 2: 10"));
  }

  @Test
  void theGuaranteesHold() throws Exception {
    Map<?, ?> values =
        run(blocks("docs/guarantees.md").get(0), List.of("certain", "copies", "rate"), Map.of());
    assertEquals(true, values.get("certain"));
    assertEquals(2L, values.get("copies"));
  }

  @Test
  void aConcurrentFilterIsFilledAndReadAgain() throws Exception {
    Map<?, ?> values =
        run(
            blocks("docs/guarantees.md").get(1),
            List.of("all", "read"),
            Map.of("file", folder.resolve("shared.bloom")));
    assertEquals(true, values.get("all"));
    assertTrue(String.valueOf(values.get("read")).contains("CountingBloomFilter"));
  }

  @Test
  void filesDeltasAndMappedFiltersHaveWhatWasAdded() throws Exception {
    List<String> blocks = blocks("docs/files.md");
    assertEquals(
        Map.of(
            "there", true, "equal", true, "isSmall", true, "member", true, "former", false, "known",
            true),
        run(
            String.join("\n", blocks)
                .replace(
                    "try (",
                    "boolean isSmall = Math.abs(change.length - 300) < 50;\nboolean known;\ntry (")
                .replace("boolean known = ", "known = "),
            List.of("there", "equal", "isSmall", "member", "former", "known"),
            Map.of("file", folder.resolve("words.bloom"), "large", folder.resolve("large.bloom"))));
  }

  @Test
  void aDurableFilterHasItsUpdatesWhenItIsOpenedAgain() throws Exception {
    assertEquals(
        Map.of("alice", true, "bob", false),
        run(
            blocks("docs/durable.md").get(0),
            List.of("alice", "bob"),
            Map.of("folder", folder.resolve("sessions"))));
  }

  @Test
  void waysToForgetDoWhatTheirCommentsSay() throws Exception {
    assertEquals(
        Map.of("isNew", true, "isDuplicate", true, "isLeft", true, "areThere", true),
        run(
            String.join("\n", blocks("docs/forgetting.md"))
                + """

                boolean isLeft =
                    left.compareTo(Duration.ofMinutes(7)) > 0
                        && left.compareTo(Duration.ofMinutes(12)) <= 0;
                boolean areThere =
                    received.mightContain("message 1")
                        && received.mightContain("message 2")
                        && received.mightContain("message 3");
                """,
            List.of("isNew", "isDuplicate", "isLeft", "areThere"),
            Map.of()));
  }

  /** A reader who starts on a page finds there what to depend on. */
  @Test
  void pagesForJavaUsersHaveTheirCoordinates() throws Exception {
    Map<String, String> modules =
        Map.of(
            "durable", "durable",
            "files", "counting",
            "flink", "flink",
            "forgetting", "counting",
            "in-java", "counting",
            "interop", "interop",
            "spark", "spark",
            "testing", "testkit");
    Matcher version =
        Pattern.compile("<version>(.*?)</version>")
            .matcher(Files.readString(TOP.resolve("pom.xml")));
    assertTrue(version.find());
    for (Map.Entry<String, String> module : modules.entrySet()) {
      List<String> blocks = new Markdown("docs/" + module.getKey() + ".md").blocks("xml");
      String expected =
          """
          <dependency>
            <groupId>io.bloomkit</groupId>
            <artifactId>bloom-%s</artifactId>
            <version>%s</version>
          """
              .formatted(module.getValue(), version.group(1));
      assertTrue(blocks.get(0).startsWith(expected), module + ": " + blocks.get(0));
    }
  }

  /** The examples of a page compile with the modules that the page names, and what these bring. */
  @Test
  void pagesNameTheModulesOfTheirImports() throws Exception {
    Pattern named = Pattern.compile("\\bbloom-[a-z]+\\b(?!/)");
    Pattern imported = Pattern.compile("import (io\\.bloomkit\\.\\S+);");
    for (String page :
        List.of(
            "README.md",
            "docs/choosing.md",
            "docs/durable.md",
            "docs/files.md",
            "docs/flink.md",
            "docs/forgetting.md",
            "docs/in-java.md",
            "docs/interop.md",
            "docs/spark.md",
            "docs/testing.md")) {
      Markdown markdown = new Markdown(page);
      Set<String> modules = new TreeSet<>();
      for (MatchResult module : named.matcher(markdown.text()).results().toList()) {
        addWithDependencies(module.group(), modules);
      }
      for (MatchResult type : imported.matcher(markdown.imports()).results().toList()) {
        String source = "src/main/java/" + type.group(1).replace('.', '/') + ".java";
        assertTrue(
            modules.stream().anyMatch(m -> Files.exists(TOP.resolve(m).resolve(source))),
            () -> page + " has " + modules + ", not the module of " + type.group(1));
      }
    }
  }

  private static void addWithDependencies(String module, Set<String> modules) throws IOException {
    if (!Files.exists(TOP.resolve(module).resolve("src/main/java")) || !modules.add(module)) {
      return;
    }
    String pom = Files.readString(TOP.resolve(module).resolve("pom.xml"));
    Pattern compiled = Pattern.compile("<artifactId>(bloom-[a-z]+)</artifactId>\\s*</dependency>");
    for (MatchResult dependency : compiled.matcher(pom).results().toList()) {
      addWithDependencies(dependency.group(1), modules);
    }
  }

  @Test
  void theContractTestPasses() throws Exception {
    String contractTest = block("docs/testing.md", "MyFilterContractTest");
    assertContractHolds(contractTest);
    assertContractHolds(
        contractTest
            .replace("counting.CountingBloomFilter", "cuckoo.CuckooFilter")
            .replace("CountingBloomFilter", "CuckooFilter")
            .replaceFirst("\\}\\s*$", "@Override public boolean isBounded() { return true; } }"));
  }

  private void assertContractHolds(String contractTest) throws Exception {
    Class<?> contract =
        new Sources(folder)
            .compile("MyFilterContractTest", Sources.IMPORTS + contractTest)
            .load("MyFilterContractTest");
    for (String engine : List.of("junit-jupiter", "jqwik")) {
      Events tests =
          EngineTestKit.engine(engine)
              .configurationParameter("jqwik.database", folder.resolve("jqwik").toString())
              .configurationParameter(
                  "jqwik.reporting.usejunitplatform", "true") // not to the console
              .selectors(selectClass(contract))
              .execute()
              .testEvents();
      assertEquals(List.of(), tests.failed().list());
      assertTrue(tests.succeeded().count() > 5, engine);
    }
  }

  @Test
  void theAuditFindsTheWrongRemoval() throws Exception {
    assertEquals(
        Map.of("wrong", 1L, "isBob", true),
        run(block("docs/testing.md", "new AuditedFilter"), List.of("wrong", "isBob"), Map.of()));
  }

  @Test
  void theLoopOfTheSpeedPageCountsNewKeys() throws Exception {
    assertEquals(
        Map.of("fresh", 3),
        run(
            "int fresh = 0;\n" + blocks("docs/speed.md").get(0),
            List.of("fresh"),
            Map.of("ids", new long[] {1, 2, 1, 3})));
  }

  @Test
  void theWayFromGuavaIsWhatItsCommentsSay() throws Exception {
    Funnel<CharSequence> funnel = Funnels.stringFunnel(StandardCharsets.UTF_8);
    BloomFilter<CharSequence> guavas = BloomFilter.create(funnel, 1000, 0.01);
    guavas.put("alice");
    ByteArrayOutputStream before = new ByteArrayOutputStream();
    guavas.writeTo(before);
    ByteArrayOutputStream after = new ByteArrayOutputStream();
    Path file = folder.resolve("seen.bloom");
    assertEquals(
        Map.of("alice", true, "isBobNew", true, "carol", true),
        run(
            block("docs/interop.md", "writeBloomkitTo"),
            List.of("alice", "isBobNew", "carol"),
            Map.of(
                "in", new ByteArrayInputStream(before.toByteArray()), "out", after, "file", file)));
    BloomFilter<CharSequence> again =
        BloomFilter.readFrom(new ByteArrayInputStream(after.toByteArray()), funnel);
    guavas.put("bob");
    assertEquals(guavas, again);
    byte[] stored = Files.readAllBytes(file);
    assertArrayEquals(
        after.toByteArray(),
        GuavaBloomFilter.fromBytes(stored, GuavaFunnel.strings(StandardCharsets.UTF_8)).toBytes());
  }

  @Test
  void theClassesOfTheArchitecturePageAreThere() throws Exception {
    try (Stream<Path> files = Files.walk(TOP)) {
      Set<String> classes =
          files
              .filter(
                  file ->
                      file.toString().matches(".*[/\\\\]src[/\\\\]main[/\\\\]java[/\\\\].*\\.java"))
              .map(file -> file.getFileName().toString().replace(".java", ""))
              .collect(Collectors.toSet());
      String page = Files.readString(TOP.resolve("docs/architecture.md"));
      List<String> named =
          Pattern.compile("\\b[A-Z][a-z0-9]+[A-Z]\\w+")
              .matcher(page)
              .results()
              .map(name -> name.group())
              .toList();
      assertTrue(named.size() > 30, "few names");
      assertEquals(List.of(), named.stream().filter(name -> !classes.contains(name)).toList());
    }
  }

  @Test
  void everyLinkLeadsToAFileAndToAHeadingInIt() throws Exception {
    try (Stream<Path> top = Files.list(TOP);
        Stream<Path> docs = Files.walk(TOP.resolve("docs"))) {
      Stream<Path> laboratory = Stream.of(TOP.resolve("bloom-bench/laboratory.md"));
      List<String> broken =
          Stream.of(top, docs, laboratory)
              .flatMap(Function.identity())
              .filter(page -> page.toString().endsWith(".md"))
              .flatMap(this::brokenLinks)
              .toList();
      assertEquals(List.of(), broken);
    }
  }

  private Stream<String> brokenLinks(Path page) {
    return Pattern.compile("\\]\\(([^)\\s]+)\\)")
        .matcher(withoutCode(page))
        .results()
        .map(link -> link.group(1))
        .filter(link -> !link.startsWith("http"))
        .filter(link -> !leadsSomewhere(page, link))
        .map(link -> TOP.relativize(page) + ": " + link);
  }

  private boolean leadsSomewhere(Path page, String link) {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
    return Files.exists(target)
        && (parts.length == 1
            || withoutCode(target).contains("<a id=\"" + parts[1] + "\">")
            || Pattern.compile("^#+ (.*)$", Pattern.MULTILINE)
                .matcher(withoutCode(target))
                .results()
                .anyMatch(heading -> anchor(heading.group(1)).equals(parts[1])));
  }

  /** Makes the anchor of a heading as the viewers of Markdown do. */
  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  private static String withoutCode(Path page) {
    try {
      return Files.readString(page).replaceAll("(?ms)^```.*?^```", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
