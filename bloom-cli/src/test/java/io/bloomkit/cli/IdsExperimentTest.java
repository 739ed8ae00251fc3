package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.HashStrategies;
import io.bloomkit.Shape;
import io.bloomkit.cli.FilterResult.Checkpoint;
import io.bloomkit.cli.FilterResult.Removal;
import io.bloomkit.cli.IdsExperiment.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IdsExperimentTest {

  private static final int COUNT = 200_000;
  private static final int CHECKPOINTS = 20;

  @Test
  void everyFilterKeepsItsPromises() {
    List<FilterResult> results =
        IdsExperiment.run(
            new Settings(COUNT, COUNT, 1, CHECKPOINTS),
            Candidates.ofExperiment(COUNT, 0.01),
            new NoProgress());

    assertEquals(4, results.size());
    for (FilterResult result : results) {
      assertEquals(COUNT, result.elements());
      assertEquals(0, result.falseNegatives());
      // Fixed seed; with another, one in a thousand rows would miss.
      assertTrue(
          result.rate().interval().contains(result.expectedFpp()),
          () -> result.filter() + " " + result.rate() + " " + result.expectedFpp());
      checkCurve(result);
    }
    FilterResult counting = results.get(2);
    Removal removal = counting.removal();
    assertNotNull(removal);
    assertEquals(COUNT / 2, removal.removed());
    assertEquals(0, removal.falseNegatives());
    assertEquals(COUNT / 2, removal.rate().absent());
    assertTrue(removal.rate().interval().contains(removal.expectedFpp()));
    assertTrue(removal.equalsRebuilt());
    assertNull(results.get(1).removal());
    assertTrue(results.get(3).layers().size() > 2);
  }

  private static void checkCurve(FilterResult result) {
    List<Checkpoint> curve = result.curve();
    Checkpoint last = curve.get(curve.size() - 1);
    assertEquals(COUNT, last.elements());
    assertEquals(result.expectedFpp(), last.expectedFpp());
    List<MeasuredRate> measured =
        curve.stream().map(Checkpoint::rate).filter(rate -> rate != null).toList();
    assertEquals(CHECKPOINTS, measured.size());
    assertTrue(measured.stream().allMatch(rate -> rate.absent() > COUNT / 51));
  }

  @Test
  void classicAndCountingAnswerAlike() {
    List<FilterResult> results =
        IdsExperiment.run(
            new Settings(10_000, 50_000, 3, 0),
            Candidates.ofEachVariant(10_000, 0.05),
            new NoProgress());
    assertEquals(results.get(0).rate(), results.get(1).rate());
    assertTrue(results.get(0).curve().isEmpty());
  }

  @Test
  void idsAmongTheQueriesAreNoFalsePositives() {
    // So many queries that some are ids: 3,000,000 · 1,000,000 / 10^12 = 3 on average.
    IdSample sample = IdSample.generate(1_000_000, 3_000_000, 2, new NoProgress());
    QueryStream queries = sample.queries();
    int members = 0;
    for (long i = 0; i < sample.queryCount(); i++) {
      queries.next();
      members += queries.isMember() ? 1 : 0;
    }
    assertTrue(members > 0);

    // A filter that is so large that it claims ids only.
    FilterResult result =
        new FilterTrial<>(
                Candidate.classic("large", HashStrategies.bytes(), new Shape(1L << 28, 20)),
                sample,
                0,
                new NoProgress())
            .run();
    assertEquals(new MeasuredRate(0, sample.queryCount() - members), result.rate());
  }

  @Test
  void aFullFilterShowsItsRate() {
    List<FilterResult> results =
        IdsExperiment.run(
            new Settings(1000, 1000, 1, 0),
            List.of(Candidate.classic("full", HashStrategies.bytes(), new Shape(8, 1))),
            new NoProgress());
    assertEquals(1, results.get(0).rate().value());
    assertEquals(1, results.get(0).expectedFpp());
  }

  @ParameterizedTest
  @EnumSource(LossyFilter.Fault.class)
  void brokenPromiseStopsTheRun(LossyFilter.Fault fault) {
    Settings settings = new Settings(1000, 1000, 1, 0);
    List<Candidate<?>> candidates = List.of(LossyFilter.candidate(1000, fault));
    if (fault == LossyFilter.Fault.NONE) {
      IdsExperiment.run(settings, candidates, new NoProgress());
      return;
    }
    ViolationException violation =
        assertThrows(
            ViolationException.class,
            () -> IdsExperiment.run(settings, candidates, new NoProgress()));
    assertTrue(
        String.valueOf(violation.getMessage()).startsWith(fault.message()),
        () -> violation.getMessage());
    assertFalse(String.valueOf(violation.getMessage()).contains("\n"));
  }

  @Test
  void rateOfNothingSaysNothing() {
    MeasuredRate nothing = new MeasuredRate(0, 0);
    assertEquals(0, nothing.value());
    assertTrue(nothing.interval().contains(0) && nothing.interval().contains(1));
  }
}
