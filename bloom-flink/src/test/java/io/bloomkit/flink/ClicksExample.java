package io.bloomkit.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Locale;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clicks with repeats, a thousand a second, at ten times the speed of time on a cluster in this
 * process. The job is killed in the middle and restored with another parallelism. A program, run by
 * name only ({@code -Dtest=ClicksExample}), with {@code -Dexample.clicks=400000} clicks if not told
 * otherwise. Prints a line every two seconds, and at the end the figures beside exact sets.
 */
class ClicksExample {

  private static final long CLICKS = Long.getLong("example.clicks", 400_000);
  private static final double FPP = 0.001;

  private final ClickStream stream = new ClickStream(CLICKS, 90_000, 60_000, 10_000);

  @Test
  void run(@TempDir Path folder) throws Exception {
    Configuration settings = LocalFlink.settings(folder, 500);
    settings.setString(
        "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
    ProgressReporter.addTo(settings);
    String run = folder.toString();
    JobClient killed = job(settings, 2, run).executeAsync();
    while (Committed.numbers(run).length() < CLICKS / 2) {
      Thread.sleep(100);
    }
    killed.cancel().get();
    Path checkpoint = LocalFlink.lastCheckpoint(folder);
    System.out.println("killed; restored from checkpoint " + checkpoint.getFileName());

    settings.setString("execution.state-recovery.path", checkpoint.toUri().toString());
    job(settings, 3, run).execute();
    ClickStream.Figures figures = stream.compare(Committed.numbers(run), FPP);
    System.out.printf(
        Locale.ROOT,
        "clicks                    %,d%n"
            + "passed                    %,d%n"
            + "repeats that passed       %,d%n"
            + "first clicks              %,d%n"
            + "first clicks lost         %,d, expected %.0f to %.0f%n",
        CLICKS,
        figures.passed(),
        figures.repeats(),
        figures.firsts(),
        figures.lost(),
        figures.least(),
        figures.most());
    assertEquals(0, figures.repeats(), figures::toString);
    assertTrue(figures.isLostAsExpected(), figures::toString);
    assertTrue(ProgressReporter.lastLine.startsWith("3 tasks: "), ProgressReporter.lastLine);
  }

  private StreamExecutionEnvironment job(Configuration settings, int parallelism, String run) {
    StreamExecutionEnvironment env = LocalFlink.environment(settings, parallelism);
    Committed.end(
        stream.deduplicator(FPP).apply(stream.read(env).keyBy(Click::id)).uid("first clicks"), run);
    return env;
  }
}
