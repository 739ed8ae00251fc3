package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The multiset against its model: an exact map from fingerprints to numbers of copies. With {@code
 * -Pdeep -Dbloomkit.churn.runs=400}, a hundred million operations.
 */
class DynamicFingerprintsTest {

  private static final long SEED = 0x5eed_21;

  /** A directory and its model, which do the same. */
  private static final class Pair {
    final FingerprintSpace space;
    final DynamicFingerprints directory;
    final Long2LongOpenHashMap model = new Long2LongOpenHashMap();
    long total;

    Pair(long fingerprints, long maxElements) {
      this(fingerprints, maxElements, false);
    }

    Pair(long fingerprints, long maxElements, boolean isAllocated) {
      space = FingerprintSpace.ofAtLeast(fingerprints);
      directory =
          new DynamicFingerprints(
              new TableSizes(space, maxElements, TableSizes.SECRET, isAllocated, 0));
    }

    void add(long hash) {
      boolean isNew = model.addTo(SampleTables.fingerprintOf(space, hash), 1) == 0;
      assertEquals(isNew, directory.addHash(hash), "add");
      total++;
    }

    void remove(long hash) {
      long fingerprint = SampleTables.fingerprintOf(space, hash);
      long before = model.get(fingerprint);
      assertEquals(before > 0, directory.removeHash(hash), "remove");
      if (before == 1) {
        model.remove(fingerprint);
      } else if (before > 1) {
        model.put(fingerprint, before - 1);
      }
      total -= before > 0 ? 1 : 0;
    }

    void add(long hash, long copies) {
      boolean isNew = model.addTo(SampleTables.fingerprintOf(space, hash), copies) == 0;
      assertEquals(isNew, directory.addHash(hash, copies), "add of copies");
      total += copies;
    }

    void remove(long hash, long copies) {
      long fingerprint = SampleTables.fingerprintOf(space, hash);
      long before = model.get(fingerprint);
      assertEquals(before >= copies, directory.removeHash(hash, copies), "remove of copies");
      if (before == copies) {
        model.remove(fingerprint);
      } else if (before > copies) {
        model.put(fingerprint, before - copies);
      }
      total -= before >= copies ? copies : 0;
    }

    void query(long hash) {
      long copies = model.get(SampleTables.fingerprintOf(space, hash));
      assertEquals(copies > 0, directory.containsHash(hash), "contains");
      assertEquals(copies, directory.countHash(hash), "count");
    }

    void checkTotals() {
      assertEquals(model.size(), directory.distinct());
      assertEquals(total, directory.total());
    }

    void checkAll() {
      checkTotals();
      List<Long> seen = new ArrayList<>();
      directory.forEach(
          (fingerprint, copies) -> {
            assertTrue(seen.isEmpty() || seen.get(seen.size() - 1) < fingerprint, "order");
            seen.add(fingerprint);
            assertEquals(model.get(fingerprint), copies);
          });
      assertEquals(model.size(), seen.size());
    }
  }

  /** Adds, removes and queries at random, with more of one and then more of the other. */
  private static void churn(
      Pair pair, SplittableRandom random, int operations, int most, LongUnaryOperator hashes) {
    long[] held = new long[most];
    int size = 0;
    int additions = 6;
    for (int i = 0; i < operations; i++) {
      if (i % most == most - 1) {
        additions = random.nextInt(2, 8);
        pair.checkTotals();
      }
      int kind = random.nextInt(10);
      if (size == 0 || (size < most && kind < additions)) {
        long hash = hashes.applyAsLong(random.nextLong());
        pair.add(hash);
        held[size++] = hash;
      } else if (kind < 9) {
        int victim = random.nextInt(size);
        pair.remove(held[victim]);
        held[victim] = held[--size];
      } else {
        long hash = hashes.applyAsLong(random.nextLong());
        pair.query(random.nextBoolean() ? hash : held[random.nextInt(size)]);
        if (!pair.model.containsKey(SampleTables.fingerprintOf(pair.space, hash))) {
          pair.remove(hash);
        }
      }
    }
    pair.checkAll();
    while (size > 0) {
      pair.remove(held[--size]);
    }
    pair.checkAll();
    assertEquals(0, pair.directory.total());
  }

