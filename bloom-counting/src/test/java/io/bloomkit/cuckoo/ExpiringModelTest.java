package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cuckoo.ExpiringModel.Expiring;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Expiring sets beside an exact model, while time passes, jumps, stands still and runs back. */
class ExpiringModelTest {

  private static final long SEED = 20261127;
  private static final long EPOCH_MILLIS = 100;
  private static final int PAUSE = 40;

  private static TableSizes sizes(FingerprintSpace space, long elements) {
    return new TableSizes(space, elements, SEED, false, ExpiringSize.STAMP_BITS);
  }

  private static void churn(
      int runs, int operations, int pause, long maxElements, int most, double fpp) {
    SplittableRandom random = new SplittableRandom(SEED + most);
    FingerprintSpace space = FingerprintSpace.ofAtLeast((long) (maxElements / fpp));
    ManualClock clock = new ManualClock(random.nextLong(-1_000_000, 1_000_000));
    ExpiringFingerprints set =
        new ExpiringFingerprints(sizes(space, maxElements), new TimeClock(clock, EPOCH_MILLIS));
    ExpiringModel model = new ExpiringModel(space, clock, EPOCH_MILLIS, pause, SEED);
    for (int run = 0; run < runs; run++) {
      model.run(new Sound(set), operations, random.nextInt(1, most)); // so it grows and shrinks
      assertEquals(model.live(), set.live());
      assertTrue(set.stored() >= set.live());
      if (random.nextBoolean()) {
        set.sweepAll();
        assertEquals(model.live(), set.stored());
      }
      if (random.nextInt(4) == 0) {
        set = set.copy();
      }
      if (random.nextInt(10) == 0) {
        set.clear();
        model = new ExpiringModel(space, clock, EPOCH_MILLIS, pause, SEED + run);
      }
    }
  }

  /** Tables that shrink too soon would grow again in each time to live. */
  @Test
  void tablesStayWhileTheTrafficDoes() {
    long planned = 100_000;
    for (double load : new double[] {0.3, 0.5, 0.8, 1, 1.15, 1.3}) {
      SplittableRandom random = new SplittableRandom(SEED);
      ManualClock clock = new ManualClock(0);
      TableSizes sizes = sizes(FingerprintSpace.ofAtLeast(100L * planned), planned * 16 / 15);
      ExpiringFingerprints set =
          new ExpiringFingerprints(sizes, new TimeClock(clock, EPOCH_MILLIS));
      Set<Chunk> before = new HashSet<>(); // chunks are equal only to themselves
      int replaced = 0;
      for (int epoch = 0; epoch < 60; epoch++) {
        for (int i = 0; i < load * planned / 15; i++) {
          set.addHash(random.nextLong(), 16);
        }
        clock.pass(EPOCH_MILLIS);
        Set<Chunk> present = new HashSet<>();
        set.chunks().forEachChunk(chunk -> present.add(chunk));
        replaced +=
            epoch < 30 ? 0 : (int) present.stream().filter(c -> !before.contains(c)).count();
        before.clear();
        before.addAll(present);
      }
      String found = load + ": " + replaced + " of " + before.size();
      assertTrue(replaced <= before.size(), found); // in two times to live
    }
  }

  @Test
  void resultsAreThoseOfTheModel() {
    churn(60, 3_000, 40, 500, 5_000, 0.001);
    churn(60, 3_000, 10, 100, 1_000, 0.2);
    churn(60, 1_000, 10, 1, 50, 0.5);
    churn(20, 50_000, 3_000, 10_000, 60_000, 1e-9);
  }

  @Test
  @Tag("campaign")
  void resultsAreThoseOfTheModelForTenMillionOperations() {
    churn(50, 100_000, 10_000, 30_000, 150_000, 0.01);
    churn(50, 100_000, 1_000, 300, 50_000, 0.001);
  }

  @Test
  void mergedSetsHaveTheLaterExpiries() {
    FingerprintSpace space = FingerprintSpace.ofAtLeast(1_000_000);
    for (int run = 0; run < 30; run++) {
      ManualClock clock = new ManualClock(12_345_678);
      ExpiringModel model = new ExpiringModel(space, clock, EPOCH_MILLIS, PAUSE, SEED + run);
      ExpiringFingerprints set =
          new ExpiringFingerprints(sizes(space, 100), new TimeClock(clock, EPOCH_MILLIS));
      model.run(new Sound(set), 3_000, 1_500);
      ManualClock otherClock = new ManualClock(clock.millis() + 150L * (run % 3 - 1));
      ExpiringModel otherModel =
          new ExpiringModel(space, otherClock, EPOCH_MILLIS, PAUSE, SEED - run);
      ExpiringFingerprints other =
          new ExpiringFingerprints(sizes(space, 100), new TimeClock(otherClock, EPOCH_MILLIS));
      otherModel.run(new Sound(other), 3_000, 1_500);
      set.merge(List.of(other));
      model.merge(otherModel);
      assertEquals(model.live(), set.live());
      model.run(new Sound(set), 1_000, 1_500);
    }
  }

