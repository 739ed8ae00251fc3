package io.bloomkit.durable;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that is killed by signal 9 at random moments, over and over in the same folder. */
class KillTest {

  private static final int MAX_UNACKNOWLEDGED = 1;

  private final Random random = new Random(12);

  @ParameterizedTest
  @EnumSource(names = {"DYNAMIC", "WINDOW"})
  void killedProcessesLoseNoAcknowledgedUpdate(Kind kind, @TempDir Path folder) throws Exception {
    killOften(kind, folder.resolve("filter"), 3);
  }

  /** Kills as often as the system property {@code bloomkit.kills} says, 1000 times by default. */
  @ParameterizedTest
  @EnumSource(names = {"DYNAMIC", "COUNTING", "WINDOW", "CLASSIC", "CUCKOO"})
  @Tag("deep")
  void aThousandKills(Kind kind, @TempDir Path folder) throws Exception {
    killOften(kind, folder.resolve("filter"), Integer.getInteger("bloomkit.kills", 1000) / 5);
  }

  /** The lock ends when any channel of its file is closed in the process that has it. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aProcessWhoseLockHasEndedTakesNoUpdateAfterThoseOfAnother(@TempDir Path folder)
      throws Exception {
    KilledWriter.open(folder, Kind.DYNAMIC).close();
    DurableFilter<Long> filter = KilledWriter.open(folder, Kind.DYNAMIC);
    Files.readAllBytes(folder.resolve(FolderNames.LOCK));
    long acknowledged = kill(Kind.DYNAMIC, folder, 0);
    assertThrows(UncheckedIOException.class, () -> filter.addHash(1));
    assertThrows(IOException.class, filter::close);
    Updates model = Updates.of(Kind.DYNAMIC.builder(200, new Kind.Clock()).<Long>build());
    assertEqualsAfter(acknowledged, new KilledWriter.Script(), model, Kind.DYNAMIC, folder);
  }

  private void killOften(Kind kind, Path folder, int kills) throws Exception {
    KilledWriter.Script script = new KilledWriter.Script();
    Updates model = Updates.of(kind.builder(200, new Kind.Clock()).<Long>build());
    int compacted = 0;
    for (int i = 0; i < kills; i++) {
      long acknowledged = kill(kind, folder, script.next());
      Recovery recovery = assertEqualsAfter(acknowledged, script, model, kind, folder);
      compacted += recovery.updates() < acknowledged ? 1 : 0;
    }
    assertTrue(compacted > 0 || kills < 20, "no snapshot was made"); // in a few kills, by chance
  }

  /** Opens a folder, and makes the updates of the model that it has. */
  private static Recovery assertEqualsAfter(
      long acknowledged, KilledWriter.Script script, Updates model, Kind kind, Path folder)
      throws IOException {
    while (script.next() < acknowledged) {
      script.update(kind, model);
    }
    try (DurableFilter<Long> filter = KilledWriter.open(folder, kind)) {
      for (int more = 0; !filter.filter().equals(model.filter()); more++) {
        assertTrue(more < MAX_UNACKNOWLEDGED, kind + " after " + acknowledged + " updates");
        script.update(kind, model);
      }
      assertEquals(0, filter.recovery().bytesCut() % 8);
      return filter.recovery();
    }
  }

  /** Starts a process and kills it. Returns the last number that it printed. */
  private long kill(Kind kind, Path folder, long done) throws IOException, InterruptedException {
    Process process =
        KilledWriter.process(folder, kind, done)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    long last = done;
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII))) {
      int count = 1 + random.nextInt(100);
      long untilNanos = 0;
      while (true) {
        String line = lines.readLine();
        if (line == null) {
          break;
        }
        // A line that the kill cut short is not longer than a number that was printed.
        last = Math.max(last, Long.parseLong(line));
        if (--count == 0) {
          untilNanos = System.nanoTime() + random.nextInt(5_000_000);
        }
        if (untilNanos != 0 && System.nanoTime() >= untilNanos) {
          process.toHandle().destroyForcibly(); // a Process would close the stream
        }
      }
    }
    process.waitFor();
    return last;
  }
}
