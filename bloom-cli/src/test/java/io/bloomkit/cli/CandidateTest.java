package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomkit.BytesHashStrategy;
import io.bloomkit.HashStrategies;
import io.bloomkit.InsertableFilter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CandidateTest {

  @ParameterizedTest
  @CsvSource({"1, 0.5", "7, 0.1", "1000, 0.01", "99999, 0.001", "1000000, 1e-9"})
  void plannedSizeIsThatOfTheFilterBuilt(long elements, double fpp) {
    for (Candidate<?> candidate : Candidates.ofEachVariant(elements, fpp)) {
      checkPlannedSize(candidate);
    }
  }

  private static <F extends InsertableFilter<CharSequence>> void checkPlannedSize(
      Candidate<F> candidate) {
    F filter = candidate.filters().get();
    assertEquals(filter.memoryBytes(), candidate.plannedBytes(), candidate.name());
    assertEquals(candidate.layers().apply(filter), candidate.plannedLayers(), candidate.name());
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
        List.of("article", "classic", "counting", "scalable"),
        candidates.stream().map(Candidate::name).toList());
    assertEquals(1L << 28, candidates.get(0).plannedLayers().get(0).positions());
    assertEquals(12, candidates.get(0).plannedLayers().get(0).hashes());
    assertEquals(191_701_168, candidates.get(1).plannedLayers().get(0).positions());
    assertEquals(7, candidates.get(1).plannedLayers().get(0).hashes());
  }
}
