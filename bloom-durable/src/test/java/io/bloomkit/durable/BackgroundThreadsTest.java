package io.bloomkit.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The threads that sync and compact, and what they log. */
class BackgroundThreadsTest {

  private final JournalStorage storage = new JournalStorage();
  private final Workload workload = new Workload(Kind.COUNTING, 9);

  /** Compactions in the background as soon as the log is longer than the snapshot. */
  private static final DurableFolder.Settings COMPACTING =
      new DurableFolder.Settings(SyncPolicy.ON_SYNC, Long.MAX_VALUE, 100, 0, /* checkMillis= */ 1);

  /** Each begins another segment. */
  @Test
  void compactionsThatKeepFailingBecomeRare() throws Exception {
    List<Long> failures = Collections.synchronizedList(new ArrayList<>());
    Storage full =
        JournalStorage.intercepted(
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
    try (DurableFilter<String> filter = DurableFilter.open(folder, Kind.texts())) {
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        String name = thread.getName();
        boolean hasEnded =
            name.startsWith("bloom-durable-force "); // or ends now; stays interrupted
        if (name.endsWith(" " + folder.toRealPath()) && !hasEnded) {
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
  void updatesBecomeDurableInTheBackground(@TempDir Path folder) throws Exception {
    try (DurableFilter<String> filter = DurableFilter.open(folder.resolve("seen"), Kind.texts())) {
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
