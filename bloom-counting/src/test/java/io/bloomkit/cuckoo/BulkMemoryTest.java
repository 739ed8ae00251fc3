package io.bloomkit.cuckoo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.hash.HashStrategies;
import java.io.File;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A batch in another Java whose heap is full: what it allocates to take the batch back fails. */
class BulkMemoryTest {

  @Test
  @Tag("deep")
  void aBatchForWhichThereIsNoMemoryIsTakenBack() throws Exception {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx16m",
                "-XX:+UseParallelGC",
                "-XX:-UseGCOverheadLimit",
                "-cp",
                classPath(),
                FullHeap.class.getName())
            .redirectErrorStream(true)
            .start();
    String printed = new String(other.getInputStream().readAllBytes(), UTF_8).strip();
    assertEquals(List.of("0 remain", FullHeap.BATCH + " held"), printed.lines().toList());
    assertEquals(0, other.waitFor());
  }

  /** Everything that this Java runs, be it on the module path or on the class path. */
  private static String classPath() throws Exception {
    URL url = Objects.requireNonNull(BulkMemoryTest.class.getResource("BulkMemoryTest.class"));
    Path tests = Path.of(url.toURI()).resolve("../../../../../..").normalize();
    return String.join(
        File.pathSeparator,
        tests.toString(),
        System.getProperty("jdk.module.path", ""),
        System.getProperty("java.class.path", ""));
  }

  /**
   * Prints how many elements of a batch remain after memory ran out, and how many a filter holds
   * whose tables have room if there is no memory to sort a batch.
   */
  static final class FullHeap {

    private static final int BATCH = 300_000;
    private static final int PRESENT = 10_000;
    private static final int BLOCK = 1 << 12;

    /** The free memory: that for sorting, and less than the tables take. */
    private static final int FREE = BATCH * Long.BYTES + (1 << 18);

    private FullHeap() {}

    public static void main(String[] arguments) {
      long[] batch = new SplittableRandom(2).longs(BATCH).toArray();
      Deque<byte[]> blocks = new ArrayDeque<>(1 << 13);
      printRemaining(batch, blocks);
      DynamicCuckooFilter<Long> allocated =
          DynamicCuckooFilter.builder(HashStrategies.longs())
              .expecting(2 * BATCH, 1e-6) // so no two share a fingerprint, which takes memory
              .allocated()
              .build();
      allocated.addHashes(batch, 0, PRESENT);
      fillHeap(blocks);
      allocated.addHashes(batch, PRESENT, BATCH - PRESENT);
      blocks.clear();
      System.out.println(allocated.elementCount().orElseThrow() + " held");
    }

    private static void printRemaining(long[] batch, Deque<byte[]> blocks) {
      for (int free = FREE; free > 0; free -= 1 << 16) { // if less is sorted at once, more is free
        DynamicCuckooFilter<Long> filter =
            DynamicCuckooFilter.create(HashStrategies.longs(), 10_000_000, 0.01);
        filter.addHashes(batch, 0, PRESENT);
        fillHeap(blocks);
        for (int freed = 0; freed < free; freed += BLOCK) {
          blocks.pop();
        }
        try {
          filter.addHashes(batch, 0, BATCH);
        } catch (OutOfMemoryError e) {
          blocks.clear();
          System.out.println(filter.elementCount().orElseThrow() - PRESENT + " remain");
          return;
        }
      }
    }

    private static void fillHeap(Deque<byte[]> blocks) {
      try {
        while (true) {
          blocks.push(new byte[BLOCK]);
        }
      } catch (OutOfMemoryError e) {
        // The heap is full.
      }
    }
  }
}