  private static void churnAllSizes(int runs, int most, long seed) {
    for (int run = 0; run < runs; run++) {
      SplittableRandom random = new SplittableRandom(seed + run);
      boolean isAllocated = run % 3 == 2;
      long maxElements = random.nextLong(1, 1L << random.nextInt(1, isAllocated ? 19 : 24));
      double fpp = Math.pow(2, -60 * random.nextDouble());
      long fingerprints = (long) Math.min(Math.ceil(maxElements / fpp), 1L << 60);
      Pair pair = new Pair(fingerprints, maxElements, isAllocated);
      int held = random.nextInt(100, most);
      boolean hasCopies = random.nextBoolean();
      long few = random.nextInt(1, held);
      try {
        churn(
            pair,
            random,
            10 * held,
            held,
            hasCopies ? number -> mixed(Math.floorMod(number, few)) : number -> number);
      } catch (AssertionError e) {
        throw new AssertionError("run " + run + " of seed " + seed, e);
      }
    }
  }

  private static long mixed(long number) {
    return new SplittableRandom(number).nextLong();
  }

  @Test
  void isTheExactMultisetWhateverItsSize() {
    churnAllSizes(12, 20_000, SEED);
  }

  @Test
  void copiesAtOnceAreThoseOfTheModel() {
    for (long fingerprints : new long[] {3, 1000, 100_000, 1L << 40}) {
      SplittableRandom random = new SplittableRandom(SEED);
      Pair pair = new Pair(fingerprints, Math.min(fingerprints, 1000));
      for (int step = 0; step < 40_000; step++) {
        long hash = mixed(random.nextInt(1 + random.nextInt(3000)));
        long copies = 1 + random.nextLong(1L << random.nextInt(1, 40));
        boolean isGrowing = step / 5000 % 2 == 0;
        if (random.nextInt(4) < (isGrowing ? 3 : 1)) {
          pair.add(hash, random.nextBoolean() ? copies : 1);
        } else {
          long present = pair.model.get(SampleTables.fingerprintOf(pair.space, hash));
          pair.remove(hash, random.nextBoolean() ? Math.max(1, present) : copies);
        }
        pair.query(hash);
        if (step % 5000 == 4999) {
          pair.checkAll();
        }
      }
    }
  }

  @Test
  @Tag("deep")
  void isTheExactMultisetForTenMillionOperations() {
    churnAllSizes(Integer.getInteger("bloomkit.churn.runs", 50), 50_000, SEED + 1_000);
  }

  @Test
  void manyMoreThanPlannedAreKeptWhateverTheRate() {
    for (long maxElements : new long[] {1, 10, 30, 100}) {
      for (double fingerprints = 1000; fingerprints <= 1L << 60; fingerprints *= 1.7) {
        Pair pair = new Pair((long) fingerprints, maxElements);
        LongStream.range(0, 1000).forEach(i -> pair.add(mixed(i)));
        pair.checkAll();
      }
    }
  }

