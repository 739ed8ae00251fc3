package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.testkit.hash.ExaminationReport;
import io.bloomkit.testkit.hash.ExaminationTest;
import io.bloomkit.testkit.hash.HashStrategyExamination;
import io.bloomkit.testkit.hash.Verdict;
import io.bloomkit.testkit.keys.KeySource;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Here all filters are on the path, so the examination of a strategy measures its rate in each. */
class StrategiesInAllFiltersTest {

  private static final List<String> VARIANTS =
      List.of(
          "classic",
          "blocked",
          "counting",
          "blocked-counting",
          "cuckoo",
          "dynamic-cuckoo",
          "scalable");

  private static Stream<FilterKind> factories() {
    return HashStrategyExamination.installedFilters().stream();
  }

  @Test
  void everyVariantIsFound() {
    assertEquals(
        VARIANTS.stream().sorted().toList(), factories().map(FilterKind::label).sorted().toList());
  }

  private static <T> ExaminationReport examine(
      HashStrategy<? super T> strategy, LongFunction<? extends T> keys) {
    return HashStrategyExamination.<T>of(strategy).elements(keys).run();
  }

  @Tag("campaign")
  @TestFactory
  Stream<DynamicTest> readyMadeStrategiesAreFitInAllFilters() {
    return Stream.of(KeySource.SEQUENTIAL, KeySource.IDS, KeySource.SPARSE)
        .flatMap(
            source ->
                Stream.of(
                    DynamicTest.dynamicTest(
                        "longs on " + source.label(),
                        () -> assertFit(examine(HashStrategies.longs(), source.longs(1)))),
                    DynamicTest.dynamicTest(
                        "utf8 on " + source.label(),
                        () -> assertFit(examine(HashStrategies.utf8(), source.texts(1)))),
                    DynamicTest.dynamicTest(
                        "murmur3 on " + source.label(),
                        () -> assertFit(examine(HashStrategies.murmur3(1), source.bytes(1))))));
  }

  private static void assertFit(ExaminationReport report) {
    report.assertFit();
    assertTrue(report.filters().containsAll(VARIANTS), () -> report.filters().toString());
  }

  private static List<String> ratesThatFailed(ExaminationReport report) {
    return report.findings().stream()
        .map(ExaminationTest::name)
        .filter(name -> name.startsWith("rate in ") && !name.contains("model"))
        .map(name -> name.substring("rate in ".length()))
        .toList();
  }

  @Tag("deep")
  @Test
  void aHashThatIsConstantFailsInEveryFilter() {
    ExaminationReport report =
        examine(HashStrategy.of("constant", key -> 42), KeySource.SEQUENTIAL.longs(1));
    assertEquals(Verdict.UNFIT, report.verdict());
    assertTrue(ratesThatFailed(report).containsAll(VARIANTS), report::toString);
  }

  /** Row numbers leave the upper bits zero, which choose blocks, words and buckets. */
  @Test
  void identityFailsInFilters() {
    ExaminationReport report =
        examine(LongHashStrategy.of("identity", number -> number), KeySource.SEQUENTIAL.longs(1));
    assertEquals(Verdict.UNFIT, report.verdict());
    assertTrue(
        ratesThatFailed(report)
            .containsAll(List.of("classic", "blocked", "counting", "blocked-counting")),
        report::toString);
  }
}
