package io.bloomkit.flink;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Flink in this process: each job starts a cluster of its own. */
final class LocalFlink {

  private LocalFlink() {}

  /** Returns settings with checkpoints in exactly-once mode, and restarts without a limit. */
  static Configuration settings(Path checkpoints, long intervalMillis) {
    Configuration settings = new Configuration();
    settings.setString("execution.checkpointing.mode", "EXACTLY_ONCE");
    settings.setString("execution.checkpointing.interval", intervalMillis + "ms");
    settings.setString("execution.checkpointing.storage", "filesystem");
    settings.setString("execution.checkpointing.dir", checkpoints.toUri().toString());
    settings.setString("restart-strategy.type", "fixed-delay");
    settings.setString("restart-strategy.fixed-delay.attempts", "1000000");
    settings.setString("restart-strategy.fixed-delay.delay", "1ms");
    return settings;
  }

  static StreamExecutionEnvironment environment(Configuration settings, int parallelism) {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism, settings);
    env.setMaxParallelism(ClickStream.KEY_GROUPS);
    return env;
  }

  /** Returns the folder of the last complete checkpoint below a folder. */
  static Path lastCheckpoint(Path folder) throws IOException {
    while (true) {
      try (Stream<Path> files = Files.walk(folder)) {
        return files
            .filter(file -> file.endsWith("_metadata"))
            .map(Path::getParent)
            .max(
                Comparator.comparingLong(
                    (Path path) -> Long.parseLong(path.getFileName().toString().substring(4))))
            .orElseThrow();
      } catch (UncheckedIOException e) {
        // Flink deletes old checkpoints meanwhile.
      }
    }
  }
}