  @Test
  void fingerprintsAtBothEndsAndInOrderAreKept() {
    for (long fingerprints : new long[] {1, 2, 3, 1000, 1L << 31, (1L << 45) + 12345, 1L << 60}) {
      Pair pair = new Pair(fingerprints, Math.min(fingerprints, 10_000));
      long[] ends = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 63 | 1, 2, -2};
      for (long hash : ends) {
        pair.add(hash);
        pair.query(hash);
        pair.query(~hash);
      }
      for (long i = 0; i < 5_000; i++) {
        pair.add(i << 40);
        pair.add(-(i << 33));
      }
      pair.checkAll();
      for (long i = 0; i < 5_000; i++) {
        pair.remove(-(i << 33));
        pair.remove(i << 40);
      }
      pair.checkAll();
    }
  }

  @Test
  void hashesThatShareTheirFirstBitsAreKeptAndBounded() {
    churnShared(30);
  }

  @Test
  @Tag("deep")
  void hashesThatShareAnyNumberOfFirstBitsAreKeptAndBounded() {
    churnShared(10, 20, 40, 50);
  }

  private static void churnShared(int... firstBits) {
    for (int shared : firstBits) {
      Pair pair = new Pair(100_000_000_000_000L, 1_000_000);
      SplittableRandom random = new SplittableRandom(shared);
      churn(pair, random, 300_000, 60_000, number -> number >>> shared);
      for (int i = 0; i < 60_000; i++) {
        pair.add(random.nextLong() >>> shared);
      }
      long bytes = pair.directory.memoryBytes();
      Pair even = new Pair(100_000_000_000_000L, 1_000_000);
      for (int i = 0; i < 60_000; i++) {
        even.add(random.nextLong());
      }
      assertTrue(bytes <= 4 * even.directory.memoryBytes(), shared + " bits: " + bytes);
    }
  }

  /** Chosen hashes: groups that share their first bits, with zeros or random bits before these. */
  private static long[] clustered(int count, int groups, int shared, boolean areZeros) {
    SplittableRandom random = new SplittableRandom(SEED + shared);
    long[] prefixes = random.longs(groups).toArray();
    if (areZeros) {
      Arrays.setAll(prefixes, group -> (long) group << (Long.SIZE - shared));
    }
    long rest = -1L >>> shared;
    return IntStream.range(0, count)
        .mapToLong(i -> (prefixes[i % groups] & ~rest) | (random.nextLong() & rest))
        .toArray();
  }

  @Test
  @Tag("deep")
  void chosenHashesTakeFourTimesTheMemoryAtMostWhateverThePlan() {
    for (long maxElements : new long[] {100, 10_000, 100_000_000}) {
      for (double fpp : new double[] {0.01, 1e-6}) {
        for (int count : new int[] {40, 100, 400, 3000, 20_000}) {
          long even = filled(maxElements, fpp, clustered(count, count, 1, false)).memoryBytes();
          for (int shared = 8; shared <= 48; shared += 8) {
            for (int groups : new int[] {1, 2, 7, 100}) {
              for (boolean areZeros : new boolean[] {true, false}) {
                DynamicFingerprints chosen =
                    filled(maxElements, fpp, clustered(count, groups, shared, areZeros));
                if (chosen.distinct() < 0.9 * count) {
                  continue; // copies of few fingerprints, which take tables of their own
                }
                long bytes = chosen.memoryBytes();
                String what = count + " in " + groups + " groups of " + shared + " bits: " + bytes;
                assertTrue(bytes <= 4 * even, () -> what + " for " + maxElements + ", " + fpp);
              }
            }
          }
        }
      }
    }
  }

  private static DynamicFingerprints filled(long maxElements, double fpp, long[] hashes) {
    FingerprintSpace space = FingerprintSpace.ofAtLeast((long) (maxElements / fpp));
    DynamicFingerprints filled =
        new DynamicFingerprints(new TableSizes(space, maxElements, SEED, false, 0));
    LongStream.of(hashes).forEach(filled::addHash);
    return filled;
  }

  @Test
  void chosenHashesLeaveNoMemoryBehind() {
    addAndRemoveGroups(3);
  }

  @Test
  @Tag("deep")
  void chosenHashesOfOneGroupOrManyLeaveNoMemoryBehind() {
    addAndRemoveGroups(1, 40);
  }

  private static void addAndRemoveGroups(int... numbers) {
    for (int groups : numbers) {
      for (boolean isReversed : new boolean[] {false, true}) {
        long[] hashes = clustered(20_000, groups, 36, false);
        Arrays.sort(hashes); // so that groups end one after the other
        DynamicFingerprints filter = filled(1_000_000, 1e-9, hashes);
        for (int i = 0; i < hashes.length; i++) {
          filter.removeHash(hashes[isReversed ? hashes.length - 1 - i : i]);
        }
        assertEquals(0, filter.total());
        long bytes = filter.memoryBytes();
        assertTrue(bytes < 1_000, () -> groups + " groups left " + bytes + " bytes");
      }
    }
  }

  @Test
  void chosenHashesThatComeAndGoAreKept() {
    for (int shared : new int[] {16, 36}) {
      Pair pair = new Pair(1L << 50, 1_000_000);
      long[] hashes = clustered(3_000, 5, shared, false);
      for (int round = 0; round < 4; round++) {
        LongStream.of(hashes).forEach(pair::add);
        pair.checkAll();
        int kept = 40 * round;
        LongStream.of(hashes).skip(kept).forEach(pair::remove);
        pair.checkAll();
        LongStream.of(hashes).forEach(pair::query);
        LongStream.of(hashes).limit(kept).forEach(pair::remove);
      }
      assertEquals(0, pair.directory.distinct());
    }
  }

  @Test
  void bothEndsOfEveryChunkAreKept() {
    for (long fingerprints : new long[] {20_000_000, 1L << 50}) {
      Pair pair = new Pair(fingerprints, 200_000);
      SplittableRandom random = new SplittableRandom(SEED);
      random.longs(200_000).forEach(pair::add);
      LongStream.of(clustered(2_000, 2, 20, false)).forEach(pair::add); // deeper ones
      ChunkDirectory directory = pair.directory.chunks();
      List<Chunk> chunks =
          directory.copies().stream().map(copy -> directory.chunkOf(copy.firstHash())).toList();
      assertTrue(chunks.size() > 16, () -> chunks.size() + " chunks");
      for (Chunk chunk : chunks) {
        int depth = chunk.shape.depth;
        long first = chunk.prefix << (Long.SIZE - depth);
        long last = first | (-1L >>> depth);
        long size = pair.space.fingerprints(depth);
        assertEquals(chunk.prefix * size, SampleTables.fingerprintOf(pair.space, first));
        assertEquals((chunk.prefix + 1) * size - 1, SampleTables.fingerprintOf(pair.space, last));
        assertSame(chunk, pair.directory.chunks().chunkOf(first));
        assertSame(chunk, pair.directory.chunks().chunkOf(last));
      }
      for (Chunk chunk : chunks) {
        long first = chunk.prefix << (Long.SIZE - chunk.shape.depth);
        for (long hash : new long[] {first, first + 1, first - 1, first - 2}) {
          pair.add(hash);
          pair.query(hash);
        }
      }
      pair.checkAll();
      for (Chunk chunk : chunks) {
        long first = chunk.prefix << (Long.SIZE - chunk.shape.depth);
        for (long hash : new long[] {first - 1, first, first + 1, first - 2}) {
          pair.remove(hash);
          pair.query(hash);
        }
      }
      pair.checkAll();
    }
  }

  @Test
  void aShrunkenFilterIsAsSmallAsOneThatNeverGrew() {
    Pair grown = new Pair(100_000_000, 1_000_000);
    SplittableRandom random = new SplittableRandom(SEED);
    long[] hashes = random.longs(300_000).toArray();
    for (long hash : hashes) {
      grown.add(hash);
    }
    for (int i = 1_000; i < hashes.length; i++) {
      grown.remove(hashes[i]);
    }
    Pair small = new Pair(100_000_000, 1_000_000);
    for (int i = 0; i < 1_000; i++) {
      small.add(hashes[i]);
    }
    assertTrue(grown.directory.holdsTheSameAs(small.directory));
    assertTrue(small.directory.holdsTheSameAs(grown.directory));
    assertEquals(small.directory.contentsHashCode(), grown.directory.contentsHashCode());
    assertTrue(grown.directory.memoryBytes() <= 2.5 * small.directory.memoryBytes());
  }

  /** The sums while a removal is counted and the addition that it takes back is not, or reverse. */
  @Test
  void countsArePossibleAtAnyMoment() {
    TableSizes sizes = new TableSizes(FingerprintSpace.ofAtLeast(100), 10);
    DynamicFingerprints early = new DynamicFingerprints(new ChunkDirectory(sizes), -2, -3);
    assertEquals(0, early.distinct());
    assertEquals(0, early.total());
    DynamicFingerprints late = new DynamicFingerprints(new ChunkDirectory(sizes), 101, 102);
    assertEquals(100, late.distinct());
    assertEquals(102, late.total());
  }
}
