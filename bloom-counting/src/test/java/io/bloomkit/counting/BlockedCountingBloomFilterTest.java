package io.bloomkit.counting;

import static io.bloomkit.counting.WaitingThreads.awaitBlocked;
import static io.bloomkit.counting.WaitingThreads.awaitEnd;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterEstimate.Value;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.hash.HashStrategies;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BlockedCountingBloomFilterTest {

  private static final BlockedShape SHAPE = new BlockedShape(10, 128, 6);

  private static BlockedCountingBloomFilter<Long> filterOf(long from, long to) {
    BlockedCountingBloomFilter<Long> filter = filterWith(SHAPE, false);
    LongStream.range(from, to).forEach(filter::add);
    return filter;
  }

  private static BlockedCountingBloomFilter<Long> filterWith(
      BlockedShape shape, boolean concurrent) {
    BlockedCountingBloomFilter.Builder<Long> builder =
        BlockedCountingBloomFilter.builder(HashStrategies.longs()).shape(shape);
    return concurrent ? builder.concurrent().build() : builder.build();
  }

  /** What a hash does to plain counters, by the positions of its shape and nothing else. */
  private static void count(long[] counters, BlockedShape shape, long hash, int times) {
    for (int i = 0; i < shape.hashes(); i++) {
      counters[(int) shape.positionOf(hash, i)] += times;
    }
  }

  private static void assertHolds(long[] expected, BlockedCountingBloomFilter<Long> filter) {
    for (int p = 0; p < expected.length; p++) {
      assertEquals(expected[p], filter.counter(p), "counter " + p);
    }
    assertEquals(Arrays.stream(expected).filter(c -> c > 0).count(), filter.nonZeroCounters());
    assertEquals(Arrays.stream(expected).filter(c -> c > 15).count(), filter.overflowedCounters());
  }

  @Test
  void copiesViewsAndFilesHaveThePlanOfTheFilter() throws FilterFormatException {
    BlockedCountingBloomFilter<Long> filter =
        BlockedCountingBloomFilter.create(HashStrategies.longs(), 1000, 0.01);
    Optional<FilterPlan> plan = Optional.of(new FilterPlan(1000, 0.01));
    assertEquals(plan, filter.plan());
    assertEquals(plan, filter.copy().plan());
    assertEquals(plan, filter.toBlocked().plan());
    assertEquals(
        plan,
        BlockedCountingBloomFilter.fromBytes(filter.toBytes(), HashStrategies.longs()).plan());
  }

  @Test
  void copyIsConcurrentIfTheFilterIs() {
    for (boolean concurrent : new boolean[] {false, true}) {
      assertEquals(concurrent, filterWith(SHAPE, concurrent).isConcurrent());
      assertEquals(concurrent, filterWith(SHAPE, concurrent).copy().isConcurrent());
    }
  }

  /** The counters are ten cache lines. */
  @Test
  void estimateReadsTheLinesItMay() {
    BlockedCountingBloomFilter<Long> filter = filterOf(0, 60);
    double fill = filter.nonZeroCounters() / (double) SHAPE.positions();
    assertEquals(Value.exact(fill), filter.estimate(10).fill());
    assertEquals(filter.expectedFpp(), filter.estimate(10).fpp().value(), 1e-15);
    assertTrue(filter.estimate(9).fill().standardError() > 0);
  }

  @Test
  void eachPositionOfAnElementCountsOnce() {
    for (int hashes = 2; hashes <= BlockedShape.MAX_HASHES; hashes += 2) {
      assertEachPositionCountsOnce(hashes);
    }
  }

  private static void assertEachPositionCountsOnce(int hashes) {
    BlockedShape shape = new BlockedShape(4, 128, hashes);
    for (boolean concurrent : new boolean[] {false, true}) {
      SplittableRandom random = new SplittableRandom(10);
      BlockedCountingBloomFilter<Long> filter = filterWith(shape, concurrent);
      for (int i = 0; i < 300; i++) {
        long hash = random.nextLong();
        long[] expected = new long[512];
        count(expected, shape, hash, 1);
        assertTrue(filter.addHash(hash));
        assertHolds(expected, filter);
        assertEquals(hashes, filter.nonZeroCounters(), "different positions");
        assertTrue(filter.removeHash(hash));
        assertHolds(new long[512], filter);
        assertEquals(filterWith(shape, !concurrent), filter);
      }
    }
  }

  @Test
  void answersAndCountsAreThoseOfTheCounters() {
    for (int hashes : new int[] {2, 4, 6, 16}) {
      assertAnswersAreThoseOfTheCounters(hashes);
    }
  }

  private static void assertAnswersAreThoseOfTheCounters(int hashes) {
    BlockedShape shape = new BlockedShape(4, 128, hashes);
    for (boolean concurrent : new boolean[] {false, true}) {
      SplittableRandom random = new SplittableRandom(hashes);
      BlockedCountingBloomFilter<Long> filter = filterWith(shape, concurrent);
      long[] counters = new long[512];
      for (int i = 0; i < 60; i++) {
        long hash = random.nextLong();
        int times = 1 + random.nextInt(1 + random.nextInt(30));
        count(counters, shape, hash, times);
        for (int j = 0; j < times; j++) {
          filter.addHash(hash);
        }
      }
      assertHolds(counters, filter);
      int positive = 0;
      for (int i = 0; i < 5000; i++) {
        long hash = random.nextLong();
        long[] mask = new long[512];
        count(mask, shape, hash, 1);
        long least = Long.MAX_VALUE;
        for (int p = 0; p < mask.length; p++) {
          least = Math.min(least, mask[p] == 0 ? Long.MAX_VALUE : counters[p]);
        }
        assertEquals(least, filter.countHash(hash));
        assertEquals(least > 0, filter.mightContainHash(hash));
        positive += least > 0 ? 1 : 0;
        if (least == 0) {
          assertFalse(filter.removeHash(hash));
        }
      }
      assertTrue(positive > 50 && positive < 4950, "positive: " + positive);
      assertHolds(counters, filter);
    }
  }

  @Test
  @Tag("large")
  void aMillionCopiesOfOneElementAreCountedAndRemoved() {
    for (boolean concurrent : new boolean[] {false, true}) {
      BlockedCountingBloomFilter<Long> filter = filterWith(SHAPE, concurrent);
      filter.add(7L);
      long alone = filter.nonZeroCounters();
      assertTrue(filter.add(42L));
      long ofCopies = filter.nonZeroCounters() - alone;
      for (int i = 1; i < 1_000_000; i++) {
        assertFalse(filter.add(42L));
      }
      assertEquals(1_000_000, filter.count(42L));
      assertEquals(1, filter.count(7L));
      assertEquals(ofCopies, filter.overflowedCounters());
      assertEquals(OptionalLong.of(1_000_001), filter.elementCount());
      for (int i = 0; i < 1_000_000; i++) {
        assertTrue(filter.remove(42L));
      }
      assertFalse(filter.remove(42L));
      assertEquals(0, filter.overflowedCounters());
      assertEquals(filterOf(7, 8), filter);
    }
  }

  @Test
  void everyCounterOfABlockGoesPastFifteenAndBack() {
    BlockedShape shape = new BlockedShape(4, 128, 4);
    for (boolean concurrent : new boolean[] {false, true}) {
      SplittableRandom random = new SplittableRandom(12);
      BlockedCountingBloomFilter<Long> filter = filterWith(shape, concurrent);
      long[] counters = new long[512];
      // All of one block, some forty elements a counter.
      long[] hashes =
          random.longs().filter(h -> shape.positionOf(h, 0) / 128 == 1).limit(1200).toArray();
      for (long hash : hashes) {
        count(counters, shape, hash, 1);
        filter.addHash(hash);
        assertHolds(counters, filter);
      }
      assertEquals(128, filter.overflowedCounters(), "all counters of the block");
      for (int i = hashes.length - 1; i >= 0; i--) {
        int other = random.nextInt(i + 1);
        long hash = hashes[other];
        hashes[other] = hashes[i];
        count(counters, shape, hash, -1);
        assertTrue(filter.removeHash(hash));
        assertHolds(counters, filter);
      }
      assertEquals(filterWith(shape, false), filter);
    }
  }

  /** A removal that waits for the table of what exceeds fifteen keeps its block, and no other. */
  @Test
  void removalsExcludeEachOtherByBlock() throws Exception {
    BlockedShape shape = new BlockedShape(1024, 128, 4);
    BlockedCountingBloomFilter<Long> filter = filterWith(shape, true);
    long many = hashAt(shape, 5, 0, 1);
    long ofTheSameBlock = hashAt(shape, 5, 6, 7);
    long ofTheNext = hashAt(shape, 6, 0, 1);
    for (int i = 0; i < 20; i++) {
      filter.addHash(many);
    }
    filter.addHash(ofTheSameBlock);
    filter.addHash(ofTheNext);
    Thread first = new Thread(() -> filter.removeHash(many));
    Thread second = new Thread(() -> filter.removeHash(ofTheSameBlock));
    Thread third = new Thread(() -> filter.removeHash(ofTheNext));
    synchronized (filter.counters) {
      first.start();
      awaitBlocked(first);
      second.start();
      awaitBlocked(second);
      third.start();
      awaitEnd(third);
    }
    first.join();
    second.join();
    third.join();
    assertEquals(19, filter.countHash(many));
    assertEquals(0, filter.countHash(ofTheSameBlock));
    assertEquals(0, filter.countHash(ofTheNext));
    assertEquals(OptionalLong.of(19), filter.elementCount());
  }

  /** A hash with two given words of a block. */
  private static long hashAt(BlockedShape shape, long block, int first, int second) {
    int last = shape.hashes() - 1;
    return new SplittableRandom(block)
        .longs()
        .filter(
            h ->
                shape.positionOf(h, 0) / 16 == 8 * block + first
                    && shape.positionOf(h, last) / 16 == 8 * block + second)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void itsTextIsForLogs() {
    assertEquals(
        "BlockedCountingBloomFilter[blocks=4, hashes=4, elements=0, strategy="
            + HashStrategies.longs().id()
            + "]",
        filterWith(new BlockedShape(4, 128, 4), false).toString());
  }

  @Test
  void elementCountIsUnknownRatherThanWrongWhenItOverflows() {
    BlockedCountingBloomFilter<Long> filter = filterOf(0, 1000);
    for (int i = 0; i < 54; i++) {
      filter.merge(filter);
    }
    assertEquals(OptionalLong.empty(), filter.elementCount());
    assertEquals(OptionalLong.empty(), filter.copy().elementCount());
    assertEquals(OptionalLong.empty(), filter.toBlocked().elementCount());
    filter.clear();
    assertEquals(OptionalLong.of(0), filter.elementCount());
    assertEquals(filterOf(0, 0), filter);
  }

  @Test
  void atMostFiftyTwoBitsAnElementAtOnePercent() {
    for (long n : new long[] {10_000, 100_000, 1_000_000}) {
      BlockedCountingBloomFilter<Long> filter =
          BlockedCountingBloomFilter.create(HashStrategies.longs(), n, 0.01);
      assertTrue(filter.memoryBytes() * 8.0 / n <= 52, "bits: " + filter.memoryBytes() * 8.0 / n);
    }
  }

  @Test
  void memoryGrowsWithTheTableAndIsReleased() {
    BlockedCountingBloomFilter<Long> filter = filterOf(0, 100);
    long before = filter.memoryBytes();
    assertEquals((6 + 10 * 8) * 8, before);
    for (int i = 0; i < 100; i++) {
      filter.add(1L);
    }
    assertTrue(filter.memoryBytes() >= before + 4 * 16);
    filter.clear();
    assertEquals(before, filter.memoryBytes());
  }

  @Test
  void filterOfASupertypesStrategyHoldsSubtypes() {
    BlockedCountingBloomFilter<String> strings =
        BlockedCountingBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
    BlockedCountingBloomFilter<CharSequence> texts =
        BlockedCountingBloomFilter.builder(HashStrategies.utf8()).expecting(100, 0.01).build();
    strings.add("a");
    texts.merge(strings);
    assertTrue(texts.toBlocked().mightContain("a"));
    assertTrue(texts.remove("a"));
  }

  @Test
  void batchesEqualSingleOperations() {
    for (int length : new int[] {0, 1, 127, 128, 129, 255, 256, 257, 400}) {
      assertBatchEqualsSingleOperations(length);
    }
  }

  private static void assertBatchEqualsSingleOperations(int length) {
    for (boolean concurrent : new boolean[] {false, true}) {
      long[] hashes = new SplittableRandom(length).longs(length + 7L).toArray();
      for (int i = 3; i < hashes.length; i += 5) {
        hashes[i] = hashes[i / 2]; // some come twice
      }
      BlockedCountingBloomFilter<Long> batch = filterWith(SHAPE, concurrent);
      BlockedCountingBloomFilter<Long> single = filterWith(SHAPE, concurrent);
      long added = 0;
      for (int i = 3; i < 3 + length; i++) {
        added += single.addHash(hashes[i]) ? 1 : 0;
      }
      assertEquals(added, batch.addHashes(hashes, 3, length));
      assertEquals(single, batch);
      assertEquals(OptionalLong.of(length), batch.elementCount());

      boolean[] answers = new boolean[hashes.length];
      Arrays.fill(answers, 0, 3, true);
      boolean[] expected = answers.clone();
      int positive = 0;
      for (int i = 3; i < 3 + length; i++) {
        hashes[i] += i % 3; // some that are not there
        expected[i] = single.mightContainHash(hashes[i]);
        positive += expected[i] ? 1 : 0;
      }
      assertEquals(positive, batch.mightContainHashes(hashes, 3, length, answers));
      assertArrayEquals(expected, answers);

      long removed = 0;
      for (int i = 3; i < 3 + length; i++) {
        removed += single.removeHash(hashes[i]) ? 1 : 0;
      }
      assertEquals(removed, batch.removeHashes(hashes, 3, length));
      assertEquals(single, batch);
      assertEquals(OptionalLong.of(length - removed), batch.elementCount());
    }
  }

  @Test
  void badSizesAreRefusedBeforeAnythingIsAllocated() {
    BlockedCountingBloomFilter.Builder<Long> builder =
        BlockedCountingBloomFilter.builder(HashStrategies.longs());
    BlockedShape ofBits = new BlockedShape(10, 512, 6);
    String refusal =
        assertThrows(IllegalArgumentException.class, () -> builder.shape(ofBits)).toString();
    assertTrue(refusal.contains("128") && refusal.contains(ofBits.toString()), refusal);
    // An array holds six words and 268,435,454 blocks.
    BlockedShape tooLarge = new BlockedShape(268_435_456, 128, 4);
    refusal =
        assertThrows(IllegalArgumentException.class, () -> builder.shape(tooLarge)).toString();
    assertTrue(refusal.contains("34359738128") && refusal.contains("268435456"), refusal);
    builder.shape(new BlockedShape(268_435_454, 128, 4)); // is not refused
    refusal =
        assertThrows(
                IllegalArgumentException.class,
                () -> BlockedCountingBloomFilter.create(HashStrategies.longs(), 1L << 40, 0.01))
            .toString();
    assertTrue(
        refusal.contains("expectedInsertions") && refusal.contains("1099511627776"), refusal);
    assertThrows(
        IllegalStateException.class,
        () -> BlockedCountingBloomFilter.builder(HashStrategies.longs()).build());
  }

  @Test
  void memoryIsKnownBeforeTheFilterIsBuilt() {
    for (int blocks : new int[] {2, 10, 1000}) {
      BlockedCountingBloomFilter.Builder<Long> builder =
          BlockedCountingBloomFilter.builder(HashStrategies.longs())
              .shape(new BlockedShape(blocks, 128, 4));
      assertEquals(64L * blocks + 48, builder.memoryBytes());
      assertEquals(builder.memoryBytes(), builder.build().memoryBytes());
    }
    assertThrows(
        IllegalStateException.class,
        () -> BlockedCountingBloomFilter.builder(HashStrategies.longs()).memoryBytes());
  }

  @Test
  void positionsOutsideAreRefused() {
    BlockedCountingBloomFilter<Long> filter = filterOf(0, 1);
    assertThrows(IndexOutOfBoundsException.class, () -> filter.counter(SHAPE.positions()));
    assertThrows(IndexOutOfBoundsException.class, () -> filter.counter(-1));
  }

  @Test
  @SuppressWarnings("NullAway") // what happens to those who pass null
  void missingStrategyIsRefused() {
    NullPointerException e =
        assertThrows(
            NullPointerException.class, () -> BlockedCountingBloomFilter.create(null, 10, 0.01));
    assertTrue(e.toString().contains("strategy"), e.toString());
  }
}
