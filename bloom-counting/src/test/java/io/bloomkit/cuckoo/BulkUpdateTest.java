package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.internal.AllocatedBytes;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Additions and removals of many hashes at once against the exact multiset, and against single
 * additions.
 */
class BulkUpdateTest {

  private static final long SEED = 0x5eed_41;
  private static final long CLUSTERED = 1L << 40;

  private static DynamicFingerprints counts(FingerprintSpace space, long maxElements) {
    return new DynamicFingerprints(new TableSizes(space, maxElements, SEED, false, 0));
  }

  private static long[] hashes(long seed, int length, LongUnaryOperator hash) {
    return new SplittableRandom(seed).longs(length).map(hash).toArray();
  }

  private static void checkAll(Long2LongOpenHashMap model, DynamicFingerprints counts) {
    assertEquals(model.size(), counts.distinct());
    assertEquals(model.values().longStream().sum(), counts.total());
    long[] visited = {0, -1};
    counts.forEach(
        (fingerprint, copies) -> {
          assertTrue(fingerprint > visited[1], "order");
          assertEquals(model.get(fingerprint), copies);
          visited[0]++;
          visited[1] = fingerprint;
        });
    assertEquals(model.size(), visited[0]);
  }

  /** Adds batches, removes many elements one by one and adds again. */
  private static void addAndRemove(
      FingerprintSpace space, DynamicFingerprints counts, long seed, LongUnaryOperator hash) {
    SplittableRandom random = new SplittableRandom(seed);
    Long2LongOpenHashMap model = new Long2LongOpenHashMap();
    for (int batch = 0; batch < 6; batch++) {
      int length = random.nextInt(3000, 30_000);
      int offset = random.nextInt(5);
      long[] hashes = hashes(random.nextLong(), offset + length + 3, hash);
      long[] given = hashes.clone();
      boolean[] expected = new boolean[hashes.length];
      long first = 0;
      for (int i = offset; i < offset + length; i++) {
        expected[i] = model.addTo(space.fingerprintOf(hashes[i]), 1) == 0;
        first += expected[i] ? 1 : 0;
      }
      boolean[] answers = new boolean[hashes.length];
      boolean isAsked = random.nextBoolean();
      assertEquals(
          first,
          counts.addHashes(hashes, offset, length, isAsked ? answers : null),
          "batch " + batch);
      assertArrayEquals(isAsked ? expected : new boolean[hashes.length], answers);
      assertArrayEquals(given, hashes);
      checkAll(model, counts);
      for (int i = offset; i < offset + length; i++) {
        assertTrue(counts.containsHash(hashes[i]));
        if (i % 3 == 0 || batch == 2) {
          assertTrue(counts.removeHash(hashes[i]));
          if (model.addTo(space.fingerprintOf(hashes[i]), -1) == 1) {
            model.remove(space.fingerprintOf(hashes[i]));
          }
        }
      }
      checkAll(model, counts);
      removeMany(space, counts, model, hashes, random);
    }
    mergeAndSubtract(space, counts, model, random);
  }

  /** Removes a part of the hashes, some of them repeatedly or already absent, with others. */
  private static void removeMany(
      FingerprintSpace space,
      DynamicFingerprints counts,
      Long2LongOpenHashMap model,
      long[] hashes,
      SplittableRandom random) {
    long[] batch = Arrays.copyOf(hashes, random.nextInt(hashes.length));
    for (int i = 0; i < batch.length; i += random.nextInt(1, 20)) {
      batch[i] = random.nextBoolean() ? hashes[random.nextInt(hashes.length)] : random.nextLong();
    }
    int offset = Math.min(batch.length, random.nextInt(5));
    int length = batch.length - offset;
    long[] given = batch.clone();
    boolean[] expectedAnswers = new boolean[batch.length];
    long expected = 0;
    for (int i = offset; i < batch.length; i++) {
      long fingerprint = space.fingerprintOf(batch[i]);
      long before = model.get(fingerprint);
      expectedAnswers[i] = before > 0;
      expected += before > 0 ? 1 : 0;
      if (before > 1) {
        model.put(fingerprint, before - 1);
      } else {
        model.remove(fingerprint);
      }
    }
    boolean inPasses = random.nextBoolean();
    boolean isAsked = random.nextBoolean();
    boolean[] taken = new boolean[batch.length];
    boolean[] answers = isAsked ? taken : null;
    if (inPasses && length > 0) {
      BulkRemoval removal = new BulkRemoval(counts, batch, offset, length, 2000, answers);
      removal.run();
      assertEquals(expected, removal.removed());
    } else {
      assertEquals(expected, counts.removeHashes(batch, offset, length, answers));
    }
    assertArrayEquals(isAsked ? expectedAnswers : new boolean[batch.length], taken);
    assertArrayEquals(given, batch);
    checkAll(model, counts);
  }

