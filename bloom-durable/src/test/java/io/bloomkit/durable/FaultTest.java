package io.bloomkit.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    storage.failToForce(true);
    assertThrows(UncheckedIOException.class, () -> filter.add(7L));
    storage.failToForce(false);
    int forces = storage.forces();
    assertThrows(UncheckedIOException.class, () -> filter.add(7L));
    assertThrows(UncheckedIOException.class, filter::sync);
    assertEquals(forces, storage.forces());
    assertThrows(IOException.class, filter::close);
    assertEquals(forces, storage.forces());
  }

  @Test
  void aCompactionWithoutRoomKeepsTheLog() throws IOException {
    DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC);
    for (int i = 0; i < 20; i++) {
      workload.update(filter);
    }
    filter.sync();
    storage.limit(150); // for another segment, but not for the snapshot
    assertThrows(IOException.class, filter::compact);
    storage.limit(Long.MAX_VALUE);
    workload.update(filter);
    filter.compact();
    workload.update(filter);
    filter.close();
    try (DurableFilter<Long> again = workload.open(storage, SyncPolicy.ON_SYNC)) {
      assertEquals(workload.models.get(22), again.filter());
      assertEquals(1, again.recovery().updates());
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
  void aFileIsNoFolder(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("seen"), "text");
    FileSystemException e =
        assertThrows(FileSystemException.class, () -> DurableFilter.open(file, texts()));
    assertTrue(String.valueOf(e.getMessage()).contains("it is a file"), e.getMessage());
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
