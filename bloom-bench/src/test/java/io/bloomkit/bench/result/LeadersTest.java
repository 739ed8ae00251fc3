package io.bloomkit.bench.result;

import static io.bloomkit.bench.result.ResultFile.duel;
import static io.bloomkit.bench.result.ResultFile.life;
import static io.bloomkit.bench.result.ResultFile.metric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeadersTest {

  @TempDir private Path folder;

  private static String beside(String peer, String... metrics) {
    return duel("CLASSIC", "0.01", peer, metrics);
  }

  private String table(String... entries) throws IOException {
    return Leaders.table(ResultFile.read(folder, entries));
  }

  @Test
  void goalIsMetIfTheMedianOfTheRoundsIsAtMostThreeHundredthsAboveIt() throws IOException {
    String table =
        table(
            beside("FAST_FILTER_BLOOM", metric("RATIO_QUERY_PRESENT", 0.9)),
            beside(
                "FAST_FILTER_BLOOM",
                metric("RATIO_QUERY_PRESENT", 1.06),
                metric("RATIO_QUERY_ABSENT", 0.69)));

    assertTrue(
        table.contains(
            "| Bloomkit classic, query, present : FastFilter Bloom | 1,000,000 | ≤ 0.95"
                + " | 0.98 (0.90 to 1.06) | met |"),
        table);
    assertTrue(table.contains("| ≤ 0.65 | 0.69 (0.69 to 0.69) | **missed** |"), table);
    assertTrue(
        table.endsWith("\nMet: 1 of 34. A goal is met if the median is at most 0.03 above it.\n"),
        table);
  }

  @Test
  void goalIsNotMeasuredWithoutAPeer() throws IOException {
    String table = table(life("GUAVA", "0.01", metric("ADD", 200)));

    assertTrue(
        table.contains("classic, add : Guava | 1,000,000 | ≤ 0.16 |  | not measured |  |  |"),
        table);
  }

  @Test
  void furtherConditionsStandBesideThePlainOne() throws IOException {
    String plain = beside("GUAVA", metric("RATIO_ADD", 0.15));
    String usual =
        beside("GUAVA", metric("RATIO_ADD", 0.25))
            .replace("\"threads\"", "\"usualFlags\":\"true\",\"threads\"");
    String kinds =
        beside("GUAVA", metric("RATIO_ADD", 0.35))
            .replace("\"threads\"", "\"kinds\":\"2\",\"threads\"");

    String table = table(plain, usual, kinds);

    assertTrue(
        table.contains(
            "| ≤ 0.16 | 0.15 (0.15 to 0.15) | met | 0.25 (0.25 to 0.25) | 0.35 (0.35 to 0.35) |"),
        table);
  }

  @Test
  void blockedFiltersAreJudgedAtEqualError() throws IOException {
    String table =
        table(
            duel(
                "BLOCKED",
                "0.01",
                "FAST_FILTER_BLOCKED",
                metric("ERROR", 0.01),
                metric("PEER_ERROR", 0.0095),
                metric("RATIO_ADD", 0.8)),
            duel(
                "BLOCKED",
                "0.0096",
                "FAST_FILTER_BLOCKED",
                metric("ERROR", 0.0096),
                metric("PEER_ERROR", 0.0095),
                metric("RATIO_ADD", 1.2)));

    assertTrue(
        table.contains(
            "| Bloomkit blocked, add : FastFilter blocked | 1,000,000 | ≤ 0.95"
                + " | 1.20 (1.20 to 1.20) | **missed** |"),
        table);
  }

  @Test
  void filterOfAnotherErrorIsNotJudgedAtEqualError() throws IOException {
    String duel =
        duel(
            "BLOCKED",
            "0.01",
            "FAST_FILTER_BLOCKED",
            metric("ERROR", 0.0101),
            metric("BITS", 10_200_000),
            metric("PEER_ERROR", 0.009),
            metric("PEER_BITS", 11_000_000),
            metric("RATIO_QUERY_ABSENT", 0.5));
    String goal = "| Bloomkit blocked, query, absent : FastFilter blocked | 1,000,000 | ≤ 1.00 | ";

    assertTrue(table(duel).contains(goal + " | not measured |"), table(duel));
    assertFalse(new Tables(ResultFile.read(folder, duel)).equals().contains("as many"));
  }

  /** With 100,000 queries, errors of 0.9 % and 1.01 % are within three standard deviations. */
  @Test
  void errorsOfFewQueriesAreAlikeWithinTheirDeviation() throws IOException {
    String duel =
        duel(
                "BLOCKED",
                "0.01",
                "FAST_FILTER_BLOCKED",
                metric("ERROR", 0.0101),
                metric("PEER_ERROR", 0.009),
                metric("RATIO_QUERY_MIXED", 0.5))
            .replace("\"elements\":\"1000000\"", "\"elements\":\"100000\"");

    assertTrue(
        table(duel).contains("| 100,000 | ≤ 0.50 | 0.50 (0.50 to 0.50) | met |"), table(duel));
  }

  @Test
  void thereAreAsManyGoalsAsCells() {
    assertEquals(34, Leaders.planned().size());
  }
}
