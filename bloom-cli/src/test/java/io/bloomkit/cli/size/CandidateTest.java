package io.bloomkit.cli.size;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import io.bloomkit.Shape;
import io.bloomkit.cli.experiment.ids.Candidates;
import io.bloomkit.cli.size.Candidate.Trait;
import io.bloomkit.cli.size.Variant.Wish;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CandidateTest {

  @ParameterizedTest
  @CsvSource({"1, 0.5", "7, 0.1", "1000, 0.01", "99999, 0.001", "1000000, 1e-5", "1000, 2e-9"})
  void plannedSizeIsThatOfTheFilterBuilt(long elements, double fpp) {
    for (Variant variant : Variant.values()) {
      checkPlannedSize(variant.candidate(new Wish(elements, elements, fpp)));
    }
  }

  private static <F extends InsertableFilter<CharSequence>> void checkPlannedSize(
      Candidate<F> candidate) {
    F filter = candidate.filters().get();
    assertEquals(filter.memoryBytes(), candidate.plannedBytes(), candidate.name());
    assertEquals(candidate.layout().apply(filter), candidate.plannedLayout(), candidate.name());
  }

  @Test
  void plannedBytesOfAFilterThatGrowsAreThoseOfAllItsLayers() {
    Candidate<?> grown = Variant.SCALABLE.candidate(new Wish(10_000, 1000, 0.01));
    assertEquals(4, grown.plannedLayout().layerCount());
    Candidate<?> begun = Variant.SCALABLE.candidate(new Wish(1000, 1000, 0.01));
    assertTrue(grown.plannedBytes() > 14 * begun.plannedBytes()); // 1 + 2 + 4 + 8, and stricter
  }

  @Test
  void traitsAreThoseOfTheClasses() {
    for (Candidate<?> candidate : Candidates.ofExperiment(1000, 0.01)) {
      checkTraits(candidate);
    }
  }

  private static <F extends InsertableFilter<CharSequence>> void checkTraits(
      Candidate<F> candidate) {
    F filter = candidate.filters().get();
    assertEquals(filter instanceof DeletableFilter, candidate.is(Trait.DELETABLE));
    assertEquals(filter.equals(candidate.filters().get()), candidate.is(Trait.COMPARABLE));
    boolean concurrent =
        Stream.of(filter.getClass().getDeclaredClasses())
            .filter(inner -> inner.getSimpleName().equals("Builder"))
            .flatMap(builder -> Stream.of(builder.getMethods()))
            .anyMatch(method -> method.getName().equals("concurrent"));
    assertEquals(concurrent, candidate.is(Trait.CONCURRENT), candidate.name());
  }

  @Test
  void queriesOfAbsentElementsTouchOneLineWhereOneIsAllThereIs() {
    Layout flat = new Layout.Flat(Shape.of(1_000_000, 0.001));
    assertEquals(10, flat.lines(1_000_000).query());
    assertEquals(2, flat.lines(1_000_000).queryAbsent(), 0.03);
    assertEquals(1, flat.lines(0).queryAbsent());
    Layout blocked = new Layout.Blocked(BlockedShape.ofCounters(1000, 0.001));
    assertEquals(new Lines(1, 1, 1, 1, 1), blocked.lines(1000));
  }

  @Test
  void bytesOfATextHashAsTheTextDoes() {
    for (Candidate<?> candidate : Candidates.ofExperiment(1000, 0.01)) {
      checkHash(candidate, "850101300015");
      checkHash(candidate, "000000000000");
    }
  }

  private static <F extends InsertableFilter<CharSequence>> void checkHash(
      Candidate<F> candidate, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    assertEquals(
        candidate.filters().get().strategy().hash(text),
        candidate.bytesHash().hashBytes(bytes, 0, bytes.length),
        candidate.name());
  }

  @Test
  void filterThatCouldNotGrowIsRefusedAtOnce() {
    BytesHashStrategy bytesHash = HashStrategies.bytes();
    assertThrows(
        IllegalArgumentException.class,
        () -> Candidate.scalable("scalable", bytesHash, 1, 1_000_000_000, 1e-12));
  }

  @Test
  void experimentHasTheRowsOfTheArticle() {
    List<Candidate<?>> candidates = Candidates.ofExperiment(20_000_000, 0.01);
    assertEquals(
        List.of(
            "article", "classic", "blocked", "counting", "blocked counting", "cuckoo", "scalable"),
        candidates.stream().map(Candidate::name).toList());
    assertEquals(new Layout.Flat(new Shape(1L << 28, 12)), candidates.get(0).plannedLayout());
    assertEquals(new Layout.Flat(new Shape(191_701_168, 7)), candidates.get(1).plannedLayout());
  }

  @Test
  void variantThatCannotBeIsNamed() {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> Candidates.ofExperiment(1000, 1e-10));
    assertTrue(String.valueOf(refusal.getMessage()).startsWith("cuckoo: fpp must be at least"));
  }
}
