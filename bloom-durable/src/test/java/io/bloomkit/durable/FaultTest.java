package io.bloomkit.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomkit.DeletableFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.internal.format.FilterContents;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Full and failing disks, and errors within calls. */
class FaultTest {

  private final JournalStorage storage = new JournalStorage();
  private final Workload workload = new Workload(Kind.COUNTING, 9);

  @Test
  void aFullDiskStopsUpdatesButNoQueries() throws IOException {
    for (int room = 0; room < 400; room += 7) {
      JournalStorage disk = new JournalStorage();
      Workload updates = new Workload(Kind.COUNTING, 9);
      DurableFilter<Long> filter = updates.open(disk, SyncPolicy.EVERY_UPDATE);
      disk.limit(room);
      int acknowledged = 0;
      try {
        while (true) {
          updates.update(filter);
          acknowledged++;
        }
      } catch (UncheckedIOException e) {
        assertTrue(String.valueOf(e.getMessage()).contains("No space left"), e.getMessage());
      }
      disk.limit(Long.MAX_VALUE);
      assertThrows(UncheckedIOException.class, () -> filter.add(1L));
      assertThrows(UncheckedIOException.class, filter::sync);
      assertThrows(UncheckedIOException.class, filter::compact);
      assertTrue(filter.hasFailed());
      filter.mightContain(1L);
      assertThrows(IOException.class, filter::close);
      try (DurableFilter<Long> again = updates.open(disk, SyncPolicy.EVERY_UPDATE)) {
        updates.check(
            again.filter(),
            new Workload.Moment(0, acknowledged, updates.updates(), 0),
            "room " + room);
      }
    }
  }

  @Test
  void aForceThatFailedIsNotRepeated() throws IOException {
    DurableFilter<Long> filter = workload.open(storage, SyncPolicy.EVERY_UPDATE);
    workload.update(filter);
    storage.failToForceAfter(0);
    assertThrows(UncheckedIOException.class, () -> filter.add(7L));
    storage.failToForceAfter(Integer.MAX_VALUE);
    int forces = storage.forces();
    assertThrows(UncheckedIOException.class, () -> filter.add(7L));
    assertThrows(UncheckedIOException.class, filter::sync);
    assertEquals(forces, storage.forces());
    assertThrows(IOException.class, filter::close);
    assertEquals(forces, storage.forces());
  }

  /** The last force is that of the mark, which later ones do not write. */
  @Test
  void updatesAfterAForceThatFailedWhileClosingAreDurable() throws IOException {
    for (int successes = 0; successes < 2; successes++) {
      JournalStorage disk = new JournalStorage();
      Workload updates = new Workload(Kind.COUNTING, 9);
      DurableFilter<Long> filter = updates.open(disk, SyncPolicy.EVERY_UPDATE);
      updates.update(filter);
      disk.failToForceAfter(successes);
      assertThrows(IOException.class, filter::close);
      disk.failToForceAfter(Integer.MAX_VALUE);
      updates.update(updates.open(disk, SyncPolicy.EVERY_UPDATE));
      JournalStorage left = disk.afterCrash(disk.events(), () -> false);
      try (DurableFilter<Long> again = updates.open(left, SyncPolicy.EVERY_UPDATE)) {
        updates.check(again.filter(), new Workload.Moment(0, 2, 2, 0), "forces: " + successes);
      }
    }
  }

  @Test
  void anErrorWhileTheLogIsWrittenStopsUpdates() throws IOException {
    for (int updates = 1; updates < 20; updates++) {
      JournalStorage disk = new JournalStorage();
      Workload workload = new Workload(Kind.COUNTING, 9);
      DurableFilter<Long> filter = workload.open(disk, SyncPolicy.ON_SYNC);
      for (int i = 0; i < updates; i++) {
        workload.update(filter);
        if (i % 5 == 0) {
          filter.sync();
        }
      }
      int acknowledged = updates;
      filter.sync();
      disk.failAfter(0, new OutOfMemoryError("by a test"));
      workload.update(filter);
      assertThrows(OutOfMemoryError.class, filter::sync);
      assertTrue(filter.hasFailed());
      assertThrows(IllegalStateException.class, filter::sync);
      assertThrows(IllegalStateException.class, () -> filter.add(1L));
      assertThrows(IOException.class, filter::close);
      try (DurableFilter<Long> again = workload.open(disk, SyncPolicy.ON_SYNC)) {
        workload.check(
            again.filter(), new Workload.Moment(0, acknowledged, updates + 1, 0), "an error");
      }
    }
  }

