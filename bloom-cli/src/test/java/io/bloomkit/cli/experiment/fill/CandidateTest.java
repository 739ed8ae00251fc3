package io.bloomkit.cli.experiment.fill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.size.Dimensions;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CandidateTest {

  @Test
  void plannedBytesOfAFilterThatGrowsAreThoseOfAllItsLayers() {
    FilterLayout grown =
        IdsCommand.candidates(10_000, 0.01).stream()
            .filter(candidate -> candidate.name().equals(ScalableBloomFilter.KIND.label()))
            .findAny()
            .orElseThrow()
            .plannedLayout();
    assertEquals(4, Dimensions.layers(grown));
    FilterLayout begun = ScalableBloomFilter.KIND.layout(1000, 0.01);
    assertTrue(grown.memoryBytes() > 14 * begun.memoryBytes()); // 1 + 2 + 4 + 8, and stricter
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
    for (FilterKind kind : FilterKind.installed()) {
      boolean concurrent =
          Stream.of(kind.filterClass().getDeclaredClasses())
              .filter(inner -> inner.getSimpleName().equals("Builder"))
              .flatMap(builder -> Stream.of(builder.getMethods()))
              .anyMatch(method -> method.getName().equals("concurrent"));
      boolean always = kind == DynamicCuckooFilter.KIND || kind.is(FilterKind.Trait.EXPIRING);
      assertEquals(concurrent || always, kind.is(FilterKind.Trait.CONCURRENT), kind.label());
    }
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
