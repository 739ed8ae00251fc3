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
import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BlockedCountingBloomFilterTest extends CounterFilterTest<BlockedCountingBloomFilter<Long>> {

  private static final BlockedShape SHAPE = new BlockedShape(10, 128, 6);

  BlockedCountingBloomFilterTest() {
    super(SHAPE, 10);
  }

  @Override
  BlockedCountingBloomFilter<Long> filterOf(
      HashStrategy<Long> strategy, Shape shape, boolean concurrent) {
    BlockedCountingBloomFilter.Builder<Long> builder =
        BlockedCountingBloomFilter.builder(strategy).shape((BlockedShape) shape);
    return concurrent ? builder.concurrent().build() : builder.build();
  }

  @Override
  BlockedCountingBloomFilter<Long> read(byte[] bytes) throws FilterFormatException {
    return BlockedCountingBloomFilter.fromBytes(bytes, HashStrategies.longs());
  }

  @Override
  BlockedCountingBloomFilter<Long> copy(BlockedCountingBloomFilter<Long> filter) {
    return filter.copy();
  }

  @Override
  void merge(BlockedCountingBloomFilter<Long> filter, BlockedCountingBloomFilter<Long> other) {
    filter.merge(other);
  }

  @Override
  void subtract(BlockedCountingBloomFilter<Long> filter, BlockedCountingBloomFilter<Long> other) {
    filter.subtract(other);
  }

  @Override
  BlockedBloomFilter<Long> view(BlockedCountingBloomFilter<Long> filter) {
    return filter.toBlocked();
  }

  @Override
  List<Shape> otherShapes() {
    return List.of(new BlockedShape(10, 128, 4), new BlockedShape(12, 128, 6));
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

  private void assertEachPositionCountsOnce(int hashes) {
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

  private void assertAnswersAreThoseOfTheCounters(int hashes) {
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
        "BlockedCountingBloomFilter[blocks=4, hashes=4, netInsertions=0, strategy="
            + HashStrategies.longs().id()
            + "]",
        filterWith(new BlockedShape(4, 128, 4), false).toString());
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
    assertTrue(refusal.contains("34359738128") && refusal.contains("34359738368"), refusal);
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
  void aFlatFilterOfAsManyPositionsIsAnother() {
    assertNotEquals(
        (Object)
            CountingBloomFilter.builder(HashStrategies.longs())
                .shape(new FlatShape(SHAPE.positions(), SHAPE.hashes()))
                .build(),
        filterOf(0, 0));
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
}
