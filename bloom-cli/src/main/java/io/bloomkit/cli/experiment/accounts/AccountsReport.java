package io.bloomkit.cli.experiment.accounts;

import io.bloomkit.cli.experiment.accounts.AccountsExperiment.Results;
import io.bloomkit.cli.experiment.accounts.AccountsExperiment.Shipment;
import io.bloomkit.cli.experiment.accounts.AccountsExperiment.Update;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.Json;
import io.bloomkit.cli.text.TextTable;
import io.bloomkit.testkit.stat.Interval;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The results of the experiment with accounts, as tables and as JSON. */
final class AccountsReport {

  private AccountsReport() {}

  static String table(Results results) {
    TextTable table =
        new TextTable(
            "set",
            "bits/element",
            "k",
            "file bytes",
            "article",
            "false pos.",
            "article",
            "measured",
            "99.9 % interval",
            "formula");
    for (Shipment shipment : results.shipments()) {
      table.row(
          shipment.set(),
          Figures.twoDecimals(bitsPerElement(shipment)),
          Figures.whole(shipment.shape().hashes()),
          Figures.whole(shipment.fileBytes()),
          Figures.wholeOrNone(shipment.articleBytes()),
          Figures.whole(shipment.rate().falsePositives()),
          Figures.wholeOrNone(shipment.articleFalsePositives()),
          Figures.percent(shipment.rate().value()),
          Figures.percent(shipment.rate().interval()),
          Figures.percent(shipment.expectedFpp()));
    }
    return String.format(
        Locale.ROOT,
        "%s stored and as many absent elements queried, seed %d; no false negatives" + "%n%n%s%n%s",
        Figures.whole(results.count()),
        results.seed(),
        table,
        update(results.update()));
  }

  private static String update(Update update) {
    TextTable table =
        new TextTable(
            "update",
            "changed positions",
            "delta bytes",
            "entropy",
            "whole filter",
            "whole / delta");
    table.row(
        String.format(
            Locale.ROOT,
            "%s closed, %s opened, 1 %%",
            Figures.whole(update.changes()),
            Figures.whole(update.changes())),
        Figures.whole(update.changedPositions()),
        Figures.whole(update.deltaBytes()),
        Figures.whole(Math.round(update.leastBytes())),
        Figures.whole(update.fileBytes()),
        Figures.oneDecimal((double) update.fileBytes() / update.deltaBytes()));
    return table.toString().stripTrailing();
  }

  static String json(Results results) {
    Stream<Map<String, @Nullable Object>> shipments =
        results.shipments().stream().map(AccountsReport::members);
    return Json.array(Stream.concat(shipments, Stream.of(updateMembers(results))).toList());
  }

  private static Map<String, @Nullable Object> updateMembers(Results results) {
    Update update = results.update();
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("set", "delta, 1 %");
    members.put("elements", results.count());
    members.put("changes", update.changes());
    members.put("changedPositions", update.changedPositions());
    members.put("deltaBytes", update.deltaBytes());
    members.put("leastBytes", update.leastBytes());
    members.put("fileBytes", update.fileBytes());
    return members;
  }

  private static Map<String, @Nullable Object> members(Shipment shipment) {
    Interval interval = shipment.rate().interval();
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("set", shipment.set());
    members.put("elements", shipment.elements());
    members.put("bitsPerElement", bitsPerElement(shipment));
    members.put("positions", shipment.shape().positions());
    members.put("hashes", shipment.shape().hashes());
    members.put("memoryBytes", shipment.memoryBytes());
    members.put("fileBytes", shipment.fileBytes());
    members.put("articleBytes", shipment.articleBytes());
    members.put("falsePositives", shipment.rate().falsePositives());
    members.put("queries", shipment.rate().absent());
    members.put("measuredFpp", shipment.rate().value());
    members.put("measuredFppLow", interval.lower());
    members.put("measuredFppHigh", interval.upper());
    members.put("expectedFpp", shipment.expectedFpp());
    members.put("articleFalsePositives", shipment.articleFalsePositives());
    return members;
  }

  private static double bitsPerElement(Shipment shipment) {
    return (double) shipment.shape().positions() / shipment.elements();
  }
}
