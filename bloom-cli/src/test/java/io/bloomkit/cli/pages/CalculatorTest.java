package io.bloomkit.cli.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomkit.cli.CommandRun;
import io.bloomkit.cli.Sources;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterKind.Trait;
import io.bloomkit.format.FilterLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures, the choice and the code of the site's calculator. */
@EnabledForJreRange(max = JRE.JAVA_21) // those on which GraalJS 23.1 runs
class CalculatorTest {

  private static PageScripts scripts;

  @TempDir private Path folder;

  @BeforeAll
  static void load() throws Exception {
    scripts = new PageScripts("sizes.js", "calculator.js");
  }

  @AfterAll
  static void end() {
    scripts.close();
  }

  private static List<String> kinds() {
    return scripts.texts("() => BloomkitSizes.KINDS");
  }

  /** The differences between the rows of the page and those of the command. */
  private static final String COMPARE =
      """
      (items, fpp, json) => {
        const differences = [];
        for (const expected of JSON.parse(json)) {
          const { kind } = expected;
          const reason = BloomkitSizes.reason(kind, items, fpp);
          if ((reason === null) !== (expected.reason === null)) {
            differences.push(`${kind}: ${reason} but ${expected.reason}`);
          } else if (reason === null) {
            const found = BloomkitSizes.plan(kind, items, fpp);
            for (const [name, value] of Object.entries(expected)) {
              const isNear =
                typeof value === "number" &&
                !Number.isInteger(value) &&
                Math.abs(found[name] - value) <= 1e-12 * Math.abs(value);
              if (name !== "reason" && found[name] !== value && !isNear) {
                differences.push(`${kind} ${name}: ${found[name]} but ${value}`);
              }
            }
          }
        }
        return differences;
      }
      """;

  private static String json(long items, double fpp) {
    String kinds =
        String.join(",", FilterKind.installed().stream().map(FilterKind::label).toList());
    return CommandRun.of("", "size", "--items", items, "--fpp", fpp, "--kind", kinds, "--json")
        .out();
  }

  @ParameterizedTest
  @CsvSource({"3, 0.3"})
  void figuresEqualThoseOfTheCommand(long items, double fpp) {
    assertEquals(List.of(), scripts.texts(COMPARE, (double) items, fpp, json(items, fpp)));
  }

  /** Compares by Node, since GraalJS takes seconds for each blocked filter. */
  private void compareByNode(long[] numbers, double[] rates) throws Exception {
    assumeTrue(Node.isInstalled(), "Node is not on the PATH");
    List<String> cases = new ArrayList<>();
    for (long items : numbers) {
      for (double fpp : rates) {
        String rows = json(items, fpp); // empty if all kinds refuse
        cases.add("[%d, %s, %s]".formatted(items, fpp, rows.isEmpty() ? "null" : rows));
      }
    }
    String program =
        """
        const compare = %s;
        const cases = %s;
        for (const [items, fpp, rows] of cases) {
          const differences = rows
            ? compare(items, fpp, JSON.stringify(rows))
            : BloomkitSizes.KINDS.filter((kind) => !BloomkitSizes.reason(kind, items, fpp));
          for (const difference of differences) {
            console.log(`${items} at ${fpp}: ${difference}`);
          }
        }
        """
            .formatted(COMPARE, cases);
    Path script = folder.resolve("compare.js");
    Files.writeString(script, Files.readString(PageScripts.PAGES.resolve("js/sizes.js")) + program);
    assertEquals("", Node.run(script, ""));
  }

  @Test
  void figuresEqualThoseOfTheCommandOnAGrid() throws Exception {
    compareByNode(
        new long[] {1, 7, 1_000, 1_000_000, 123_456_789, 1_000_000_000_000L},
        new double[] {0.5, 0.01, 1e-4, 1e-9});
  }

