package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.cli.experiment.MeasuredRate;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.Json;
import io.bloomkit.cli.text.TextTable;
import io.bloomkit.testkit.stat.Interval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The results of the experiment with clicks, as tables and as JSON.
 *
 * @param settings the settings of the run
 * @param results the results, one for each filter
 * @param days the extrapolation to a day, one for each result; empty if a filter does not support a
 *     day
 */
record ClicksReport(
    ClicksExperiment.Settings settings, List<ClickResult> results, List<ClickDay> days) {

  private static final int MILLIS_PER_SECOND = 1000;

  String table() {
    StringBuilder text = new StringBuilder(heading());
    text.append(lossTable());
    if (results.stream().anyMatch(result -> result.old().absent() > 0)) {
      text.append(
          line(
              "%nRepeats of clicks older than the window, and the share of them that is"
                  + " recognized:%n"));
      text.append(oldTable());
    }
    String day =
        line(
            "%nA day of %s messages, %s a second, with this window, fpp and share of repeats",
            Figures.whole(ClickDay.MESSAGES), Figures.whole(ClickDay.RATE));
    text.append(day);
    text.append(
        days.isEmpty() ? " is not supported by one of the filters." : line(":%n") + dayTable());
    return text.toString().stripTrailing();
  }

  private static String line(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  private String heading() {
    ClickTraffic traffic = settings.traffic();
    ClickResult whole = results.get(0);
    String text =
        line(
            "%s messages, %s a second: %s s; a window of %s s; filters for %s messages at fpp"
                + " %s; seed %d%n%s first clicks, %s repeats within the window, %s older ones%n",
            Figures.whole(settings.messages()),
            Figures.whole(traffic.rate()),
            seconds(settings.millis()),
            seconds(traffic.windowMillis()),
            Figures.whole(traffic.messagesInWindow()),
            Figures.percent(settings.fpp()),
            settings.seed(),
            Figures.whole(whole.lost().absent()),
            Figures.whole(whole.repeats()),
            Figures.whole(whole.old().absent()));
    return text + (isShort() ? shortStream() : "") + line("%n");
  }

  private boolean isShort() {
    return settings.millis() < settings.traffic().windowMillis();
  }

  private static String shortStream() {
    return line(
        "The stream is shorter than the window: nothing is forgotten yet, and the filters are"
            + " not full.%nThe formulas take that into account. Use a shorter --window to fill"
            + " the filters.%n");
  }

  private static String seconds(long millis) {
    return millis % MILLIS_PER_SECOND == 0
        ? Figures.whole(millis / MILLIS_PER_SECOND)
        : Figures.oneDecimal((double) millis / MILLIS_PER_SECOND);
  }

  private String lossTable() {
    TextTable table =
        new TextTable(
            "filter",
            "bytes",
            "messages/s",
            "repeats caught",
            "first clicks",
            "lost",
            "measured",
            "99.9 % interval",
            "formula",
            "in interval");
    for (ClickResult result : results) {
      table.row(
          result.plan().name(),
          Figures.whole(result.bytes()),
          Figures.whole(Math.round(result.messagesPerSecond())),
          line(
              "%s of %s",
              Figures.whole(result.repeats() - result.missed()), Figures.whole(result.repeats())),
          Figures.whole(result.lost().absent()),
          Figures.whole(result.lost().falsePositives()),
          Figures.percent(result.lost().value()),
          Figures.percent(result.lost().interval()),
          Figures.percent(result.expectedLoss()),
          String.valueOf(result.isExpectedLossInInterval()));
    }
    StringBuilder text = new StringBuilder(table.toString());
    for (ClickResult result : results) {
      if (result.messages() < settings.messages()) {
        text.append(
            line(
                "%n%s: only the first %s messages; all messages would take %s bytes.%n",
                result.plan().name(),
                Figures.whole(result.messages()),
                Figures.whole(result.plan().bytes().applyAsLong(settings.messages()))));
      } else if (result.plan().fixedMemory() && !result.isMemoryAsPlanned()) {
        text.append(
            line(
                "%n%s: the plan was %s bytes.%n",
                result.plan().name(),
                Figures.whole(result.plan().bytes().applyAsLong(result.messages()))));
      }
    }
    return text.toString();
  }

  private String oldTable() {
    TextTable table =
        new TextTable(
            "filter",
            "older repeats",
            "recognized",
            "measured",
            "99.9 % interval",
            "formula",
            "in interval");
    for (ClickResult result : results) {
      if (result.old().absent() == 0) {
        table.row(result.plan().name(), "0");
      } else {
        table.row(
            result.plan().name(),
            Figures.whole(result.old().absent()),
            Figures.whole(result.old().falsePositives()),
            Figures.percent(result.old().value()),
            Figures.percent(result.old().interval()),
            Figures.percent(result.expectedOld()),
            String.valueOf(result.isExpectedOldInInterval()));
      }
    }
    return table.toString();
  }

  private String dayTable() {
    TextTable table = new TextTable("filter", "bytes", "cores at this speed", "first clicks lost");
    for (int i = 0; i < days.size(); i++) {
      ClickDay day = days.get(i);
      table.row(
          results.get(i).plan().name(),
          Figures.whole(day.bytes()),
          line("%.4f", day.cores()),
          Figures.whole(Math.round(day.lost())));
    }
    return table.toString();
  }

  String json() {
    List<Map<String, @Nullable Object>> objects = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      objects.add(members(results.get(i), days.isEmpty() ? null : days.get(i)));
    }
    return Json.array(objects);
  }

  private static Map<String, @Nullable Object> members(ClickResult result, @Nullable ClickDay day) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("filter", result.plan().name());
    members.put("messages", result.messages());
    members.put("bytes", result.bytes());
    members.put("bytesAsPlanned", result.plan().fixedMemory() ? result.isMemoryAsPlanned() : null);
    members.put("messagesPerSecond", result.messagesPerSecond());
    members.put("repeats", result.repeats());
    members.put("repeatsCaught", result.repeats() - result.missed());
    members.put("firstClicks", result.lost().absent());
    members.put("firstClicksLost", result.lost().falsePositives());
    putRate(members, "Loss", result.lost(), result.expectedLoss());
    members.put("oldRepeats", result.old().absent());
    members.put("oldRepeatsRecognized", result.old().falsePositives());
    putRate(members, "OldRecognition", result.old(), result.expectedOld());
    members.put("dayBytes", day == null ? null : day.bytes());
    members.put("dayCores", day == null ? null : day.cores());
    members.put("dayFirstClicksLost", day == null ? null : day.lost());
    return members;
  }

  /** Adds a rate to the members; its values are null without queries. */
  private static void putRate(
      Map<String, @Nullable Object> members, String name, MeasuredRate rate, double expected) {
    Interval interval = rate.interval();
    boolean none = rate.absent() == 0;
    members.put("measured" + name, none ? null : rate.value());
    members.put("measured" + name + "Low", none ? null : interval.lower());
    members.put("measured" + name + "High", none ? null : interval.upper());
    members.put("expected" + name, none ? null : expected);
    members.put("expected" + name + "InInterval", none ? null : interval.contains(expected));
  }
}
