package io.bloomkit.cli.experiment.fill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FlatShape;
import io.bloomkit.cli.experiment.Rate;
import io.bloomkit.cli.experiment.Row;
import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.io.NoProgress;
import io.bloomkit.hash.HashStrategies;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IdsExperimentTest {
  private static final int CHECKPOINTS = 20;

  @Test
  void everyFilterKeepsItsPromises() {
    int count = 20_000;
    List<Row> rows =
        IdsCommand.measure(
            IdsCommand.candidates(count, 0.01), count, count, 1, CHECKPOINTS, new NoProgress());
    assertEquals(8, rows.size());
    for (Row row : rows) {
      assertEquals(count, row.number("elements"));
      assertEquals(0L, row.number("falseNegatives"));
      // Fixed seed; with another, one in a thousand rows would miss.
      assertTrue(row.rate("Fpp").isAsExpected(), () -> row.filter() + " " + row.rate("Fpp"));
      checkCurve(row, count);
    }
    List<Row> removed = rows.stream().filter(row -> row.hasRate("FppAfterRemoval")).toList();
    assertEquals(
        List.of("counting", "blocked-counting", "cuckoo", "dynamic-cuckoo"),
        removed.stream().map(Row::filter).toList());
    removed.forEach(row -> checkRemoval(row, count));
    assertTrue(rows.get(5).number("layers").intValue() > 2);
  }

  private static void checkRemoval(Row row, int count) {
    assertEquals(count / 2, row.number("removed"));
    assertEquals(0L, row.number("falseNegativesAfterRemoval"));
    assertEquals(count / 2, row.rate("FppAfterRemoval").queries());
    assertTrue(row.rate("FppAfterRemoval").isAsExpected(), row.filter());
    assertEquals(true, row.members().get("answersAsRebuilt"));
    assertEquals(true, row.members().get("equalsRebuilt"));
  }

  private static void checkCurve(Row row, int count) {
    assertEquals(10 * CHECKPOINTS, row.predicted().size());
    Row.Point last = row.predicted().get(row.predicted().size() - 1);
    assertEquals(count, last.x());
    assertEquals(row.rate("Fpp").expected(), last.rate());
    assertTrue(row.measured().size() <= CHECKPOINTS);
  }

  /** At half of the room, few queries are false positives; at all of it, as many as planned. */
  @Test
  void curveShowsWhereEnoughFalsePositivesWereFound() {
    List<Candidate> classic = IdsCommand.candidates(20_000, 0.01).subList(0, 1);
    List<Row> rows = IdsCommand.measure(classic, 20_000, 500_000, 1, CHECKPOINTS, new NoProgress());
    List<Row.Point> measured = rows.get(0).measured(); // of 10,000 queries each
    assertEquals(20_000, measured.get(measured.size() - 1).x());
    assertEquals(0.01, measured.get(measured.size() - 1).rate(), 0.004);
    assertTrue(measured.get(0).x() > 2000, measured::toString);
  }

  @Tag("deep")
  @Test
  void idsAmongTheQueriesAreNoFalsePositives() {
    // Enough queries for some of them to be ids: 3,000,000 · 1,000,000 / 10^12 = 3 on average.
    Sample sample = IdsCommand.sample(1_000_000, 3_000_000, 2, new NoProgress());
    LongSupplier queries = sample.queries().get();
    int members = 0;
    for (long i = 0; i < sample.queryCount(); i++) {
      members += sample.isElement().test(queries.getAsLong()) ? 1 : 0;
    }
    assertTrue(members > 0);
    // A filter so large that only ids are positive.
    Candidate large =
        Candidate.classic("large", HashStrategies.bytes(), new FlatShape(1L << 26, 20));
    Rate rate = new FillTrial(large, sample, 0, new NoProgress()).run().rate("Fpp");
    assertEquals(0, rate.positives());
    assertEquals(sample.queryCount() - members, rate.queries());
  }

  @Test
  void queriesAreTheSameEachTimeAndSpreadEvenly() {
    Sample sample = IdsCommand.sample(1000, 10_000, 5, new NoProgress());
    LongSupplier first = sample.queries().get();
    LongSupplier second = sample.queries().get();
    int[] byFirstDigit = new int[10];
    for (int i = 0; i < 10_000; i++) {
      long text = first.getAsLong();
      assertEquals(text, second.getAsLong());
      byFirstDigit[(int) (text / (Iin.TEXTS / 10))]++;
    }
    for (int count : byFirstDigit) {
      // Fixed seed; six standard deviations of Binomial(10,000, 0.1).
      assertEquals(1000, count, 180);
    }
  }

  @Test
  void aFullFilterShowsItsRate() {
    Candidate full = Candidate.classic("full", HashStrategies.bytes(), new FlatShape(8, 1));
    Rate rate = measure(full).get(0).rate("Fpp");
    assertEquals(1, rate.measured());
    assertEquals(1, rate.expected());
  }

  private static List<Row> measure(Candidate candidate) {
    return IdsCommand.measure(List.of(candidate), 1000, 1000, 1, 0, new NoProgress());
  }

  @ParameterizedTest
  @EnumSource(LossyFilter.Fault.class)
  void brokenPromiseStopsTheRun(LossyFilter.Fault fault) {
    if (!fault.isVisibleToQueriesOnly()) {
      brokenPromiseStopsTheRun(LossyFilter.candidate(1000, fault), fault);
    }
    brokenPromiseStopsTheRun(LossyFilter.withoutEquals(1000, fault), fault);
  }

  private static void brokenPromiseStopsTheRun(Candidate candidate, LossyFilter.Fault fault) {
    if (fault == LossyFilter.Fault.NONE) {
      measure(candidate);
      return;
    }
    ViolationException violation = assertThrows(ViolationException.class, () -> measure(candidate));
    assertTrue(
        String.valueOf(violation.getMessage()).startsWith(fault.message()),
        () -> violation.getMessage());
    assertFalse(String.valueOf(violation.getMessage()).contains("\n"));
  }
}
