package io.bloomkit.counting;

import static io.bloomkit.counting.WaitingThreads.awaitBlocked;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterEstimate.Value;
import io.bloomkit.FilterFormatException;
import io.bloomkit.Shape;
import io.bloomkit.classic.BitFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What flat and blocked counting filters do alike: counting, copying, merging, subtracting. */
abstract class CounterFilterTest<F extends CounterFilter<Long>> {

  /** A shape of some thousand positions, whose counters are a whole number of cache lines. */
  private final Shape shape;

  private final int lines;

  CounterFilterTest(Shape shape, int lines) {
    this.shape = shape;
    this.lines = lines;
  }

  abstract F filterOf(HashStrategy<Long> strategy, Shape shape, boolean concurrent);

  abstract F read(byte[] bytes) throws FilterFormatException;

  abstract F copy(F filter);

  abstract void merge(F filter, F other);

  abstract void subtract(F filter, F other);

  abstract BitFilter<Long> view(F filter);

  /** Shapes of other sizes or numbers of hashes. */
  abstract List<Shape> otherShapes();

  final F filterWith(Shape shape, boolean concurrent) {
    return filterOf(HashStrategies.longs(), shape, concurrent);
  }

  final F filterOf(long from, long to) {
    F filter = filterWith(shape, false);
    LongStream.range(from, to).forEach(filter::add);
    return filter;
  }

  @Test
  void copiesAndViewsAreAsConcurrentAsTheFilter() {
    for (boolean concurrent : new boolean[] {false, true}) {
      F filter = filterWith(shape, concurrent);
      assertEquals(concurrent, filter.isConcurrent());
      assertEquals(concurrent, copy(filter).isConcurrent());
      assertEquals(concurrent, view(filter).isConcurrent());
    }
  }

  @Test
  void estimateReadsTheLinesItMay() {
    F filter = filterOf(0, 60);
    double fill = filter.nonZeroCounters() / (double) shape.positions();
    assertEquals(Value.exact(fill), filter.estimate(lines).fill());
    assertEquals(filter.expectedFpp(), filter.estimate(lines).fpp().value(), 1e-15);
    assertTrue(filter.estimate(lines - 1).fill().standardError() > 0);
  }

