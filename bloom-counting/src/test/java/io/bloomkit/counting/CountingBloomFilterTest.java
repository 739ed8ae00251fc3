package io.bloomkit.counting;

import static io.bloomkit.counting.WaitingThreads.awaitBlocked;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.internal.IndexDerivation;
import io.bloomkit.testkit.Racer;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CountingBloomFilterTest {

  private static final Shape SHAPE = new Shape(1000, 7);

  private static CountingBloomFilter<Long> filterOf(long from, long to) {
    CountingBloomFilter<Long> filter =
        CountingBloomFilter.builder(HashStrategies.longs()).shape(SHAPE).build();
    LongStream.range(from, to).forEach(filter::add);
    return filter;
  }

  private static CountingBloomFilter<Long> filterWith(Shape shape, boolean concurrent) {
    CountingBloomFilter.Builder<Long> builder =
        CountingBloomFilter.builder(HashStrategies.longs()).shape(shape);
    return concurrent ? builder.concurrent().build() : builder.build();
  }

  @Test
  void aPositionCountsAsOftenAsAnElementDerivesIt() {
    // Sixteen hashes of eight positions: nearly every element takes some position twice.
    Shape shape = new Shape(8, 16);
    for (boolean concurrent : new boolean[] {false, true}) {
      SplittableRandom random = new SplittableRandom(10);
      for (int i = 0; i < 1000; i++) {
        CountingBloomFilter<Long> filter = filterWith(shape, concurrent);
        long hash = random.nextLong();
        filter.addHash(hash);
        long[] times = new long[8];
        long state = IndexDerivation.start(hash);
        for (int j = 0; j < shape.hashes(); j++) {
          times[(int) IndexDerivation.position(state, shape.positions())]++;
          state = IndexDerivation.next(state);
        }
        for (int p = 0; p < times.length; p++) {
          assertEquals(times[p], filter.counter(p));
        }
        assertEquals(LongStream.of(times).filter(n -> n > 0).count(), filter.nonZeroCounters());
        assertTrue(filter.removeHash(hash));
        assertEquals(filterWith(shape, false), filter);
        assertEquals(0, filter.nonZeroCounters());
      }
    }
  }

  /** At a fill of 1 - 1/k every third hash or so misses exactly one counter: each is looked at. */
  @Test
  void answersAreThoseOfTheCountersForEveryNumberOfHashes() {
    for (int k = 1; k <= Shape.MAX_HASHES; k++) {
      for (boolean concurrent : new boolean[] {false, true}) {
        CountingBloomFilter<Long> filter = filterWith(new Shape(997, k), concurrent);
        SplittableRandom random = new SplittableRandom(k);
        random.longs(1 + (long) (997 * Math.log(k) / k)).forEach(filter::addHash);
        for (int i = 0; i < 200 * k; i++) {
          long hash = random.nextLong();
          boolean positive = true;
          long state = IndexDerivation.start(hash);
          for (int j = 0; j < k; j++) {
            positive &= filter.counter(IndexDerivation.position(state, 997)) != 0;
            state = IndexDerivation.next(state);
          }
          assertEquals(positive, filter.mightContainHash(hash), k + " hashes");
        }
      }
    }
  }

  @Test
  void ofTwoElementsOnOnePositionTheOtherStaysWhenOneIsRemoved() {
    // Row J3 of the sources: one counter, both elements on it.
    CountingBloomFilter<Long> filter = filterWith(new Shape(1, 1), false);
    filter.add(1L);
    filter.add(2L);
    assertEquals(2, filter.counter(0));
    filter.remove(1L);
    assertTrue(filter.mightContain(2L));
    filter.remove(2L);
    assertFalse(filter.mightContain(2L));
  }

  @Test
  @Tag("large")
  void aMillionCopiesOfOneElementAreCountedAndRemoved() {
    for (boolean concurrent : new boolean[] {false, true}) {
      CountingBloomFilter<Long> filter = filterWith(SHAPE, concurrent);
      filter.add(7L);
      for (int i = 0; i < 1_000_000; i++) {
        assertFalse(filter.add(42L) && i > 0);
      }
      assertEquals(1_000_000, filter.count(42L));
      assertEquals(7, filter.overflowedCounters());
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
  void theClassicViewOfAConcurrentFilterIsConcurrent() {
    CountingBloomFilter<Long> filter = filterWith(SHAPE, true);
    filter.add(1L);
    ClassicBloomFilter<Long> view = filter.toClassic();
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
  void theHashCodeIsThatOfStrategyShapeAndCounters() {
    CountingBloomFilter<Long> filter = filterOf(0, 10);
    CountingBloomFilter<Long> otherShape = filterWith(new Shape(999, 7), false);
    assertEquals(filter.hashCode(), filterOf(0, 10).hashCode());
    assertNotEquals(filter.hashCode(), filterOf(0, 11).hashCode());
    assertNotEquals(filterOf(0, 0).hashCode(), otherShape.hashCode()); // of as many words
  }

  @Test
  void theFirstCounterIsLookedAtToo() {
    CountingBloomFilter<Long> one = filterWith(new Shape(1, 1), false);
    one.add(1L);
    CountingBloomFilter<Long> more = one.copy();
    more.add(2L);
    assertThrows(IllegalArgumentException.class, () -> one.subtract(more));
    for (int i = 1; i < 62; i++) {
      more.merge(more);
    }
    assertEquals(1L << 62, more.counter(0));
    assertThrows(IllegalArgumentException.class, () -> more.merge(one));
    assertEquals(1L << 62, more.counter(0));
  }

  @Test
  void filterThatCanMergeNoMoreIsWrittenAndReadAgain() throws FilterFormatException {
    CountingBloomFilter<Long> filter = filterWith(new Shape(1, 1), false);
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
  void itsTextIsForLogs() {
    assertEquals(
        "CountingBloomFilter[positions=1000, hashes=7, elements=0, strategy="
            + HashStrategies.longs().id()
            + "]",
        filterOf(0, 0).toString());
  }

  @Test
  void theLargestArrayIsNotRefused() {
    long most = 16L * (Integer.MAX_VALUE - 8);
    CountingBloomFilter.Builder<Long> builder = CountingBloomFilter.builder(HashStrategies.longs());
    assertEquals(most / 2, builder.shape(new Shape(most, 7)).memoryBytes());
    assertThrows(IllegalArgumentException.class, () -> builder.shape(new Shape(most + 1, 7)));
  }

  @Test
  void elementCountIsUnknownRatherThanWrongWhenItOverflows() {
    CountingBloomFilter<Long> filter = filterOf(0, 1000);
    for (int i = 0; i < 58; i++) {
      filter.merge(filter);
      OptionalLong expected = i < 53 ? OptionalLong.of(1000L << (i + 1)) : OptionalLong.empty();
      assertEquals(expected, filter.elementCount(), "after doubling " + (i + 1));
    }
    assertEquals(OptionalLong.empty(), filter.copy().elementCount());
    assertEquals(OptionalLong.empty(), filter.toClassic().elementCount());
    filter.clear();
    assertEquals(OptionalLong.of(0), filter.elementCount());
  }

  /** 2^62 of one element and 2^62 − 1 of another are 2^63 − 1; one more is too many. */
  @Test
  void elementCountIsKnownUpToTheLargestLong() {
    Shape sparse = new Shape(1 << 16, 7); // no counter counts two positions
    CountingBloomFilter<Long> ones = filterWith(sparse, false);
    ones.add(1L);
    CountingBloomFilter<Long> twos = filterWith(sparse, false);
    twos.add(2L);
    for (int i = 0; i < 61; i++) {
      ones.merge(ones);
      twos.merge(twos);
      twos.add(2L);
    }
    ones.merge(ones);
    assertEquals(OptionalLong.of(1L << 62), ones.elementCount());
    assertEquals(OptionalLong.of((1L << 62) - 1), twos.elementCount());
    CountingBloomFilter<Long> all = ones.copy();
    all.merge(twos);
    assertEquals(OptionalLong.of(Long.MAX_VALUE), all.elementCount());
    twos.add(2L);
    ones.merge(twos);
    assertEquals(OptionalLong.empty(), ones.elementCount());
  }

  @Test
  void aFilterTellsItsShape() {
    assertEquals(SHAPE, filterOf(0, 0).shape());
  }

  @Test
  void emptyFiltersOfOtherShapesOrStrategiesAreNotEqual() {
    assertNotEquals(filterWith(SHAPE, false), filterWith(new Shape(1000, 6), false));
    assertNotEquals(filterWith(SHAPE, false), filterWith(new Shape(1001, 7), false));
    assertEquals(filterWith(SHAPE, false), filterWith(SHAPE, true));
  }

  @Test
  void memoryGrowsWithTheTableAndIsReleased() {
    CountingBloomFilter<Long> filter = filterOf(0, 100);
    long before = filter.memoryBytes();
    assertEquals(63 * 8, before);
    for (int i = 0; i < 100; i++) {
      filter.add(1L);
    }
    assertTrue(filter.memoryBytes() >= before + 7 * 16);
    filter.clear();
    assertEquals(before, filter.memoryBytes());
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
    assertTrue(e.toString().contains("counter"), e.toString());
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
    CountingBloomFilter<Long> otherShape = filterWith(new Shape(1000, 6), false);
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

  @Test
  void filterOfASupertypesStrategyHoldsSubtypes() {
    CountingBloomFilter<String> strings =
        CountingBloomFilter.create(HashStrategies.utf8(), 100, 0.01);
    CountingBloomFilter<CharSequence> texts =
        CountingBloomFilter.builder(HashStrategies.utf8()).expecting(100, 0.01).build();
    strings.add("a");
    texts.merge(strings);
    assertTrue(texts.remove("a"));
  }

  @Test
  void removalOfAFalsePositiveThatTakesAPositionTwiceIsRefused() {
    for (boolean concurrent : new boolean[] {false, true}) {
      CountingBloomFilter<Long> filter = filterWith(new Shape(2, 2), concurrent);
      SplittableRandom random = new SplittableRandom(11);
      filter.addHash(nextHash(random, true));
      CountingBloomFilter<Long> before = filter.copy();
      for (int i = 0; i < 100; i++) {
        long onOne = nextHash(random, false);
        assertTrue(filter.mightContainHash(onOne));
        assertEquals(1, filter.countHash(onOne));
        assertFalse(filter.removeHash(onOne));
        assertEquals(before, filter);
        assertEquals(OptionalLong.of(1), filter.elementCount());
      }
    }
  }

  private static long nextHash(SplittableRandom random, boolean onBothOfTwoPositions) {
    while (true) {
      long hash = random.nextLong();
      long state = IndexDerivation.start(hash);
      boolean both =
          IndexDerivation.position(state, 2)
              != IndexDerivation.position(IndexDerivation.next(state), 2);
      if (both == onBothOfTwoPositions) {
        return hash;
      }
    }
  }

  @Test
  void badSizesAreRefusedBeforeAnythingIsAllocated() {
    assertThrows(
        IllegalArgumentException.class,
        () -> CountingBloomFilter.builder(HashStrategies.longs()).shape(new Shape(1L << 35, 7)));
    IllegalArgumentException tooMany =
        assertThrows(
            IllegalArgumentException.class,
            () -> CountingBloomFilter.create(HashStrategies.longs(), 1L << 40, 0.01));
    assertTrue(
        tooMany.toString().contains("expectedInsertions")
            && tooMany.toString().contains("1099511627776"),
        tooMany.toString());
    assertThrows(
        IllegalArgumentException.class,
        () -> CountingBloomFilter.create(HashStrategies.longs(), 1L << 33, 0.01));
    assertThrows(
        IllegalStateException.class,
        () -> CountingBloomFilter.builder(HashStrategies.longs()).build());
    assertThrows(
        IllegalStateException.class,
        () -> CountingBloomFilter.builder(HashStrategies.longs()).memoryBytes());
    CountingBloomFilter<Long> filter = filterOf(0, 1);
    assertThrows(IndexOutOfBoundsException.class, () -> filter.counter(1000));
    assertThrows(IndexOutOfBoundsException.class, () -> filter.counter(-1));
  }

  @Test
  void bytesAreKnownBeforeTheFilterIsBuilt() {
    for (int n : new int[] {1, 6, 7, 1000, 99_999}) {
      CountingBloomFilter.Builder<Long> builder =
          CountingBloomFilter.builder(HashStrategies.longs()).expecting(n, 0.01);
      assertEquals(builder.build().memoryBytes(), builder.memoryBytes());
    }
    assertEquals(
        1L << 33, // more than this test may allocate
        CountingBloomFilter.builder(HashStrategies.longs())
            .shape(new Shape(1L << 34, 7))
            .memoryBytes());
  }

  @Test
  @SuppressWarnings("NullAway") // what happens to those who pass null
  void missingStrategyIsRefused() {
    NullPointerException e =
        assertThrows(NullPointerException.class, () -> CountingBloomFilter.create(null, 10, 0.01));
    assertTrue(e.toString().contains("strategy"), e.toString());
  }

  @Test
  void manyAtOnceEqualOneByOne() {
    for (Shape shape :
        new Shape[] {
          SHAPE, new Shape(1 << 24, 7), new Shape((1 << 24) + 1, 2), new Shape(1 << 24, 20)
        }) {
      for (int length : new int[] {0, 1, 31, 32, 33, 100}) {
        assertManyAtOnceEqualOneByOne(shape, length);
      }
    }
  }

  private static void assertManyAtOnceEqualOneByOne(Shape shape, int length) {
    long[] hashes = new SplittableRandom(length).longs(110).toArray();
    hashes[7] = hashes[5];
    CountingBloomFilter<Long> batch = filterWith(shape, false);
    CountingBloomFilter<Long> single = filterWith(shape, false);
    long added = 0;
    for (int i = 3; i < 3 + length; i++) {
      added += single.addHash(hashes[i]) ? 1 : 0;
    }
    assertEquals(added, batch.addHashes(hashes, 3, length));
    assertEquals(single, batch);
    assertEquals(OptionalLong.of(length), batch.elementCount());

    long removed = 0;
    for (int i = 3; i < 3 + length; i++) {
      hashes[i] += i % 3; // some that are not there
      removed += single.removeHash(hashes[i]) ? 1 : 0;
    }
    assertEquals(removed, batch.removeHashes(hashes, 3, length));
    assertEquals(single, batch);
    assertEquals(OptionalLong.of(length - removed), batch.elementCount());
  }
}
