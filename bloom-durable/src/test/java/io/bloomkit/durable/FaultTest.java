package io.bloomkit.durable;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomkit.DeletableFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.internal.format.FilterContents;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Full and failing disks, locks, and misuse. */
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
            filter -> filter.log.remove(filter.hashOf(1L), true),
            filter -> filter.addHashes(new long[] {filter.hashOf(2L)}, 0, 1),
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
    return (Storage)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Storage.class},
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
              if (method.getName().equals("write")) {
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
    copyFiles(folder, copy);
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

  /** Compactions in the background as soon as the log is longer than the snapshot. */
  private static final DurableFolder.Settings COMPACTING =
      new DurableFolder.Settings(SyncPolicy.ON_SYNC, Long.MAX_VALUE, 100, 0, /* checkMillis= */ 1);

  /** Each begins another segment. */
  @Test
  void compactionsThatKeepFailingBecomeRare() throws Exception {
    List<Long> failures = Collections.synchronizedList(new ArrayList<>());
    Storage full =
        (Storage)
            Proxy.newProxyInstance(
                FaultTest.class.getClassLoader(),
                new Class<?>[] {Storage.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("create")
                      && String.valueOf(arguments[0]).startsWith("snapshot-")
                      && storage.list().contains(FolderNames.IDENTITY)) {
                    failures.add(System.nanoTime());
                    throw new IOException("No space left on device");
                  }
                  return method.invoke(storage, arguments);
                });
    try (DurableFilter<Long> filter =
        new DurableFilter<>(
            DurableFolder.open(
                full.path(""), () -> {}, full, workload.builder, null, COMPACTING))) {
      filter.addHashes(new long[1000], 0, 1000);
      for (int i = 0; i < 6000 && failures.size() < 4; i++) {
        Thread.sleep(10);
      }
      long nanos = failures.get(3) - failures.get(2); // after 100 and 200 ms
      assertTrue(nanos >= 400_000_000, "the next one after " + nanos + " ns");
    }
  }

  /** Runs a task for each warning of durable filters until it is closed. */
  private static final class WarningHandler extends Handler implements AutoCloseable {

    private final Logger logger = Logger.getLogger(DurableFilter.class.getName());
    private final @Nullable Level level = logger.getLevel();
    private final Runnable task;

    WarningHandler(Runnable task) {
      this.task = task;
      logger.setLevel(Level.WARNING);
      logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord entry) {
      task.run();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      logger.removeHandler(this);
      logger.setLevel(level);
    }
  }

  /**
   * Otherwise, threads would go on in an unlocked folder, or the log would be compacted no more.
   */
  @SuppressWarnings("try") // the handler only works
  @Test
  void aLoggerThatThrowsHarmsNothing() throws Exception {
    JournalStorage torn = new JournalStorage();
    workload.open(torn, SyncPolicy.ON_SYNC).close();
    String log = FolderNames.log(1);
    torn.setBytes(log, Arrays.copyOf(torn.bytes(log), LogFormat.HEADER_BYTES + 1));
    Runnable failure =
        () -> {
          throw new IllegalStateException("by a test");
        };
    try (WarningHandler handler = new WarningHandler(failure)) {
      assertThrows(
          IllegalStateException.class,
          () ->
              DurableFolder.open(
                  torn.path("torn"), () -> {}, torn, workload.builder, null, COMPACTING));
      assertTrue(
          Thread.getAllStackTraces().keySet().stream()
              .noneMatch(thread -> thread.getName().endsWith(" " + torn.path("torn"))));
      compactionsThatKeepFailingBecomeRare();
    }
  }

  private DurableFilter<Long> open(DurableFolder.Settings settings) throws IOException {
    return new DurableFilter<>(
        DurableFolder.open(storage.path(""), () -> {}, storage, workload.builder, null, settings));
  }

  /** The background thread that logs cannot wait for its own end. */
  @SuppressWarnings("try") // the handler only works
  @Test
  void aLoggerMayCloseTheFilter() throws Exception {
    CompletableFuture<DurableFilter<Long>> opened = new CompletableFuture<>();
    CountDownLatch closed = new CountDownLatch(1);
    Runnable closing =
        () -> {
          storage.limit(Long.MAX_VALUE);
          close(opened.join());
          closed.countDown();
        };
    try (WarningHandler handler = new WarningHandler(closing)) {
      DurableFilter<Long> filter = open(COMPACTING);
      opened.complete(filter);
      storage.limit(LogFormat.frameBytes(LogFormat.ADDITIONS, 1000)); // so a compaction fails
      filter.addHashes(new long[1000], 0, 1000);
      assertTrue(closed.await(30, TimeUnit.SECONDS));
      filter.close();
    }
  }

  /** Neither can wait for the other one. */
  @SuppressWarnings("try") // the handler only works
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @Test
  void bothBackgroundThreadsMayCloseTheFilter() throws Exception {
    CompletableFuture<DurableFilter<Long>> opened = new CompletableFuture<>();
    CountDownLatch begun = new CountDownLatch(2);
    CountDownLatch closed = new CountDownLatch(2);
    Runnable closing =
        () -> {
          begun.countDown();
          while (begun.getCount() > 0) {
            Thread.onSpinWait(); // the other one may interrupt this thread
          }
          close(opened.join());
          closed.countDown();
        };
    DurableFolder.Settings settings =
        new DurableFolder.Settings(SyncPolicy.EVERY_SECOND, Long.MAX_VALUE, 1, 50, 5);
    try (WarningHandler handler = new WarningHandler(closing)) {
      DurableFilter<Long> filter = open(settings);
      opened.complete(filter);
      storage.limit(LogFormat.frameBytes(LogFormat.ADDITIONS, 1000));
      filter.addHashes(new long[1000], 0, 1000);
      while (begun.getCount() > 1) { // until a compaction finds no room
        Thread.sleep(1);
      }
      for (long i = 0; begun.getCount() > 0; i++) { // until a sync does
        addUnlessFailed(filter, i);
        Thread.sleep(1);
      }
      assertTrue(closed.await(30, TimeUnit.SECONDS));
      filter.close();
    }
  }

  private static void close(DurableFilter<Long> filter) {
    try {
      filter.close();
    } catch (IOException e) {
      // the log has failed
    }
  }

  private static void addUnlessFailed(DurableFilter<Long> filter, long element) {
    try {
      filter.addLong(element);
    } catch (UncheckedIOException e) {
      // the disk is full
    }
  }

  /** Else it would never wait again. */
  @Test
  void aBackgroundThreadDoesNotStayInterrupted(@TempDir Path folder) throws Exception {
    try (DurableFilter<String> filter = DurableFilter.open(folder, texts())) {
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().endsWith(" " + folder.toRealPath())) {
          thread.interrupt();
          for (int i = 0; i < 1000 && thread.isInterrupted(); i++) {
            Thread.sleep(10);
          }
          assertFalse(thread.isInterrupted());
        }
      }
      assertFalse(filter.hasFailed());
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

  private static ClassicBloomFilter.Builder<CharSequence> texts() {
    return ClassicBloomFilter.builder(HashStrategies.utf8()).expecting(100, 0.01);
  }

  @Test
  void oneFilterHasTheFolder(@TempDir Path folder) throws IOException {
    Path mine = folder.resolve("seen");
    DurableFilter<String> filter = DurableFilter.open(mine, texts());
    FileSystemException e =
        assertThrows(FileSystemException.class, () -> DurableFilter.open(mine, texts()));
    assertTrue(String.valueOf(e.getMessage()).contains("has it open"), e.getMessage());
    filter.add("a");
    filter.close();
    filter.close();
    try (DurableFilter<String> again = DurableFilter.open(mine, texts())) {
      assertTrue(again.mightContain("a"));
      assertFalse(again.mightContain("b"));
    }
  }

  @Test
  void aRefusedFolderIsNotChanged(@TempDir Path folder) throws IOException {
    Path foreign = Files.createDirectory(folder.resolve("foreign"));
    Files.writeString(foreign.resolve("letter.txt"), "text");
    assertThrows(FileSystemException.class, () -> DurableFilter.open(foreign, texts()));
    assertThrows(
        FileSystemException.class, () -> DurableFilter.create(foreign, texts().<String>build()));
    Path none = folder.resolve("none");
    assertThrows(
        IllegalStateException.class,
        () -> DurableFilter.open(none, ClassicBloomFilter.builder(HashStrategies.utf8())));
    try (Stream<Path> files = Files.walk(folder)) {
      assertEquals(
          List.of(folder, foreign, foreign.resolve("letter.txt")), files.sorted().toList());
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aLinkMayPointElsewhereLater(@TempDir Path folder) throws IOException {
    Path one = Files.createDirectory(folder.resolve("one"));
    Path two = Files.createDirectory(folder.resolve("two"));
    Path current = Files.createSymbolicLink(folder.resolve("current"), one);
    try (DurableFilter<String> filter = DurableFilter.open(current, texts())) {
      filter.add("a");
      Files.delete(current);
      Files.createSymbolicLink(current, two);
      filter.compact();
      filter.add("b");
    }
    try (DurableFilter<String> filter = DurableFilter.open(one, texts());
        Stream<Path> files = Files.list(two)) {
      assertTrue(filter.mightContain("a") && filter.mightContain("b"));
      assertEquals(0, files.count());
    }
  }

  private static void assertMoved(Path folder, DurableFilter<String> filter) {
    UncheckedIOException e = assertThrows(UncheckedIOException.class, filter::sync);
    assertTrue(String.valueOf(e.getMessage()).contains(folder + ": it was moved"), e.getMessage());
    assertThrows(IOException.class, filter::close);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aFolderThatIsMovedTakesNoMoreUpdates(@TempDir Path temporary) throws IOException {
    Path folder = temporary.resolve("seen");
    Path moved = temporary.resolve("moved");
    DurableFilter<String> filter = DurableFilter.open(folder, texts(), SyncPolicy.EVERY_UPDATE);
    filter.add("a");
    Files.move(folder, moved);
    assertThrows(UncheckedIOException.class, () -> filter.add("b"));
    assertMoved(folder, filter);
    try (DurableFilter<String> again = DurableFilter.open(moved, texts())) {
      assertTrue(again.mightContain("a"));
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aFolderThatIsReplacedIsNotChanged(@TempDir Path temporary) throws IOException {
    for (boolean isCopied : new boolean[] {false, true}) {
      Path folder = temporary.resolve("seen " + isCopied);
      Path moved = temporary.resolve("moved " + isCopied);
      DurableFilter<String> filter = DurableFilter.open(folder, texts(), SyncPolicy.ON_SYNC);
      filter.add("a");
      filter.sync();
      Files.move(folder, moved);
      Files.createDirectory(folder);
      if (isCopied) {
        copyFiles(moved, folder);
      }
      List<String> before = names(folder);
      IOException e = assertThrows(IOException.class, filter::compact);
      assertTrue(String.valueOf(e.getMessage()).contains("it was moved"), e.getMessage());
      filter.add("b");
      assertMoved(folder, filter);
      assertEquals(before, names(folder));
      for (Path path : isCopied ? List.of(folder, moved) : List.of(moved)) {
        try (DurableFilter<String> again = DurableFilter.open(path, texts())) {
          assertTrue(again.mightContain("a"));
        }
      }
    }
  }

  /** Another process may have locked the new one. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aFolderThatIsReplacedOnceItIsLockedIsNotChanged(@TempDir Path temporary) throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("seen"));
    try (FolderLock lock = FolderLock.lock(folder)) {
      Files.move(folder, temporary.resolve("moved"));
      Files.createDirectory(folder);
      Files.createFile(folder.resolve(FolderNames.LOCK));
      List<String> before = names(folder);
      Storage files = new FolderStorage(folder, lock.state());
      FileSystemException e =
          assertThrows(FileSystemException.class, () -> files.create(FolderNames.IDENTITY));
      assertTrue(String.valueOf(e.getMessage()).contains("it was moved"), e.getMessage());
      assertEquals(before, names(folder));
    }
  }

  @Test
  void aFolderIsClaimedBeforeItsLockIsCreated(@TempDir Path folder) throws IOException {
    Object key = Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
    String claim = "io.bloomkit.durable.lock.folder " + (key == null ? folder.toRealPath() : key);
    System.setProperty(claim, ""); // by a thread that creates it, by whatever path
    try {
      assertThrows(FileSystemException.class, () -> DurableFilter.open(folder, texts()));
      assertFalse(Files.exists(folder.resolve(FolderNames.LOCK)));
    } finally {
      System.clearProperty(claim);
    }
    DurableFilter.open(folder, texts()).close();
  }

  @Test
  void aFolderThatCouldNotBeForcedOnceIsNotTakenForOneThatNeverCan(@TempDir Path folder) {
    assertFalse(FolderStorage.isNeverForced(folder));
    Path unforced = Path.of("/proc");
    assertEquals(Files.isDirectory(unforced), FolderStorage.isNeverForced(unforced));
  }

  /** Then another process may have the folder. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aFolderWhoseLockIsDeletedTakesNoMoreUpdates(@TempDir Path folder) throws IOException {
    DurableFilter<String> filter = DurableFilter.open(folder, texts(), SyncPolicy.ON_SYNC);
    filter.add("a");
    Files.delete(folder.resolve(FolderNames.LOCK));
    assertMoved(folder, filter);
  }

  /** The process was paused before a write since before it lost the lock. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisabledOnOs(OS.WINDOWS)
  void aLateWriteOfAProcessWithoutItsLockLosesNoUpdate(boolean isCompacted, @TempDir Path folder)
      throws IOException {
    DurableFilter.open(folder, texts()).close();
    DurableFilter<String> first = DurableFilter.open(folder, texts(), SyncPolicy.ON_SYNC);
    if (isCompacted) {
      first.compact();
    }
    Path log = folder.resolve(FolderNames.log(isCompacted ? 2 : 1));
    try (RandomAccessFile paused = new RandomAccessFile(log.toFile(), "rw")) {
      paused.seek(first.logBytes());
      Files.delete(folder.resolve(FolderNames.LOCK));
      try (DurableFilter<String> second = DurableFilter.open(folder, texts())) {
        second.add("a");
      }
      paused.write(new byte[LogFormat.FRAME_BYTES]);
    }
    assertThrows(IOException.class, first::close);
    try (DurableFilter<String> again = DurableFilter.open(folder, texts())) {
      assertTrue(again.mightContain("a"));
    }
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(Path::toString).sorted().toList();
    }
  }

  private static void copyFiles(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void aBuilderMayBeChangedLater(@TempDir Path folder) throws IOException {
    var builder =
        ExpiringCuckooFilter.builder(HashStrategies.utf8())
            .expecting(1000, 0.01)
            .expireAfterAdd(Duration.ofHours(1));
    try (DurableFilter<String> filter = DurableFilter.open(folder, builder)) {
      filter.add("a");
      builder.expecting(5000, 0.01);
      filter.compact();
    }
  }

  /** A lock of the file that is opened again before it is closed would end with that. */
  @Test
  void aFolderThatIsClosedAndOpenedAtOnceIsLocked(@TempDir Path folder) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(3);
    try {
      List<Callable<Integer>> tasks = Collections.nCopies(3, () -> lockOften(folder));
      int held = 0;
      for (Future<Integer> task : pool.invokeAll(tasks)) {
        held += task.get(); // one thread may be refused each time
      }
      assertTrue(held > 0);
    } finally {
      pool.shutdown();
    }
  }

  /** As by this class in another class loader. */
  @Test
  void aLockOfAnotherClassLoaderIsKept(@TempDir Path folder) throws Exception {
    DurableFilter.open(folder, Kind.DYNAMIC.builder(200, new Kind.Clock())).close();
    try (FileChannel other =
        FileChannel.open(folder.resolve(FolderNames.LOCK), StandardOpenOption.WRITE)) {
      other.lock();
      FileSystemException e =
          assertThrows(FileSystemException.class, () -> FolderLock.lock(folder));
      assertTrue(String.valueOf(e.getMessage()).contains("this process has it"), e.getMessage());
      System.gc(); // which would close the channel of the refused lock
      Thread.sleep(300);
      Process process = KilledWriter.process(folder, Kind.DYNAMIC, 0).start();
      process.getInputStream().close(); // if it had the folder, it would end at its first line
      String errors = new String(process.getErrorStream().readAllBytes(), US_ASCII);
      assertTrue(errors.contains("another process has it open"), errors);
    }
  }

  /** As of two web applications: a refused one must not end the lock of the other. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void anotherClassLoaderIsRefusedWithoutAFile(@TempDir Path folder) throws Exception {
    Path file = folder.resolve(FolderNames.LOCK);
    FolderLock lock = FolderLock.lock(folder);
    try (URLClassLoader loader = anotherLoader()) {
      Class<?> other = loader.loadClass(FolderLock.class.getName());
      for (String name : List.of("lock", "lockToRead")) {
        Method method = other.getDeclaredMethod(name, Path.class);
        method.setAccessible(true);
        InvocationTargetException refusal =
            assertThrows(InvocationTargetException.class, () -> method.invoke(null, folder));
        String message = String.valueOf(refusal.getCause());
        assertTrue(message.contains("this process has it open"), message);
        assertEquals(1, openFiles(file), "closing a second one would end the lock");
      }
    }
    lock.close();
    assertEquals(0, openFiles(file));
    FolderLock.lockToRead(folder).close();
    FolderLock.lock(folder).close();
  }

  private static URLClassLoader anotherLoader() {
    URL classes = FolderLock.class.getProtectionDomain().getCodeSource().getLocation();
    return new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader());
  }

  private static long openFiles(Path file) throws IOException {
    long open = 0;
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        try {
          open += Files.isSameFile(descriptor, file) ? 1 : 0;
        } catch (IOException e) {
          // of the stream of descriptors, which is closed
        }
      }
    }
    return open;
  }

  private static int lockOften(Path folder) throws IOException {
    int held = 0;
    for (int i = 0; i < 2000; i++) {
      try {
        FolderLock.lock(folder).close();
        held++;
      } catch (FileSystemException e) { // the only refusal
        assertTrue(String.valueOf(e.getMessage()).contains("this process has it open"));
      }
    }
    return held;
  }

  @Test
  void eachFolderThatMayBeNewIsForced(@TempDir Path temporary) throws IOException {
    Path folder = temporary.toRealPath();
    List<Path> above = new ArrayList<>();
    for (Path parent = folder; parent != null; parent = parent.getParent()) {
      above.add(parent);
    }
    Path a = folder.resolve("a");
    Path nested = a.resolve("b").resolve("c");
    List<Path> all = new ArrayList<>(List.of(a.resolve("b"), a));
    all.addAll(above);
    assertEquals(all, DurableFolder.parentsToForce(nested));
    Files.createDirectory(a);
    assertEquals(
        all, DurableFolder.parentsToForce(nested), "a process that was killed may have created a");
    DurableFilter.open(nested, texts()).close();
    assertEquals(
        all,
        DurableFolder.parentsToForce(nested),
        "another process may have created it just before");
  }

  /** The name of a link may be in memory only, too, and that of a link to which it leads. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void theFoldersOfLinksAreForced(@TempDir Path temporary) throws IOException {
    Path folder = Files.createDirectories(temporary.resolve("data/seen"));
    Path links = Files.createDirectory(temporary.resolve("links"));
    Path more = Files.createDirectory(temporary.resolve("more"));
    Files.createSymbolicLink(links.resolve("data"), Path.of("../more/data"));
    Files.createSymbolicLink(more.resolve("data"), folder.getParent());
    Path named = links.resolve("data").resolve(folder.getFileName());
    Set<Path> forced = new HashSet<>();
    for (Path parent : DurableFolder.parentsToForce(named)) {
      forced.add(parent.toRealPath());
    }
    for (Path parent : List.of(links, more, folder.getParent(), temporary)) {
      assertTrue(forced.contains(parent.toRealPath()), parent + " of " + forced);
    }
    DurableFilter.open(named, texts()).close();
  }

  @Test
  void aFileIsNoFolder(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("seen"), "text");
    FileSystemException e =
        assertThrows(FileSystemException.class, () -> DurableFilter.open(file, texts()));
    assertTrue(String.valueOf(e.getMessage()).contains("it is a file"), e.getMessage());
  }

  /** Changes what the first listing of the storage returns. */
  private Storage changingFirstList(Consumer<SortedSet<String>> change) {
    AtomicInteger listings = new AtomicInteger();
    return (Storage)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Storage.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("list")) {
                SortedSet<String> names = storage.list();
                if (listings.getAndIncrement() == 0) {
                  change.accept(names);
                }
                return names;
              }
              return method.invoke(storage, arguments);
            });
  }

  /** The first listing saw neither the old nor the new name. */
  @Test
  void anIdentityThatIsRenamedWhileFilesAreListedIsNotMissing() throws IOException {
    workload.open(storage, SyncPolicy.ON_SYNC).close();
    Storage renaming = changingFirstList(names -> names.remove(FolderNames.IDENTITY));
    assertTrue(LoadedFolder.identity(renaming).isPresent());
  }

  /** The first listing saw the old name, and the log has frames when its size is read. */
  @Test
  void anIdentityThatIsRenamedAfterFilesWereListedIsNotMissing() throws IOException {
    DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC);
    workload.update(filter);
    filter.close();
    Storage renaming =
        changingFirstList(
            names -> {
              names.remove(FolderNames.IDENTITY);
              names.add(FolderNames.NEW_IDENTITY);
            });
    assertTrue(LoadedFolder.identity(renaming).isPresent());
  }

  @Test
  void aFolderThatAnotherProcessCreatesIsNotTakenForAFile(@TempDir Path temporary)
      throws Exception {
    Path folder = temporary.resolve("seen");
    ExecutorService pool = Executors.newFixedThreadPool(1);
    try {
      for (int i = 0; i < 500; i++) {
        Future<Path> created = pool.submit(() -> Files.createDirectory(folder));
        boolean isDone;
        do {
          isDone = created.isDone();
          assertFalse(DurableFolder.hasFilter(folder));
        } while (!isDone);
        Files.delete(created.get());
      }
    } finally {
      pool.shutdown();
    }
  }

  private static void assertNoPermission(Path folder, Executable opening) {
    AccessDeniedException e = assertThrows(AccessDeniedException.class, opening);
    assertEquals(folder.resolve("lock") + ": no permission to write the folder", e.getMessage());
  }

  @Test
  void aFolderWithoutWritePermissionIsRefused(@TempDir Path folder) throws IOException {
    assumeTrue(folder.toFile().setWritable(false));
    try {
      assumeFalse(Files.isWritable(folder), "root may write anywhere: see the next test");
      assertNoPermission(folder, () -> DurableFilter.open(folder, texts()));
    } finally {
      folder.toFile().setWritable(true);
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aFolderThatCannotBeReadIsNotTakenForForced(@TempDir Path folder) throws IOException {
    assumeTrue(folder.toFile().setReadable(false));
    try {
      assumeFalse(Files.isReadable(folder), "root may read anywhere");
      assertThrows(AccessDeniedException.class, () -> FolderStorage.forceFolder(folder));
      Path created = folder.resolve("a/b");
      assertThrows(
          AccessDeniedException.class,
          () -> DurableFilter.open(created, workload.builder, SyncPolicy.ON_SYNC));
      assertFalse(Files.exists(created.getParent()), "its name is written again with the next try");
    } finally {
      folder.toFile().setReadable(true);
    }
  }

  /** As when a filter is closed while it is compacted. */
  @Test
  void anInterruptIsNoFailureOfTheDisk(@TempDir Path folder) throws Exception {
    Storage storage = new FolderStorage(folder);
    Thread caller = Thread.currentThread();
    AtomicBoolean isDone = new AtomicBoolean();
    Thread interrupter =
        new Thread(
            () -> {
              while (!isDone.get()) {
                caller.interrupt();
              }
            });
    interrupter.start();
    int interrupts = 0;
    try {
      for (int i = 0; i < 300; i++) {
        storage.forceNames();
        interrupts += Thread.interrupted() ? 1 : 0;
      }
    } finally {
      isDone.set(true);
      while (interrupter.isAlive()) {
        Thread.onSpinWait();
      }
      Thread.interrupted();
    }
    assertTrue(interrupts > 100, interrupts + " interrupts are kept");
    assertEquals(Set.of(), storage.list());
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
    return (Storage)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Storage.class},
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

  /** No user may create files in this folder. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aFolderInWhichEvenRootMayNotWriteIsRefused() {
    Path folder = Path.of("/sys/kernel");
    assumeTrue(Files.isDirectory(folder));
    assertNoPermission(folder, () -> FolderLock.lock(folder));
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

  @Test
  void anInterruptedThreadMayUpdate(@TempDir Path folder) throws IOException {
    try (DurableFilter<String> filter =
        DurableFilter.open(folder.resolve("seen"), texts(), SyncPolicy.EVERY_UPDATE)) {
      Thread.currentThread().interrupt();
      filter.add("a");
      filter.sync();
      assertTrue(Thread.interrupted());
      filter.add("b");
    }
  }

  @Test
  void updatesBecomeDurableInTheBackground(@TempDir Path folder) throws Exception {
    try (DurableFilter<String> filter = DurableFilter.open(folder.resolve("seen"), texts())) {
      var opened = filter.lastSync();
      long empty = filter.logBytes();
      filter.add("a");
      for (int i = 0; i < 1000 && filter.logBytes() == empty; i++) {
        Thread.sleep(10);
      }
      assertEquals(empty + LogFormat.FRAME_BYTES + 8, filter.logBytes());
      for (int i = 0; i < 1000 && !filter.lastSync().isAfter(opened); i++) {
        Thread.sleep(10);
      }
      assertTrue(filter.lastSync().isAfter(opened));
    }
  }
}
