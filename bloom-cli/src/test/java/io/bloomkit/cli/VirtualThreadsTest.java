package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operations of concurrent filters in virtual threads: none keeps its carrier while it waits. */
@EnabledForJreRange(minVersion = 24) // before, each wait for a monitor pins
class VirtualThreadsTest {

  private static final int THREADS = 64;
  private static final int ROUNDS = 200;

  /** Few, so that threads meet at the same counters, buckets and locks. */
  private static final int KEYS = 40;

  static {
    // More carriers than processors: a carrier that is preempted inside a lock lets others wait.
    System.setProperty("jdk.virtualThreadScheduler.parallelism", "16");
  }

  private static final String PINNED = "jdk.VirtualThreadPinned";

  @TempDir private Path folder;

  static List<StorableFilter<Long>> concurrentFilters() {
    return List.of(
        ClassicBloomFilter.builder(HashStrategies.longs())
            .expecting(1000, 0.01)
            .concurrent()
            .build(),
        BlockedBloomFilter.builder(HashStrategies.longs())
            .expecting(1000, 0.01)
            .concurrent()
            .build(),
        CountingBloomFilter.builder(HashStrategies.longs())
            .expecting(1000, 0.01)
            .concurrent()
            .build(),
        BlockedCountingBloomFilter.builder(HashStrategies.longs())
            .expecting(1000, 0.01)
            .concurrent()
            .build(),
        DynamicCuckooFilter.create(HashStrategies.longs(), 100_000, 0.01),
        ExpiringCuckooFilter.builder(HashStrategies.longs())
            .expecting(1000, 0.01)
            .expireAfterAdd(Duration.ofMillis(50))
            .build(),
        ExpiringCuckooFilter.builder(HashStrategies.longs())
            .expecting(1000, 0.01)
            .window(500)
            .build(),
        ScalableBloomFilter.builder(HashStrategies.longs())
            .expecting(10, 0.01)
            .concurrent()
            .build());
  }

  @ParameterizedTest
  @MethodSource("concurrentFilters")
  void noOperationPins(StorableFilter<Long> filter) throws Exception {
    use(filter, 0); // loads the classes: a thread that waits for another one to load a class pins
    Run run = run(THREADS, thread -> use(filter, thread));
    assertEquals(List.of(), run.pinned);
    assertTrue(
        run.blocked || !(filter instanceof DeletableFilter)); // others have few locks or none
  }

  @Test
  void aThreadThatWaitsInAClassInitializerIsRecorded() throws Exception {
    assertNotEquals(List.of(), run(1, thread -> assertTrue(Sleeper.MILLIS > 0)).pinned);
  }

  private static final class Sleeper {

    static final long MILLIS = sleep();

    private static long sleep() {
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return 5;
    }
  }

  /** Adds, queries, removes, writes and compares, as many threads may at once. */
  private static void use(StorableFilter<Long> filter, int thread) throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      for (long key = 0; key < KEYS; key++) {
        add(filter, key);
      }
      add(filter, KEYS + (long) thread * ROUNDS + round); // new, so filters grow
      filter.mightContain((long) round % (2 * KEYS));
      if (filter instanceof DeletableFilter<Long> deletable) {
        deletable.count(1L);
        for (long key = 0; key < KEYS / 2; key++) {
          deletable.remove(key);
        }
      }
      if (round % 50 == 0) {
        filter.writeTo(new SlowStream());
        assertEquals(filter, filter);
      }
    }
  }

  private static void add(StorableFilter<Long> filter, long key) {
    if (filter instanceof ExpiringCuckooFilter<Long> expiring) {
      expiring.add(key);
    } else {
      ((InsertableFilter<Long>) filter).add(key);
    }
  }

  /** A stream that waits, as that of a socket may. */
  private static final class SlowStream extends OutputStream {

    @Override
    public void write(int b) throws IOException {
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      write(0);
    }
  }

  private interface Work {
    void run(int thread) throws IOException;
  }

  /**
   * A run in virtual threads.
   *
   * @param pinned the events of threads that waited and kept their carrier
   * @param blocked whether a thread was seen waiting for a monitor
   */
  private record Run(List<RecordedEvent> pinned, boolean blocked) {}

  private Run run(int threads, Work work) throws Exception {
    Path file = folder.resolve("recording.jfr");
    boolean blocked = false;
    try (Recording recording = new Recording()) {
      recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
      recording.start();
      List<FutureTask<?>> tasks = new ArrayList<>();
      List<Thread> started = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        FutureTask<?> task =
            new FutureTask<>(
                () -> {
                  work.run(thread);
                  return null;
                });
        tasks.add(task);
        started.add(startVirtualThread(task));
      }
      while (started.stream().anyMatch(Thread::isAlive)) {
        blocked |= started.stream().anyMatch(t -> t.getState() == Thread.State.BLOCKED);
        Thread.sleep(1);
      }
      for (FutureTask<?> task : tasks) {
        task.get();
      }
      recording.stop();
      recording.dump(file);
    }
    return new Run(
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals(PINNED))
            .toList(),
        blocked);
  }

  /** The method is newer than the Java that this is compiled for. */
  private static Thread startVirtualThread(Runnable task) throws ReflectiveOperationException {
    return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
  }
}
