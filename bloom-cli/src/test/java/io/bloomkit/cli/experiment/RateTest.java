package io.bloomkit.cli.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.experiment.Results.Column;
import io.bloomkit.cli.text.FlatJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateTest {
  @Test
  void rateOfNothingSaysNothing() {
    Rate nothing = new Rate(0, 0, 0.3);
    assertEquals(0, nothing.measured());
    assertTrue(nothing.interval().contains(0) && nothing.interval().contains(1));
    Row row = new Row("empty");
    row.putRate("Fpp", nothing);
    assertEquals(6, row.members().size());
    assertNull(row.members().get("expectedFppInInterval"));
    assertTrue(line(row).matches("empty( +-){4}"), () -> line(row));
  }

  @ParameterizedTest
  @CsvSource({"0.05, true", "0.02, false", "0.09, false"})
  void formulaIsInTheIntervalOrNot(double expected, boolean isIn) {
    Row row = new Row("some");
    row.putRate("Loss", new Rate(50, 1000, expected));
    Map<String, String> members = FlatJson.parse(new Results(List.of(row), PLOT).json()).get(0);
    assertEquals("0.05", members.get("measuredLoss"));
    assertEquals(String.valueOf(expected), members.get("expectedLoss"));
    assertEquals(String.valueOf(isIn), members.get("expectedLossInInterval"));
    Row named = new Row("some");
    named.putRate("Fpp", new Rate(50, 1000, expected));
    assertTrue(line(named).matches("some +5\\.000 % .* % +" + isIn), () -> line(named));
  }

  @Test
  void notesFollowTheTable() {
    Row row = new Row("some");
    row.note("the plan was 100 bytes");
    assertEquals(
        String.format("1 row%n%nsome: the plan was 100 bytes."),
        new Results(List.of(row), PLOT).text("%,d row%n", 1).notes(row).toString());
  }

  private static final RatePlot PLOT = new RatePlot("title", "x", "y");

  private static String line(Row row) {
    Results results = new Results(List.of(row), PLOT);
    return results
        .table(List.of(row), "filter", Column.withRate("Fpp"))
        .toString()
        .lines()
        .toList()
        .get(1);
  }
}
