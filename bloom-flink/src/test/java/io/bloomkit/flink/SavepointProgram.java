package io.bloomkit.flink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

/**
 * Stops a job with a savepoint, or continues it if the folder of {@code -Dsavepoint.folder} has
 * one: first with {@code -Pflink-1}, then without. A program, run by name only ({@code
 * -Dtest=SavepointProgram}).
 */
class SavepointProgram {

  private static final int CLICKS = 200_000;
  private static final double FPP = 0.001;

  private final ClickStream stream = new ClickStream(CLICKS, 30_000, 20_000, 20_000);

  @Test
  void run() throws Exception {
    Path folder = Path.of(System.getProperty("savepoint.folder"));
    Path passed = folder.resolve("passed");
    Path name = folder.resolve("savepoint");
    Configuration settings = LocalFlink.settings(folder.resolve("checkpoints"), 100);
    boolean isRestored = Files.exists(name);
    if (isRestored) {
      settings.setString("execution.state-recovery.path", Files.readString(name));
    }
    StreamExecutionEnvironment env = LocalFlink.environment(settings, isRestored ? 3 : 2);
    String run = folder.toString() + isRestored;
    Committed.end(
        stream.deduplicator(FPP).apply(stream.read(env).keyBy(Click::id)).uid("first clicks"), run);
    if (isRestored) {
      env.execute();
      BitSet all = Committed.numbers(run);
      BitSet before = BitSet.valueOf(Files.readAllBytes(passed));
      before.andNot(all);
      assertEquals(0, before.cardinality(), "the sink continues, too");
      ClickStream.Figures figures = stream.compare(all, FPP);
      System.out.println(figures);
      assertEquals(0, figures.repeats(), figures::toString);
      assertTrue(figures.isLostAsExpected(), figures::toString);
    } else {
      JobClient job = env.executeAsync();
      while (Committed.numbers(run).length() < CLICKS / 2) {
        Thread.sleep(50);
      }
      String path =
          job.stopWithSavepoint(
                  false,
                  folder.resolve("savepoints").toUri().toString(),
                  SavepointFormatType.CANONICAL)
              .get();
      Files.write(passed, Committed.numbers(run).toByteArray());
      Files.writeString(name, path);
    }
  }
}
