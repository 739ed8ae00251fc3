package io.bloomkit.flink;

import java.nio.file.Path;
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
}
