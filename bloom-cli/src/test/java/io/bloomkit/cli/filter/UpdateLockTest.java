package io.bloomkit.cli.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that update one file at the same time. */
class UpdateLockTest {

  private static final int LINES = 2_000;

  @TempDir private Path directory;

  private String build(String kind) {
    String file = directory.resolve("seen.bloom").toString();
    CommandRun.succeed("first\n", "build", "-o", file, "--kind", kind, "--items", "100000");
    return file;
  }

  private static String lines(int writer) {
    return IntStream.range(0, LINES)
        .mapToObj(i -> writer + "-" + i + "\n")
        .collect(Collectors.joining());
  }

  @Test
  void additionsOfSeveralCommandsAtOnceAreAllKept() {
    String file = build("counting");
    List<Integer> writers = List.of(0, 1, 2, 3);
    writers.parallelStream().forEach(writer -> CommandRun.succeed(lines(writer), "add", file));
    for (int writer : writers) {
      CommandRun check = CommandRun.succeed(lines(writer), "check", file);
      assertEquals(LINES, check.text().lines().count());
    }
    CommandRun.succeed(lines(0), "remove", file);
  }

  @Test
  void aCommandFailsAtOnceIfItIsToldNotToWait() {
    String file = build("classic");
    try (UpdateLock held = UpdateLock.of(Path.of(file), true)) {
      assertTrue(Files.exists(directory.resolve(".bloom-seen.bloom.lock")), held::toString);
      String message = CommandRun.fail("a\n", "add", file, "--no-wait");
      assertTrue(message.contains("is being updated by another process"), message);
    }
    CommandRun.succeed("a\n", "add", file, "--no-wait");
  }

  @Test
  void theLockFileOfARunThatWasKilledDoesNotMatter() throws Exception {
    String file = build("classic");
    Files.createFile(directory.resolve(".bloom-seen.bloom.lock"));
    CommandRun.succeed("a\n", "add", file, "--no-wait");
  }
}
