package io.bloomkit.counting;

import static io.bloomkit.counting.WaitingThreads.awaitBlocked;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Merging, subtracting and copying a {@link CountingBloomFilter}, and its view of bits. */
class CountingMergeTest {

  private static final FlatShape SHAPE = new FlatShape(1000, 7);

  private static CountingBloomFilter<Long> filterOf(long from, long to) {
    CountingBloomFilter<Long> filter =
        CountingBloomFilter.builder(HashStrategies.longs()).shape(SHAPE).build();
    LongStream.range(from, to).forEach(filter::add);
    return filter;
  }

  private static CountingBloomFilter<Long> filterWith(FlatShape shape, boolean concurrent) {
    CountingBloomFilter.Builder<Long> builder =
        CountingBloomFilter.builder(HashStrategies.longs()).shape(shape);
    return concurrent ? builder.concurrent().build() : builder.build();
  }

  @Test
  void mergedFilterEqualsTheFilterOfBoth() {
    CountingBloomFilter<Long> merged = filterOf(0, 30);
    merged.merge(filterOf(20, 60));
    CountingBloomFilter<Long> expected = filterOf(0, 60);
    LongStream.range(20, 30).forEach(expected::add);
    assertEquals(expected, merged);
    assertEquals(expected.nonZeroCounters(), merged.nonZeroCounters());
    assertEquals(OptionalLong.of(70), merged.elementCount());
    LongStream.range(20, 60).forEach(i -> assertTrue(merged.remove(i)));
    assertEquals(filterOf(0, 30), merged);
  }

  @Test
  void mergingWithItselfDoublesEveryCount() {
    CountingBloomFilter<Long> filter = filterOf(0, 30);
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
  void mergeThatWouldOverflowACounterIsRefusedAndChangesNothing() {
    CountingBloomFilter<Long> filter = filterOf(0, 3);
    int doublings = 0;
    CountingBloomFilter<Long> before = filter.copy();
    try {
      while (doublings < 100) {
        filter.merge(filter);
        before = filter.copy();
        doublings++;
      }
    } catch (IllegalArgumentException e) {
      assertTrue(e.toString().contains("2^62"), e.toString());
    }
    assertTrue(doublings >= 59 && doublings < 63, "doublings: " + doublings);
    assertEquals(before, filter);
    assertTrue(filter.count(0L) > 1L << 59);
  }

  @Test
  void copyIsIndependent() {
    CountingBloomFilter<Long> filter = filterOf(0, 10);
    CountingBloomFilter<Long> copy = filter.copy();
    assertEquals(filter, copy);
    assertEquals(filter.elementCount(), copy.elementCount());
    assertEquals(filter.nonZeroCounters(), copy.nonZeroCounters());
    for (int i = 0; i < 20; i++) {
      copy.add(3L);
    }
    assertNotEquals(filter, copy);
    LongStream.range(0, 10).forEach(i -> assertTrue(filter.remove(i)));
    assertEquals(filterOf(0, 0), filter);
    assertTrue(copy.count(3L) >= 21);
  }

  @Test
  void aCopyOfAConcurrentFilterIsConcurrent() throws Exception {
    CountingBloomFilter<Long> filter = filterWith(SHAPE, true);
    filter.add(1L);
    CountingBloomFilter<Long> copy = filter.copy();
    Thread remover = new Thread(() -> copy.remove(1L));
    synchronized (copy.counters) { // as another removal has it
      remover.start();
      awaitBlocked(remover);
    }
    remover.join();
    assertFalse(copy.mightContain(1L));
  }

  @Test
  void theClassicViewIsAsConcurrentAsTheFilter() {
    assertTrue(filterWith(SHAPE, true).toClassic().isConcurrent());
    assertFalse(filterWith(SHAPE, false).toClassic().isConcurrent());
  }

  @Test
  void aCopySaysOfItselfWhatTheFilterDoes() {
    for (boolean concurrent : new boolean[] {false, true}) {
      CountingBloomFilter<Long> filter = filterWith(SHAPE, concurrent);
      LongStream.range(0, 40).forEach(filter::add);
      CountingBloomFilter<Long> copy = filter.copy();
      assertEquals(filterOf(0, 40).nonZeroCounters(), copy.nonZeroCounters());
      assertEquals(filter.expectedFpp(), copy.expectedFpp());
      assertEquals(OptionalLong.of(40), copy.elementCount());
      filter.merge(filterOf(40, 60));
      assertEquals(filterOf(0, 60).nonZeroCounters(), filter.nonZeroCounters());
      assertEquals(OptionalLong.of(60), filter.elementCount());
    }
  }

  @Test
  void filtersOfOneStrategyAndShapeAreCompatible() {
    assertTrue(filterOf(0, 10).isCompatible(filterOf(5, 6)));
    assertTrue(filterOf(0, 10).isCompatible(filterWith(SHAPE, true)));
  }

  @Test
  void filterThatCanMergeNoMoreIsWrittenAndReadAgain() throws FilterFormatException {
    CountingBloomFilter<Long> filter = filterWith(new FlatShape(1, 1), false);
    filter.add(1L);
    for (int i = 0; i < 62; i++) {
      filter.merge(filter);
    }
    for (int i = 0; i < 16; i++) {
      filter.add(1L);
    }
    assertEquals(filter, CountingBloomFilter.fromBytes(filter.toBytes(), HashStrategies.longs()));
  }

  @Test
  void subtractingAPartLeavesTheRest() {
    CountingBloomFilter<Long> filter = filterOf(0, 60);
    LongStream.range(0, 40).forEach(i -> filter.add(5L));
    filter.subtract(filterOf(20, 60));
    CountingBloomFilter<Long> expected = filterOf(0, 20);
    LongStream.range(0, 40).forEach(i -> expected.add(5L));
    assertEquals(expected, filter);
    assertEquals(expected.nonZeroCounters(), filter.nonZeroCounters());
    assertEquals(expected.elementCount(), filter.elementCount());
    filter.subtract(filter);
    assertEquals(filterOf(0, 0), filter);
    assertEquals(0, filter.expectedFpp());
  }

  @Test
  void subtractingWhatIsNotThereIsRefusedAndChangesNothing() {
    CountingBloomFilter<Long> filter = filterOf(0, 60);
    CountingBloomFilter<Long> other = filterOf(50, 70);
    CountingBloomFilter<Long> before = filter.copy();
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> filter.subtract(other));
    assertTrue(e.toString().contains("other holds an element more often"), e.toString());
    assertEquals(before, filter);
    assertEquals(before.elementCount(), filter.elementCount());
    CountingBloomFilter<Long> many = filterOf(0, 60);
    LongStream.range(0, 100).forEach(i -> many.add(1L));
    assertThrows(IllegalArgumentException.class, () -> filter.subtract(many));
    assertEquals(before, filter);
  }

