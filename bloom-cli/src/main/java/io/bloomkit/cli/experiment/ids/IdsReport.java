package io.bloomkit.cli.experiment.ids;

import io.bloomkit.cli.experiment.MeasuredRate;
import io.bloomkit.cli.experiment.ids.FilterResult.Removal;
import io.bloomkit.cli.size.Dimensions;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.Json;
import io.bloomkit.cli.text.TextTable;
import io.bloomkit.testkit.stat.Interval;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The results of the experiment, as tables and as JSON. */
final class IdsReport {

  private IdsReport() {}

  static String table(IdsExperiment.Settings settings, List<FilterResult> results) {
    TextTable table =
        new TextTable(
            "filter",
            "m",
            "k",
            "bytes",
            "build ns/op",
            "query ns/op",
            "false negatives",
            "false positives",
            "measured",
            "99.9 % interval",
            "formula");
    for (FilterResult result : results) {
      table.row(
          result.filter(),
          Dimensions.positions(result.layout()),
          Dimensions.hashes(result.layout()),
          Figures.whole(result.bytes()),
          Figures.oneDecimal(result.buildNanosPerOperation()),
          Figures.oneDecimal(result.queryNanosPerOperation()),
          Figures.whole(result.falseNegatives()),
          Figures.whole(result.rate().falsePositives()),
          Figures.percent(result.rate().value()),
          Figures.percent(result.rate().interval()),
          Figures.percent(result.expectedFpp()));
    }
    StringBuilder text = new StringBuilder(heading(settings)).append(table);
    for (FilterResult result : results) {
      String note = Dimensions.note(result.layout());
      if (note != null) {
        text.append(String.format(Locale.ROOT, "%n%s: %s.%n", result.filter(), note));
      }
      if (result.removal() != null) {
        text.append(removal(result, result.removal()));
      }
    }
    return text.toString().stripTrailing();
  }

  private static String heading(IdsExperiment.Settings settings) {
    return String.format(
        Locale.ROOT,
        "%s ids, %s random texts, seed %d; an exact set of the ids takes %s bytes%n%n",
        Figures.whole(settings.count()),
        Figures.whole(settings.queries()),
        settings.seed(),
        Figures.whole(IdSample.exactSetBytes(settings.count())));
  }

  private static String removal(FilterResult result, Removal removal) {
    return String.format(
        Locale.ROOT,
        "%n%s, after removing %s of %s ids:%n  false negatives among the remaining ids: %s;%n"
            + "  false positives among the removed ids: %s, %s (99.9 %% interval %s, formula"
            + " %s);%n  the filter %s.%n",
        result.filter(),
        Figures.whole(removal.removed()),
        Figures.whole(result.elements()),
        Figures.whole(removal.falseNegatives()),
        Figures.whole(removal.rate().falsePositives()),
        Figures.percent(removal.rate().value()),
        Figures.percent(removal.rate().interval()),
        Figures.percent(removal.expectedFpp()),
        comparison(removal));
  }

  /**
   * Returns the result of the comparison with a rebuilt filter. A filter that differs has stopped
   * the run before.
   */
  private static String comparison(Removal removal) {
    return removal.equalsRebuilt() == null
        ? "gives the same answers and counts as a filter of the remaining ids"
        : "equals a filter of the remaining ids";
  }

  static String json(List<FilterResult> results) {
    return Json.array(results.stream().map(IdsReport::members).toList());
  }

  private static Map<String, @Nullable Object> members(FilterResult result) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("filter", result.filter());
    Dimensions.putInto(members, result.layout());
    members.put("layers", Dimensions.layers(result.layout()));
    members.put("bytes", result.bytes());
    members.put("elements", result.elements());
    members.put("buildNanosPerOperation", result.buildNanosPerOperation());
    members.put("queryNanosPerOperation", result.queryNanosPerOperation());
    members.put("falseNegatives", result.falseNegatives());
    members.put("queries", result.queries());
    members.put("absentQueries", result.rate().absent());
    members.put("falsePositives", result.rate().falsePositives());
    putRate(members, result.rate(), result.expectedFpp(), "");
    Removal removal = result.removal();
    if (removal != null) {
      members.put("removed", removal.removed());
      members.put("falseNegativesAfterRemoval", removal.falseNegatives());
      members.put("falsePositivesAfterRemoval", removal.rate().falsePositives());
      putRate(members, removal.rate(), removal.expectedFpp(), "AfterRemoval");
      members.put("answersAsRebuilt", removal.answersAsRebuilt());
      members.put("equalsRebuilt", removal.equalsRebuilt());
    }
    return members;
  }

  private static void putRate(
      Map<String, @Nullable Object> members, MeasuredRate rate, double expectedFpp, String suffix) {
    Interval interval = rate.interval();
    members.put("measuredFpp" + suffix, rate.value());
    members.put("measuredFppLow" + suffix, interval.lower());
    members.put("measuredFppHigh" + suffix, interval.upper());
    members.put("expectedFpp" + suffix, expectedFpp);
    members.put("expectedFppInInterval" + suffix, interval.contains(expectedFpp));
  }
}
