package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.InsertableFilter;
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

  @Test
  void everyVariantHoldsWhatItIsMadeFor() {
    factories()
        .forEach(
            variant -> {
              long begin = variant.is(FilterKind.Trait.GROWING) ? 100 : 1000;
              InsertableFilter<Long> filter =
                  (InsertableFilter<Long>)
                      variant.<Long>create(HashStrategies.longs(), begin, 0.01);
              for (long i = 0; i < 1000; i++) {
                filter.add(i);
              }
              for (long i = 0; i < 1000; i++) {
                assertTrue(filter.mightContain(i), variant.label());
              }
              double fpp = filter.expectedFpp();
              assertTrue(fpp > 0.001 && fpp < 0.012, () -> variant.label() + ": " + fpp);
            });
  }

  @Test
  void everyVariantRefusesWhatNoFilterCanBeMadeFor() {
    factories()
        .forEach(
            variant -> {
              for (long n : new long[] {-1, Long.MIN_VALUE}) {
                IllegalArgumentException refusal =
                    assertThrows(
                        IllegalArgumentException.class,
                        () -> variant.create(HashStrategies.longs(), n, 0.01),
                        variant.label());
                assertTrue(
                    String.valueOf(refusal.getMessage()).contains(Long.toString(n)),
                    variant.label());
              }
            });
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
