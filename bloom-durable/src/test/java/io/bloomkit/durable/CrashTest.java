package io.bloomkit.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process that is killed, and a disk that forgets what was not forced, at every moment of a
 * workload with syncs, further segments and compactions: the filter has the updates up to one
 * moment, and all that were acknowledged.
 */
class CrashTest {

  private static final int UPDATES = 90;

  private final List<Workload.Moment> moments = new ArrayList<>();

  /** Runs a workload. Each event of the storage is after the moment with the same index. */
  private Workload run(Kind kind, SyncPolicy policy, JournalStorage journal, Storage storage)
      throws IOException {
    Workload workload = new Workload(kind, 5);
    workload.hasLargeUpdates = true;
    Random random = new Random(6);
    int acknowledged = 0;
    remember(workload, journal, 0, 0);
    DurableFilter<Long> filter = workload.open(storage, policy);
    for (int i = 0; i < UPDATES; i++) {
      remember(workload, journal, acknowledged, i + 1);
      workload.update(filter);
      acknowledged = policy == SyncPolicy.EVERY_UPDATE ? i + 1 : acknowledged;
      remember(workload, journal, acknowledged, i + 1);
      int choice = random.nextInt(24);
      if (choice < 4) {
        filter.sync();
        acknowledged = i + 1;
      } else if (choice == 4) {
        filter.log.beginSegment();
        acknowledged = i + 1;
      } else if (choice == 5) {
        filter.compact();
        acknowledged = i + 1;
      } else if (choice == 6) {
        filter.close();
        acknowledged = i + 1;
        remember(workload, journal, acknowledged, i + 1);
        filter = workload.open(storage, policy);
      }
      remember(workload, journal, acknowledged, i + 1);
    }
    filter.close();
    remember(workload, journal, UPDATES, UPDATES);
    return workload;
  }

  /** Remembers what holds until the next call: acknowledged before it, and begun until then. */
  private void remember(Workload workload, JournalStorage journal, int acknowledged, int begun) {
    while (moments.size() < journal.events()) {
      Workload.Moment last = moments.get(moments.size() - 1);
      moments.add(
          new Workload.Moment(moments.size(), last.acknowledged(), last.updates(), last.millis()));
    }
    Workload.Moment now =
        new Workload.Moment(journal.events(), acknowledged, begun, workload.clock.millis.get());
    if (moments.size() == journal.events()) {
      moments.add(now);
    } else {
      moments.set(journal.events(), now);
    }
  }

  /** Checks all subsets of what a crash may keep, or as many random ones as given. */
  private void checkAll(Workload workload, JournalStorage journal, int subsets) throws IOException {
    checkEach(1, workload, journal, subsets);
  }

  /** Checks each or, with a step of three, every third moment. */
  private void checkEach(int step, Workload workload, JournalStorage journal, int subsets)
      throws IOException {
    Random random = new Random(7);
    for (int i = List.of(Kind.values()).indexOf(workload.kind) % step;
        i < moments.size();
        i += step) {
      Workload.Moment moment = moments.get(i);
      checkKill(workload, journal, moment, random, Math.max(1, 16 / subsets));
      int[] choices = {0};
      checkCrash(workload, journal, moment, () -> choices[0]++ < 0, "nothing was kept");
      boolean isEach = choices[0] < Integer.SIZE - 1 && 1 << choices[0] <= subsets;
      for (int n = 1; n < (isEach ? 1 << choices[0] : subsets); n++) {
        int[] subset = {n};
        int share = 1 + random.nextInt(15);
        checkCrash(
            workload,
            journal,
            moment,
            isEach ? () -> isNextKept(subset) : () -> random.nextInt(16) < share,
            "some was kept");
      }
    }
  }

  /** Returns the lowest bit of a number, and removes it. */
  private static boolean isNextKept(int[] subset) {
    boolean isKept = (subset[0] & 1) == 1;
    subset[0] >>>= 1;
    return isKept;
  }

