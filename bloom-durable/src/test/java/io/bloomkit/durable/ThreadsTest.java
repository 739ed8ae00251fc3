package io.bloomkit.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.format.FilterBuilder;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.internal.LittleEndian;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many threads beside syncs and compactions. */
class ThreadsTest {

  private static final int THREADS = 8;
  private static final int KEYS_OF_THREAD = 300;
  private static final int UPDATES_OF_THREAD = 1500;

  private final Kind.Clock clock = new Kind.Clock();

  private FilterBuilder<Long> builder(Kind kind) {
    return kind.builder(2 * THREADS * KEYS_OF_THREAD, clock);
  }

  private DurableFilter<Long> open(Path folder, Kind kind, SyncPolicy policy) throws Exception {
    return new DurableFilter<>(
        DurableFolder.open(
            folder, builder(kind), new DurableFolder.Settings(policy, 20_000, 50_000, 3, 1)));
  }

  /** Updates keys of its own. Returns how often each is left. */
  private int[] update(DurableFilter<Long> filter, Kind kind, int thread) {
    Random random = new Random(thread);
    int[] counts = new int[KEYS_OF_THREAD];
    for (int i = 0; i < UPDATES_OF_THREAD; i++) {
      int key = random.nextInt(KEYS_OF_THREAD);
      long hash = hash(filter.filter(), thread, key);
      if (kind.removes() && counts[key] > 0 && random.nextInt(5) > 1) {
        filter.log.remove(hash, filter.isEachDurable);
        counts[key]--;
      } else {
        filter.addHash(hash);
        counts[key]++;
      }
      if (kind == Kind.EXPIRING && i % 100 == 0) {
        clock.millis.incrementAndGet();
      }
    }
    return counts;
  }

  private static long hash(StorableFilter<Long> filter, int thread, int key) {
    return filter.strategy().hash((long) thread * KEYS_OF_THREAD + key);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void updatesOfEightThreadsBesideCompactionsAreExact(Kind kind, @TempDir Path temporary)
      throws Exception {
    Path folder = temporary.resolve("filter");
    DurableFilter<Long> filter = open(folder, kind, SyncPolicy.EVERY_SECOND);
    List<int[]> counts = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(THREADS + 1);
    CountDownLatch begun = new CountDownLatch(1);
    try {
      List<Callable<int[]>> tasks = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int number = thread;
        tasks.add(
            () -> {
              begun.await(); // a busy machine may start the compactions last
              return update(filter, kind, number);
            });
      }
      AtomicInteger running = new AtomicInteger(1);
      Future<Integer> compactions =
          pool.submit(
              () -> {
                int count = 0;
                for (begun.countDown(); count == 0 || running.get() > 0; count++) {
                  filter.compact();
                }
                return count;
              });
      for (Future<int[]> task : pool.invokeAll(tasks)) {
        counts.add(task.get());
      }
      running.set(0);
      assertTrue(compactions.get() > 0);
    } finally {
      pool.shutdown();
    }
    filter.close();
    try (DurableFilter<Long> again = open(folder, kind, SyncPolicy.EVERY_SECOND)) {
      assertEquals(filter.filter(), again.filter());
      if (!kind.isExpiring()) {
        assertHolds(again.filter(), kind, counts);
      }
    }
  }

  private void assertHolds(StorableFilter<Long> filter, Kind kind, List<int[]> counts) {
    Updates expected = Updates.of(builder(kind).<Long>build());
    for (int thread = 0; thread < THREADS; thread++) {
      for (int key = 0; key < KEYS_OF_THREAD; key++) {
        for (int i = 0; i < counts.get(thread)[key]; i++) {
          expected.add(hash(filter, thread, key), 0);
          assertTrue(filter.mightContainHash(hash(filter, thread, key)));
        }
      }
    }
    if (kind != Kind.SCALABLE && kind != Kind.SCALABLE_CONCURRENT) { // these depend on the order
      assertEquals(expected.filter(), filter);
    }
  }

