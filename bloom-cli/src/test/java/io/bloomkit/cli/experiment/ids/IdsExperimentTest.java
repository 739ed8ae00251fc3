package io.bloomkit.cli.experiment.ids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FlatShape;
import io.bloomkit.cli.experiment.MeasuredRate;
import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.experiment.ids.FilterResult.Checkpoint;
import io.bloomkit.cli.experiment.ids.FilterResult.Removal;
import io.bloomkit.cli.experiment.ids.IdsExperiment.Settings;
import io.bloomkit.cli.io.NoProgress;
import io.bloomkit.cli.size.Dimensions;
import io.bloomkit.hash.HashStrategies;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IdsExperimentTest {

  private static final int CHECKPOINTS = 20;

  @Test
  void everyFilterKeepsItsPromises() {
    everyFilterKeepsItsPromises(50_000);
  }

  @Tag("deep")
  @Tag("jdk")
  @Test
  void everyFilterOfManyIdsKeepsItsPromises() {
    everyFilterKeepsItsPromises(200_000);
  }

  private static void everyFilterKeepsItsPromises(int count) {
    List<FilterResult> results =
        IdsExperiment.run(
            new Settings(count, count, 1, CHECKPOINTS),
            Candidates.ofExperiment(count, 0.01),
            new NoProgress());

    assertEquals(8, results.size());
    for (FilterResult result : results) {
      assertEquals(count, result.elements());
      assertEquals(0, result.falseNegatives());
      // Fixed seed; with another, one in a thousand rows would miss.
      assertTrue(
          result.rate().interval().contains(result.expectedFpp()),
          () -> result.filter() + " " + result.rate() + " " + result.expectedFpp());
      checkCurve(result, count);
    }
    assertEquals(
        List.of("counting", "blocked-counting", "cuckoo", "dynamic-cuckoo"),
        results.stream().filter(r -> r.removal() != null).map(FilterResult::filter).toList());
    for (FilterResult result : results) {
      if (result.removal() != null) {
        checkRemoval(result.filter(), result.removal(), count);
      }
    }
    assertTrue(Dimensions.layers(results.get(6).layout()) > 2);
  }

  private static void checkRemoval(String filter, Removal removal, int count) {
    assertEquals(count / 2, removal.removed());
    assertEquals(0, removal.falseNegatives());
    assertEquals(count / 2, removal.rate().absent());
    assertTrue(removal.rate().interval().contains(removal.expectedFpp()), filter);
    assertTrue(removal.answersAsRebuilt());
    assertEquals(true, removal.equalsRebuilt());
  }

  private static void checkCurve(FilterResult result, int count) {
    List<Checkpoint> curve = result.curve();
    Checkpoint last = curve.get(curve.size() - 1);
    assertEquals(count, last.elements());
    assertEquals(result.expectedFpp(), last.expectedFpp());
    List<MeasuredRate> measured =
        curve.stream().map(Checkpoint::rate).filter(rate -> rate != null).toList();
    assertEquals(CHECKPOINTS, measured.size());
    assertTrue(measured.stream().allMatch(rate -> rate.absent() > count / 51));
  }

  @Test
  void classicAndCountingAnswerAlike() {
    List<FilterResult> results =
        IdsExperiment.run(
            new Settings(10_000, 50_000, 3, 0),
            Candidates.ofExperiment(10_000, 0.05),
            new NoProgress());
    assertEquals("classic", results.get(1).filter());
    assertEquals("counting", results.get(3).filter());
    assertEquals(results.get(1).rate(), results.get(3).rate());
    assertTrue(results.get(0).curve().isEmpty());
  }

  @Tag("deep")
  @Test
  void idsAmongTheQueriesAreNoFalsePositives() {
    // Enough queries for some of them to be ids: 3,000,000 · 1,000,000 / 10^12 = 3 on average.
    IdSample sample = IdSample.generate(1_000_000, 3_000_000, 2, new NoProgress());
    QueryStream queries = sample.queries();
    int members = 0;
    for (long i = 0; i < sample.queryCount(); i++) {
      queries.next();
      members += queries.isMember() ? 1 : 0;
    }
    assertTrue(members > 0);

    // A filter so large that only ids are positive.
    FilterResult result =
        new FilterTrial(
                Candidate.classic("large", HashStrategies.bytes(), new FlatShape(1L << 26, 20)),
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
            List.of(Candidate.classic("full", HashStrategies.bytes(), new FlatShape(8, 1))),
            new NoProgress());
    assertEquals(1, results.get(0).rate().value());
    assertEquals(1, results.get(0).expectedFpp());
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
    Settings settings = new Settings(1000, 1000, 1, 0);
    List<Candidate> candidates = List.of(candidate);
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
