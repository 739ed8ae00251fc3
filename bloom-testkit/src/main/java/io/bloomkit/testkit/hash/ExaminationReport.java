package io.bloomkit.testkit.hash;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What an {@linkplain HashStrategyExamination examination} found.
 *
 * @param strategy the id of the strategy
 * @param verdict the worst verdict of all tests
 * @param keys how many distinct keys were hashed
 * @param keysStillNeeded how many more distinct keys it takes until every test has a power of 0.99;
 *     0 if there were enough
 * @param seed the seed of all that is random in the examination
 * @param tests the tests, in the order of the questions
 * @param notAsked what could not be asked, and why: one sentence each
 * @param filters the kinds of filters in which the rate was measured
 * @param speed what a hash costs
 * @param figures what there is to draw
 */
public record ExaminationReport(
    String strategy,
    Verdict verdict,
    int keys,
    long keysStillNeeded,
    long seed,
    List<ExaminationTest> tests,
    List<String> notAsked,
    List<String> filters,
    HashSpeed speed,
    HashFigures figures) {

  /** Copies the lists. */
  public ExaminationReport {
    tests = List.copyOf(tests);
    notAsked = List.copyOf(notAsked);
    filters = List.copyOf(filters);
  }

  /** Returns the tests that found something, in the order of the questions. */
  public List<ExaminationTest> findings() {
    return tests.stream().filter(test -> !test.passed()).toList();
  }

  /**
   * Does nothing if the verdict is {@link Verdict#FIT}.
   *
   * @throws AssertionError with the verdict and all findings as its message if it is not
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

  /** Returns the verdict in one line: of what, on how many keys, and what is still needed. */
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

  /** Returns the summary and every test, with all figures. */
  @Override
  public String toString() {
    String newLine = System.lineSeparator();
    return summary()
        + newLine
        + tests.stream().map(test -> test + newLine).collect(Collectors.joining())
        + notAsked.stream()
            .map(reason -> "Not asked: " + reason + newLine)
            .collect(Collectors.joining())
        + "Filters: "
        + String.join(", ", filters)
        + newLine
        + speed
        + newLine;
  }
}