  /** An idle filter sweeps nothing, and its stamps are right however long that was. */
  @Test
  void elementsExpireInTheirEpochWithoutUpdates() {
    FingerprintSpace space = FingerprintSpace.ofAtLeast(1_000_000);
    for (int passed = 0; passed < 40; passed++) {
      ManualClock clock = new ManualClock(0);
      ExpiringFingerprints set =
          new ExpiringFingerprints(sizes(space, 100), new TimeClock(clock, EPOCH_MILLIS));
      for (int epochs = 1; epochs <= 16; epochs++) {
        assertTrue(set.addHash(new SplittableRandom(epochs).nextLong(), epochs));
      }
      clock.set(EPOCH_MILLIS * passed);
      for (int epochs = 1; epochs <= 16; epochs++) {
        long hash = new SplittableRandom(epochs).nextLong();
        assertEquals(passed < epochs, set.containsHash(hash));
      }
      assertEquals(16, set.stored());
      assertEquals(Math.max(0, 16 - passed), set.live());
    }
  }

  @Test
  void aBatchAnswersAsOneByOneWhileTimePasses() {
    FingerprintSpace space = FingerprintSpace.ofAtLeast(3_000_000);
    ManualClock clock = new ManualClock(12_345_678);
    checkBatches(
        new ExpiringFingerprints(sizes(space, 30_000), new TimeClock(clock, EPOCH_MILLIS)),
        new ExpiringFingerprints(sizes(space, 30_000), new TimeClock(clock, EPOCH_MILLIS)),
        () -> clock.set(clock.millis() + 60));
  }

  /** Epochs begin within some batches, which are then added one by one. */
  @Test
  void aBatchAnswersAsOneByOneInAWindowOfInsertions() {
    FingerprintSpace space = FingerprintSpace.ofAtLeast(3_000_000);
    for (int stripes : new int[] {0, 2}) {
      checkBatches(
          new ExpiringFingerprints(
              sizes(space, 30_000), new InsertionClock(25_000, 0, stripes, 64)),
          new ExpiringFingerprints(
              sizes(space, 30_000), new InsertionClock(25_000, 0, stripes, 64)),
          () -> {});
    }
  }

  @Test
  void aBatchOfMoreElementsThanFingerprintsTakesNoMoreMemory() {
    FingerprintSpace space = FingerprintSpace.ofAtLeast(1_000);
    ManualClock clock = new ManualClock(12_345_678);
    ExpiringFingerprints single =
        new ExpiringFingerprints(sizes(space, 100), new TimeClock(clock, EPOCH_MILLIS));
    ExpiringFingerprints bulk =
        new ExpiringFingerprints(sizes(space, 100), new TimeClock(clock, EPOCH_MILLIS));
    long[] hashes = new SplittableRandom(SEED).longs(200_000).toArray();
    for (long hash : hashes) {
      single.addHash(hash, 3);
    }
    assertEquals(single.stored(), bulk.addHashes(hashes, 0, hashes.length, 3, null));
    assertTrue(single.holdsTheSameAs(bulk));
    assertTrue(bulk.memoryBytes() <= 2 * single.memoryBytes(), bulk.memoryBytes() + " bytes");
  }

  @Test
  void aBatchOfLiveElementsTakesNoMoreMemory() {
    ManualClock clock = new ManualClock(12_345_678);
    ExpiringFingerprints set =
        new ExpiringFingerprints(
            sizes(FingerprintSpace.ofAtLeast(1L << 40), 100_000),
            new TimeClock(clock, EPOCH_MILLIS));
    long[] hashes = new SplittableRandom(SEED).longs(100_000).toArray();
    assertEquals(hashes.length, set.addHashes(hashes, 0, hashes.length, 3, null));
    long before = set.memoryBytes();
    assertEquals(0, set.addHashes(hashes, 0, hashes.length, 5, null));
    assertEquals(before, set.memoryBytes());
  }

  private static void checkBatches(
      ExpiringFingerprints single, ExpiringFingerprints bulk, Runnable passTime) {
    SplittableRandom random = new SplittableRandom(SEED);
    int inBulk = 0;
    for (int batch = 0; batch < 60; batch++) {
      passTime.run();
      int length = batch % 3 == 0 ? random.nextInt(100) : random.nextInt(4096, 12_000);
      int offset = random.nextInt(5);
      // Some are in earlier batches, and some several times in this one.
      long[] hashes =
          random.longs(offset + length + 3L, 0, 60_000).map(i -> i * TableShape.GOLDEN).toArray();
      long[] given = hashes.clone();
      inBulk += BulkUpdate.isAdditionFaster(length, bulk.stored()) ? 1 : 0;
      int epochs = random.nextInt(1, 16);
      boolean[] expected = new boolean[hashes.length];
      long added = 0;
      for (int i = offset; i < offset + length; i++) {
        expected[i] = single.addHash(hashes[i], epochs);
        added += expected[i] ? 1 : 0;
      }
      boolean isAsked = random.nextInt(4) > 0;
      boolean[] answers = new boolean[hashes.length];
      assertEquals(added, bulk.addHashes(hashes, offset, length, epochs, isAsked ? answers : null));
      assertArrayEquals(isAsked ? expected : new boolean[hashes.length], answers);
      assertArrayEquals(given, hashes);
      assertEquals(single.live(), bulk.live());
      assertTrue(single.holdsTheSameAs(bulk), "batch " + batch);
      for (int i = offset; i < offset + length; i += 7) {
        assertEquals(single.removeHash(hashes[i]), bulk.removeHash(hashes[i]));
      }
    }
    assertTrue(inBulk > 20, inBulk + " in bulk");
    bulk.sweepAll();
    assertEquals(bulk.live(), bulk.stored());
  }

