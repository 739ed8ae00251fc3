package io.bloomkit.durable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.InsertableFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.hash.HashStrategies;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Durable filters of all kinds against a model without a log. */
class DurableFilterTest {

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aFilterThatIsOpenedAgainEqualsOneThatNeverWasClosed(Kind kind) throws IOException {
    JournalStorage storage = new JournalStorage();
    Workload workload = new Workload(kind, 1);
    workload.hasLargeUpdates = true;
    Random random = new Random(2);
    DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC);
    for (int i = 0; i < 2000; i++) {
      workload.update(filter);
      if (random.nextInt(50) == 0) {
        filter.close();
        filter = workload.open(storage, SyncPolicy.ON_SYNC);
        assertEquals(0, filter.recovery().bytesCut());
        assertEquals(workload.models.get(i + 1), filter.filter(), "after " + i);
      } else if (random.nextInt(50) == 0) {
        filter.compact();
      } else if (random.nextInt(20) == 0) {
        filter.log.beginSegment();
      } else if (random.nextInt(20) == 0) {
        filter.sync();
      }
    }
    filter.close();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void bulkAdditionsAreOpenedAgain(Kind kind) throws IOException {
    JournalStorage storage = new JournalStorage();
    Workload workload = new Workload(kind, 1);
    long[] hashes = new Random(3).longs(50).toArray();
    try (DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC)) {
      filter.addHash(hashes[0]);
      long added = filter.addHashes(hashes, 0, 50);
      assertTrue(added >= 45 && added < 50, "added " + added);
      assertEquals(0, filter.addHashes(hashes, 0, 0));
    }
    try (DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC)) {
      for (long hash : hashes) {
        assertTrue(filter.mightContainHash(hash));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CLASSIC", "BLOCKED"})
  void repeatsInABatchAreNotInTheLog(Kind kind) throws IOException {
    long[] hashes = new Random(4).longs(1000).toArray();
    boolean[] wasNew = new boolean[hashes.length];
    try (DurableFilter<Long> filter =
        new Workload(kind, 1).open(new JournalStorage(), SyncPolicy.ON_SYNC)) {
      filter.addHashes(hashes, 0, 400);
      long bytes = filter.logBytes();
      long added = filter.addHashes(hashes, 100, 600, wasNew);
      assertEquals(
          Math.min(added, 1) * LogFormat.frameBytes(LogFormat.ADDITIONS, (int) added),
          filter.logBytes() - bytes);
      for (int i = 0; i < 400; i++) {
        assertFalse(wasNew[i], "answer " + i);
      }
      bytes = filter.logBytes();
      assertEquals(0, filter.addHashes(hashes, 0, 700));
      assertEquals(bytes, filter.logBytes());
    }
  }

  @Test
  void removalsInABatchAreDurable(@TempDir Path folder) throws IOException {
    try (DurableDeletableFilter<Long> filter =
        DurableDeletableFilter.open(
            folder,
            CountingBloomFilter.builder(HashStrategies.longs()).expecting(100, 0.01),
            SyncPolicy.EVERY_UPDATE)) {
      filter.addHashes(new long[] {7, 8, 9}, 0, 3);
      long forces = filter.forces();
      assertEquals(2, filter.removeHashes(new long[] {7, 8, 9}, 1, 2));
      assertEquals(forces + 1, filter.forces());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CLASSIC", "SCALABLE"})
  void aBatchThatLogsNothingForcesNothing(Kind kind) throws IOException {
    try (DurableFilter<Long> filter =
        new Workload(kind, 1).open(new JournalStorage(), SyncPolicy.EVERY_UPDATE)) {
      filter.addHash(7);
      long forces = filter.forces();
      filter.addHashes(new long[0], 0, 0);
      filter.sync();
      assertEquals(forces, filter.forces());
    }
  }

  /** Another thread may have added the element, and not have forced the log yet. */
  @Test
  void aRepeatIsDurableAsAnAdditionIs() throws IOException {
    List<ToLongFunction<DurableFilter<Long>>> repeats =
        List.of(
            filter -> filter.addHash(7) ? 1 : 0,
            filter -> filter.addHashes(new long[] {7, 7}, 0, 2));
    for (ToLongFunction<DurableFilter<Long>> repeat : repeats) {
      JournalStorage storage = new JournalStorage();
      Workload workload = new Workload(Kind.CLASSIC, 1);
      DurableFilter<Long> filter = workload.open(storage, SyncPolicy.EVERY_UPDATE);
      filter.log.add(7, /* isDurable= */ false);
      assertEquals(0, repeat.applyAsLong(filter));
      JournalStorage left = storage.afterCrash(storage.events(), () -> false);
      try (DurableFilter<Long> again = workload.open(left, SyncPolicy.EVERY_UPDATE)) {
        assertTrue(again.mightContainHash(7));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CLASSIC", "BLOCKED", "DYNAMIC"})
  void aBatchOfSeveralFramesIsAnsweredAsWithoutALog(Kind kind) throws IOException {
    long[] hashes = new Random(5).longs(100_000).toArray();
    System.arraycopy(hashes, 0, hashes, 60_000, 20_000);
    FilterBuilder<Long> builder = kind.builder(100_000, new Kind.Clock());
    InsertableFilter<?> model = (InsertableFilter<?>) builder.build();
    boolean[] expected = new boolean[hashes.length];
    boolean[] wasNew = new boolean[hashes.length];
    JournalStorage storage = new JournalStorage();
    try (DurableFilter<Long> filter =
        Workload.open(storage, builder, SyncPolicy.ON_SYNC, Long.MAX_VALUE)) {
      assertEquals(
          model.addHashes(hashes, 100, 99_000, expected),
          filter.addHashes(hashes, 100, 99_000, wasNew));
      assertArrayEquals(expected, wasNew);
    }
    try (DurableFilter<Long> again =
        Workload.open(storage, builder, SyncPolicy.ON_SYNC, Long.MAX_VALUE)) {
      assertEquals(model, again.filter());
    }
  }

  /** Other layers have other false positives, so an element that was one must be in the log. */
  @Test
  void aScalableFilterMayBeConcurrentLater() throws IOException {
    JournalStorage storage = new JournalStorage();
    Kind[] kinds = {Kind.SCALABLE, Kind.SCALABLE_CONCURRENT, Kind.SCALABLE};
    for (int part = 0; part < 6; part++) {
      Workload workload = new Workload(kinds[part % 3], 1);
      try (DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC)) {
        for (long i = 0; i < 1000L * part; i++) {
          assertTrue(filter.mightContain(i), "element " + i + " in part " + part);
        }
        for (long i = 1000L * part; i < 1000L * (part + 1); i++) {
          filter.add(i);
        }
        if (part == 4) {
          filter.compact();
        }
      }
    }
  }

  /** Each takes time in proportion to the filter, but only a few bytes of the log. */
  @ParameterizedTest
  @EnumSource(
      names = {"EXPIRING", "WINDOW"}, // which become small
      mode = EnumSource.Mode.EXCLUDE)
  void removalsOfAllElementsInARowTakeTheTimeOfOne(Kind kind) {
    Updates updates = Updates.of(kind.builder(100, new Kind.Clock()).<Long>build());
    Replay replay = new Replay(updates);
    Frame frame = new Frame();
    for (int i = 0; i < 1000; i++) {
      frame.type = LogFormat.ADDITIONS;
      frame.hashes = new long[] {31L * i, 37L * i};
      frame.count = 2;
      replay.repeat(frame);
      if (i < 999) {
        frame.type = LogFormat.CLEARED;
        frame.count = 0;
        replay.repeat(frame);
      }
    }
    replay.finish();
    assertEquals(1, replay.clears());
    assertEquals(2000, replay.count());
    Updates expected = Updates.of(kind.builder(100, new Kind.Clock()).<Long>build());
    expected.add(31L * 999, 0);
    expected.add(37L * 999, 0);
    assertEquals(expected.filter(), updates.filter());
  }

  /** One update each, as with EVERY_UPDATE, after one with the most updates. */
  @ParameterizedTest
  @EnumSource(names = {"CUCKOO", "SCALABLE"})
  void smallFramesTakeTheMemoryOfTheirUpdates(Kind kind) {
    Replay replay = new Replay(Updates.of(kind.builder(100, new Kind.Clock()).<Long>build()));
    Frame frame = new Frame();
    frame.type = LogFormat.MIXED;
    frame.count = LogFormat.MAX_UPDATES;
    frame.hashes = new long[frame.count];
    frame.removals = new long[frame.count / Long.SIZE];
    replay.repeat(frame);
    frame.type = LogFormat.ADDITIONS;
    frame.count = 1;
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    for (int i = 0; i < 30_000; i++) {
      replay.repeat(frame);
    }
    long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    assertTrue(bytes < 2_000_000, bytes + " bytes");
  }

  /** A filter may be copied to write it, which takes memory too. */
  @Test
  void aCompactionHasNoBatchesOfUpdatesWhenItWrites(@TempDir Path folder) throws IOException {
    FilterBuilder<Long> builder = Kind.DYNAMIC.builder(100, new Kind.Clock());
    DurableFilter.create(folder, builder.<Long>build());
    Storage storage = new FolderStorage(folder);
    long[] before = {0, 0};
    Storage measured =
        JournalStorage.intercepted(
            (proxy, method, arguments) -> {
              if (method.getName().equals("create")
                  && String.valueOf(arguments[0]).startsWith("snapshot-")) {
                before[1] = usedBytes();
              }
              return method.invoke(storage, arguments);
            });
    DurableFolder.Settings settings =
        new DurableFolder.Settings(SyncPolicy.ON_SYNC, Long.MAX_VALUE, Long.MAX_VALUE, 0, 0);
    try (DurableFilter<Long> filter =
        new DurableFilter<>(
            DurableFolder.open(folder, () -> {}, measured, builder, null, settings))) {
      long[] hashes = new long[1 << 18];
      for (int i = 0; i < 16; i++) {
        filter.addHashes(hashes, 0, hashes.length);
      }
      before[0] = usedBytes();
      filter.compact();
    }
    long more = before[1] - before[0];
    assertTrue(before[1] > 0 && more < 16L << 20, more + " bytes"); // a batch has 32 MiB
  }

  private static long usedBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** A removal in a later batch than its addition, and in the same. */
  @Test
  void moreUpdatesThanABatchAreRepeated() {
    Updates updates = Updates.of(Kind.COUNTING.builder(1000, new Kind.Clock()).<Long>build());
    Updates expected = Updates.of(Kind.COUNTING.builder(1000, new Kind.Clock()).<Long>build());
    Replay replay = new Replay(updates);
    Frame frame = new Frame();
    Random random = new Random(4);
    frame.count = LogFormat.MAX_UPDATES;
    for (int i = 0; i < 70; i++) {
      frame.type = i % 4 == 3 ? LogFormat.REMOVALS : LogFormat.ADDITIONS;
      if (i % 4 < 2) { // the second frame is added twice, and removed once
        frame.hashes = random.longs(LogFormat.MAX_UPDATES, 0, 1000).toArray();
      }
      replay.repeat(frame);
      for (long hash : frame.hashes) {
        boolean isDone = i % 4 == 3 ? expected.remove(hash, 0) : expected.add(hash, 0);
        assertTrue(isDone || i % 4 < 3);
      }
    }
    replay.finish();
    assertEquals(expected.filter(), updates.filter());
  }
}