  @Test
  @Tag("deep")
  void aMillionCopiesOfOneElementAreCountedAndRemoved() {
    for (boolean concurrent : new boolean[] {false, true}) {
      F filter = filterWith(shape, concurrent);
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
  void filtersThatDifferAboveFifteenAreNotEqual() {
    F filter = filterOf(0, 0);
    LongStream.range(0, 20).forEach(i -> filter.add(1L));
    F other = copy(filter);
    assertEquals(filter, other);
    other.add(1L);
    assertNotEquals(filter, other);
    assertNotEquals(filter.hashCode(), other.hashCode());
  }

  @Test
  void elementCountIsUnknownRatherThanWrongWhenItOverflows() {
    for (boolean concurrent : new boolean[] {false, true}) {
      F filter = filterWith(shape, concurrent);
      merge(filter, filterOf(0, 900));
      for (int i = 0; i < 54; i++) {
        merge(filter, filter);
        OptionalLong expected = i < 53 ? OptionalLong.of(900L << (i + 1)) : OptionalLong.empty();
        assertEquals(expected, filter.elementCount(), "after doubling " + (i + 1));
      }
      F copy = copy(filter);
      assertEquals(OptionalLong.empty(), copy.elementCount());
      assertEquals(OptionalLong.empty(), view(filter).elementCount());
      filter.clear();
      assertEquals(OptionalLong.of(0), filter.elementCount());
      assertEquals(filterOf(0, 0), filter);
      subtract(copy, copy);
      assertEquals(OptionalLong.empty(), copy.elementCount());
      assertEquals(filterOf(0, 0), copy);
    }
  }

  @Test
  void memoryGrowsWithTheTableAndIsReleased() {
    F filter = filterOf(0, 100);
    long before = filter.memoryBytes();
    for (int i = 0; i < 100; i++) {
      filter.add(1L);
    }
    assertTrue(filter.memoryBytes() >= before + filter.overflowedCounters() * 16L);
    assertTrue(filter.overflowedCounters() > 3);
    filter.clear();
    assertEquals(before, filter.memoryBytes());
  }

  @Test
  void positionsOutsideAreRefused() {
    F filter = filterOf(0, 1);
    assertThrows(IndexOutOfBoundsException.class, () -> filter.counter(shape.positions()));
    assertThrows(IndexOutOfBoundsException.class, () -> filter.counter(-1));
  }

  @Test
  void batchesEqualSingleOperations() {
    for (int length : new int[] {0, 1, 31, 32, 33, 127, 128, 129, 255, 256, 257, 400}) {
      for (boolean concurrent : new boolean[] {false, true}) {
        assertBatchEqualsSingleOperations(shape, concurrent, length);
      }
    }
  }

  final void assertBatchEqualsSingleOperations(Shape shape, boolean concurrent, int length) {
    long[] hashes = new SplittableRandom(length).longs(length + 7L).toArray();
    for (int i = 3; i < hashes.length; i += 5) {
      hashes[i] = hashes[i / 2]; // some come twice
    }
    F batch = filterWith(shape, concurrent);
    F single = filterWith(shape, concurrent);
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

  @Test
  void mergedFilterEqualsTheFilterOfBoth() {
    F merged = filterOf(0, 30);
    merge(merged, filterOf(20, 60));
    F expected = filterOf(0, 60);
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
    F merged = filterWith(shape, true);
    LongStream.range(0, 30).forEach(merged::add);
    merge(merged, filterOf(30, 60));
    assertEquals(filterOf(0, 60), merged);
    assertEquals(OptionalLong.of(60), merged.elementCount());
    subtract(merged, filterOf(0, 30));
    assertEquals(filterOf(30, 60), merged);
    assertEquals(OptionalLong.of(30), merged.elementCount());
  }

  @Test
  void mergingWithItselfDoublesEveryCount() {
    F filter = filterOf(0, 30);
    for (int i = 0; i < 6; i++) {
      merge(filter, filter);
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
    F filter = filterWith(shape, false);
    filter.add(1L);
    for (int i = 0; i < 62; i++) {
      merge(filter, filter);
    }
    F before = copy(filter);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> merge(filter, filter));
    assertEquals(before, filter);
    assertEquals(before.elementCount(), filter.elementCount());
    String counter = e.toString().replaceFirst(".*counter (\\d+) .*", "$1");
    assertEquals(1L << 62, filter.counter(Long.parseLong(counter)), e.toString());
    assertTrue(e.toString().contains("2^62") && e.toString().contains("" + (1L << 62)));
  }

  @Test
  void asManyCopiesAsCanBeCountedAreAddedAtOnce() throws FilterFormatException {
    for (boolean concurrent : new boolean[] {false, true}) {
      F filter = filterWith(shape, concurrent);
      assertTrue(filter.add(1L, (1L << 62) - 1));
      assertFalse(filter.add(1L, 1));
      assertEquals(1L << 62, filter.count(1L));
      assertEquals(OptionalLong.of(1L << 62), filter.elementCount());
      assertEquals(filter, read(filter.toBytes()));
      for (long i = 2; i < 10; i++) {
        filter.add(i, 1L << 60);
        assertEquals(OptionalLong.empty(), filter.elementCount(), "2^62 and more");
      }
      for (long i = 2; i < 10; i++) {
        assertTrue(filter.remove(i, 1L << 60));
      }
      assertTrue(filter.remove(1L, 1L << 62));
      assertEquals(filterOf(0, 0), filter);
    }
  }

  /**
   * Element 2 shares no counter with element 1, so it is added and taken back. Of the others, some
   * share their first counters with element 1 and some their last.
   */
  @Test
  void additionsBeyondTheLargestCounterAreRefusedAndChangeNothing() {
    F filter = filterOf(1, 2);
    for (int i = 0; i < 62; i++) {
      merge(filter, filter);
    }
    F concurrent = filterWith(shape, true);
    merge(concurrent, filter);
    long hash = filter.strategy().hash(1L);
    long other = filter.strategy().hash(2L);
    for (F full : List.of(filter, concurrent)) {
      F before = copy(full);
      List<Executable> additions =
          List.of(
              () -> full.add(1L),
              () -> full.addHash(hash),
              () -> full.add(1L, 2),
              () -> full.add(2L, (1L << 62) + 1),
              () -> full.add(2L, Long.MAX_VALUE),
              () -> full.addHashes(new long[] {other, other, hash, other}, 0, 4));
      for (Executable addition : additions) {
        String refusal = assertThrows(IllegalStateException.class, addition).toString();
        assertTrue(
            refusal.contains("cannot add: a counter of the element would exceed 2^62"), refusal);
        assertEquals(before, full);
        assertEquals(before.elementCount(), full.elementCount());
      }
      int refused = 0;
      for (long i = 2; i < 500; i++) {
        try {
          full.add(i, 1 + i % 3);
          full.remove(i, 1 + i % 3);
        } catch (IllegalStateException e) {
          refused++;
        }
        assertEquals(before, full);
      }
      assertTrue(refused > 10, "refused: " + refused);
      assertTrue(full.remove(1L));
      assertFalse(full.add(1L));
      assertEquals(before, full);
    }
  }

  @Test
  void subtractingAPartLeavesTheRest() {
    F filter = filterOf(0, 60);
    LongStream.range(0, 40).forEach(i -> filter.add(5L));
    subtract(filter, filterOf(20, 60));
    F expected = filterOf(0, 20);
    LongStream.range(0, 40).forEach(i -> expected.add(5L));
    assertEquals(expected, filter);
    assertEquals(expected.nonZeroCounters(), filter.nonZeroCounters());
    assertEquals(expected.elementCount(), filter.elementCount());
    subtract(filter, filter);
    assertEquals(filterOf(0, 0), filter);
    assertEquals(0, filter.expectedFpp());
    assertEquals(OptionalLong.of(0), filter.elementCount());
  }

  @Test
  void subtractingWhatIsNotThereIsRefusedAndChangesNothing() {
    F filter = filterOf(0, 60);
    F many = filterOf(0, 60);
    LongStream.range(0, 100).forEach(i -> many.add(1L));
    for (F other : List.of(filterOf(50, 70), many)) {
      F before = copy(filter);
      String refusal =
          assertThrows(IllegalArgumentException.class, () -> subtract(filter, other)).toString();
      assertTrue(refusal.contains("other holds an element more often"), refusal);
      assertTrue(refusal.endsWith("; subtract only what was added to this filter"), refusal);
      assertEquals(before, filter);
      assertEquals(before.elementCount(), filter.elementCount());
    }
  }

  @Test
  void filtersOfOtherShapesAreNotMergedOrSubtracted() {
    for (Shape other : otherShapes()) {
      String words =
          other instanceof BlockedShape blocked
              ? " positions in blocks of " + blocked.positionsPerBlock()
              : " positions";
      assertIsNotCompatible(filterWith(other, false), other.positions() + words);
    }
  }

  @Test
  void filtersOfOtherStrategiesAreNotMergedOrSubtracted() {
    HashStrategy<Long> other = HashStrategies.seeded(HashStrategies.longs(), 1);
    assertIsNotCompatible(filterOf(other, shape, false), other.id());
    assertTrue(filterOf(0, 10).isCompatible(filterOf(5, 6)));
    assertTrue(filterOf(0, 10).isCompatible(filterWith(shape, true)));
    assertEquals(filterWith(shape, false), filterWith(shape, true));
  }

  private void assertIsNotCompatible(F other, Object difference) {
    F filter = filterOf(0, 10);
    for (Runnable change :
        List.<Runnable>of(() -> merge(filter, other), () -> subtract(filter, other))) {
      String refusal = assertThrows(IllegalArgumentException.class, change::run).toString();
      assertTrue(refusal.contains("other has " + difference), refusal);
    }
    assertFalse(filter.isCompatible(other));
    assertEquals(filterOf(0, 10), filter);
    assertNotEquals(filterOf(0, 0), other);
    assertNotEquals(filterOf(0, 0).hashCode(), other.hashCode());
  }

  @Test
  void copyIsIndependent() {
    for (boolean concurrent : new boolean[] {false, true}) {
      F filter = filterWith(shape, concurrent);
      LongStream.range(0, 10).forEach(filter::add);
      F copy = copy(filter);
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
    F filter = filterWith(shape, true);
    for (int i = 0; i < 16; i++) {
      filter.add(1L);
    }
    F copy = copy(filter);
    Thread adder = new Thread(() -> copy.add(1L));
    synchronized (copy.counters) { // as it is held for the overflow of other counters
      adder.start();
      awaitBlocked(adder);
    }
    adder.join();
    assertEquals(17, copy.count(1L));
  }
}