  /** Builds filters whose next update throws an error if one is set: before or after it changed. */
  private static final class FaultyBuilder implements FilterBuilder.OfDeletable<Long> {

    private final CountingBloomFilter.Builder<Long> real =
        CountingBloomFilter.builder(HashStrategies.longs()).expecting(60, 0.01).concurrent();
    private final boolean isChanged;
    private @Nullable Error error;

    FaultyBuilder(boolean isChanged) {
      this.isChanged = isChanged;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends Long> StorableFilter<T> build() {
      CountingBloomFilter<T> filter = real.build();
      return (StorableFilter<T>)
          Proxy.newProxyInstance(
              FaultTest.class.getClassLoader(),
              new Class<?>[] {
                DeletableFilter.class, StorableFilter.class, FilterContents.Source.class
              },
              (proxy, method, arguments) -> {
                boolean fails = error != null && method.getName().matches("add.*|remove.*|clear");
                Object answer = fails && !isChanged ? null : method.invoke(filter, arguments);
                if (fails) {
                  throw Objects.requireNonNull(error);
                }
                return answer;
              });
    }

    @Override
    public <T extends Long> StorableFilter<T> readFrom(InputStream in) throws IOException {
      return real.readFrom(in);
    }
  }

  /** Without it, the next addition of the element would count as logged. */
  @Test
  void anErrorWithinAnUpdateStopsUpdates() throws Exception {
    List<Consumer<DurableFilter<Long>>> updates =
        List.of(
            filter -> filter.add(2L),
            filter -> filter.log.remove(filter.strategy().hash(1L), true),
            filter -> filter.addHashes(new long[] {filter.strategy().hash(2L)}, 0, 1),
            DurableFilter::clear);
    for (Consumer<DurableFilter<Long>> update : updates) {
      for (boolean isChanged : new boolean[] {false, true}) {
        JournalStorage disk = new JournalStorage();
        FaultyBuilder builder = new FaultyBuilder(isChanged);
        DurableFilter<Long> filter =
            new DurableFilter<>(
                DurableFolder.open(
                    disk.path(""),
                    () -> {},
                    disk,
                    builder,
                    null,
                    new DurableFolder.Settings(
                        SyncPolicy.EVERY_UPDATE, Long.MAX_VALUE, Long.MAX_VALUE, 0, 0)));
        filter.add(1L);
        builder.error = new OutOfMemoryError("by a test");
        assertThrows(OutOfMemoryError.class, () -> update.accept(filter));
        builder.error = null;
        assertTrue(filter.hasFailed());
        onAnotherThread(
            () -> {
              filter.mightContain(1L);
              assertThrows(IllegalStateException.class, () -> filter.add(2L));
              assertThrows(IllegalStateException.class, filter::sync);
              assertThrows(IllegalStateException.class, filter::clear);
              assertThrows(IOException.class, filter::close);
            });
        JournalStorage left = disk.afterCrash(disk.events(), () -> false);
        try (DurableFilter<Long> again =
            new DurableFilter<>(
                DurableFolder.open(
                    left.path(""),
                    () -> {},
                    left,
                    builder.real,
                    null,
                    DurableFolder.Settings.of(SyncPolicy.ON_SYNC)))) {
          assertTrue(again.mightContain(1L));
          assertFalse(again.mightContain(2L));
        }
      }
    }
  }

  /**
   * Makes writes to logs wait, and notes when they end and when a log is closed after one began.
   */
  private Storage waitingToWrite(
      CountDownLatch begun, CountDownLatch released, List<String> calls) {
    return JournalStorage.intercepted(
        (proxy, method, arguments) -> {
          Object result = method.invoke(storage, arguments);
          return method.getName().equals("append")
              ? waitingToWrite((Storage.Output) result, begun, released, calls)
              : result;
        });
  }

