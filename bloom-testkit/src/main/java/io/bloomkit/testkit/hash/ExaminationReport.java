package io.bloomkit.testkit.hash;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The result of an {@linkplain HashStrategyExamination examination}.
 *
 * @param strategy the id of the strategy
 * @param verdict the worst verdict of all tests
 * @param keys the number of distinct keys
 * @param keysStillNeeded if the verdict is {@link Verdict#INCONCLUSIVE}, an estimate of how many
 *     more distinct keys are needed so that every test has at least the power {@link
 *     HashStrategyExamination#POWER}; otherwise 0
 * @param seed the seed of all random choices
 * @param tests the tests that were run, in a fixed order
 * @param skipped the tests that were skipped, each with the reason
 * @param filters the names of the filters whose false-positive rate was measured: a model of a flat
 *     filter, a model of a blocked filter, and one filter of each kind that was set by {@link
 *     HashStrategyExamination#filters}
 * @param speed the cost of a hash
 * @param figures data for charts
 */
public record ExaminationReport(
    String strategy,
    Verdict verdict,
    int keys,
    long keysStillNeeded,
    long seed,
    List<ExaminationTest> tests,
    List<String> skipped,
    List<String> filters,
    HashSpeed speed,
    HashFigures figures) {

  /** Creates a report with copies of the lists. */
  public ExaminationReport {
    tests = List.copyOf(tests);
    skipped = List.copyOf(skipped);
    filters = List.copyOf(filters);
  }

  /** Returns the tests that found a fault, in the order of {@link #tests()}. */
  public List<ExaminationTest> findings() {
    return tests.stream().filter(test -> !test.passed()).toList();
  }

  /**
   * Checks that the verdict is {@link Verdict#FIT}.
   *
   * @throws AssertionError if the verdict is not {@link Verdict#FIT}; the message has the {@link
   *     #summary} and all {@link #findings}
   */
  public void assertFit() {
    if (verdict != Verdict.FIT) {
      throw new AssertionError(
          summary()
              + findings().stream()
                  .map(test -> System.lineSeparator() + test)
                  .collect(Collectors.joining()));
    }
  }

  /**
   * Returns one line: the strategy, the verdict, the number of keys, the number of keys still
   * needed if it is not 0, and the seed.
   */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%s is %s on %d keys%s (seed %d)",
        strategy,
        verdict,
        keys,
        keysStillNeeded == 0 ? "" : ", " + keysStillNeeded + " more are needed to be sure",
        seed);
  }

  /**
   * Returns several lines: the summary, every test with its figures, the skipped tests with the
   * reasons, the names of the filters, and the speed.
   */
  @Override
  public String toString() {
    String newLine = System.lineSeparator();
    return summary()
        + newLine
        + tests.stream().map(test -> test + newLine).collect(Collectors.joining())
        + skipped.stream()
            .map(reason -> "Skipped: " + reason + newLine)
            .collect(Collectors.joining())
        + "Filters: "
        + String.join(", ", filters)
        + newLine
        + speed
        + newLine;
  }
}
