package io.bloomkit.stress;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.ReportUtils;

/** The results of the races on a filter. */
final class Results {

  private final Subject subject;
  private final List<String> races;
  private final List<TestResult> results;

  /**
   * Creates the results from any number of runs.
   *
   * @param races the names of the planned races
   */
  Results(Subject subject, List<String> races, List<TestResult> results) {
    this.subject = subject;
    this.races = races;
    this.results = ReportUtils.mergedByName(results);
  }

  /** Returns the number of planned races. */
  int races() {
    return races.size();
  }

  /** Prints a line for each race, and returns the number of races without the required outcome. */
  int print() {
    System.out.println(subject + (subject.role == Subject.Role.BROKEN ? ", must be caught" : ""));
    int faults = 0;
    for (String race : races) {
      Optional<TestResult> result =
          results.stream().filter(r -> r.getName().equals(race)).findFirst();
      boolean isFault = result.isEmpty() || !hasRequiredOutcome(result.get());
      System.out.printf(
          Locale.ROOT,
          "  %-5s %-35s %s%n",
          isFault ? "FAULT" : "ok",
          race.substring(Stress.class.getPackageName().length() + 1),
          result.map(Results::describe).orElse("not run: requires two processors"));
      if (isFault) {
        faults++;
        result.ifPresent(r -> ReportUtils.printResult(new PrintWriter(System.out, true), r, true));
      }
    }
    return faults;
  }

  private boolean hasRequiredOutcome(TestResult result) {
    // A race that threw, hung or could not run detects no broken filter either.
    return result.status() == Status.NORMAL
        && result.getTotalCount() > 0
        && (forbidden(result) > 0) == (subject.role == Subject.Role.BROKEN);
  }

  private static String describe(TestResult result) {
    return String.format(
        Locale.ROOT,
        "%s, %,d of %,d forbidden",
        result.status().name().toLowerCase(Locale.ROOT),
        forbidden(result),
        result.getTotalCount());
  }

  private static long forbidden(TestResult result) {
    return result.grading().gradingResults.values().stream()
        .filter(graded -> graded.expect == Expect.FORBIDDEN)
        .mapToLong(graded -> graded.count)
        .sum();
  }
}
