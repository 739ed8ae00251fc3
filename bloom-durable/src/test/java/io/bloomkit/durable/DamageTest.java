package io.bloomkit.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.LittleEndian;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.Test;

/** Damaged, missing, exchanged and forged files. */
class DamageTest {

  private static final int UPDATES = 40;
  private static final int DURABLE = 36;

  private final JournalStorage storage = new JournalStorage();
  private final Workload workload = new Workload(Kind.COUNTING, 8);

  /**
   * Leaves a snapshot and three segments, of which the last ends with frames that are not forced.
   */
  private Workload.Moment fill(boolean closes) throws IOException {
    DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC);
    for (int i = 0; i < UPDATES; i++) {
      workload.update(filter);
      if (i == 5) {
        filter.compact();
      } else if (i == 15 || i == 25) {
        filter.log.beginSegment();
      } else if (i == 30 || i == DURABLE - 1) {
        filter.sync();
      }
    }
    if (closes) {
      filter.close();
    }
    return new Workload.Moment(
        storage.events(), closes ? UPDATES : DURABLE, UPDATES, workload.clock.millis.get());
  }

  private static Map<String, String> contents(JournalStorage storage) throws IOException {
    Map<String, String> contents = new HashMap<>();
    for (String name : storage.list()) {
      contents.put(name, Arrays.toString(storage.bytes(name)));
    }
    return contents;
  }

  /** Opens a copy; returns the recovery, or empty if the folder was refused and not changed. */
  private Optional<Recovery> open(JournalStorage damaged, String name, Workload.Moment moment)
      throws IOException {
    Map<String, String> before = contents(damaged);
    try (DurableFilter<Long> filter = workload.open(damaged, SyncPolicy.ON_SYNC)) {
      workload.check(filter.filter(), moment, "damaged " + name);
      return Optional.of(filter.recovery());
    } catch (FilterFormatException e) {
      assertTrue(String.valueOf(e.getMessage()).contains(name), e.getMessage());
      assertEquals(before, contents(damaged));
      return Optional.empty();
    }
  }

  private static JournalStorage copy(JournalStorage storage) {
    return storage.afterKill(storage.events());
  }

  @Test
  void eachFlippedBitOfAClosedFolderIsRefusedOrInTheLastMark() throws IOException {
    Workload.Moment moment = fill(true);
    for (String name : storage.list()) {
      byte[] bytes = storage.bytes(name);
      boolean isLast = name.equals(FolderNames.log(4));
      for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
        byte[] flipped = bytes.clone();
        flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        JournalStorage damaged = copy(storage);
        damaged.setBytes(name, flipped);
        Optional<Recovery> recovery = open(damaged, name, moment);
        boolean isMark = isLast && bit / Byte.SIZE >= bytes.length - LogFormat.FRAME_BYTES;
        assertEquals(isMark, recovery.isPresent(), name + " bit " + bit);
      }
    }
  }

  @Test
  void eachFlippedBitOfALogThatWasNotClosedIsRefusedOrInTheLastFrame() throws IOException {
    fill(false);
    DurableFilter<Long> filter = workload.open(copy(storage), SyncPolicy.ON_SYNC);
    assertEquals(0, filter.recovery().bytesCut());
    // The last two frames were forced, but no later frame can tell that of the last one.
    String name = FolderNames.log(4);
    byte[] bytes = storage.bytes(name);
    int refused = 0;
    int cut = 0;
    for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      JournalStorage damaged = copy(storage);
      damaged.setBytes(name, flipped);
      Optional<Recovery> recovery =
          open(damaged, name, new Workload.Moment(0, 31, UPDATES, workload.clock.millis.get()));
      if (recovery.isPresent()) {
        assertTrue(recovery.get().bytesCut() > 0);
        assertEquals(Optional.of(storage.path(name)), recovery.get().cutFile());
        cut++;
      } else {
        refused++;
      }
    }
    assertTrue(refused > 500 && cut > 500, refused + " refused, " + cut + " cut");
  }

  @Test
  void eachTruncationOfTheLastFrameIsCutOffAndReported() throws IOException {
    fill(false);
    String name = FolderNames.log(4);
    byte[] bytes = storage.bytes(name);
    int frame = LogFormat.frameBytes(LogFormat.MIXED, 5);
    Workload.Moment moment = new Workload.Moment(0, 31, UPDATES, workload.clock.millis.get());
    for (int length = bytes.length - frame; length < bytes.length; length++) {
      JournalStorage damaged = copy(storage);
      damaged.setBytes(name, Arrays.copyOf(bytes, length));
      Recovery recovery = open(damaged, name, moment).orElseThrow();
      assertEquals(length - (bytes.length - frame), recovery.bytesCut());
    }
    for (int length = 0; length < LogFormat.HEADER_BYTES; length++) {
      JournalStorage damaged = copy(storage);
      damaged.setBytes(name, Arrays.copyOf(bytes, length));
      assertEquals(Optional.empty(), open(damaged, name, moment));
    }
  }

  @Test
  void whatIsCutOffIsLogged() throws IOException {
    fill(false);
    String name = FolderNames.log(4);
    byte[] bytes = storage.bytes(name);
    storage.setBytes(name, Arrays.copyOf(bytes, bytes.length + 5));
    List<String> messages = new ArrayList<>();
    Logger logger = Logger.getLogger(DurableFilter.class.getName());
    logger.setLevel(Level.WARNING); // which the other tests are without
    Handler handler =
        new StreamHandler() {
          @Override
          public synchronized void publish(LogRecord message) {
            messages.add(new SimpleFormatter().formatMessage(message));
          }
        };
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      workload.open(storage, SyncPolicy.ON_SYNC).close();
      workload.open(storage, SyncPolicy.ON_SYNC).close();
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
      logger.setLevel(null);
    }
    assertEquals(
        List.of("cut 5 bytes of an incomplete write from the log in " + storage.path("")),
        messages);
  }

  private void assertRefused(JournalStorage damaged, String... parts) throws IOException {
    Map<String, String> before = contents(damaged);
    IOException e =
        assertThrows(IOException.class, () -> workload.open(damaged, SyncPolicy.ON_SYNC));
    for (String part : parts) {
      assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
    }
    assertEquals(before, contents(damaged));
  }

  @Test
  void missingExchangedAndDuplicatedFilesAreRefused() throws IOException {
    fill(true);
    for (String name : storage.list()) {
      JournalStorage damaged = copy(storage);
      damaged.delete(name);
      assertRefused(damaged, name.startsWith("snapshot") ? "snapshot" : name, "missing");
    }
    JournalStorage exchanged = copy(storage);
    byte[] second = exchanged.bytes(FolderNames.log(2));
    exchanged.setBytes(FolderNames.log(2), exchanged.bytes(FolderNames.log(3)));
    exchanged.setBytes(FolderNames.log(3), second);
    assertRefused(exchanged, FolderNames.log(2), "this is segment 3");
    JournalStorage duplicated = copy(storage);
    duplicated.setBytes(FolderNames.log(5), duplicated.bytes(FolderNames.log(4)));
    assertRefused(duplicated, FolderNames.log(4), "incomplete");
    JournalStorage newer = copy(storage);
    newer.rename(LoadedFolder.newestSnapshot(newer), FolderNames.snapshot(5, 0));
    assertRefused(newer, FolderNames.log(5), "missing");
  }

  @Test
  void aSegmentOfAnotherFolderIsRefused() throws IOException {
    fill(true);
    JournalStorage other = new JournalStorage();
    try (DurableFilter<Long> filter = workload.open(other, SyncPolicy.ON_SYNC)) {
      filter.add(1L);
      filter.log.beginSegment();
    }
    storage.setBytes(FolderNames.log(2), other.bytes(FolderNames.log(2)));
    assertRefused(storage, FolderNames.log(2), "belongs to the folder");
  }

  /** Two copies of a folder that went on with different updates, and then mixed. */
  @Test
  void filesOfAnotherCopyAreRefused() throws IOException {
    DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC);
    workload.update(filter);
    filter.close();
    JournalStorage other = copy(storage);
    for (JournalStorage each : List.of(storage, other)) {
      filter = workload.open(each, SyncPolicy.ON_SYNC);
      workload.update(filter);
      filter.log.beginSegment();
      workload.update(filter);
      filter.close();
    }
    JournalStorage mixed = copy(storage);
    mixed.setBytes(FolderNames.log(2), other.bytes(FolderNames.log(2)));
    assertRefused(mixed, FolderNames.log(2), "does not follow");
    for (JournalStorage each : List.of(storage, other)) {
      filter = workload.open(each, SyncPolicy.ON_SYNC);
      filter.compact();
      filter.close();
    }
    String snapshot = LoadedFolder.newestSnapshot(other);
    storage.delete(LoadedFolder.newestSnapshot(storage));
    storage.setBytes(snapshot, other.bytes(snapshot));
    assertRefused(storage, FolderNames.log(3), "does not follow the snapshot");
  }

  @Test
  void aNewerVersionIsRefused() throws IOException {
    fill(true);
    for (String name : new String[] {FolderNames.IDENTITY, FolderNames.log(3)}) {
      JournalStorage newer = copy(storage);
      byte[] bytes = newer.bytes(name);
      bytes[8] = 2;
      LittleEndian.putInt(bytes, 32, LogFormat.checksum(bytes, 0, 32));
      newer.setBytes(name, bytes);
      assertRefused(newer, name, "version 2", "up to version 1");
    }
  }

  @Test
  void forgedLengthsTakeNoMemory() throws IOException {
    fill(false);
    for (int count : new int[] {-1, Integer.MAX_VALUE, LogFormat.MAX_UPDATES, 1 << 28}) {
      JournalStorage forged = copy(storage);
      byte[] bytes = forged.bytes(FolderNames.log(4));
      LittleEndian.putInt(bytes, LogFormat.HEADER_BYTES + LogFormat.FRAME_BYTES + 12, count);
      forged.setBytes(FolderNames.log(4), bytes);
      assertRefused(forged, FolderNames.log(4), "damaged");
    }
  }

  @Test
  void otherFiltersThanThatOfTheFolderAreRefused() throws IOException {
    var longs = HashStrategies.longs();
    HashStrategy<Long> other = HashStrategy.of("other", element -> element * 31, 1L, 2L);
    assertAsked(
        Kind.COUNTING,
        ClassicBloomFilter.builder(longs).expecting(60, 0.01),
        "the folder has CountingBloomFilter, the builder asks for ClassicBloomFilter: build what"
            + " the folder has, or name another folder");
    assertAsked(
        Kind.COUNTING,
        CountingBloomFilter.builder(longs).expecting(61, 0.02),
        "the folder has expected number 60 and rate 0.01, the builder asks for expected number 61"
            + " and rate 0.02: build");
    assertAsked(
        Kind.COUNTING,
        CountingBloomFilter.builder(other).expecting(60, 0.01),
        "the folder has longs(rrmxmx)#",
        ", the builder asks for other#");
    assertAsked(
        Kind.COUNTING,
        CountingBloomFilter.builder(longs).shape(Shape.of(600, 0.01)),
        "the filter has 577 positions and 7 hashes, the builder asks for 5752 positions and 7");
    assertAsked(
        Kind.EXPIRING,
        ExpiringCuckooFilter.builder(longs).expecting(60, 0.01).expireAfterAdd(Duration.ofHours(1)),
        " and a time to live of 150 ms, the builder asks for expected number 60, ",
        " and a time to live of 3600000 ms: build it with what it has");
    assertAsked(
        Kind.WINDOW,
        ExpiringCuckooFilter.builder(longs).expecting(60, 0.01).window(600),
        " and a window of 60 insertions, the builder asks for expected number 60, ",
        " and a window of 600 insertions: ");
    assertAsked(
        Kind.SCALABLE,
        ScalableBloomFilter.builder(longs).expecting(600, 0.01),
        "the filter has initialCapacity 60, ",
        ", the builder asks for initialCapacity 600, ");
  }

  private static void assertAsked(Kind kind, FilterBuilder<Long> builder, String... parts)
      throws IOException {
    JournalStorage storage = new JournalStorage();
    Workload workload = new Workload(kind, 8);
    workload.open(storage, SyncPolicy.ON_SYNC).close();
    Map<String, String> before = contents(storage);
    FilterFormatException e =
        assertThrows(
            FilterFormatException.class,
            () ->
                DurableFolder.open(
                    storage.path(""),
                    () -> {},
                    storage,
                    builder,
                    null,
                    DurableFolder.Settings.of(SyncPolicy.ON_SYNC)));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains("snapshot-0000000001-"), message);
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
    assertEquals(before, contents(storage));
  }

  /** The next valid frame is far behind the damaged one. */
  @Test
  void damageFarFromTheNextFrameIsFound() throws IOException {
    fill(true);
    String name = FolderNames.log(4);
    byte[] bytes = storage.bytes(name);
    int maxFrame = LogFormat.frameBytes(LogFormat.MIXED, LogFormat.MAX_UPDATES);
    for (int distance :
        new int[] {8, maxFrame - 8, maxFrame, 2 * maxFrame - 32, 2 * maxFrame, 5 * maxFrame}) {
      JournalStorage damaged = copy(storage);
      byte[] apart = Arrays.copyOf(bytes, bytes.length + distance);
      int mark = bytes.length - LogFormat.FRAME_BYTES;
      Arrays.fill(apart, LogFormat.HEADER_BYTES, mark + distance, (byte) 0);
      System.arraycopy(bytes, mark, apart, mark + distance, LogFormat.FRAME_BYTES);
      damaged.setBytes(name, apart);
      assertRefused(damaged, name, "the frame is damaged, and was on the disk");
    }
  }

  /** As a file system may show in a block that it had not written yet. */
  @Test
  void framesOfADeletedSegmentAfterTheLastOnesAreCutOff() throws IOException {
    DurableFilter<Long> filter = workload.open(storage, SyncPolicy.EVERY_UPDATE);
    for (int number = 1; number < 12; number++) {
      for (int i = 0; i < 100; i++) {
        workload.update(filter);
      }
      byte[] old = storage.bytes(FolderNames.log(number));
      filter.compact();
      for (int i = 0; i < 20; i++) {
        workload.update(filter);
      }
      assertCutOff(FolderNames.log(number + 1), old);
    }
    filter.close();
  }

  private void assertCutOff(String name, byte[] old) throws IOException {
    byte[] present = storage.bytes(name);
    int gap = present.length + LogFormat.FRAME_BYTES; // also if the frames have other offsets
    for (int at : new int[] {present.length, gap, gap + 1}) {
      byte[] shown = Arrays.copyOf(present, at + old.length - present.length);
      System.arraycopy(old, present.length, shown, at, old.length - present.length);
      JournalStorage cut = copy(storage);
      cut.setBytes(name, shown);
      try (DurableFilter<Long> again = workload.open(cut, SyncPolicy.ON_SYNC)) {
        assertEquals(workload.models.get(workload.updates()), again.filter(), name);
        assertEquals(shown.length - present.length, again.recovery().bytesCut());
      }
    }
  }

  @Test
  void bytesThatAreInsertedIntoAClosedLogOrMissingAreRefused() throws IOException {
    fill(true);
    String name = FolderNames.log(4);
    byte[] bytes = storage.bytes(name);
    for (int at = 0; at < bytes.length - LogFormat.FRAME_BYTES; at++) {
      byte[] inserted = Arrays.copyOf(bytes, bytes.length + 1);
      System.arraycopy(bytes, at, inserted, at + 1, bytes.length - at);
      inserted[at]++;
      byte[] missing = Arrays.copyOf(bytes, bytes.length - 1);
      System.arraycopy(bytes, at + 1, missing, at, missing.length - at);
      int later = Math.min(at + 40, bytes.length - LogFormat.FRAME_BYTES);
      byte[] shorter = Arrays.copyOf(bytes, at + bytes.length - later);
      System.arraycopy(bytes, later, shorter, at, bytes.length - later);
      for (byte[] changed : List.of(inserted, missing, shorter)) {
        JournalStorage damaged = copy(storage);
        damaged.setBytes(name, changed);
        assertRefused(damaged, name, "");
      }
    }
  }

  /** As many frames as possible that would each take a checksum of much of the file. */
  @Test
  void overlappingFramesAreCheckedOnce() throws IOException {
    fill(true);
    String name = FolderNames.log(4);
    byte[] forged = Arrays.copyOf(storage.bytes(name), 1 << 16);
    for (int at = LogFormat.HEADER_BYTES; at < forged.length - LogFormat.FRAME_BYTES; at += 32) {
      LittleEndian.putInt(forged, at + LogFormat.FRAME_TYPE, LogFormat.ADDITIONS);
      LittleEndian.putInt(forged, at + LogFormat.FRAME_COUNT, (forged.length - at) / 8 - 4);
      long forced = LogFormat.HEADER_BYTES + 8;
      LittleEndian.putLong(
          forged, at + LogFormat.FRAME_FORCED, forced ^ LogFormat.forcedMask(forged));
    }
    storage.setBytes(name, forged);
    assertRefused(storage, name, "the frame is damaged");
    long id = LogFormat.readIdentity(storage.bytes(FolderNames.IDENTITY));
    try (SegmentReader reader = SegmentReader.open(storage, id, 4, 0)) {
      assertNull(reader.next());
      assertTrue(reader.wasForced());
      assertTrue(reader.checkedBytes() < 2L * forged.length, "checked " + reader.checkedBytes());
    }
  }

  /** Names of files have ten digits. */
  @Test
  void aSegmentWithoutANumberIsNotBegun() throws IOException {
    workload.open(storage, SyncPolicy.ON_SYNC).close();
    long id = LogFormat.readIdentity(storage.bytes(FolderNames.IDENTITY));
    storage.delete(FolderNames.log(1));
    storage.setBytes(FolderNames.log(9_999_999_999L), LogFormat.logHeader(id, 9_999_999_999L));
    storage.rename(LoadedFolder.newestSnapshot(storage), FolderNames.snapshot(9_999_999_999L, 0));
    try (DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC)) {
      workload.update(filter);
      IOException e = assertThrows(IOException.class, filter::compact);
      assertTrue(String.valueOf(e.getMessage()).contains("10000000000"), e.getMessage());
      workload.update(filter);
    }
    try (DurableFilter<Long> filter = workload.open(storage, SyncPolicy.ON_SYNC)) {
      assertEquals(workload.models.get(2), filter.filter());
    }
  }

  @Test
  void bytesBehindAnIdentityAreRefused() throws IOException {
    fill(true);
    byte[] bytes = storage.bytes(FolderNames.IDENTITY);
    storage.setBytes(FolderNames.IDENTITY, Arrays.copyOf(bytes, bytes.length + 1));
    assertRefused(storage, FolderNames.IDENTITY, "no bytes after the identity");
  }

  /** A creation that was interrupted has left the temporary name of the identity. */
  @Test
  void aNewFolderWithoutIdentityIsRefused() throws IOException {
    workload.open(storage, SyncPolicy.ON_SYNC).close();
    storage.setBytes(
        FolderNames.log(1),
        Arrays.copyOf(storage.bytes(FolderNames.log(1)), LogFormat.HEADER_BYTES));
    byte[] identity = storage.bytes(FolderNames.IDENTITY);
    storage.delete(FolderNames.IDENTITY);
    assertRefused(storage, FolderNames.IDENTITY, "missing");
    storage.setBytes(FolderNames.NEW_IDENTITY, identity);
    workload.open(storage, SyncPolicy.ON_SYNC).close();
    assertEquals(3, storage.list().size());
  }

  @Test
  void aSnapshotOfAnInterruptedCreationIsNotUsed() throws IOException {
    Updates other = Updates.of(workload.builder.<Long>build());
    other.add(1, 0);
    for (int i = 0; i < 20; i++) { // the order of the names is random
      JournalStorage disk = new JournalStorage();
      workload.open(disk, SyncPolicy.ON_SYNC).close();
      disk.setBytes(LoadedFolder.newestSnapshot(disk), other.filter().toBytes());
      String log = FolderNames.log(1);
      disk.setBytes(log, Arrays.copyOf(disk.bytes(log), LogFormat.HEADER_BYTES));
      disk.rename(FolderNames.IDENTITY, FolderNames.NEW_IDENTITY);
      workload.open(disk, SyncPolicy.ON_SYNC).close();
      try (DurableFilter<Long> filter = workload.open(disk, SyncPolicy.ON_SYNC)) {
        assertEquals(workload.models.get(0), filter.filter());
      }
    }
  }

  /** Before the first update, the log has no frame that says which snapshot it follows. */
  @Test
  void aSnapshotOfAnotherFolderIsRefusedBeforeTheFirstUpdate() throws IOException {
    JournalStorage other = new JournalStorage();
    for (JournalStorage each : List.of(storage, other)) {
      workload.open(each, SyncPolicy.ON_SYNC).close();
      String log = FolderNames.log(1);
      each.setBytes(log, Arrays.copyOf(each.bytes(log), LogFormat.HEADER_BYTES));
    }
    String own = LoadedFolder.newestSnapshot(storage);
    String foreign = LoadedFolder.newestSnapshot(other);
    storage.setBytes(foreign, other.bytes(foreign));
    assertRefused(storage, "one folder has no two snapshots with the same number");
    storage.delete(own);
    assertRefused(storage, FolderNames.log(1), "does not follow the snapshot");
  }

  /** After a crash in a compaction, before the next update. */
  @Test
  void aLaterSnapshotOfAnotherFolderIsRefusedBeforeTheNextUpdate() throws IOException {
    JournalStorage other = new JournalStorage();
    for (JournalStorage each : List.of(storage, other)) {
      DurableFilter<Long> filter = workload.open(each, SyncPolicy.EVERY_UPDATE);
      workload.update(filter);
      each.failToDelete(true);
      filter.compact();
      each.failToDelete(false);
    }
    String own = LoadedFolder.newestSnapshot(storage);
    String foreign = LoadedFolder.newestSnapshot(other);
    storage.setBytes(foreign, other.bytes(foreign));
    assertRefused(storage, "one folder has no two snapshots with the same number");
    storage.delete(own);
    assertRefused(storage, FolderNames.log(1), "the snapshot does not follow this segment");
    storage.delete(foreign);
    workload.open(storage, SyncPolicy.ON_SYNC).close();
  }

  @Test
  void temporaryFilesOfOthersAreKept() throws IOException {
    workload.open(storage, SyncPolicy.ON_SYNC).close();
    storage.setBytes("thesis.tmp", new byte[10]);
    storage.setBytes(FolderNames.log(7) + FolderNames.TEMPORARY, new byte[10]);
    workload.open(storage, SyncPolicy.ON_SYNC).close();
    assertTrue(storage.list().contains("thesis.tmp"));
    assertEquals(4, storage.list().size());
    storage.delete(FolderNames.IDENTITY);
    storage.delete(FolderNames.log(1));
    storage.delete(LoadedFolder.newestSnapshot(storage));
    assertRefused(storage, "thesis.tmp: the folder must be empty");
  }

  @Test
  void aFolderWithOtherFilesIsRefused() throws IOException {
    storage.setBytes("letter.txt", new byte[10]);
    assertRefused(storage, "letter.txt: the folder must be empty or have a durable filter");
    assertFalse(storage.list().contains(FolderNames.IDENTITY));
  }
}