  @Test
  @Tag("deep")
  void figuresEqualThoseOfTheCommandOnAFineGrid() throws Exception {
    compareByNode(
        new long[] {
          1,
          2,
          3,
          5,
          7,
          10,
          20,
          50,
          100,
          999,
          5_000,
          11_001,
          12_345,
          54_321,
          100_000,
          700_000,
          1_000_000,
          9_999_999,
          100_000_000,
          1_000_000_000,
          7_000_000_000L,
          100_000_000_000L,
          10_000_000_000_000L
        },
        new double[] {0.99, 0.7, 0.3, 0.1, 0.05, 0.03, 0.02, 0.003, 0.001, 3e-5, 1e-6, 1e-7, 1e-8});
  }

  @Test
  void allKindsOfThisLibraryAreThere() {
    assertEquals(FilterKind.installed().stream().map(FilterKind::label).toList(), kinds());
  }

  @Test
  void theCurveIsTheRateOfTheKindAtEachFill() {
    checkCurves(100, 0.01);
  }

  @Tag("deep")
  @Test
  void theCurveOfAHighRateIsThatOfTheKind() {
    checkCurves(20_000, 0.1);
  }

  private void checkCurves(long items, double fpp) {
    for (FilterKind kind : FilterKind.installed()) {
      FilterLayout layout = kind.layout(items, fpp);
      Value points =
          scripts.call(
              "(kind, items, fpp) =>"
                  + " BloomkitCalculator.curveOf(BloomkitSizes.plan(kind, items, fpp), items)",
              kind.label(),
              (double) items,
              fpp);
      assertEquals(kind.label().equals("cuckoo") ? 20 : 40, points.getArraySize(), kind.label());
      for (int i = 0; i < points.getArraySize(); i++) {
        Value point = points.getArrayElement(i);
        long elements = point.getMember("elements").asLong();
        double rate = point.getMember("rate").asDouble();
        // The layout of a growing filter is that of its first layer.
        if (kind.is(Trait.GROWING) && elements > items) {
          double least = (1 - 1e-12) * layout.fpp(items);
          assertTrue(rate >= least && rate <= fpp, () -> elements + ": " + rate);
        } else {
          double expected = layout.fpp(elements);
          assertEquals(expected, rate, 1e-12 * expected, kind.label() + " with " + elements);
        }
      }
    }
  }

  private static Set<String> needsMet(FilterKind kind) {
    Set<String> needs = new TreeSet<>();
    boolean isExpiring = kind.label().startsWith("expiring");
    if (kind.isDeletable()) {
      needs.addAll(Set.of("remove", "count"));
    }
    if (isExpiring) {
      needs.addAll(Set.of("remove", "expire"));
    }
    if (kind.is(Trait.ELASTIC) || kind.is(Trait.GROWING)) {
      needs.add("grow");
    }
    if (kind.isMergeable()) {
      needs.add("merge");
    }
    if (kind.is(Trait.CONCURRENT)) {
      needs.add("threads");
    }
    return needs;
  }

  @Test
  void capabilitiesOfAKindAreThoseOfItsClass() {
    for (FilterKind kind : FilterKind.installed()) {
      List<String> can =
          scripts.texts("(kind) => BloomkitCalculator.FILTERS[kind].can", kind.label());
      assertEquals(needsMet(kind), new TreeSet<>(can), kind.label());
      assertEquals(
          kind.filterClass().getName(),
          scripts
              .call(
                  "(kind) => { const f = BloomkitCalculator.FILTERS[kind];"
                      + " return `${f.package}.${f.type}`; }",
                  kind.label())
              .asString());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', 0.01, blocked",
    "'', 0.0001, classic",
    "merge threads, 0.01, blocked",
    "grow, 0.01, dynamic-cuckoo",
    "remove, 0.01, dynamic-cuckoo",
    "count threads, 0.01, dynamic-cuckoo",
    "expire, 0.01, expiring-cuckoo",
    "expire remove grow merge threads, 0.01, expiring-cuckoo",
    "count expire, 0.01, none"
  })
  void theFirstFittingFilterIsRecommended(String needs, double fpp, String kind) {
    List<String> fitting =
        scripts.texts(
            "(needs, fpp) =>"
                + " BloomkitCalculator.fitting(needs === '' ? [] : needs.split(' '), fpp)",
            needs,
            fpp);
    assertEquals(kind, fitting.isEmpty() ? "none" : fitting.get(0));
  }

