package io.bloomkit.counting;

import static io.bloomkit.counting.WaitingThreads.awaitBlocked;
import static io.bloomkit.counting.WaitingThreads.awaitEnd;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.Shape;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.Racer;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
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

  @Test
  void mergedFilterEqualsTheFilterOfBoth() {
    BlockedCountingBloomFilter<Long> merged = filterOf(0, 30);
    merged.merge(filterOf(20, 60));
    BlockedCountingBloomFilter<Long> expected = filterOf(0, 60);
    LongStream.range(20, 30).forEach(expected::add);
    assertEquals(expected, merged);
    assertEquals(expected.hashCode(), merged.hashCode());
    assertEquals(expected.nonZeroCounters(), merged.nonZeroCounters());
    assertEquals(OptionalLong.of(70), merged.elementCount());
    LongStream.range(20, 60).forEach(i -> assertTrue(merged.remove(i)));
    assertEquals(filterOf(0, 30), merged);
  }

  @Test
  void aConcurrentFilterMergesWithOneThatIsNot() {
    BlockedCountingBloomFilter<Long> merged = filterWith(SHAPE, true);
    LongStream.range(0, 30).forEach(merged::add);
    merged.merge(filterOf(30, 60));
    assertEquals(filterOf(0, 60), merged);
    assertEquals(OptionalLong.of(60), merged.elementCount());
    merged.subtract(filterOf(0, 30));
    assertEquals(filterOf(30, 60), merged);
    assertEquals(OptionalLong.of(30), merged.elementCount());
  }

  @Test
  void mergingWithItselfDoublesEveryCount() {
    BlockedCountingBloomFilter<Long> filter = filterOf(0, 30);
    for (int i = 0; i < 6; i++) {
      filter.merge(filter);
    }
    assertTrue(filter.count(3L) >= 64);
    assertEquals(OptionalLong.of(30 * 64), filter.elementCount());
    for (int i = 0; i < 63; i++) {
      LongStream.range(0, 30).forEach(x -> assertTrue(filter.remove(x)));
    }
    assertEquals(filterOf(0, 30), filter);
  }

  @Test
  void mergeThatWouldOverflowACounterIsRefusedNamesItAndChangesNothing() {
    BlockedCountingBloomFilter<Long> filter = filterWith(SHAPE, false);
    filter.add(1L);
    for (int i = 0; i < 62; i++) {
      filter.merge(filter);
    }
    BlockedCountingBloomFilter<Long> before = filter.copy();
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> filter.merge(filter));
    assertEquals(before, filter);
    assertEquals(before.elementCount(), filter.elementCount());
    String counter = e.toString().replaceFirst(".*counter (\\d+) .*", "$1");
    assertEquals(1L << 62, filter.counter(Long.parseLong(counter)), e.toString());
    assertTrue(e.toString().contains("2^62") && e.toString().contains("" + (1L << 62)));
  }

  @Test
  void subtractingAPartLeavesTheRest() {
    BlockedCountingBloomFilter<Long> filter = filterOf(0, 60);
    LongStream.range(0, 40).forEach(i -> filter.add(5L));
    filter.subtract(filterOf(20, 60));
    BlockedCountingBloomFilter<Long> expected = filterOf(0, 20);
    LongStream.range(0, 40).forEach(i -> expected.add(5L));
    assertEquals(expected, filter);
    assertEquals(expected.nonZeroCounters(), filter.nonZeroCounters());
    assertEquals(expected.elementCount(), filter.elementCount());
    filter.subtract(filter);
    assertEquals(filterOf(0, 0), filter);
    assertEquals(0, filter.expectedFpp());
    assertEquals(OptionalLong.of(0), filter.elementCount());
  }

  @Test
  void subtractingWhatIsNotThereIsRefusedNamesTheCounterAndChangesNothing() {
    BlockedCountingBloomFilter<Long> filter = filterOf(0, 60);
    BlockedCountingBloomFilter<Long> many = filterOf(0, 60);
    LongStream.range(0, 100).forEach(i -> many.add(1L));
    for (BlockedCountingBloomFilter<Long> other : Arrays.asList(filterOf(50, 70), many)) {
      BlockedCountingBloomFilter<Long> before = filter.copy();
      String refusal =
          assertThrows(IllegalArgumentException.class, () -> filter.subtract(other)).toString();
      assertEquals(before, filter);
      assertEquals(before.elementCount(), filter.elementCount());
      long counter = Long.parseLong(refusal.replaceFirst(".*counter (\\d+) .*", "$1"));
      assertTrue(filter.counter(counter) < other.counter(counter), refusal);
      assertTrue(
          refusal.endsWith(
              filter.counter(counter) + " here and " + other.counter(counter) + " there"),
          refusal);
    }
  }

  @Test
  void filtersOfOtherShapesOrStrategiesAreNotMergedOrSubtracted() {
    BlockedCountingBloomFilter<Long> filter = filterOf(0, 10);
    BlockedCountingBloomFilter<Long> otherStrategy =
        BlockedCountingBloomFilter.builder(HashStrategies.seeded(HashStrategies.longs(), 1))
            .shape(SHAPE)
            .build();
    for (BlockedCountingBloomFilter<Long> other :
        Arrays.asList(
            filterWith(new BlockedShape(10, 128, 4), false),
            filterWith(new BlockedShape(12, 128, 6), false),
            otherStrategy)) {
      assertThrows(IllegalArgumentException.class, () -> filter.merge(other));
      String refusal =
          assertThrows(IllegalArgumentException.class, () -> filter.subtract(other)).toString();
      assertTrue(refusal.contains(other.shape().toString()), refusal);
      assertTrue(refusal.contains(other.strategy().id()), refusal);
      assertFalse(filter.isCompatible(other));
      assertNotEquals(filter, other);
    }
    assertTrue(filter.isCompatible(filterWith(SHAPE, true)));
    assertEquals(filterOf(0, 10), filter);
    assertNotEquals(
        (Object)
            CountingBloomFilter.builder(HashStrategies.longs())
                .shape(new Shape(SHAPE.positions(), SHAPE.hashes()))
                .build(),
        filterOf(0, 0));
  }

  @Test
  void copyIsIndependent() {
    for (boolean concurrent : new boolean[] {false, true}) {
      BlockedCountingBloomFilter<Long> filter = filterWith(SHAPE, concurrent);
      LongStream.range(0, 10).forEach(filter::add);
      BlockedCountingBloomFilter<Long> copy = filter.copy();
      assertEquals(filter, copy);
      assertEquals(filter.elementCount(), copy.elementCount());
      for (int i = 0; i < 20; i++) {
        copy.add(3L);
      }
      assertNotEquals(filter, copy);
      LongStream.range(0, 10).forEach(i -> assertTrue(filter.remove(i)));
      assertEquals(filterOf(0, 0), filter);
      assertTrue(copy.count(3L) >= 21);
    }
  }

  @Test
  void aCopyOfAConcurrentFilterIsConcurrent() throws Exception {
    BlockedCountingBloomFilter<Long> filter = filterWith(SHAPE, true);
    for (int i = 0; i < 16; i++) {
      filter.add(1L);
    }
    BlockedCountingBloomFilter<Long> copy = filter.copy();
    Thread adder = new Thread(() -> copy.add(1L));
    synchronized (copy.counters) { // as it is held for the excess of other counters
      adder.start();
      awaitBlocked(adder);
    }
    adder.join();
    assertEquals(17, copy.count(1L));
  }

  @Test
  void theBlockedViewOfAConcurrentFilterIsConcurrent() {
    BlockedCountingBloomFilter<Long> filter = filterWith(SHAPE, true);
    filter.add(1L);
    BlockedBloomFilter<Long> view = filter.toBlocked();
    AtomicInteger ready = new AtomicInteger();
    BooleanSupplier additions =
        () -> {
          ready.incrementAndGet();
          while (ready.get() < 2) {
            Thread.onSpinWait();
          }
          for (long i = 0; i < 1_000_000; i++) {
            view.add(i);
          }
          return true;
        };
    Racer.race(additions, additions);
    assertEquals(OptionalLong.of(2_000_001), view.elementCount());
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
  void blockedViewIsTheBlockedFilterOfTheSameElements() {
    for (boolean concurrent : new boolean[] {false, true}) {
      BlockedCountingBloomFilter<Long> filter = filterWith(SHAPE, concurrent);
      LongStream.range(0, 300).forEach(filter::add);
      LongStream.range(0, 20).forEach(i -> filter.add(299L));
      assertViewAnswersAlike(filter, 320, 0, 300);
      LongStream.range(100, 280).forEach(filter::remove);
      assertViewAnswersAlike(filter, 140, 0, 100);
      LongStream.range(0, 90).forEach(filter::remove);
      LongStream.range(0, 21).forEach(i -> filter.remove(299L));
      assertViewAnswersAlike(filter, 29, 280, 299);
    }
  }

  private static void assertViewAnswersAlike(
      BlockedCountingBloomFilter<Long> filter, long elements, long presentFrom, long presentTo) {
    BlockedBloomFilter<Long> view = filter.toBlocked();
    assertEquals(filter.shape(), view.shape());
    assertEquals(OptionalLong.of(elements), view.elementCount());
    assertEquals(filter.nonZeroCounters(), view.setPositions());
    assertEquals(filter.expectedFpp(), view.expectedFpp());
    assertEquals(filter.approximateElementCount(), view.approximateElementCount());
    int positive = 0;
    for (long i = 0; i < 10_000; i++) {
      assertEquals(filter.mightContain(i), view.mightContain(i));
      positive += view.mightContain(i) ? 1 : 0;
    }
    assertTrue(positive < 10_000, "every element is positive, which tells nothing");
    for (long i = presentFrom; i < presentTo; i++) {
      assertTrue(view.mightContain(i));
    }
    assertEquals(SHAPE.positions() / 8 + 48, view.memoryBytes());
  }

  @Test
  void blockedViewMergesWithViewsAndWithFiltersOfItsShape() {
    BlockedBloomFilter<Long> bits =
        BlockedBloomFilter.builder(HashStrategies.longs()).shape(SHAPE).build();
    LongStream.range(100, 150).forEach(bits::add);
    BlockedBloomFilter<Long> view = filterOf(0, 100).toBlocked();
    view.merge(bits);
    assertEquals(filterOf(0, 150).toBlocked(), view);
    assertEquals(OptionalLong.of(150), view.elementCount());
    BlockedBloomFilter<Long> other = filterOf(0, 100).toBlocked();
    other.merge(filterOf(100, 150).toBlocked());
    assertArrayEquals(view.toLongArray(), other.toLongArray());
    view.add(1000L);
    assertTrue(view.mightContain(1000L));
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