  private void checkCrash(
      Workload workload,
      JournalStorage journal,
      Workload.Moment moment,
      BooleanSupplier isPersistent,
      String situation)
      throws IOException {
    JournalStorage left = journal.afterCrash(moment.events(), isPersistent);
    try (DurableFilter<Long> filter = open(workload, left, situation, moment)) {
      workload.check(filter.filter(), moment, situation);
    }
  }

  private static DurableFilter<Long> open(
      Workload workload, Storage storage, String situation, Workload.Moment moment) {
    try {
      workload.clock.millis.set(moment.millis());
      return workload.open(storage, SyncPolicy.ON_SYNC);
    } catch (IOException e) {
      throw new AssertionError(situation + ", " + workload.kind + " at " + moment, e);
    }
  }

  /**
   * After a kill, everything is there; what was found then must be there after a power cut. Another
   * one may come while the folder is opened, or just after it.
   */
  private void checkKill(
      Workload workload, JournalStorage journal, Workload.Moment moment, Random random, int step)
      throws IOException {
    JournalStorage left = journal.afterKill(moment.events());
    DurableFilter<Long> filter = open(workload, left, "killed", moment);
    int found = workload.check(filter.filter(), moment, "killed");
    for (int events = left.events(); events > moment.events(); events -= step) {
      int share = random.nextInt(16);
      checkCrash(
          workload,
          left,
          new Workload.Moment(events, moment.acknowledged(), moment.updates(), moment.millis()),
          () -> random.nextInt(16) < share,
          "killed, then cut off while it was opened");
    }
    filter.sync();
    JournalStorage later = left.afterCrash(left.events(), () -> false);
    try (DurableFilter<Long> again = open(workload, later, "killed, then cut off", moment)) {
      Workload.Moment synced =
          new Workload.Moment(moment.events(), found, moment.updates(), moment.millis());
      workload.check(again.filter(), synced, "killed, then cut off");
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void everyCrashLeavesThePrefixThatWasAcknowledged(Kind kind) throws IOException {
    JournalStorage journal = new JournalStorage();
    // The kinds share the storage: together they have all moments.
    checkEach(3, run(kind, SyncPolicy.ON_SYNC, journal, journal), journal, 2);
    assertTrue(moments.size() > 200, "events: " + moments.size());
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  @Tag("deep")
  void everyCrashInManySubsets(Kind kind) throws IOException {
    JournalStorage journal = new JournalStorage();
    checkAll(run(kind, SyncPolicy.ON_SYNC, journal, journal), journal, 1000);
  }

  /** The process was killed after the mark at the end was written, and before it was forced. */
  @Test
  void aMarkThatIsInMemoryOnlyMayBeLostLater() throws IOException {
    JournalStorage journal = new JournalStorage();
    Workload workload = new Workload(Kind.COUNTING, 5);
    try (DurableFilter<Long> filter = workload.open(journal, SyncPolicy.ON_SYNC)) {
      workload.update(filter);
    }
    JournalStorage killed = journal.afterKill(journal.events() - 1);
    DurableFilter<Long> filter = workload.open(killed, SyncPolicy.ON_SYNC);
    workload.update(filter);
    filter.sync();
    Workload.Moment beforeForce =
        new Workload.Moment(killed.events() - 1, 1, 2, workload.clock.millis.get());
    for (int i = 0; i < 1 << 3; i++) {
      int[] subset = {i};
      checkCrash(workload, killed, beforeForce, () -> isNextKept(subset), "subset " + i);
    }
  }

  /** Each force of a creation or a compaction fails once, and then drops what it was to write. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void namesThatAFailedForceHasDroppedAreWrittenAnew(boolean isKilled) throws IOException {
    int failures = 0;
    for (int successes = 0; successes < 40; successes++) {
      JournalStorage disk = new JournalStorage();
      if (isKilled) {
        disk.killByFailure();
      }
      Workload updates = new Workload(Kind.COUNTING, successes);
      int acknowledged = 0;
      boolean isFailed = false;
      disk.failToForceAfter(successes);
      try (DurableFilter<Long> filter = updates.open(disk, SyncPolicy.EVERY_UPDATE)) {
        for (int i = 0; i < 3; i++) {
          updates.update(filter);
          acknowledged++;
          filter.compact();
        }
      } catch (IOException | UncheckedIOException e) {
        isFailed = true;
        failures++;
      }
      disk.failToForceAfter(Integer.MAX_VALUE);
      DurableFilter<Long> again = updates.open(disk, SyncPolicy.EVERY_UPDATE);
      again.log.beginSegment(); // forces the names of deleted files
      JournalStorage left = disk.afterCrash(disk.events(), () -> false);
      try (DurableFilter<Long> last = updates.open(left, SyncPolicy.EVERY_UPDATE)) {
        updates.check(
            last.filter(),
            new Workload.Moment(0, acknowledged, updates.updates(), 0),
            "force " + successes + " failed " + isFailed);
      }
      again.close();
    }
    assertTrue(failures > 20 && failures < 40, failures + " failed");
  }

  /** Forces fail in two attempts at most. The cut comes at any time of the last one. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCreationThatIsTriedAgainLeavesNoFolderThatIsRefused(boolean isKilled) throws IOException {
    for (int first = 0; first < 8; first++) {
      for (int second = 0; second < 9; second++) { // the last one does not fail
        JournalStorage disk = new JournalStorage();
        if (isKilled) {
          disk.killByFailure();
        }
        Workload updates = new Workload(Kind.COUNTING, first);
        for (int successes : new int[] {first, second}) {
          disk.failToForceAfter(successes);
          assertThrows(
              IOException.class, () -> updates.open(disk, SyncPolicy.EVERY_UPDATE).close());
        }
        int begun = disk.events();
        disk.failToForceAfter(Integer.MAX_VALUE);
        DurableFilter<Long> filter = updates.open(disk, SyncPolicy.EVERY_UPDATE);
        int created = disk.events();
        updates.update(filter);
        for (int cut = begun; cut <= disk.events(); cut++) {
          for (int i = 0; i < 3; i++) {
            SplittableRandom random = new SplittableRandom(cut + i);
            JournalStorage left = disk.afterCrash(cut, i == 0 ? () -> false : random::nextBoolean);
            try (DurableFilter<Long> again = updates.open(left, SyncPolicy.EVERY_UPDATE)) {
              Workload.Moment moment =
                  new Workload.Moment(0, cut == disk.events() ? 1 : 0, cut < created ? 0 : 1, 0);
              updates.check(again.filter(), moment, first + " " + second + " cut at " + cut);
            }
          }
        }
        filter.close();
      }
    }
  }

  /**
   * A copy of a closed folder, perhaps with an incomplete frame or an older snapshot. Each force of
   * its first opening fails once. So do those of a second one.
   */
  @ParameterizedTest
  @CsvSource({"0, false", "1, false", "0, true", "2, true"})
  void anOpeningThatFailedIsDoneAnew(int bytesCut, boolean hasOlderSnapshot) throws IOException {
    int failures = 0;
    for (int first = 0; first < 12; first++) {
      for (int second = 0; second < 16; second++) {
        JournalStorage disk = new JournalStorage();
        Workload updates = new Workload(Kind.COUNTING, 7);
        DurableFilter<Long> original = updates.open(disk, SyncPolicy.ON_SYNC);
        for (int i = 0; i < 6; i++) {
          updates.update(original);
          if (i == 1) {
            disk.failToDelete(hasOlderSnapshot);
            original.compact();
          } else if (i == 3) {
            original.log.beginSegment();
          }
        }
        original.close();
        JournalStorage copy = new JournalStorage();
        copy(disk, copy, bytesCut);
        DurableFilter<Long> opened = null;
        for (int successes : new int[] {first, second, Integer.MAX_VALUE}) {
          copy.failToForceOnceAfter(successes);
          try {
            opened = opened == null ? updates.open(copy, SyncPolicy.EVERY_UPDATE) : opened;
          } catch (IOException e) {
            failures++;
          }
        }
        assertNotNull(opened);
        updates.update(opened);
        JournalStorage left = copy.afterCrash(copy.events(), () -> false);
        try (DurableFilter<Long> again = updates.open(left, SyncPolicy.EVERY_UPDATE)) {
          assertEquals(updates.models.get(7), again.filter(), first + " and " + second + " forces");
        }
      }
    }
    assertTrue(failures > 100, failures + " failed");
  }

  /** The process ends with the failure. What the first opening has cut ended with a mark before. */
  @Test
  void aLogThatWasCutIsNotTakenForClosed() throws IOException {
    int failures = 0;
    for (int successes = 0; successes < 16; successes++) {
      JournalStorage disk = new JournalStorage();
      disk.killByFailure();
      Workload updates = new Workload(Kind.COUNTING, 7);
      DurableFilter<Long> original = updates.open(disk, SyncPolicy.ON_SYNC);
      updates.update(original);
      original.log.beginSegment();
      original.close();
      updates.open(disk, SyncPolicy.ON_SYNC).log.beginSegment();
      String last = FolderNames.log(FolderNames.logs(disk.list()).last());
      byte[] bytes = disk.bytes(last);
      disk.setBytes(last, Arrays.copyOf(bytes, bytes.length + 8));
      disk.failToForceAfter(successes);
      try {
        updates.open(disk, SyncPolicy.EVERY_UPDATE).close();
      } catch (IOException e) {
        failures++;
      }
      disk.failToForceAfter(Integer.MAX_VALUE);
      updates.update(updates.open(disk, SyncPolicy.EVERY_UPDATE));
      JournalStorage left = disk.afterCrash(disk.events(), () -> false);
      try (DurableFilter<Long> again = updates.open(left, SyncPolicy.EVERY_UPDATE)) {
        assertEquals(updates.models.get(2), again.filter(), successes + " forces");
      }
    }
    assertTrue(failures > 8, failures + " failed");
  }

  /** A folder that was just copied or restored is in memory only, and so are its names. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anUpdateOfACopiedFolderIsDurableTogetherWithTheCopy(boolean isClosed) throws IOException {
    JournalStorage journal = new JournalStorage();
    Workload workload = new Workload(Kind.COUNTING, 5);
    DurableFilter<Long> original = workload.open(journal, SyncPolicy.ON_SYNC);
    for (int i = 0; i < 20; i++) {
      workload.update(original);
      if (i == 5) {
        original.compact();
      } else if (i == 10) {
        original.log.beginSegment();
      }
    }
    if (isClosed) {
      original.close();
    } else {
      original.sync();
    }
    JournalStorage copy = new JournalStorage();
    copy(journal, copy, 0);
    DurableFilter<Long> copied = workload.open(copy, SyncPolicy.EVERY_UPDATE);
    workload.update(copied);
    JournalStorage left = copy.afterCrash(copy.events(), () -> false);
    try (DurableFilter<Long> again = workload.open(left, SyncPolicy.ON_SYNC)) {
      assertEquals(workload.models.get(21), again.filter());
    }
  }

  /** Copies a folder in memory, and adds some bytes to the end of the log. */
  private static void copy(JournalStorage from, JournalStorage to, int bytesAdded)
      throws IOException {
    String last = FolderNames.log(FolderNames.logs(from.list()).last());
    for (String name : from.list()) {
      try (Storage.Output output = to.create(name)) {
        byte[] bytes = from.bytes(name);
        output.write(bytes, 0, bytes.length);
        output.write(new byte[bytesAdded], 0, name.equals(last) ? bytesAdded : 0);
      }
    }
  }

  /** Another thread has removed the element, and still waits for the disk. */
  @Test
  void aRemovalThatFindsNothingIsDurable() throws IOException {
    JournalStorage journal = new JournalStorage();
    Workload workload = new Workload(Kind.COUNTING, 5);
    DurableFilter<Long> filter = workload.open(journal, SyncPolicy.EVERY_UPDATE);
    filter.addHash(7);
    assertTrue(filter.log.remove(7, /* isDurable= */ false));
    assertFalse(filter.log.remove(7, /* isDurable= */ true));
    JournalStorage left = journal.afterCrash(journal.events(), () -> false);
    try (DurableFilter<Long> again = workload.open(left, SyncPolicy.EVERY_UPDATE)) {
      assertFalse(again.mightContainHash(7));
    }
  }

  @Test
  void eachUpdateIsThereWithEveryUpdateForced() throws IOException {
    JournalStorage journal = new JournalStorage();
    checkAll(run(Kind.DYNAMIC, SyncPolicy.EVERY_UPDATE, journal, journal), journal, 2);
  }

  /** A storage that leaves out one operation: the check must find that updates are lost. */
  private abstract static class Broken implements Storage {

    final JournalStorage journal;

    Broken(JournalStorage journal) {
      this.journal = journal;
    }

    @Override
    public SortedSet<String> list() {
      return journal.list();
    }

    @Override
    public long size(String name) throws IOException {
      return journal.size(name);
    }

    @Override
    public long room() {
      return journal.room();
    }

    @Override
    public InputStream read(String name) throws IOException {
      return journal.read(name);
    }

    @Override
    public Output create(String name) {
      return journal.create(name);
    }

    @Override
    public Output append(String name, long offset) throws IOException {
      return journal.append(name, offset);
    }

    @Override
    public void rename(String from, String to) throws IOException {
      journal.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
      journal.delete(name);
    }

    @Override
    public void force(String name) throws IOException {
      journal.force(name);
    }

    @Override
    public void forceNames() throws IOException {
      journal.forceNames();
    }

    @Override
    public Path path(String name) {
      return journal.path(name);
    }
  }

  private void assertFound(UnaryOperator<Storage> breaking) throws IOException {
    JournalStorage journal = new JournalStorage();
    Workload workload = run(Kind.COUNTING, SyncPolicy.ON_SYNC, journal, breaking.apply(journal));
    assertThrows(AssertionError.class, () -> checkAll(workload, journal, 2));
  }

  @Test
  void aFolderThatIsNotForcedIsFound() throws IOException {
    assertFound(
        storage ->
            new Broken((JournalStorage) storage) {
              @Override
              public void forceNames() {}
            });
  }

  @Test
  void aFileThatIsNotForcedIsFound() throws IOException {
    for (String part : List.of("log-", "snapshot-")) {
      moments.clear();
      assertFound(storage -> withoutForces((JournalStorage) storage, part));
    }
  }

  private static Storage withoutForces(JournalStorage journal, String part) {
    return new Broken(journal) {
      @Override
      public Output create(String name) {
        return name.startsWith(part) ? unforced(super.create(name)) : super.create(name);
      }

      @Override
      public Output append(String name, long offset) throws IOException {
        Output output = super.append(name, offset);
        return name.startsWith(part) ? unforced(output) : output;
      }

      @Override
      public void force(String name) throws IOException {
        if (!name.startsWith(part)) {
          super.force(name);
        }
      }
    };
  }

  private static Storage.Output unforced(Storage.Output output) {
    return new Storage.Output() {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        output.write(bytes, offset, length);
      }

      @Override
      public void force() {}

      @Override
      public void close() throws IOException {
        output.close();
      }
    };
  }

  @Test
  void segmentsThatAreDeletedBeforeTheSnapshotIsThereAreFound() throws IOException {
    assertFound(
        storage ->
            new Broken((JournalStorage) storage) {
              @Override
              public void rename(String from, String to) throws IOException {
                if (to.startsWith("snapshot-") && FolderNames.number(to) > 1) {
                  for (long number : FolderNames.logs(list()).headSet(newest())) {
                    delete(FolderNames.log(number));
                  }
                  forceNames();
                }
                super.rename(from, to);
              }

              private long newest() {
                return FolderNames.logs(list()).last();
              }
            });
  }
}
