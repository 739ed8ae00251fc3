package io.bloomkit.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job on a cluster in this process that fails again and again, beside an exact set. */
class FailuresTest {

  private static final double FPP = 0.01;

  /** Fails soon after a checkpoint is complete, so each attempt gets on. */
  private static final class Failing implements MapFunction<Click, Click>, CheckpointListener {

    private static final long serialVersionUID = 1;

    static final AtomicInteger FAILURES = new AtomicInteger();

    private final int most;
    private transient boolean isDue;

    Failing(int most) {
      this.most = most;
    }

    @Override
    public Click map(Click click) {
      if (isDue && click.number % 7 == 0 && FAILURES.get() < most) {
        throw new IllegalStateException("failure " + FAILURES.incrementAndGet());
      }
      return click;
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
      isDue = true;
    }
  }

  @Test
  void threeFailuresChangeNothing(@TempDir Path folder) throws Exception {
    run(folder, 3, 50_000, true);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("campaign")
  @Timeout(300)
  void aHundredFailuresChangeNothing(boolean isIncremental, @TempDir Path folder) throws Exception {
    run(folder, 100, 1_000_000, isIncremental);
  }

  /** The operator has no state backend, whatever the job's is. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "state.backend.type=hashmap",
        "state.backend.type=rocksdb",
        "state.backend.type=rocksdb execution.checkpointing.incremental=true",
        "execution.checkpointing.unaligned.enabled=true",
        "execution.checkpointing.unaligned.enabled=true execution.checkpointing.incremental=true",
        "execution.checkpointing.incremental=true execution.checkpointing.file-merging.enabled=true",
        "execution.checkpointing.local-backup.enabled=true execution.state-recovery.from-local=true",
      })
  @Tag("campaign")
  @Timeout(300)
  void noSettingChangesAnything(String settings, @TempDir Path folder) throws Exception {
    Configuration all = LocalFlink.settings(folder, 20);
    Pattern.compile("(\\S+)=(\\S+)")
        .matcher(settings)
        .results()
        .forEach(setting -> all.setString(setting.group(1), setting.group(2)));
    run(folder, 10, 150_000, all);
  }

  private static void run(Path folder, int failures, long clicks, boolean isIncremental)
      throws Exception {
    Configuration settings = LocalFlink.settings(folder, 20);
    settings.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, isIncremental);
    run(folder, failures, clicks, settings);
  }

  private static void run(Path folder, int failures, long clicks, Configuration settings)
      throws Exception {
    Failing.FAILURES.set(0);
    ClickStream stream = new ClickStream(clicks, 15_000, 10_000, 50_000);
    StreamExecutionEnvironment env = LocalFlink.environment(settings, 2);
    DataStream<Click> first =
        stream.deduplicator(FPP).apply(stream.read(env).keyBy(Click::id)).uid("first");
    String run = folder.toString();
    Committed.end(first.map(new Failing(failures)), run);
    env.execute();

    ClickStream.Figures figures = stream.compare(Committed.numbers(run), FPP);
    System.out.println(figures);
    assertEquals(failures, Failing.FAILURES.get(), "failures");
    assertEquals(0, figures.repeats(), figures::toString);
    assertTrue(figures.isLostAsExpected(), figures::toString);
  }
}
