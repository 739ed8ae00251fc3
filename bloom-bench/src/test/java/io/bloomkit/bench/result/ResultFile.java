package io.bloomkit.bench.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Writes the part of JMH's format that is read. */
final class ResultFile {

  private ResultFile() {}

  static Path write(Path folder, String... entries) throws IOException {
    Path json = folder.resolve("results.json");
    Files.writeString(json, "[" + String.join(",", entries) + "]");
    return json;
  }

  static Results read(Path folder, String... entries) throws IOException {
    return Results.read(write(folder, entries));
  }

  /** A million long keys, in one fork. */
  static String life(String subject, String fpp, String... metrics) {
    return String.format(
        Locale.ROOT,
        "{\"jmhVersion\":\"1.37\",\"vmName\":\"Test"
            + " VM\",\"vmVersion\":\"17.0.15+6\",\"jvmArgs\":[\"-Xms4g\",\"-Xmn64m\"],"
            + "\"benchmark\":\"io.bloomkit.bench.run.Life.live\",\"params\":{\"subject\":\"%s\","
            + "\"keys\":\"LONGS\",\"elements\":\"1000000\",\"fpp\":\"%s\",\"threads\":\"1\","
            + "\"strategies\":\"1\"},\"secondaryMetrics\":{%s}}",
        subject,
        fpp,
        String.join(",", List.of(metrics)));
  }

  static String duel(String subject, String fpp, String peer, String... metrics) {
    return life(subject, fpp, metrics)
        .replace(".Life.live", ".Duel.fight")
        .replace(
            "\"strategies\":\"1\"",
            "\"strategies\":\"1\",\"peerFpp\":\"0.01\",\"peerThreads\":\"1\",\"peer\":\""
                + peer
                + "\"");
  }

  /** One fork. */
  static String metric(String name, double... iterations) {
    return String.format(
        Locale.ROOT,
        "\"%s\":{\"rawData\":[[%s]]}",
        name,
        DoubleStream.of(iterations).mapToObj(Double::toString).collect(Collectors.joining(",")));
  }
}
