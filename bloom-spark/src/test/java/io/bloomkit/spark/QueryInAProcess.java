package io.bloomkit.spark;

import io.bloomkit.hash.HashStrategies;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;

/**
 * Drops the repeats of files of lines, a file a batch, as a program that ends when it is killed.
 */
final class QueryInAProcess {

  private QueryInAProcess() {}

  /** Starts a machine like this one that runs the query on a folder's "in". */
  static Process start(Path folder) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> !argument.startsWith("-javaagent") && !argument.startsWith("-Xmx"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-Xmx1g",
            "-cp",
            System.getProperty("java.class.path"),
            QueryInAProcess.class.getName(),
            folder.toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("query.log").toFile())
        .start();
  }

  public static void main(String[] arguments) throws Exception {
    query(LocalSpark.session(), Path.of(arguments[0]), Trigger.ProcessingTime(0))
        .awaitTermination();
  }

  static StreamingQuery query(SparkSession spark, Path folder, Trigger trigger) throws Exception {
    MapFunction<String, String> self = text -> text;
    return new StreamDeduplicator<>(self, HashStrategies::utf8, 4, 400, 0.0001)
        .deduplicate(
            spark
                .readStream()
                .option("maxFilesPerTrigger", 1)
                .textFile(folder.resolve("in").toString()))
        .writeStream()
        .format("text")
        .outputMode("append")
        .option("checkpointLocation", folder.resolve("checkpoint").toString())
        .trigger(trigger)
        .start(folder.resolve("out").toString());
  }
}