  private static Storage.Output waitingToWrite(
      Storage.Output output, CountDownLatch begun, CountDownLatch released, List<String> calls) {
    return (Storage.Output)
        Proxy.newProxyInstance(
            FaultTest.class.getClassLoader(),
            new Class<?>[] {Storage.Output.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("write") && released.getCount() > 0) {
                begun.countDown();
                released.await();
              }
              if (begun.getCount() == 0) {
                calls.add(method.getName());
              }
              return method.invoke(output, arguments);
            });
  }

  /** Else its bytes could go to another file with the same descriptor, or to the log of another. */
  @Test
  void aCloseAfterAFailureWaitsForAWriteThatHasBegun() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    List<String> calls = Collections.synchronizedList(new ArrayList<>());
    Storage slow = waitingToWrite(begun, released, calls);
    FaultyBuilder builder = new FaultyBuilder(/* isChanged= */ true);
    DurableFilter<Long> filter =
        new DurableFilter<>(
            DurableFolder.open(
                slow.path(""),
                () -> calls.add("unlock"),
                slow,
                builder,
                null,
                new DurableFolder.Settings(
                    SyncPolicy.ON_SYNC, Long.MAX_VALUE, Long.MAX_VALUE, 0, 0)));
    filter.add(1L);
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      Future<?> sync =
          pool.submit(() -> assertThrows(IllegalStateException.class, () -> filter.sync()));
      begun.await();
      builder.error = new OutOfMemoryError("by a test");
      assertThrows(OutOfMemoryError.class, () -> filter.add(2L));
      Future<?> closing = pool.submit(() -> assertThrows(IOException.class, filter::close));
      assertThrows(TimeoutException.class, () -> closing.get(300, TimeUnit.MILLISECONDS));
      released.countDown();
      closing.get(60, TimeUnit.SECONDS);
      sync.get(60, TimeUnit.SECONDS);
      assertEquals(List.of("write", "close", "unlock"), calls);
    } finally {
      released.countDown();
      pool.shutdown();
    }
  }

  /** Else a disk that is slower than the updates would fill the memory. */
  @Test
  void updatesWaitForADiskThatIsSlow() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    int most = 2_000_000;
    AtomicInteger updates = new AtomicInteger();
    DurableFilter<Long> filter =
        new DurableFilter<>(
            DurableFolder.open(
                storage.path(""),
                () -> {},
                waitingToWrite(begun, released, Collections.synchronizedList(new ArrayList<>())),
                workload.builder,
                null,
                new DurableFolder.Settings(
                    SyncPolicy.EVERY_SECOND, Long.MAX_VALUE, Long.MAX_VALUE, 10, 0)));
    Thread thread =
        new Thread(
            () -> {
              while (updates.get() < most) {
                filter.add(1L);
                updates.incrementAndGet();
              }
            });
    thread.start();
    begun.await();
    for (int last = -1, now; last != (now = updates.get()); last = now) {
      Thread.sleep(500);
    }
    assertTrue(updates.get() < most, "none of them waited");
    released.countDown();
    thread.join();
    filter.close();
  }

  private static void onAnotherThread(Executable task) throws Exception {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                task.execute();
                done.complete(true);
              } catch (Throwable e) {
                done.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    done.get(60, TimeUnit.SECONDS); // else a lock was never unlocked
  }

  /** The first one unlocks the folder, and the second one waits for it. */
  @Test
  void aFailedCloseIsToldToAllThreadsThatClose() throws Exception {
    List<DurableFilter<Long>> opened = new ArrayList<>();
    CompletableFuture<Boolean> isTold = new CompletableFuture<>();
    Closeable lock =
        () -> {
          Thread second =
              new Thread(
                  () -> {
                    try {
                      opened.get(0).close();
                      isTold.complete(false);
                    } catch (IOException e) {
                      isTold.complete(true);
                    }
                  });
          second.start();
          while (second.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
          }
        };
    DurableFilter<Long> filter =
        new DurableFilter<>(
            DurableFolder.open(
                storage.path(""),
                lock,
                storage,
                workload.builder,
                null,
                DurableFolder.Settings.of(SyncPolicy.ON_SYNC)));
    opened.add(filter);
    workload.update(filter);
    storage.failToForceAfter(0);
    assertThrows(IOException.class, filter::close);
    assertTrue(isTold.get(60, TimeUnit.SECONDS));
    filter.close(); // it is closed
  }

  /** A disk that is as slow as updates are fast. */
  @Test
  void aSyncDoesNotWaitForUpdatesThatAreMadeMeanwhile() throws Exception {
    List<DurableFilter<Long>> opened = new ArrayList<>();
    AtomicInteger writes = new AtomicInteger();
    Storage slow =
        JournalStorage.intercepted(
            (proxy, method, arguments) -> {
              Object result = method.invoke(storage, arguments);
              return method.getName().equals("append")
                  ? updating((Storage.Output) result, opened, writes)
                  : result;
            });
    DurableFilter<Long> filter = workload.open(slow, SyncPolicy.ON_SYNC);
    opened.add(filter);
    filter.addHash(1);
    filter.sync();
    assertTrue(writes.get() <= 4, writes + " frames were written");
    opened.clear();
    filter.close();
  }

  /** Makes updates for another frame while a frame is written. */
  private static Storage.Output updating(
      Storage.Output output, List<DurableFilter<Long>> filters, AtomicInteger writes) {
    return (Storage.Output)
        Proxy.newProxyInstance(
            FaultTest.class.getClassLoader(),
            new Class<?>[] {Storage.Output.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("write") && !filters.isEmpty()) {
                assertTrue(writes.incrementAndGet() < 100, "the backlog is written without end");
                for (int i = 0; i < LogFormat.MAX_UPDATES; i++) {
                  filters.get(0).addHash(i);
                }
              }
              return method.invoke(output, arguments);
            });
  }

  @Test
  void aFrameDoesNotCountAsForcedThatWasWrittenAfterwards() throws IOException {
    try (SegmentWriter segment = SegmentWriter.create(storage, 7, 1)) {
      segment.write(LogFormat.ADDITIONS);
      long forced = segment.position();
      segment.write(LogFormat.ADDITIONS);
      segment.force(forced);
      assertEquals(forced, segment.forced());
    }
  }

  /** Each call of close has a little more of the stack than the one before. */
  @Test
  void aCloseThatEndedWithAnErrorIsNotTakenForOneThatWroteTheLog() throws Exception {
    for (int i = 0; i < 20; i++) {
      JournalStorage disk = new JournalStorage();
      Workload updates = new Workload(Kind.COUNTING, i);
      boolean[] isLocked = {true};
      DurableFilter<Long> filter =
          new DurableFilter<>(
              DurableFolder.open(
                  disk.path(""),
                  () -> isLocked[0] = false,
                  disk,
                  updates.builder,
                  null,
                  DurableFolder.Settings.of(SyncPolicy.ON_SYNC)));
      updates.update(filter);
      CompletableFuture<Boolean> isWritten = new CompletableFuture<>();
      Thread thread =
          new Thread(
              null,
              () -> {
                try {
                  closeWhereTheStackEnds(filter);
                  isWritten.complete(true);
                } catch (IOException e) {
                  isWritten.complete(false);
                }
              },
              "overflow",
              /* stackSize= */ 1 << 18);
      thread.setDaemon(true);
      thread.start();
      int acknowledged = isWritten.get(60, TimeUnit.SECONDS) ? 1 : 0;
      assertFalse(isLocked[0]);
      JournalStorage left = disk.afterCrash(disk.events(), () -> false);
      try (DurableFilter<Long> again = updates.open(left, SyncPolicy.ON_SYNC)) {
        updates.check(
            again.filter(), new Workload.Moment(0, acknowledged, 1, 0), "closed, round " + i);
      }
    }
  }

  @SuppressWarnings("InfiniteRecursion")
  private static void closeWhereTheStackEnds(DurableFilter<Long> filter) throws IOException {
    try {
      closeWhereTheStackEnds(filter);
    } catch (StackOverflowError e) {
      filter.close();
    }
  }

  /** A filter goes on after an error, or refuses updates; what was acknowledged is there. */
  @Test
  void anErrorInAnyCallOfTheStorageLosesNothing() throws Exception {
    for (SyncPolicy policy : List.of(SyncPolicy.ON_SYNC, SyncPolicy.EVERY_UPDATE)) {
      int wentOn = 0;
      int calls = 0;
      boolean isThrown = true;
      for (; isThrown; calls++) {
        JournalStorage disk = new JournalStorage();
        Workload updates = new Workload(Kind.COUNTING, 9);
        updates.hasLargeUpdates = true;
        DurableFilter<Long> filter = updates.open(disk, policy);
        disk.failAfter(calls, new OutOfMemoryError("by a test"));
        int[] acknowledged = {0};
        for (int i = 0; i < 30 && !filter.hasFailed(); i++) {
          try {
            updates.update(filter);
            acknowledged[0] = policy == SyncPolicy.EVERY_UPDATE ? i + 1 : acknowledged[0];
            if (i % 5 == 1) {
              filter.sync();
              acknowledged[0] = i + 1;
            } else if (i % 10 == 3) {
              filter.log.beginSegment();
            } else if (i % 10 == 9) {
              filter.compact();
            }
          } catch (OutOfMemoryError | IllegalStateException e) {
            // The filter may have failed; if not, it goes on.
          }
        }
        isThrown = disk.hasNoErrorLeft();
        disk.failAfter(-1, new OutOfMemoryError("never"));
        onAnotherThread(
            () -> {
              filter.mightContain(1L);
              if (filter.hasFailed()) {
                assertThrows(IllegalStateException.class, () -> filter.add(1L));
                assertThrows(IllegalStateException.class, filter::sync);
                assertThrows(IOException.class, filter::close);
              } else {
                updates.update(filter);
                filter.sync();
                acknowledged[0] = updates.updates();
              }
            });
        wentOn += isThrown && !filter.hasFailed() ? 1 : 0;
        for (JournalStorage left :
            List.of(disk.afterCrash(disk.events(), () -> false), disk.afterKill(disk.events()))) {
          try (DurableFilter<Long> again = updates.open(left, policy)) {
            updates.check(
                again.filter(),
                new Workload.Moment(0, acknowledged[0], updates.updates(), 0),
                "an error in call " + calls);
          }
        }
      }
      assertTrue(wentOn > 10 && wentOn < calls - 10, wentOn + " of " + calls);
    }
  }

  /** The updates of a recursion that overflows its stack are there, or a sync fails. */
  @Test
  void stackOverflowsLoseNothingThatWasSynced(@TempDir Path temporary) throws Exception {
    Path folder = temporary.resolve("filter");
    DurableFilter<Long> filter =
        DurableFilter.open(
            folder,
            ClassicBloomFilter.builder(HashStrategies.longs())
                .expecting(1_000_000, 0.001)
                .concurrent(),
            SyncPolicy.ON_SYNC);
    List<Long> added = new ArrayList<>();
    Thread thread =
        new Thread(null, () -> overflowOften(filter, added), "overflow", /* stackSize= */ 1 << 18);
    thread.setDaemon(true);
    thread.start();
    thread.join(60_000);
    assertFalse(thread.isAlive(), "an update waits for a stripe that was never unlocked");
    boolean isSynced = true;
    try {
      filter.sync();
    } catch (IllegalStateException e) {
      isSynced = false;
    }
    Path copy = Files.createDirectory(temporary.resolve("copy"));
    FolderTest.copyFiles(folder, copy);
    if (isSynced) {
      DurableContents<Long> contents = DurableContents.readFrom(copy, HashStrategies.longs());
      for (long element : added) {
        assertTrue(contents.filter().mightContain(element));
      }
      filter.close();
    }
  }

  private static void overflowOften(DurableFilter<Long> filter, List<Long> added) {
    for (int i = 0; i < 40; i++) {
      try {
        addForever(filter, added);
      } catch (StackOverflowError | IllegalStateException e) {
        // as an application that goes on
      }
    }
  }

  @SuppressWarnings("InfiniteRecursion")
  private static void addForever(DurableFilter<Long> filter, List<Long> added) {
    long element = added.size();
    filter.add(element);
    added.add(element);
    addForever(filter, added);
  }

  @Test
  void aFileThatCannotBeDeletedIsDeletedLater() throws IOException {
    DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC);
    workload.update(filter);
    storage.failToDelete(true);
    filter.compact();
    workload.update(filter);
    filter.compact();
    storage.failToDelete(false);
    workload.update(filter);
    filter.compact();
    assertEquals(
        Set.of(FolderNames.IDENTITY, LoadedFolder.newestSnapshot(storage), FolderNames.log(4)),
        storage.list());
    filter.close();
    try (DurableFilter<Long> again = workload.open(storage, SyncPolicy.ON_SYNC)) {
      assertEquals(workload.models.get(3), again.filter());
    }
  }

  /** The name of the new one may be in memory only, and there is no room to write it again. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void withoutRoomForASnapshotItOpensAndKeepsTheOldOne(boolean isSegmentBegun) throws IOException {
    DurableFilter<Long> filter = workload.open(storage, SyncPolicy.EVERY_UPDATE);
    workload.update(filter);
    storage.failToDelete(true);
    filter.compact();
    workload.update(filter);
    storage.failToDelete(false);
    int files = storage.list().size();
    if (isSegmentBegun) {
      SegmentWriter.create(storage, LoadedFolder.identity(storage).orElseThrow(), 3).close();
    }
    storage.limit(storage.size(LoadedFolder.newestSnapshot(storage)));
    try (DurableFilter<Long> full = workload.open(storage, SyncPolicy.EVERY_UPDATE)) {
      assertEquals(files, storage.list().size());
      workload.update(full);
      storage.limit(Long.MAX_VALUE);
      full.compact();
      assertEquals(3, storage.list().size());
      workload.update(full);
    }
    try (DurableFilter<Long> again = workload.open(storage, SyncPolicy.EVERY_UPDATE)) {
      assertEquals(workload.models.get(4), again.filter());
    }
  }

  @Test
  void aCompactionWithoutRoomKeepsTheLog() throws IOException {
    DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC, 150);
    for (int i = 0; i < 20; i++) {
      workload.update(filter);
    }
    filter.sync();
    storage.limit(300); // for the log, but not for the snapshot
    long segment = filter.log.segmentNumber();
    for (int i = 0; i < 2; i++) { // the second time, the segment is short
      assertThrows(IOException.class, filter::compact);
      assertEquals(segment + 1, filter.log.segmentNumber(), "or it would have no limit");
    }
    workload.update(filter);
    filter.sync();
    storage.limit(Long.MAX_VALUE);
    filter.compact();
    workload.update(filter);
    filter.close();
    try (DurableFilter<Long> again = workload.open(storage, SyncPolicy.ON_SYNC)) {
      assertEquals(workload.models.get(22), again.filter());
      assertEquals(1, again.recovery().updates());
    }
  }

  /** The new snapshot of a filter that grows may be much larger than the old one. */
  @Test
  void aCompactionLeavesTheLogAsMuchRoomAsItTakes() throws IOException {
    Workload growing = new Workload(Kind.DYNAMIC, 9);
    DurableFilter<Long> filter = growing.open(storage, SyncPolicy.ON_SYNC);
    long before = storage.size(LoadedFolder.newestSnapshot(storage));
    long[] hashes = new Random(4).longs(5000).toArray();
    filter.addHashes(hashes, 0, hashes.length);
    filter.sync();
    storage.limit(3 * before);
    IOException e = assertThrows(IOException.class, filter::compact);
    assertTrue(String.valueOf(e.getMessage()).contains("no room for another snapshot"));
    filter.addHash(1);
    filter.sync();
    storage.limit(Long.MAX_VALUE);
    filter.compact();
    filter.close();
    assertTrue(storage.size(LoadedFolder.newestSnapshot(storage)) > 3 * before);
    try (DurableFilter<Long> again = growing.open(storage, SyncPolicy.ON_SYNC)) {
      assertEquals(filter.filter(), again.filter());
    }
  }

  @Test
  void aCreationWithoutRoomIsRepeated() throws IOException {
    for (int room = 0; room < 600; room += 5) {
      JournalStorage disk = new JournalStorage();
      disk.limit(room);
      try {
        workload.open(disk, SyncPolicy.ON_SYNC).close();
      } catch (IOException e) {
        assertTrue(String.valueOf(e.getMessage()).contains("No space left"), e.getMessage());
      }
      disk.limit(Long.MAX_VALUE);
      workload.open(disk, SyncPolicy.ON_SYNC).close();
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aForceThatFailedIsKnownToTheNextProcess(@TempDir Path folder) throws IOException {
    Storage storage = new FolderStorage(folder);
    assumeTrue(folder.toFile().setReadable(false));
    try {
      assumeFalse(Files.isReadable(folder), "root may read anywhere");
      assertThrows(AccessDeniedException.class, storage::forceNames);
    } finally {
      folder.toFile().setReadable(true);
    }
    assertEquals(Set.of(FolderNames.UNFORCED), storage.list());
    workload.open(storage, SyncPolicy.ON_SYNC).close();
    assertFalse(storage.list().contains(FolderNames.UNFORCED));
  }

  /** The system may lose at any time what it could not write. */
  @Test
  void afterAForceThatFailedNoFileIsCopiedThatChangedSinceItWasRead() throws IOException {
    DurableFilter<Long> filter = workload.open(storage, SyncPolicy.EVERY_UPDATE);
    for (int i = 0; i < 40; i++) {
      workload.update(filter);
      if (i == 20) {
        filter.log.beginSegment();
      }
    }
    String snapshot = FolderNames.snapshots(storage.list()).last();
    storage
        .create(FolderNames.snapshot(0, 0))
        .close(); // it is replaced, so the newest is rewritten
    assertNotCopiedIfChanged(snapshot, FolderNames.log(2));
    storage.create(FolderNames.UNFORCED).close();
    assertNotCopiedIfChanged(snapshot, FolderNames.log(1), FolderNames.log(2));
    DurableFilter<Long> again = workload.open(storage, SyncPolicy.ON_SYNC);
    assertEquals(workload.models.get(workload.updates()), again.filter());
    again.close();
  }

  private void assertNotCopiedIfChanged(String... names) {
    for (String name : names) {
      Storage forgetful = losing(name);
      FileSystemException e =
          assertThrows(
              FileSystemException.class, () -> workload.open(forgetful, SyncPolicy.ON_SYNC));
      assertEquals(storage.path(name).toString(), e.getFile());
      assertTrue(String.valueOf(e.getReason()).contains("open it again"), e.getReason());
    }
  }

  /** Returns the storage, with another file that lacks a byte when it is read again. */
  private Storage losing(String name) {
    AtomicInteger reads = new AtomicInteger();
    return JournalStorage.intercepted(
        (proxy, method, arguments) -> {
          Object result = method.invoke(storage, arguments);
          if (!method.getName().equals("read")
              || !name.equals(arguments[0])
              || reads.incrementAndGet() == 1) {
            return result;
          }
          byte[] bytes = ((InputStream) result).readAllBytes();
          bytes[bytes.length - 1] ^= 1;
          return new ByteArrayInputStream(bytes);
        });
  }

  @Test
  void aClosedFilterTakesQueriesOnly() throws IOException {
    DurableFilter<Long> filter = workload.open(storage, SyncPolicy.EVERY_SECOND);
    filter.add(1L);
    filter.close();
    assertTrue(filter.mightContain(1L));
    assertThrows(IllegalStateException.class, () -> filter.add(2L));
    assertThrows(IllegalStateException.class, () -> filter.addHashes(new long[2], 0, 2));
    assertThrows(IllegalStateException.class, filter::sync);
    assertThrows(IllegalStateException.class, filter::compact);
  }
}