  /** Enough updates for threads to take them from all stripes beside each other. */
  @ParameterizedTest
  @EnumSource(names = {"CLASSIC_CONCURRENT", "COUNTING_CONCURRENT", "DYNAMIC"})
  void stripesThatFillAtTheSameTimeLoseNothing(Kind kind, @TempDir Path temporary)
      throws Exception {
    int updates = 20_000;
    Path folder = temporary.resolve("filter");
    FilterBuilder<Long> builder = kind.builder(4 * updates, clock);
    DurableFolder.Settings settings =
        new DurableFolder.Settings(SyncPolicy.EVERY_SECOND, Long.MAX_VALUE, Long.MAX_VALUE, 3, 0);
    DurableFilter<Long> filter = new DurableFilter<>(DurableFolder.open(folder, builder, settings));
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        long first = (long) thread * updates;
        tasks.add(
            () -> {
              for (long i = first; i < first + updates; i++) {
                filter.add(i);
              }
              return true;
            });
      }
      for (Future<Boolean> task : pool.invokeAll(tasks)) {
        assertTrue(task.get());
      }
    } finally {
      pool.shutdown();
    }
    filter.close();
    try (DurableFilter<Long> again =
        new DurableFilter<>(DurableFolder.open(folder, builder, settings))) {
      assertEquals(filter.filter(), again.filter());
      for (long i = 0; i < 4L * updates; i++) {
        assertTrue(again.mightContain(i), "element " + i);
      }
    }
  }

  /**
   * Two threads add numbers, and each notes how many of the other were added before its own. These
   * must be in the same frame or earlier.
   */
  @Test
  void theUpdatesUpToAnyFrameAreThoseUpToOneMoment(@TempDir Path folder) throws Exception {
    int count = 300_000;
    AtomicIntegerArray added = new AtomicIntegerArray(2);
    int[][] before = new int[2][count];
    DurableFolder.Settings settings =
        new DurableFolder.Settings(SyncPolicy.ON_SYNC, Long.MAX_VALUE, Long.MAX_VALUE, 0, 0);
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try (DurableFilter<Long> filter =
        new DurableFilter<>(
            DurableFolder.open(folder, Kind.DYNAMIC.builder(2 * count, clock), settings))) {
      List<Future<?>> tasks = new ArrayList<>();
      for (int thread = 0; thread < 2; thread++) {
        int number = thread;
        tasks.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < count; i++) {
                    before[number][i] = added.get(1 - number);
                    filter.addHash(2L * i + number);
                    added.set(number, i + 1);
                  }
                }));
      }
      while (!tasks.stream().allMatch(Future::isDone)) {
        filter.sync();
      }
      for (Future<?> task : tasks) {
        task.get();
      }
    } finally {
      pool.shutdown();
    }
    byte[] log = Files.readAllBytes(folder.resolve(FolderNames.log(1)));
    BitSet[] logged = {new BitSet(), new BitSet()};
    for (int at = LogFormat.HEADER_BYTES; at < log.length; ) {
      int updates = LittleEndian.getInt(log, at + LogFormat.FRAME_COUNT);
      for (int i = 0; i < updates; i++) {
        long hash = LittleEndian.getLong(log, at + LogFormat.FRAME_BYTES + i * Long.BYTES);
        logged[(int) hash & 1].set((int) hash / 2);
      }
      for (int number = 0; number < 2; number++) {
        int last = logged[number].length() - 1;
        int others = last < 0 ? 0 : before[number][last];
        assertEquals(last + 1, logged[number].cardinality());
        assertTrue(logged[1 - number].length() >= others, "a frame lacks what was before");
      }
      at += LogFormat.frameBytes(LittleEndian.getInt(log, at + LogFormat.FRAME_TYPE), updates);
    }
    assertEquals(count, logged[0].cardinality());
    assertEquals(count, logged[1].cardinality());
  }

  @Test
  void threadsThatWaitForTheDiskShareForces(@TempDir Path folder) throws Exception {
    int threads = 50;
    int updates = 20;
    DurableFilter<Long> filter =
        open(folder.resolve("filter"), Kind.DYNAMIC, SyncPolicy.EVERY_UPDATE);
    List<Thread> all = new ArrayList<>();
    long before = filter.forces();
    for (int t = 0; t < threads; t++) {
      int number = t;
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < updates; i++) {
                  filter.addHash(hash(filter.filter(), 0, number * updates + i));
                }
              });
      thread.start();
      all.add(thread);
    }
    for (Thread thread : all) {
      thread.join();
    }
    long forces = filter.forces() - before;
    assertTrue(forces < threads * updates / 2, forces + " forces");
    filter.close();
  }

  /** Else a compaction or a close could wait for minutes. */
  @Test
  void aThreadThatForcesAloneIsTheNext() throws Exception {
    AtomicLong written = new AtomicLong();
    GroupCommit commit =
        new GroupCommit(
            () -> {
              long last = written.get();
              LockSupport.parkNanos(1_000_000);
              return last;
            });
    AtomicBoolean isDone = new AtomicBoolean();
    ExecutorService pool = Executors.newFixedThreadPool(60);
    try {
      for (int i = 0; i < 60; i++) {
        pool.execute(
            () -> {
              while (!isDone.get()) {
                commit.await(written.incrementAndGet());
              }
            });
      }
      long others = 0;
      for (int i = 0; i < 50; i++) {
        long before = commit.forces();
        long[] at = new long[1];
        assertTrue(
            commit.exclusively(
                () -> {
                  at[0] = commit.forces();
                  return written.get();
                }));
        others += at[0] - before;
      }
      assertTrue(others < 500, others + " forces of others came first");
    } finally {
      isDone.set(true);
      pool.shutdown();
    }
  }
}
