package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.IndexDerivation;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CountingBloomFilterTest extends CounterFilterTest<CountingBloomFilter<Long>> {

  private static final FlatShape SHAPE = new FlatShape(1000, 7);

  CountingBloomFilterTest() {
    super(SHAPE, 8);
  }

  @Override
  CountingBloomFilter<Long> filterOf(HashStrategy<Long> strategy, Shape shape, boolean concurrent) {
    CountingBloomFilter.Builder<Long> builder =
        CountingBloomFilter.builder(strategy).shape((FlatShape) shape);
    return concurrent ? builder.concurrent().build() : builder.build();
  }

  @Override
  CountingBloomFilter<Long> read(byte[] bytes) throws FilterFormatException {
    return CountingBloomFilter.fromBytes(bytes, HashStrategies.longs());
  }

  @Override
  CountingBloomFilter<Long> copy(CountingBloomFilter<Long> filter) {
    return filter.copy();
  }

  @Override
  void merge(CountingBloomFilter<Long> filter, CountingBloomFilter<Long> other) {
    filter.merge(other);
  }

  @Override
  void subtract(CountingBloomFilter<Long> filter, CountingBloomFilter<Long> other) {
    filter.subtract(other);
  }

  @Override
  ClassicBloomFilter<Long> view(CountingBloomFilter<Long> filter) {
    return filter.toClassic();
  }

  @Override
  List<Shape> otherShapes() {
    return List.of(new FlatShape(1000, 6), new FlatShape(1001, 7), new FlatShape(999, 7));
  }

  @Test
  void aPositionCountsAsOftenAsAnElementDerivesIt() {
    // Sixteen hashes of eight positions: nearly every element takes some position twice.
    FlatShape shape = new FlatShape(8, 16);
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
    for (int k = 1; k <= FlatShape.MAX_HASHES; k++) {
      for (boolean concurrent : new boolean[] {false, true}) {
        CountingBloomFilter<Long> filter = filterWith(new FlatShape(997, k), concurrent);
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
    CountingBloomFilter<Long> filter = filterWith(new FlatShape(1, 1), false);
    filter.add(1L);
    filter.add(2L);
    assertEquals(2, filter.counter(0));
    filter.remove(1L);
    assertTrue(filter.mightContain(2L));
    filter.remove(2L);
    assertFalse(filter.mightContain(2L));
  }

  @Test
  void theFirstCounterIsLookedAtToo() {
    CountingBloomFilter<Long> one = filterWith(new FlatShape(1, 1), false);
    one.add(1L);
    CountingBloomFilter<Long> more = one.copy();
    more.add(2L);
    assertThrows(IllegalArgumentException.class, () -> one.subtract(more));
    for (int i = 1; i < 62; i++) {
      more.merge(more);
    }
    assertEquals(1L << 62, more.counter(0));
    assertThrows(IllegalArgumentException.class, () -> more.merge(one));
    assertThrows(IllegalArgumentException.class, () -> one.merge(more));
    assertEquals(1L << 62, more.counter(0));
  }

  @Test
  void itsTextIsForLogs() {
    assertEquals(
        "CountingBloomFilter[positions=1000, hashes=7, netInsertions=0, strategy="
            + HashStrategies.longs().id()
            + "]",
        filterOf(0, 0).toString());
  }

  @Test
  void theLargestArrayIsNotRefused() {
    long most = 16L * (Integer.MAX_VALUE - 8);
    CountingBloomFilter.Builder<Long> builder = CountingBloomFilter.builder(HashStrategies.longs());
    assertEquals(most / 2, builder.shape(new FlatShape(most, 7)).memoryBytes());
    assertThrows(IllegalArgumentException.class, () -> builder.shape(new FlatShape(most + 1, 7)));
  }

  /** 2^62 of one element and 2^62 − 1 of another are 2^63 − 1; one more is too many. */
  @Test
  void elementCountIsKnownUpToTheLargestLong() {
    FlatShape sparse = new FlatShape(1 << 16, 7); // no counter counts two positions
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
  void removalOfAFalsePositiveThatTakesAPositionTwiceIsRefused() {
    for (boolean concurrent : new boolean[] {false, true}) {
      CountingBloomFilter<Long> filter = filterWith(new FlatShape(2, 2), concurrent);
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
        () ->
            CountingBloomFilter.builder(HashStrategies.longs()).shape(new FlatShape(1L << 35, 7)));
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
  }

  @Test
  void manyAtOnceEqualOneByOne() {
    for (FlatShape shape :
        new FlatShape[] {
          new FlatShape(1 << 24, 7), new FlatShape((1 << 24) + 1, 2), new FlatShape(1 << 24, 20)
        }) {
      for (int length : new int[] {0, 1, 31, 32, 33, 100}) {
        assertBatchEqualsSingleOperations(shape, false, length);
      }
    }
  }

  @Test
  void filterThatCanMergeNoMoreIsWrittenAndReadAgain() throws FilterFormatException {
    CountingBloomFilter<Long> filter = filterWith(new FlatShape(1, 1), false);
    filter.add(1L);
    for (int i = 0; i < 62; i++) {
      filter.merge(filter);
    }
    assertEquals(filter, CountingBloomFilter.fromBytes(filter.toBytes(), HashStrategies.longs()));
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
