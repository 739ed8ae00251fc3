package io.bloomkit.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.bench.run.Keys;
import io.bloomkit.bench.run.Run;
import io.bloomkit.bench.subject.Subject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultTableTest {

  private final ResultTable table =
      new ResultTable(List.of(run(Subject.FAST_FILTER_COUNTING), run(Subject.COUNTING)));

  private static Run run(Subject subject) {
    return new Run(subject, Keys.LONGS, 1000, 0.01, 1);
  }

  @Test
  void ratiosAreThoseToTheFirstFilterInTheSameRound() {
    table.add(0, Map.of("ADD", 10.0));
    table.add(1, Map.of("ADD", 5.0));
    table.add(0, Map.of("ADD", 100.0));
    table.add(1, Map.of("ADD", 200.0));
    table.add(0, Map.of("ADD", 20.0));
    table.add(1, Map.of("ADD", 20.0));

    assertTrue(table.toString().contains(" 20.0; 1.00 (0.50 to 2.00) |"), table::toString);
  }

  @Test
  void batchIsComparedWithSingleKeysOfTheFirstFilter() {
    table.add(0, Map.of("ADD", 10.0, "BATCH_ADD", 5.0));
    table.add(1, Map.of("ADD", 20.0, "BATCH_ADD", 30.0));

    assertTrue(table.toString().contains(" 5.00; 0.50 (0.50 to 0.50) |"), table::toString);
    assertTrue(table.toString().contains(" 30.0; 3.00 (3.00 to 3.00) |"), table::toString);
  }

  @Test
  void missingOperationHasAnEmptyCell() {
    table.add(0, Map.of("ADD", 10.0));
    table.add(1, Map.of("ADD", 20.0, "REMOVE", 7.0));

    assertTrue(table.toString().contains(" | 7.00 | "), table::toString);
  }
}