  /** Merges with another multiset, either way, and takes all out again. */
  private static void mergeAndSubtract(
      FingerprintSpace space,
      DynamicFingerprints counts,
      Long2LongOpenHashMap model,
      SplittableRandom random) {
    DynamicFingerprints other = counts(space, random.nextLong(1, 1_000_000));
    long[] more = hashes(random.nextLong(), random.nextInt(40_000), number -> number);
    other.addHashes(more, 0, more.length, null);
    for (long fingerprint : model.keySet().toLongArray()) {
      if (fingerprint % 2 == 0) {
        other.addFingerprint(fingerprint, 5);
      }
    }
    Long2LongOpenHashMap both = model.clone();
    other.forEach(both::addTo);
    DynamicFingerprints merged = counts.copy();
    merged.merge(other);
    checkAll(both, merged);
    other.merge(counts);
    checkAll(both, other);
    assertTrue(other.subtract(counts.copy()));
    merged.subtract(other);
    checkAll(model, merged);
    model.forEach(
        (fingerprint, copies) -> {
          for (long left = copies; left > 0; left--) {
            assertTrue(merged.removeHash(space.hashOf(fingerprint)));
          }
        });
    assertEquals(0, merged.total());
  }

  @Test
  void theContentsAreThoseOfTheExactMultisetWhateverTheHashes() {
    compareContents(2);
  }

  @Test
  @Tag("deep")
  void theContentsOfManyRunsAreThoseOfTheExactMultiset() {
    compareContents(40);
  }