  private static class Sound implements Expiring {
    final ExpiringFingerprints set;

    Sound(ExpiringFingerprints set) {
      this.set = set;
    }

    @Override
    public boolean add(long hash, int epochs) {
      return set.addHash(hash, epochs);
    }

    @Override
    public boolean remove(long hash) {
      return set.removeHash(hash);
    }

    @Override
    public boolean contains(long hash) {
      return set.containsHash(hash);
    }

    @Override
    public long millisLeft(long hash) {
      return set.remaining(hash);
    }

    @Override
    public void readClock() {
      set.clock.now();
    }
  }

  private static final class ForgetsTheEpochOfTheSweep extends Sound {
    ForgetsTheEpochOfTheSweep(ExpiringFingerprints set) {
      super(set);
    }

    @Override
    public boolean add(long hash, int epochs) {
      Chunk chunk = set.chunks().chunkOf(hash);
      long now = set.clock.now();
      chunk.removeStamped(chunk.sweptTo(), now - chunk.sweptTo());
      int added = chunk.addFingerprintUntil(chunk.shape.fingerprintOf(hash), now + epochs);
      return added == FingerprintSet.NO_ROOM
          ? super.add(hash, epochs)
          : added == FingerprintSet.ADDED;
    }
  }

  private static final class MovesExpiriesBack extends Sound {
    MovesExpiriesBack(ExpiringFingerprints set) {
      super(set);
    }

    @Override
    public boolean add(long hash, int epochs) {
      boolean wasAlive = set.removeHash(hash);
      set.addHash(hash, epochs);
      return !wasAlive;
    }
  }

  private static final class DecodesByThePresentEpoch extends Sound {
    DecodesByThePresentEpoch(ExpiringFingerprints set) {
      super(set);
    }

    @Override
    public boolean contains(long hash) {
      Chunk chunk = set.chunks().chunkOf(hash);
      return chunk.expiryOfFingerprint(chunk.shape.fingerprintOf(hash)) != Chunk.ABSENT;
    }
  }

  private static final class DoesNotSweepBeforeItAdds extends Sound {
    DoesNotSweepBeforeItAdds(ExpiringFingerprints set) {
      super(set);
    }

    @Override
    public boolean add(long hash, int epochs) {
      Chunk chunk = set.chunks().chunkOf(hash);
      long now = set.clock.now();
      if (chunk.size() == 0 || chunk.sweptTo() == now) {
        return super.add(hash, epochs);
      }
      boolean isNew = !set.containsHash(hash);
      int added = chunk.addFingerprintUntil(chunk.shape.fingerprintOf(hash), now + epochs);
      return added == FingerprintSet.NO_ROOM ? super.add(hash, epochs) : isNew;
    }
  }

  private static final class FollowsAClockThatGoesBack extends Sound {
    FollowsAClockThatGoesBack(ExpiringFingerprints set) {
      super(set);
    }

    @Override
    public boolean add(long hash, int epochs) {
      long epoch = Math.floorDiv(((TimeClock) set.clock).source.millis(), EPOCH_MILLIS);
      Chunk chunk = set.chunks().chunkOf(hash);
      if (epoch >= chunk.sweptTo() || chunk.size() == 0) {
        return super.add(hash, epochs);
      }
      int added = chunk.addFingerprintUntil(chunk.shape.fingerprintOf(hash), epoch + epochs);
      return added == FingerprintSet.NO_ROOM
          ? super.add(hash, epochs)
          : added == FingerprintSet.ADDED;
    }
  }

  @Test
  void brokenVariantsAreCaught() {
    List<Function<ExpiringFingerprints, Expiring>> broken =
        List.of(
            ForgetsTheEpochOfTheSweep::new,
            MovesExpiriesBack::new,
            DecodesByThePresentEpoch::new,
            DoesNotSweepBeforeItAdds::new,
            FollowsAClockThatGoesBack::new);
    for (Function<ExpiringFingerprints, Expiring> variant : broken) {
      FingerprintSpace space = FingerprintSpace.ofAtLeast(1_000_000);
      ManualClock clock = new ManualClock(0);
      ExpiringFingerprints set =
          new ExpiringFingerprints(sizes(space, 1000), new TimeClock(clock, EPOCH_MILLIS));
      ExpiringModel model = new ExpiringModel(space, clock, EPOCH_MILLIS, PAUSE, SEED);
      Expiring filter = variant.apply(set);
      assertThrows(
          AssertionError.class, () -> model.run(filter, 100_000, 300), filter.getClass().getName());
    }
  }
}
