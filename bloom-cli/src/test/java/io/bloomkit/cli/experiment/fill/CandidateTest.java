package io.bloomkit.cli.experiment.fill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cli.size.Dimensions;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.dynamic.DynamicCuckooFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterLayout.CacheLines;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CandidateTest {

  private static final BytesHashStrategy BYTES = HashStrategies.bytes();

  @ParameterizedTest
  @CsvSource({"1, 0.5", "7, 0.1", "1000, 0.01", "99999, 0.001", "1000000, 1e-5", "1000, 1e-6"})
  void plannedSizeIsThatOfTheFilterBuilt(long elements, double fpp) {
    for (FilterKind kind : insertableKinds()) {
      Candidate candidate = Candidate.of(kind, BYTES, elements, elements, fpp);
      InsertableFilter<CharSequence> filter = candidate.filters().get();
      FilterLayout planned = candidate.plannedLayout();
      if (!kind.is(FilterKind.Trait.ELASTIC)) {
        assertEquals(filter.memoryBytes(), planned.memoryBytes(), candidate.name());
      }
      Map<String, Number> built = candidate.layout().apply(filter).figures();
      assertTrue(
          built.entrySet().containsAll(planned.figures().entrySet()),
          () -> candidate.name() + ": " + planned.figures() + " planned, " + built);
    }
  }

  @Test
  void plannedBytesOfAFilterThatGrowsAreThoseOfAllItsLayers() {
    FilterLayout grown = scalable(10_000, 1000, 0.01).plannedLayout();
    assertEquals(4, Dimensions.layers(grown));
    FilterLayout begun = scalable(1000, 1000, 0.01).plannedLayout();
    assertTrue(grown.memoryBytes() > 14 * begun.memoryBytes()); // 1 + 2 + 4 + 8, and stricter
  }

  private static Candidate scalable(long elements, long initialCapacity, double fpp) {
    return Candidate.of(ScalableBloomFilter.KIND, BYTES, elements, initialCapacity, fpp);
  }

  private static List<FilterKind> insertableKinds() {
    return FilterKind.installed().stream().filter(FilterKind::isInsertable).toList();
  }

  @Test
  void equalContentsAreEqualWhereTheKindSaysSo() {
    for (Candidate candidate : IdsCommand.candidates(1000, 0.01)) {
      assertTrue(
          !candidate.isComparable() || candidate.filters().get().equals(candidate.filters().get()),
          candidate.name());
    }
  }

  @Test
  void kindsAreConcurrentWhoseBuildersAre() {
    for (FilterKind kind : insertableKinds()) {
      boolean concurrent =
          Stream.of(kind.filterClass().getDeclaredClasses())
              .filter(inner -> inner.getSimpleName().equals("Builder"))
              .flatMap(builder -> Stream.of(builder.getMethods()))
              .anyMatch(method -> method.getName().equals("concurrent"));
      boolean always = kind == DynamicCuckooFilter.KIND;
      assertEquals(concurrent || always, kind.is(FilterKind.Trait.CONCURRENT), kind.label());
    }
  }

  @Test
  void queriesOfAbsentElementsTouchOneLineWhereOneIsAllThereIs() {
    FilterLayout flat = ClassicBloomFilter.KIND.layout(1_000_000, 0.001);
    assertEquals(10, flat.cacheLines(1_000_000).query());
    assertEquals(2, flat.cacheLines(1_000_000).queryAbsent(), 0.03);
    assertEquals(1, flat.cacheLines(0).queryAbsent());
    FilterLayout blocked = BlockedCountingBloomFilter.KIND.layout(1000, 0.001);
    assertEquals(new CacheLines(1, 1, 1, 1, 1), blocked.cacheLines(1000));
  }

  @Test
  void bytesOfATextHashAsTheTextDoes() {
    for (Candidate candidate : IdsCommand.candidates(1000, 0.01)) {
      checkHash(candidate, "850101300015");
      checkHash(candidate, "000000000000");
    }
  }

  private static void checkHash(Candidate candidate, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    assertEquals(
        candidate.filters().get().strategy().hash(text),
        candidate.bytesHash().hashBytes(bytes, 0, bytes.length),
        candidate.name());
  }

  @Test
  void filterThatCouldNotGrowIsRefusedAtOnce() {
    assertThrows(IllegalArgumentException.class, () -> scalable(1_000_000_000, 1, 1e-12));
  }

  @Test
  void experimentHasARowOfEachKindAndLastOneOfTheTutorial() {
    List<Candidate> candidates = IdsCommand.candidates(20_000_000, 0.01);
    assertEquals(
        List.of(
            "classic",
            "blocked",
            "counting",
            "blocked-counting",
            "cuckoo",
            "scalable",
            "dynamic-cuckoo",
            "sha384-12"),
        candidates.stream().map(Candidate::name).toList());
    checkShape(191_701_168, 7, candidates.get(0));
    checkShape(1L << 28, 12, candidates.get(7));
  }

  private static void checkShape(long positions, int hashes, Candidate candidate) {
    assertEquals(
        Map.of("positions", positions, "hashes", hashes), candidate.plannedLayout().figures());
  }

  @Test
  void kindThatCannotBeIsNamed() {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> IdsCommand.candidates(1000, 1e-10));
    assertTrue(
        String.valueOf(refusal.getMessage())
            .contains(": expectedInsertions = 1000 at fpp = 1.0E-10 would take"));
  }
}
