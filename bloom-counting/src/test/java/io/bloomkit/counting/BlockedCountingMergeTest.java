package io.bloomkit.counting;

import static io.bloomkit.counting.WaitingThreads.awaitBlocked;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.FlatShape;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Merging, subtracting and copying a {@link BlockedCountingBloomFilter}, and its view of bits. */
class BlockedCountingMergeTest {

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
  void subtractingWhatIsNotThereIsRefusedAndChangesNothing() {
    BlockedCountingBloomFilter<Long> filter = filterOf(0, 60);
    BlockedCountingBloomFilter<Long> many = filterOf(0, 60);
    LongStream.range(0, 100).forEach(i -> many.add(1L));
    for (BlockedCountingBloomFilter<Long> other : Arrays.asList(filterOf(50, 70), many)) {
      BlockedCountingBloomFilter<Long> before = filter.copy();
      String refusal =
          assertThrows(IllegalArgumentException.class, () -> filter.subtract(other)).toString();
      assertEquals(before, filter);
      assertEquals(before.elementCount(), filter.elementCount());
      assertTrue(refusal.endsWith("; subtract only what was added to this filter"), refusal);
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
      boolean isOtherShape = !other.shape().equals(SHAPE);
      Object different = isOtherShape ? other.shape() : other.strategy().id();
      assertTrue(refusal.contains("other has " + different), refusal);
      assertFalse(filter.isCompatible(other));
      assertNotEquals(filter, other);
    }
    assertTrue(filter.isCompatible(filterWith(SHAPE, true)));
    assertEquals(filterOf(0, 10), filter);
    assertNotEquals(
        (Object)
            CountingBloomFilter.builder(HashStrategies.longs())
                .shape(new FlatShape(SHAPE.positions(), SHAPE.hashes()))
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
    synchronized (copy.counters) { // as it is held for the overflow of other counters
      adder.start();
      awaitBlocked(adder);
    }
    adder.join();
    assertEquals(17, copy.count(1L));
  }

  @Test
  void theBlockedViewIsAsConcurrentAsTheFilter() {
    assertTrue(filterWith(SHAPE, true).toBlocked().isConcurrent());
    assertFalse(filterWith(SHAPE, false).toBlocked().isConcurrent());
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