  private static void compareContents(int runs) {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int run = 0; run < runs; run++) {
      long maxElements = random.nextLong(1, 1L << random.nextInt(1, 24));
      double fpp = Math.pow(2, -30 * random.nextDouble());
      FingerprintSpace space = FingerprintSpace.ofAtLeast((long) Math.ceil(maxElements / fpp));
      long few = random.nextInt(1, 20_000);
      int shared = random.nextInt(64);
      LongUnaryOperator[] kinds = {
        number -> number,
        number -> new SplittableRandom(Math.floorMod(number, few)).nextLong(),
        number -> number >>> shared,
        number -> (number & 7) == 0 ? number : SEED,
      };
      TableSizes sizes =
          new TableSizes(space, maxElements, SEED, run % 5 == 4 && maxElements < 1 << 19, 0);
      try {
        addAndRemove(space, new DynamicFingerprints(sizes), random.nextLong(), kinds[run % 4]);
      } catch (AssertionError e) {
        throw new AssertionError("run " + run, e);
      }
    }
  }

  @Test
  void theTablesAreAsLargeAsAfterSingleAdditions() {
    compareSizes(5000, 150_000);
  }

  @Test
  @Tag("deep")
  void tablesOfManyLengthsAreAsLargeAsAfterSingleAdditions() {
    compareSizes(5000, 40_000, 150_000, 300_000, 500_000);
  }

  private static void compareSizes(int... lengths) {
    FingerprintSpace space = FingerprintSpace.ofAtLeast(30_000_000);
    for (int length : lengths) {
      for (long few : new long[] {Long.MAX_VALUE, 200_000, 50, CLUSTERED}) {
        int shared = few == CLUSTERED ? 12 : 0;
        long[] hashes =
            LongStream.range(0, length)
                .map(number -> new SplittableRandom(number % few).nextLong() >>> shared)
                .toArray();
        DynamicFingerprints single = counts(space, 300_000);
        DynamicFingerprints bulk = counts(space, 300_000);
        LongStream.of(hashes).forEach(single::addHash);
        assertEquals(single.distinct(), bulk.addHashes(hashes, 0, length, null));
        double ratio = (double) bulk.memoryBytes() / single.memoryBytes();
        assertTrue(ratio < 1.1, () -> ratio + " with " + length + " of " + few);
        assertTrue(single.holdsTheSameAs(bulk));
      }
    }
  }

  @Test
  void theTablesAreAsLargeAsAfterSingleAdditionsOfPresentAndRepeatedHashes() {
    FingerprintSpace space = FingerprintSpace.ofAtLeast(1L << 40);
    for (long maxElements : new long[] {100, 100_000}) {
      DynamicFingerprints single = counts(space, maxElements);
      DynamicFingerprints bulk = counts(space, maxElements);
      long[] present = hashes(1, 20_000, number -> number);
      long[] batch = hashes(2, 20_000, number -> number);
      for (int i = 0; i < batch.length; i++) {
        batch[i] = i % 2 == 0 ? present[i] : i % 4 == 1 ? batch[i] : batch[i % 40];
      }
      for (long[] hashes : new long[][] {present, batch}) {
        LongStream.of(hashes).forEach(single::addHash);
        bulk.addHashes(hashes, 0, hashes.length, null);
      }
      double ratio = (double) bulk.memoryBytes() / single.memoryBytes();
      assertTrue(ratio < 1.05, () -> ratio + " of " + maxElements);
      assertTrue(single.holdsTheSameAs(bulk));
    }
  }

  @Test
  void aTableThatIsLargeBesideItsShareOfTheBatchIsNotFilledAnew() {
    FingerprintSpace space = FingerprintSpace.ofAtLeast(1L << 40);
    DynamicFingerprints counts = counts(space, 1_000_000);
    long clustered = 1L << 62; // all in the second quarter
    counts.addHashes(hashes(1, 8000, number -> number >>> 1 >>> 1 | clustered), 0, 8000, null);
    Chunk large = counts.chunks().chunkOf(clustered);
    long[] batch = hashes(2, 5000, number -> number >>> 62 == 1 && number % 8 != 0 ? 5 : number);
    counts.addHashes(batch, 0, batch.length, null);
    assertEquals(13_000, counts.total());
    for (long hash : batch) {
      assertTrue(counts.containsHash(hash));
    }
    assertTrue(large.shape.depth <= counts.chunks().chunkOf(clustered).shape.depth);
  }

  @Test
  void allocatedTablesThatGetManyHashesAreReplacedAndOthersAreKept() {
    FingerprintSpace space = FingerprintSpace.ofAtLeast(1L << 40);
    DynamicFingerprints counts =
        new DynamicFingerprints(new TableSizes(space, 400_000, SEED, true, 0)); // 64 tables
    long[] many = hashes(1, 10_000, number -> number);
    long[] few = hashes(2, 10_000, number -> number % 16 == 0 ? number : number | 1L << 63);
    Chunk empty = counts.chunks().chunkOf(0);
    counts.addHashes(few, 0, few.length, null); // ten of them belong to the first table
    assertSame(empty, counts.chunks().chunkOf(0));
    counts.addHashes(many, 0, many.length, null);
    Chunk filled = counts.chunks().chunkOf(0);
    assertNotSame(empty, filled);
    counts.removeHashes(few, 0, few.length, null);
    assertSame(filled, counts.chunks().chunkOf(0));
    counts.removeHashes(many, 0, many.length, null);
    assertNotSame(filled, counts.chunks().chunkOf(0));
    assertEquals(0, counts.total());
  }

  @Test
  void batchesTakeNoMoreMemoryForSortingThanTheLimit() throws FilterFormatException {
    DynamicCuckooFilter.Builder<Long> builder =
        DynamicCuckooFilter.builder(HashStrategies.longs()).expecting(100_000, 1e-9).allocated();
    assertThrows(IllegalArgumentException.class, () -> builder.maxScratchBytes(-1));
    long[] half = hashes(1, 50_000, number -> number);
    long[] batch = hashes(2, 20_000, number -> number);
    int least = batch.length / 32 * Long.BYTES; // with less, one by one
    for (long limit : new long[] {0, least - 1, least, 20_000, Long.MAX_VALUE}) {
      DynamicCuckooFilter<Long> limited = builder.maxScratchBytes(limit).build();
      limited.addHashes(half, 0, half.length);
      long sorted = limit < least ? 0 : Math.min(limit, (long) Long.BYTES * batch.length);
      for (DynamicCuckooFilter<Long> filter : List.of(limited, limited.copy())) {
        long before = AllocatedBytes.ofThisThread();
        assertEquals(batch.length, filter.addHashes(batch, 0, batch.length)); // keeps the tables
        long adding = AllocatedBytes.ofThisThread() - before;
        assertTrue(sorted <= adding && adding <= sorted + 80_000, limit + ": " + adding);
        assertEquals(batch.length, filter.removeHashes(batch, 0, batch.length)); // copies them
        long removing = AllocatedBytes.ofThisThread() - before - adding;
        assertEquals(limit < least, removing < filter.memoryBytes() / 2, limit + ": " + removing);
      }
      assertEquals(
          limited, DynamicCuckooFilter.fromBytes(limited.toBytes(), HashStrategies.longs()));
    }
  }

  /** Sizes that find no memory for more tables than are left, until there are more again. */
  private static final class ScarceSizes extends TableSizes {

    private boolean isScarce; // not while the constructor of the superclass runs
    private int left;
    private int failures;
    private boolean hasRoomForCopies = true;

    ScarceSizes(FingerprintSpace space, long maxElements) {
      super(space, maxElements, SEED, false, 0);
    }

    @Override
    TableShape shape(int depth, int sizeIndex) {
      boolean isCopy =
          !hasRoomForCopies
              && StackWalker.getInstance()
                  .walk(frames -> frames.anyMatch(it -> it.getMethodName().equals("without")));
      if (isCopy) {
        throw new OutOfMemoryError("of the test");
      }
      if (isScarce && left-- <= 0) {
        failures++;
        throw new OutOfMemoryError("of the test");
      }
      return super.shape(depth, sizeIndex);
    }

    void setLeft(int tables) {
      left = tables;
      isScarce = true;
    }

    /** Checks that what failed is not tried often again: that may cost a garbage collection. */
    void checkFewFailures() {
      assertTrue(failures <= 2, failures + " failures"); // the update, and shrinking after it
    }
  }

  /** Fails when a single addition of the one group that a pass has no room for needs a table. */
  @Test
  void ifMemoryRunsOutInALargeGroupNothingIsAdded() {
    FingerprintSpace space = FingerprintSpace.ofAtLeast(1L << 40); // few are equal
    long[] batch = hashes(2, 30_000, number -> number % 3 == 0 ? number : number >>> 4);
    int failures = 0;
    for (int left = 1; left < 60; left++) {
      ScarceSizes sizes = new ScarceSizes(space, 100_000);
      DynamicFingerprints counts = new DynamicFingerprints(sizes);
      LongStream.of(batch).forEach(counts::addHash); // so a removal too many is noticed
      DynamicFingerprints before = counts.copy();
      BulkAddition addition = new BulkAddition(counts, batch, 0, batch.length, 60_000, 1000, null);
      sizes.setLeft(left);
      try {
        addition.run();
      } catch (OutOfMemoryError e) {
        failures++;
        sizes.checkFewFailures();
        sizes.isScarce = false;
        assertTrue(counts.holdsTheSameAs(before), left + " tables");
      }
    }
    assertTrue(failures > 3, failures + " failures");
  }

  @Test
  void ifMemoryRunsOutNothingIsAdded() {
    addWithScarceMemory(29);
  }

  @Test
  @Tag("deep")
  void whereverMemoryRunsOutNothingIsAdded() {
    addWithScarceMemory(3);
  }

  private static void addWithScarceMemory(int step) {
    FingerprintSpace space = FingerprintSpace.ofAtLeast(10_000_000);
    long[] present = hashes(1, 20_000, number -> number);
    LongUnaryOperator[] kinds = {number -> number, number -> number % 40 == 0 ? number : SEED};
    for (LongUnaryOperator kind : kinds) {
      long[] batch = hashes(2, 60_000, kind);
      System.arraycopy(present, 0, batch, 0, 9_000);
      int failures = 0;
      for (int left = 1; left < 200; left += step) {
        ScarceSizes sizes = new ScarceSizes(space, 100_000);
        DynamicFingerprints counts = new DynamicFingerprints(sizes);
        LongStream.of(present).forEach(counts::addHash);
        DynamicFingerprints before = counts.copy();
        sizes.setLeft(left);
        try {
          counts.addHashes(batch, 0, batch.length, null);
        } catch (OutOfMemoryError e) {
          failures++;
          sizes.checkFewFailures();
          sizes.isScarce = false;
          assertTrue(counts.holdsTheSameAs(before), left + " tables");
        }
        sizes.isScarce = false;
        DynamicFingerprints again = counts.copy();
        again.addHashes(batch, 0, batch.length, null);
        again.addHashes(present, 0, present.length, null);
        checkCopies(again);
      }
      assertTrue(failures > 3, failures + " failures");
    }
  }

  /**
   * To make five copies four again needs memory once the table was divided, as there are sets for
   * one and two extra copies then. The hashes that were added before can be removed without it.
   */
  @Test
  void aFailedUndoDoesNotStopTheOthers() {
    FingerprintSpace space = FingerprintSpace.ofAtLeast(1L << 40); // few are equal
    long[] present = hashes(1, 5500, number -> number);
    long[] batch = hashes(2, 6000, number -> number);
    System.arraycopy(present, 0, batch, 500, 1500);
    long[] sorted = LongStream.of(batch).map(space::fingerprintOf).toArray();
    int failures = 0;
    int kept = 0;
    for (int left = 0; left < 120; left++) {
      ScarceSizes sizes = new ScarceSizes(space, 100_000);
      DynamicFingerprints counts = new DynamicFingerprints(sizes);
      LongStream.of(present).forEach(counts::addHash);
      for (int copy = 1; copy < 4; copy++) {
        LongStream.of(present).limit(1500).forEach(counts::addHash);
      }
      sizes.setLeft(left);
      try {
        if (left % 2 == 0) {
          counts.addFingerprints(counts.chunkOfFingerprint(0), sorted, 0, sorted.length);
        } else {
          counts.addHashes(batch, 0, batch.length, null);
        }
      } catch (OutOfMemoryError e) {
        failures++;
        for (int i = 0; i < batch.length; i++) {
          boolean isCopied = i >= 500 && i < 2000;
          assertEquals(isCopied, counts.containsHash(batch[i]), left + " tables");
          kept += isCopied && counts.countHash(batch[i]) == 5 ? 1 : 0;
        }
      }
      sizes.isScarce = false;
      checkCopies(counts.copy());
    }
    assertTrue(failures > 3, failures + " failures");
    assertTrue(kept > 0, "all was taken back");
  }

  /** A removal needs memory if it changes 9 copies to 8: those beyond the first, 1000 to 111. */
  @Tag("deep")
  @Test
  void ifMemoryRunsOutNothingIsRemoved() {
    removeWithScarceMemory(17);
  }

  @Test
  @Tag("deep")
  void whereverMemoryRunsOutNothingIsRemoved() {
    removeWithScarceMemory(3);
  }

  private static void removeWithScarceMemory(int step) {
    FingerprintSpace space = FingerprintSpace.ofAtLeast(10_000_000);
    LongUnaryOperator[] kinds = {
      number -> number,
      number -> number >>> 62 == 0 ? number >>> 2 : number, // a group too large for a pass
    };
    for (LongUnaryOperator kind : kinds) {
      long[] some = hashes(1, 5000, kind);
      long[] present = LongStream.range(0, 45_000).map(i -> some[(int) i / 9]).toArray();
      long[] batch = some.clone();
      for (int i = 0; i < batch.length; i += 3) {
        batch[i] *= 5; // absent
      }
      int failures = 0;
      for (int left = 1; left < 250; left += step) {
        ScarceSizes sizes = new ScarceSizes(space, 100_000);
        DynamicFingerprints counts = new DynamicFingerprints(sizes);
        LongStream.of(present).forEach(counts::addHash);
        DynamicFingerprints before = counts.copy();
        DynamicFingerprints after = counts.copy();
        long removed = LongStream.of(batch).filter(after::removeHash).count();
        BulkRemoval removal = new BulkRemoval(counts, batch, 0, batch.length, 1 << left % 17, null);
        sizes.setLeft(left);
        sizes.hasRoomForCopies = left % 4 == 0; // else one by one
        boolean isFailed = false;
        try {
          removal.run();
        } catch (OutOfMemoryError e) {
          isFailed = true;
          failures++;
        }
        sizes.isScarce = false;
        sizes.hasRoomForCopies = true;
        assertTrue(counts.holdsTheSameAs(isFailed ? before : after), left + " tables");
        assertTrue(isFailed || removal.removed() == removed, left + " tables");
        checkCopies(counts.copy());
      }
      assertTrue(failures > 3, failures + " failures");
    }
  }

  private static void checkCopies(DynamicFingerprints counts) {
    long[] sum = new long[2];
    counts.forEach(
        (fingerprint, copies) -> {
          sum[0]++;
          sum[1] += copies;
        });
    assertEquals(sum[0], counts.distinct());
    assertEquals(sum[1], counts.total());
  }

  @Test
  void moreCopiesThanTheLargestNumberAreRefusedAndNothingIsAdded() throws FilterFormatException {
    DynamicCuckooFilter<Long> filter =
        DynamicCuckooFilter.create(HashStrategies.longs(), 10_000, 0.01);
    filter.addHash(7);
    for (int doubling = 0; doubling < 61; doubling++) {
      filter.merge(filter);
    }
    filter.merge(filter.copy());
    for (int i = 0; i < 5000; i++) {
      assertTrue(filter.removeHash(7));
    }
    long[] batch = hashes(3, 5001, number -> number);
    byte[] before = filter.toBytes();
    assertThrows(IllegalStateException.class, () -> filter.addHashes(batch, 0, 5001));
    assertThrows(IllegalStateException.class, () -> filter.copy().addHashes(batch, 0, 5001));
    assertArrayEquals(before, filter.toBytes());
    filter.addHashes(batch, 0, 5000);
    assertEquals(1L << 62, filter.elementCount().orElseThrow());
    assertThrows(IllegalStateException.class, () -> filter.addHashes(batch, 0, 1));
    assertEquals(0, filter.addHashes(batch, 0, 0));
    assertEquals(filter, DynamicCuckooFilter.fromBytes(filter.toBytes(), HashStrategies.longs()));
  }

  @Test
  void queriesAndSnapshotsBesideBulkAdditionsMissNothing() throws InterruptedException {
    FingerprintSpace space = FingerprintSpace.ofAtLeast(20_000_000);
    DynamicFingerprints counts = counts(space, 200_000);
    long[] stays = hashes(4, 6000, number -> number);
    counts.addHashes(stays, 0, stays.length, null);
    long[][] batches = new long[2][];
    Thread[] writers = new Thread[batches.length];
    boolean[] failed = new boolean[batches.length];
    for (int i = 0; i < writers.length; i++) {
      long[] batch = hashes(5 + i, 90_000, number -> number);
      System.arraycopy(stays, 0, batch, 0, 1000); // an extra copy of some
      batches[i] = batch;
      int writer = i;
      writers[i] =
          new Thread(
              () -> {
                for (int from = 0; from < batch.length; from += 30_000) {
                  counts.addHashes(batch, from, 30_000, null);
                  for (int removed = from; removed < from + 30_000; removed += 2) {
                    failed[writer] |= !counts.removeHash(batch[removed]);
                  }
                }
              });
      writers[i].start();
    }
    while (Arrays.stream(writers).anyMatch(Thread::isAlive)) {
      for (long hash : stays) {
        assertTrue(counts.containsHash(hash));
      }
      DynamicFingerprints copy = counts.copy();
      checkCopies(copy);
      for (long hash : stays) {
        assertTrue(copy.containsHash(hash));
      }
    }
    for (int i = 0; i < writers.length; i++) {
      writers[i].join();
      assertFalse(failed[i], "a removal of an added element was refused");
    }
    DynamicFingerprints expected = counts(space, 200_000);
    LongStream.of(stays).forEach(expected::addHash);
    for (long[] batch : batches) {
      for (int i = 1; i < batch.length; i += 2) {
        expected.addHash(batch[i]);
      }
    }
    assertTrue(expected.holdsTheSameAs(counts));
    checkCopies(counts);
  }
}
