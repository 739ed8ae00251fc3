package io.bloomkit.cli.experiment.fill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.CommandRun;
import io.bloomkit.cli.text.FlatJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AccountsCommandTest {

  /** What the experiment prints, as the article has it. */
  private static List<Map<String, String>> rows;

  @BeforeAll
  static void runTheExperiment() {
    CommandRun run = CommandRun.succeed("", "experiment", "accounts", "--json");
    rows = FlatJson.parse(run.out());
  }

  @Test
  void aMillionAccountsTakeWhatTheArticleSaysAndErrAsTheFormulaSays() {
    assertEquals(4, rows.size());
    assertEquals(1_200_000, number(rows.get(0), "fileBytes"), 5_000); // "about 1.2 MB"
    assertEquals(1_800_000, number(rows.get(1), "fileBytes"), 5_000);
    assertEquals("1200000", rows.get(0).get("articleBytes"));
    assertEquals("1800000", rows.get(1).get("articleBytes"));
    assertEquals(0.00099, number(rows.get(2), "expectedFpp"), 0.00001);
    assertEquals("994", rows.get(2).get("articleFalsePositives"));
    for (Map<String, String> row : rows.subList(0, 3)) {
      assertEquals("1000000", row.get("queries"));
      // An interval of 99.9 %: the seed is fixed, so this either holds or not.
      assertTrue(number(row, "measuredFppLow") <= number(row, "expectedFpp"), row::toString);
      assertTrue(number(row, "measuredFppHigh") >= number(row, "expectedFpp"), row::toString);
    }
  }

  /** A fiftieth is required; theory allows a hundred and fifteenth. */
  @Test
  void theDeltaOfAThousandChangesIsAHundredthOfTheFilter() {
    Map<String, String> row = rows.get(3);
    assertEquals("1000", row.get("changes"));
    assertTrue(number(row, "fileBytes") > 100 * number(row, "deltaBytes"), row::toString);
    assertTrue(number(row, "deltaBytes") < 1.05 * number(row, "leastBytes"), row::toString);
    assertTrue(number(row, "deltaBytes") > number(row, "leastBytes"), row::toString);
  }

  @Test
  void fewerHaveNoFigureOfTheArticleBesideThem() {
    CommandRun run =
        CommandRun.succeed("", "experiment", "accounts", "--items", "1000", "--changes", "9");
    assertEquals(9, run.out().lines().count(), run.out());
    assertTrue(run.out().startsWith("1,000 stored"), run.out());
    assertTrue(!run.out().contains("1,200,000"), run.out());
  }

  private static double number(Map<String, String> row, String name) {
    return Double.parseDouble(row.get(name));
  }
}
