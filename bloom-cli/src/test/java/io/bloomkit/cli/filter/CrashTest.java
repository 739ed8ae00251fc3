package io.bloomkit.cli.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cli.Bloom;
import io.bloomkit.cli.CommandRun;
import io.bloomkit.cli.JavaProcess;
import io.bloomkit.hash.HashStrategies;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Ends {@code bloom add}, in a process of its own, at many moments while it rewrites a file. */
@Tag("deep")
class CrashTest {

  private static final int KILLS = 20;
  private static final long SEED = 20;

  /** So large that writing takes most of the time. */
  private static final int ITEMS = 4_000_000;

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void build() throws IOException {
    file = folder.resolve("set.bloom");
    ClassicBloomFilter<byte[]> filter =
        ClassicBloomFilter.create(HashStrategies.bytes(), ITEMS, 0.01);
    Random random = new Random(SEED);
    for (int i = 0; i < ITEMS; i++) {
      filter.addHash(random.nextLong());
    }
    filter.writeTo(file);
  }

  /** Adds the lines 0, 1, 2 and so on, each by a run of the command. */
  static final class AddForever {

    private AddForever() {}

    public static void main(String[] arguments) throws IOException {
      Path line = Path.of(arguments[1]);
      for (long i = Long.parseLong(arguments[2]); ; i++) {
        Files.writeString(line, "line " + i + "\n");
        CommandRun run = CommandRun.of("", "add", arguments[0], line);
        System.out.println(run.exitCode() == 0 ? "added " + i : run.err());
      }
    }
  }

  @Test
  void whereverItIsKilledTheFileIsThatBeforeOrThatAfterAnAddition() throws Exception {
    Random moments = new Random(SEED);
    long added = 0;
    long left = 0; // temporary files: the next run deletes them
    long longestNanos = 1;
    for (int kill = 0; kill < KILLS; kill++) {
      Process process = start(added);
      try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
        long first = added;
        for (; added < first + 2; added++) { // it has begun, and is warm
          long begin = System.nanoTime();
          assertEquals("added " + added, out.readLine());
          longestNanos = added == first ? longestNanos : System.nanoTime() - begin;
        }
        TimeUnit.NANOSECONDS.sleep(moments.nextLong(2 * longestNanos));
        process.toHandle().destroyForcibly(); // the process itself would close the stream
        process.waitFor();
        added += out.lines().filter(line -> line.startsWith("added ")).count();
      }
      added = requireWhole(added);
      left += temporaryFiles();
    }
    assertNotEquals(0, left, "no kill came while a file was written");
  }

  private Process start(long firstLine) throws IOException {
    return JavaProcess.of(List.of(), AddForever.class, file, folder.resolve("line"), firstLine)
        .start();
  }

  /** Returns how many lines the file holds: what was told, or one more that was not told yet. */
  private long requireWhole(long told) throws IOException {
    ClassicBloomFilter<byte[]> filter = ClassicBloomFilter.readFrom(file, HashStrategies.bytes());
    long held = filter.elementCount().orElseThrow() - ITEMS;
    assertTrue(held == told || held == told + 1, () -> held + " additions, " + told + " told");
    for (long i = 0; i < held; i++) {
      assertTrue(filter.mightContain(("line " + i).getBytes(StandardCharsets.UTF_8)));
    }
    return held;
  }

  private long temporaryFiles() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(other -> other.toString().endsWith(".tmp")).count();
    }
  }

  /** A limit of the file size stands for a disk that is full after that number of bytes. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aFullDiskLeavesTheOldFileAndNothingElse() throws Exception {
    byte[] before = Files.readAllBytes(file);
    Path line = Files.writeString(folder.resolve("line"), "more\n");
    for (int blocks : new int[] {0, 1, 1000, before.length / 1024 / 512 * 512}) {
      ProcessBuilder add =
          JavaProcess.of(
              List.of("sh", "-c", "ulimit -f " + blocks + "; exec \"$@\"", "sh"),
              Bloom.class,
              "add",
              file,
              line);
      Process process =
          add.redirectError(ProcessBuilder.Redirect.PIPE)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      String message = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(2, process.waitFor(), message);
      assertTrue(message.contains("bloom: cannot write " + file + ": "), message);
      assertEquals(1, message.strip().lines().count(), message);
      assertArrayEquals(before, Files.readAllBytes(file));
      assertEquals(0, temporaryFiles());
    }
  }
}
