package io.bloomkit.cli.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cli.CommandRun;
import io.bloomkit.hash.HashStrategies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
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
  void aFileThatIsBeingUpdatedIsReplacedAfterwards() throws Exception {
    String file = build("classic");
    String other = directory.resolve("other.bloom").toString();
    CommandRun.succeed("second\n", "build", "-o", other, "--kind", "classic", "--items", "100000");
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<CommandRun> merge;
      try (UpdateLock held = UpdateLock.of(Path.of(file), true)) {
        merge =
            threads.submit(
                () -> CommandRun.succeed("", "merge", "-o", file, "--force", file, other));
        assertThrows(
            TimeoutException.class, () -> merge.get(500, TimeUnit.MILLISECONDS), held::toString);
      }
      merge.get();
    } finally {
      threads.shutdown();
    }
    CommandRun check = CommandRun.succeed("first\nsecond\n", "check", file);
    assertEquals(2, check.text().lines().count());
  }

  @Test
  void aFilterIsLookedAtAgainOnceItsTurnComes() throws Exception {
    String file = build("counting");
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<String> removal;
      try (UpdateLock held = UpdateLock.of(Path.of(file), true)) {
        removal = threads.submit(() -> CommandRun.fail("first\n", "remove", file));
        assertThrows(
            TimeoutException.class, () -> removal.get(500, TimeUnit.MILLISECONDS), held::toString);
        ClassicBloomFilter.create(HashStrategies.utf8(), 10, 0.1).writeTo(Path.of(file));
      }
      assertTrue(removal.get().contains("cannot remove lines from a classic"), removal::toString);
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void aRefusedCommandLeavesNoLockFile() throws Exception {
    String file = build("classic");
    Path text = Files.writeString(directory.resolve("text"), "ann\n");
    Path none = directory.resolve("none");
    CommandRun.fail("a\n", "remove", file);
    CommandRun.fail("", "add", file, none);
    CommandRun.fail("", "add", file, file);
    CommandRun.fail("", "add", none, text);
    CommandRun.fail("", "add", text, text);
    CommandRun.fail("", "apply", file, text);
    CommandRun.fail("", "apply", text, text);
    CommandRun.fail("", "build", "--force", "-o", file, none);
    CommandRun.fail("", "build", "--force", "-o", file, file);
    CommandRun.fail("", "build", "--force", "--items=1,5", "-o", file, text);
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(
          Set.of("seen.bloom", "text"),
          files.map(path -> path.getFileName().toString()).collect(Collectors.toSet()));
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void writersOfAFilterMayLockIt() throws Exception {
    String file = build("classic");
    Set<PosixFilePermission> all = PosixFilePermissions.fromString("rw-rw-rw-");
    Files.setPosixFilePermissions(Path.of(file), all);
    CommandRun.succeed("a\n", "add", file);
    assertEquals(all, Files.getPosixFilePermissions(directory.resolve(".bloom-seen.bloom.lock")));
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aPipeInPlaceOfTheLockIsNamed() throws Exception {
    String file = build("classic");
    Path lock = directory.resolve(".bloom-seen.bloom.lock");
    assertEquals(0, new ProcessBuilder("mkfifo", lock.toString()).start().waitFor());
    String message = CommandRun.fail("a\n", "add", file);
    assertTrue(message.contains("cannot open the lock " + lock), message);
  }

  @Test
  void aFilterOfALongNameIsUpdatedToo() {
    String file = directory.resolve("x".repeat(250)).toString();
    CommandRun.succeed("first\n", "build", "-o", file, "--items", "100");
    CommandRun.succeed("a\n", "add", file);
  }

  @Test
  void theLockFileOfARunThatWasKilledDoesNotMatter() throws Exception {
    String file = build("classic");
    Files.createFile(directory.resolve(".bloom-seen.bloom.lock"));
    CommandRun.succeed("a\n", "add", file, "--no-wait");
  }
}