  @ParameterizedTest
  @CsvSource({
    "'1,000,000', 1000000",
    "10M, 10000000",
    "1e7, 10000000",
    "2.5k, 2500",
    "1 234, 1234",
    "12 M, 12000000",
    "'1,234.5k', 1234500",
    "'1,5M', NaN",
    "'1,5', NaN",
    "'10,00', NaN",
    "1.000.000, NaN",
    "0, NaN",
    "-1, NaN",
    "1.5, NaN",
    "many, NaN",
    "1e20, NaN"
  })
  void numbersAreReadAsPeopleWriteThem(String text, double value) {
    assertEquals(value, scripts.call("BloomkitCalculator.parseItems", text).asDouble());
  }

  @ParameterizedTest
  @CsvSource({
    "1 %, 0.01",
    "0.1%, 0.001",
    "0.01, 0.01",
    ".5, 0.5",
    "1e-7, 1e-7",
    "1/1000, 0.001",
    "1 in 100, 0.01",
    "0, NaN",
    "100 %, NaN",
    "-1 %, NaN",
    "low, NaN"
  })
  void ratesAreReadAsPeopleWriteThem(String text, double value) {
    assertEquals(value, scripts.call("BloomkitCalculator.parseRate", text).asDouble());
  }

  /** The code for each kind, for one thread and for several. */
  private static List<String> javaOfAllKinds(long items) {
    List<String> codes = new ArrayList<>();
    for (String kind : kinds()) {
      for (String needs : List.of("[]", "['threads']")) {
        if (items < Integer.MAX_VALUE || kind.endsWith("-cuckoo")) {
          codes.add(
              scripts
                  .call(
                      "(kind, items) => BloomkitCalculator.javaOf(kind, items, 0.01, "
                          + needs
                          + ")",
                      kind,
                      (double) items)
                  .asString());
        }
      }
    }
    return codes;
  }

  @Test
  void theCodeMakesTheFilter() throws Exception {
    List<String> codes = javaOfAllKinds(5_000);
    codes.addAll(javaOfAllKinds(3_000_000_000L));
    StringBuilder methods = new StringBuilder();
    Set<String> imports = new TreeSet<>();
    for (String code : codes) {
      imports.addAll(code.lines().filter(line -> line.startsWith("import ")).toList());
      methods.append("made.add(").append(code.replaceFirst("(?s).*? =\n", ""));
      methods.setLength(methods.length() - 1); // the semicolon
      methods.append(");\n");
    }
    String source =
        String.join("\n", imports)
            + "\npublic class Made {\n"
            + "public static java.util.List<Object> make() {\n"
            + "java.util.List<Object> made = new java.util.ArrayList<>();\n"
            + methods
            + "return made; } }\n";
    Class<?> made = new Sources(folder).compile("Made", source).load("Made");
    List<?> filters = (List<?>) Objects.requireNonNull(made.getMethod("make").invoke(null));
    assertEquals(codes.size(), filters.size());
    for (int i = 0; i < codes.size(); i++) {
      String declared = codes.get(i).replaceFirst("(?s).*\n(\\w+)<String> filter =.*", "$1");
      assertEquals(declared, filters.get(i).getClass().getSimpleName());
    }
  }

  @Test
  void theCommandBuildsTheFilter() throws Exception {
    Path lines = Files.writeString(folder.resolve("lines.txt"), "alice\nbob\n");
    for (String kind : kinds()) {
      Path filter = folder.resolve(kind + ".bloom");
      String command =
          scripts
              .call("(kind) => BloomkitCalculator.bloomOf(kind, 1000, 0.01)", kind)
              .asString()
              .replace("\\\n", "")
              .replace("filter.bloom", filter.toString())
              .replace("lines.txt", lines.toString());
      CommandRun run =
          CommandRun.of(
              "", Pattern.compile("\\s+").splitAsStream(command.trim()).skip(1).toArray());
      assertEquals(0, run.exitCode(), () -> command + run.err());
      String report = CommandRun.of("", "inspect", filter).out();
      assertTrue(report.contains(kind.toLowerCase(Locale.ROOT)), report);
    }
  }
}
