package io.bloomkit.cli.examine;

import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.Json;
import io.bloomkit.cli.text.TextTable;
import io.bloomkit.testkit.hash.ExaminationReport;
import io.bloomkit.testkit.hash.ExaminationTest;
import io.bloomkit.testkit.hash.Verdict;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report of an examination, as text and as JSON.
 *
 * @param report the results
 * @param origin the source of the keys
 */
record ExamineReport(ExaminationReport report, Origin origin) {

  /**
   * The source of keys.
   *
   * @param name the kind of the generated keys, or the name of the input
   * @param lines the number of lines read from the input; null if the keys were generated
   */
  record Origin(String name, @Nullable Long lines) {}

  String table() {
    TextTable table =
        new TextTable("test", "statistic", "expected", "p-value", "alpha", "power", "passed");
    for (ExaminationTest test : report.tests()) {
      table.row(
          test.name(),
          Figures.fourDigits(test.statistic()),
          Figures.fourDigits(test.expected()),
          Figures.fourDigits(test.pValue()),
          Figures.fourDigits(test.alpha()),
          Figures.fourDigits(test.power()),
          passed(test));
    }
    StringBuilder text = new StringBuilder(heading()).append(table);
    report.findings().stream()
        .sorted(Comparator.comparing(ExaminationTest::verdict).reversed()) // worst verdict first
        .forEach(test -> text.append(finding(test)));
    for (String reason : report.skipped()) {
      text.append("\nSkipped: ").append(reason).append(".\n");
    }
    return text.append(summary()).toString();
  }

  private String heading() {
    return String.format(
        Locale.ROOT,
        "%s on %s keys (%s), seed %d%n%n",
        report.strategy(),
        Figures.whole(report.keys()),
        origin.lines == null
            ? origin.name
            : Figures.counted(origin.lines, "line") + " of " + origin.name,
        report.seed());
  }

  private static String passed(ExaminationTest test) {
    return switch (test.verdict()) {
      case FIT -> "yes";
      case INCONCLUSIVE -> "too few keys";
      case WEAK, UNFIT -> "no";
    };
  }

  private static String finding(ExaminationTest test) {
    return String.format(
        Locale.ROOT,
        "%n%s: %s%n  %s: %s, expected %s, from %s observations.%n  %s%n",
        test.name(),
        test.verdict(),
        test.measured(),
        Figures.fourDigits(test.statistic()),
        Figures.fourDigits(test.expected()),
        Figures.whole(test.sampleSize()),
        test.meaning());
  }

  private String summary() {
    return String.format(
        Locale.ROOT,
        "%nFilters: %s.%nSpeed: %s ns and %s bytes allocated per hash, measured on this machine.%n"
            + "Verdict: %s%s",
        String.join(", ", report.filters()),
        Figures.oneDecimal(report.speed().nanosPerHash()),
        Double.isNaN(report.speed().bytesPerHash())
            ? Figures.NONE
            : Figures.oneDecimal(report.speed().bytesPerHash()),
        report.verdict(),
        remedy());
  }

  private String remedy() {
    if (report.verdict() == Verdict.INCONCLUSIVE) {
      return ", " + Figures.whole(report.keysStillNeeded()) + " more distinct keys are needed";
    }
    boolean isGenerated = origin.lines == null;
    return report.verdict() == Verdict.FIT && isGenerated
        ? " on generated keys; name a FILE of your own keys to examine those"
        : "";
  }

  String json() {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("strategy", report.strategy());
    members.put("verdict", report.verdict().name());
    members.put("keys", report.keys());
    members.put("keysStillNeeded", report.keysStillNeeded());
    members.put("source", origin.name);
    members.put("lines", origin.lines);
    members.put("seed", report.seed());
    members.put("nanosPerHash", finite(report.speed().nanosPerHash()));
    members.put("bytesPerHash", finite(report.speed().bytesPerHash()));
    members.put("filters", report.filters());
    members.put("skipped", report.skipped());
    members.put("tests", report.tests().stream().map(ExamineReport::members).toList());
    return Json.document(members);
  }

  private static Map<String, @Nullable Object> members(ExaminationTest test) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("name", test.name());
    members.put("verdict", test.verdict().name());
    members.put("passed", test.passed());
    members.put("pValue", finite(test.pValue()));
    members.put("alpha", finite(test.alpha()));
    members.put("power", finite(test.power()));
    members.put("statistic", finite(test.statistic()));
    members.put("expected", finite(test.expected()));
    members.put("sampleSize", test.sampleSize());
    members.put("measured", test.measured());
    members.put("alternative", test.alternative());
    members.put("question", test.question());
    members.put("source", test.source());
    members.put("meaning", test.meaning());
    return members;
  }

  /** Returns a number, or null for NaN and infinities, which JSON does not support. */
  private static @Nullable Double finite(double number) {
    return Double.isFinite(number) ? number : null;
  }
}
