package io.bloomkit.cli.experiment.clicks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.io.NoProgress;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClicksExperimentTest {

  private static List<ClickResult> run(
      long messages, long rate, double doubleClick, long windowMillis, double fpp, long seed) {
    ClickTraffic traffic = new ClickTraffic(rate, doubleClick, windowMillis);
    return ClicksExperiment.run(
        new ClicksExperiment.Settings(traffic, messages, fpp, seed),
        ClickPlan.ofExperiment(traffic, fpp),
        new NoProgress());
  }

  /**
   * Many windows, two, half of one; few messages a window, many repeats. The seed is fixed; with
   * another each of four intervals of 99.9 % fails once in a thousand runs.
   */
  @Tag("deep")
  @ParameterizedTest
  @CsvSource({
    "1000000, 10000, 0.02, 5000, 0.01, 1",
    "1000000, 10000, 0.02, 5000, 0.03, 2",
    "600000, 10000, 0.1, 30000, 0.03, 3",
    "400000, 10000, 0.02, 80000, 0.3, 4",
    "500000, 1000, 0.5, 1000, 0.01, 5",
    "300000, 1, 0.1, 1000000, 0.02, 6"
  })
  void whatIsMeasuredIsWhatTheFormulasSay(
      long messages, long rate, double doubleClick, long windowMillis, double fpp, long seed) {
    List<ClickResult> results = run(messages, rate, doubleClick, windowMillis, fpp, seed);
    assertEquals(3, results.size());
    for (ClickResult result : results) {
      assertEquals(messages, result.messages());
      assertEquals(messages, result.lost().absent() + result.repeats() + result.old().absent());
      assertEquals(0, result.missed());
      assertTrue(result.repeats() > 0.9 * doubleClick * messages / 2);
      assertTrue(result.isExpectedLossInInterval(), result.toString());
      assertTrue(result.isExpectedOldInInterval(), result.toString());
      assertEquals(result.plan().fixedMemory(), result.isMemoryAsPlanned());
      boolean exact = result.plan().name().equals("exact set");
      assertEquals(exact, result.lost().falsePositives() == 0);
      long windows = messages * 1000 / rate / windowMillis;
      assertEquals(windows > 1, result.old().absent() > 0);
    }
  }

  /** The same test fails for formulas that are a tenth off. */
  @Tag("deep")
  @Test
  void formulasOfOtherFiltersAreNotWhatIsMeasured() {
    for (ClickResult result : run(1_000_000, 10_000, 0.02, 5000, 0.01, 1).subList(0, 2)) {
      double loss = result.expectedLoss();
      assertFalse(result.lost().interval().contains(1.1 * loss), result.toString());
      assertFalse(result.lost().interval().contains(0.9 * loss), result.toString());
    }
  }

  @Test
  void agingFilterStillRecognizesSomeOldRepeatsAndTheCountingFilterHardlyAny() {
    List<ClickResult> results = run(500_000, 10_000, 0.2, 2000, 0.001, 7);
    double aging = results.get(0).old().value();
    double counting = results.get(1).old().value();
    assertTrue(aging > 0.03 && aging < 0.3, "aging " + aging);
    assertTrue(counting < 0.005, "counting " + counting);
    assertEquals(1, results.get(2).old().value());
  }

  @Test
  void exactSetSeesASample() {
    ClickTraffic traffic = new ClickTraffic(10_000, 0, 1000);
    ClickPlan exact = ClickPlan.exact(traffic);
    assertEquals(2_000_000, exact.mostMessages());
    ClickPlan small =
        new ClickPlan("small", 10_000, false, exact.bytes(), exact.forecast(), exact.filters());
    ClickResult result = trial(traffic, small, 30_001);
    assertEquals(10_000, result.messages());
    assertEquals(10_000, result.lost().absent());
    assertEquals(10_000 * 32 + 4 * 16_384, result.bytes());
    assertEquals(20, result.curve().size());
    assertEquals(1000, result.curve().get(19).millis());
  }

  @Test
  void momentsDivideTheStream() {
    ClickTraffic traffic = new ClickTraffic(10_000, 0.02, 1000);
    for (long messages : new long[] {1, 7, 19, 12_345}) {
      ClickResult result = trial(traffic, ClickPlan.aging(traffic, 0.01), messages);
      assertEquals(messages, result.messages());
      assertEquals(
          result.lost().absent(),
          result.curve().stream().mapToLong(moment -> moment.lost().absent()).sum());
      assertEquals(traffic.millisOf(messages), result.curve().get(19).millis());
    }
  }

  @Test
  void memoryThatChangesIsTold() {
    ClickTraffic traffic = new ClickTraffic(10_000, 0.02, 1000);
    ClickPlan exact = ClickPlan.exact(traffic);
    ClickPlan plan =
        new ClickPlan("grows", 30_000, true, messages -> 32, exact.forecast(), exact.filters());
    assertFalse(trial(traffic, plan, 30_000).isMemoryAsPlanned());
  }

  @Test
  void repeatThatIsTakenForAFirstClickStopsTheRun() {
    ClickTraffic traffic = new ClickTraffic(10_000, 0.02, 1000);
    ViolationException violation =
        assertThrows(
            ViolationException.class, () -> trial(traffic, forgetful(traffic, 100), 100_000));
    String message = String.valueOf(violation.getMessage());
    assertTrue(message.startsWith("forgetful mistook 1 of "), message);
    assertTrue(
        message.matches(".* repeats within the window for first clicks, the first [-0-9a-f]{36}"),
        message);
  }

  private static ClickResult trial(ClickTraffic traffic, ClickPlan plan, long messages) {
    ClicksExperiment.Settings settings = new ClicksExperiment.Settings(traffic, messages, 0.01, 1);
    return ClicksExperiment.run(settings, List.of(plan), new NoProgress()).get(0);
  }

  /** Exact, except for one repeat that it takes for a first click. */
  static ClickPlan forgetful(ClickTraffic traffic, int unlucky) {
    ClickPlan exact = ClickPlan.exact(traffic);
    return new ClickPlan(
        "forgetful",
        Long.MAX_VALUE,
        /* fixedMemory= */ false,
        exact.bytes(),
        exact.forecast(),
        () -> new Forgetful(exact.filters().get(), unlucky));
  }

  private static final class Forgetful implements ClickFilter {
    private final ClickFilter exact;
    private final int unlucky;
    private int repeats;

    Forgetful(ClickFilter exact, int unlucky) {
      this.exact = exact;
      this.unlucky = unlucky;
    }

    @Override
    public boolean isFirst(UUID id, long millis) {
      boolean first = exact.isFirst(id, millis);
      repeats += first ? 0 : 1;
      return first || repeats == unlucky;
    }

    @Override
    public long memoryBytes() {
      return exact.memoryBytes();
    }
  }
}
