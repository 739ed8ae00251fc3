package io.bloomkit.cli.experiment.clicks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.experiment.MeasuredRate;
import io.bloomkit.cli.experiment.clicks.ClickResult.Moment;
import io.bloomkit.cli.text.FlatJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is not as it should be is told. */
class ClicksReportTest {

  private static final MeasuredRate LOST = new MeasuredRate(50, 1000);
  private static final MeasuredRate OLD = new MeasuredRate(4, 40);

  private static final ClickPlan PLAN =
      new ClickPlan(
          "some filter",
          Long.MAX_VALUE,
          /* fixedMemory= */ true,
          messages -> 100,
          new ClickForecast.Exact(),
          () -> {
            throw new AssertionError();
          });

  /** Its last moment has a given number of bytes; the one before, those of the plan. */
  private static ClickResult result(double expectedLoss, double expectedOld, long bytes) {
    List<Moment> curve = List.of(new Moment(10, 100, LOST), new Moment(20, bytes, LOST));
    return new ClickResult(
        PLAN, 1100, 1e6, bytes, LOST, expectedLoss, 60, 0, OLD, expectedOld, curve);
  }

  private static ClicksReport report(long messages, ClickResult result) {
    ClickTraffic traffic = new ClickTraffic(10_000, 0.02, 50);
    return new ClicksReport(
        new ClicksExperiment.Settings(traffic, messages, 0.05, 1), List.of(result), List.of());
  }

  private static Map<String, String> json(ClickResult result) {
    return FlatJson.parse(report(1100, result).json()).get(0);
  }

  private static boolean hasRow(ClickResult result, String row) {
    return report(1100, result).table().lines().anyMatch(line -> line.matches(row));
  }

  @Test
  void formulaOfTheLossIsInTheIntervalOrNot() {
    String row = "some filter .*60 of 60.* 50 +5\\.000 % .* ";
    for (double expected : new double[] {0.05, 0.02, 0.09}) {
      ClickResult result = result(expected, 0.1, 100);
      String isIn = String.valueOf(expected == 0.05);
      assertEquals(isIn, String.valueOf(result.isExpectedLossInInterval()));
      assertEquals(isIn, json(result).get("expectedLossInInterval"));
      assertEquals("true", json(result).get("expectedOldRecognitionInInterval"));
      assertTrue(hasRow(result, row + isIn), report(1100, result).table());
    }
  }

  @Test
  void formulaOfOldRepeatsIsInTheIntervalOrNot() {
    String row = "some filter +40 +4 +10\\.00 % .* ";
    for (double expected : new double[] {0.1, 0.005, 0.5}) {
      ClickResult result = result(0.05, expected, 100);
      String isIn = String.valueOf(expected == 0.1);
      assertEquals(isIn, String.valueOf(result.isExpectedOldInInterval()));
      assertEquals(isIn, json(result).get("expectedOldRecognitionInInterval"));
      assertEquals("true", json(result).get("expectedLossInInterval"));
      assertTrue(hasRow(result, row + isIn), report(1100, result).table());
    }
  }

  @Test
  void memoryThatIsNotAsPlannedIsTold() {
    assertEquals("true", json(result(0.05, 0.1, 100)).get("bytesAsPlanned"));
    assertFalse(report(1100, result(0.05, 0.1, 100)).table().contains("the plan was"));
    ClickResult grown = result(0.05, 0.1, 128);
    assertEquals("false", json(grown).get("bytesAsPlanned"));
    assertTrue(hasRow(grown, "some filter: the plan was 100 bytes\\."));
  }

  @Test
  void sampleIsCalledOne() {
    String whole = report(1100, result(0.05, 0.1, 100)).table();
    assertFalse(whole.contains("only the first"), whole);
    String sample = report(1101, result(0.05, 0.1, 100)).table();
    assertTrue(
        sample.contains(
            "some filter: only the first 1,100 messages; all messages would take 100 bytes."),
        sample);
  }
}