  @Test
  void filtersOfOtherShapesOrStrategiesAreNotMergedOrSubtracted() {
    CountingBloomFilter<Long> filter = filterOf(0, 10);
    CountingBloomFilter<Long> otherShape = filterWith(new FlatShape(1000, 6), false);
    CountingBloomFilter<Long> otherStrategy =
        CountingBloomFilter.builder(HashStrategies.seeded(HashStrategies.longs(), 1))
            .shape(SHAPE)
            .build();
    assertThrows(IllegalArgumentException.class, () -> filter.merge(otherShape));
    assertThrows(IllegalArgumentException.class, () -> filter.subtract(otherStrategy));
    assertFalse(filter.isCompatible(otherStrategy));
    assertNotEquals(filter, otherShape);
    assertEquals(filterOf(0, 10), filter);
  }

  @Test
  void classicViewIsTheClassicFilterOfTheSameElements() {
    for (boolean concurrent : new boolean[] {false, true}) {
      CountingBloomFilter<Long> filter = filterWith(SHAPE, concurrent);
      LongStream.range(0, 100).forEach(filter::add);
      LongStream.range(50, 100).forEach(filter::remove);
      ClassicBloomFilter<Long> expected =
          ClassicBloomFilter.builder(HashStrategies.longs()).shape(SHAPE).build();
      LongStream.range(0, 50).forEach(expected::add);
      ClassicBloomFilter<Long> view = filter.toClassic();
      assertEquals(expected, view);
      assertEquals(OptionalLong.of(50), view.elementCount());
      assertEquals(filter.expectedFpp(), view.expectedFpp());
      // A last word of counters may stand for less than a word of bits.
      assertTrue(view.memoryBytes() <= filter.memoryBytes() / 4 + 8);
      for (long i = 0; i < 1000; i++) {
        assertEquals(filter.mightContain(i), view.mightContain(i));
      }
    }
  }
}
