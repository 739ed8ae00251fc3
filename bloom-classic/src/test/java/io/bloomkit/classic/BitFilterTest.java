package io.bloomkit.classic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What flat and blocked filters of bits do alike: copying, merging, intersecting, batches. */
abstract class BitFilterTest<F extends BitFilter<Long>> {

  /** Shapes of some thousand positions. */
  private final List<? extends Shape> shapes;

  BitFilterTest(List<? extends Shape> shapes) {
    this.shapes = shapes;
  }

  abstract F filterWith(HashStrategy<Long> strategy, Shape shape, boolean concurrent);

  abstract F copy(F filter);

  abstract void merge(F filter, F other);

  abstract void intersect(F filter, F other);

  abstract F buildFrom(Shape shape, long[] bits);

  abstract F buildFrom(Shape shape, long[] bits, long elementCount);

  /** Shapes that differ from any above in size or number of hashes. */
  abstract List<Shape> otherShapes();

  final F filterOf(Shape shape, long from, long to) {
    F filter = filterWith(HashStrategies.longs(), shape, false);
    LongStream.range(from, to).forEach(filter::add);
    return filter;
  }

  private F concurrent(Shape shape) {
    return filterWith(HashStrategies.longs(), shape, true);
  }

  @Test
  void aCopyIsAsConcurrentAsTheFilter() {
    for (Shape shape : shapes) {
      assertFalse(filterOf(shape, 0, 0).isConcurrent());
      assertFalse(copy(filterOf(shape, 0, 0)).isConcurrent());
      assertTrue(concurrent(shape).isConcurrent());
      assertTrue(copy(concurrent(shape)).isConcurrent());
    }
  }

  @Test
  void mergedFilterEqualsTheFilterOfBoth() {
    for (Shape shape : shapes) {
      F merged = filterOf(shape, 0, 30);
      merge(merged, filterOf(shape, 20, 60));
      F expected = filterOf(shape, 0, 60);
      assertEquals(expected, merged);
      assertEquals(expected.hashCode(), merged.hashCode());
      assertEquals(expected.setPositions(), merged.setPositions());
      assertEquals(expected.expectedFpp(), merged.expectedFpp());
      assertEquals(OptionalLong.of(70), merged.elementCount());
    }
  }

  @Test
  void mergingAFilterWithItselfChangesNoBit() {
    for (Shape shape : shapes) {
      F filter = filterOf(shape, 0, 30);
      merge(filter, filter);
      assertEquals(filterOf(shape, 0, 30), filter);
      assertEquals(OptionalLong.of(60), filter.elementCount());
    }
  }

  @Test
  void aConcurrentFilterEqualsAndMergesWithOneThatIsNot() {
    for (Shape shape : shapes) {
      F concurrent = concurrent(shape);
      F single = filterOf(shape, 0, 0);
      for (long element = 0; element < 45; element++) {
        long addedOrRepeated = element % 30;
        assertEquals(single.add(addedOrRepeated), concurrent.add(addedOrRepeated));
      }
      assertEquals(single, concurrent);
      assertTrue(single.isCompatible(concurrent));
      assertTrue(concurrent.isCompatible(single));
      merge(concurrent, filterOf(shape, 30, 60));
      F expected = filterOf(shape, 0, 60);
      for (F filter : List.of(concurrent, copy(concurrent))) {
        assertEquals(expected, filter);
        assertEquals(expected.setPositions(), filter.setPositions());
        assertEquals(expected.expectedFpp(), filter.expectedFpp());
        assertEquals(OptionalLong.of(75), filter.elementCount());
      }
    }
  }

  @Test
  void elementCountIsUnknownRatherThanWrongWhenItOverflows() {
    for (Shape shape : shapes) {
      F filter = filterOf(shape, 0, 1);
      for (int i = 0; i < 63; i++) {
        merge(filter, filter);
      }
      assertEquals(OptionalLong.empty(), filter.elementCount());
      assertEquals(OptionalLong.empty(), copy(filter).elementCount());
      filter.clear();
      assertEquals(OptionalLong.of(0), filter.elementCount());
      F max = buildFrom(shape, filter.toLongArray(), Long.MAX_VALUE);
      assertEquals(OptionalLong.of(Long.MAX_VALUE), max.elementCount());
      max.add(1L);
      assertEquals(OptionalLong.empty(), max.elementCount());
      merge(max, max);
      assertEquals(OptionalLong.empty(), max.elementCount());
    }
  }

  @Test
  void intersectionKeepsWhatBothHold() {
    for (Shape shape : shapes) {
      F intersection = filterOf(shape, 0, 50);
      F other = filterOf(shape, 30, 80);
      BitSet expected = BitSet.valueOf(intersection.toLongArray());
      expected.and(BitSet.valueOf(other.toLongArray()));
      double before = Math.min(intersection.expectedFpp(), other.expectedFpp());
      intersect(intersection, other);
      for (long i = 30; i < 50; i++) {
        assertTrue(intersection.mightContain(i));
      }
      assertTrue(intersection.expectedFpp() < before);
      assertEquals(expected, BitSet.valueOf(intersection.toLongArray()));
      assertEquals(expected.cardinality(), intersection.setPositions());
      assertEquals(OptionalLong.empty(), intersection.elementCount());
      intersection.add(1000L);
      assertEquals(OptionalLong.empty(), intersection.elementCount());
      assertEquals(OptionalLong.empty(), copy(intersection).elementCount());
      assertEquals(filterOf(shape, 30, 80), other);
    }
  }

  /** The estimate of common elements is right, that of the intersection is an upper bound. */
  @Test
  void commonElementsAreEstimatedBeforeTheIntersection() {
    int added = 50;
    for (Shape shape : shapes) {
      for (int common : new int[] {0, 5, 25, added}) {
        double mean = 0;
        for (int run = 0; run < 100; run++) {
          long from = 1000L * run;
          F filter = filterOf(shape, from, from + added);
          F other = filterOf(shape, from + added - common, from + 2L * added - common);
          long most = Math.min(filter.approximateElementCount(), other.approximateElementCount());
          long estimate = filter.approximateCommonElementCount(other);
          mean += estimate / 100.0;
          assertEquals(estimate, other.approximateCommonElementCount(filter));
          assertEquals(filterOf(shape, from, from + added), filter);
          intersect(filter, other);
          assertTrue(filter.approximateElementCount() <= most, shape.toString());
          assertTrue(filter.approximateElementCount() >= estimate, shape.toString());
        }
        assertEquals(common, mean, 2, shape + ", " + common + " common elements");
      }
    }
  }

  @Test
  void commonElementsOfFullFiltersAreUnknown() {
    for (Shape shape : shapes) {
      long[] full = new long[filterOf(shape, 0, 0).toLongArray().length];
      Arrays.fill(full, -1);
      int rest = (int) (shape.positions() % Long.SIZE);
      full[full.length - 1] = rest == 0 ? -1 : (1L << rest) - 1;
      assertEquals(
          Long.MAX_VALUE,
          buildFrom(shape, full).approximateCommonElementCount(filterOf(shape, 0, 9)));
    }
  }

  @Test
  void filtersOfOtherShapesAreNotMerged() {
    for (Shape shape : shapes) {
      for (Shape other : otherShapes()) {
        assertIsNotMerged(shape, filterWith(HashStrategies.longs(), other, false), describe(other));
      }
    }
  }

  @Test
  void filtersOfOtherStrategiesAreNotMerged() {
    for (Shape shape : shapes) {
      for (HashStrategy<Long> other :
          List.of(
              HashStrategies.seeded(HashStrategies.longs(), 1),
              HashStrategies.longs(HashStrategies.sipHash24(new byte[16])))) {
        assertIsNotMerged(shape, filterWith(other, shape, false), other.id());
      }
    }
  }

  private static String describe(Shape shape) {
    return shape instanceof BlockedShape blocked
        ? shape.positions() + " positions in blocks of " + blocked.positionsPerBlock()
        : shape.positions() + " positions and " + shape.hashes() + " hashes";
  }

  private void assertIsNotMerged(Shape shape, F other, Object difference) {
    F filter = filterOf(shape, 0, 10);
    assertFalse(filter.isCompatible(other));
    String refusal =
        assertThrows(IllegalArgumentException.class, () -> merge(filter, other)).toString();
    assertTrue(refusal.contains("cannot merge: this filter has "), refusal);
    assertTrue(refusal.contains("other has ") && refusal.contains("" + difference), refusal);
    assertThrows(IllegalArgumentException.class, () -> intersect(filter, other));
    assertThrows(IllegalArgumentException.class, () -> filter.approximateCommonElementCount(other));
    assertNotEquals(filterOf(shape, 0, 0), other);
    assertEquals(filterOf(shape, 0, 10), filter);
    assertEquals(OptionalLong.of(10), filter.elementCount());
  }

  @Test
  void copyIsIndependent() {
    for (Shape shape : shapes) {
      F filter = filterOf(shape, 0, 10);
      F copy = copy(filter);
      assertEquals(filter, copy);
      assertEquals(filter.elementCount(), copy.elementCount());
      copy.add(99L);
      assertNotEquals(filter, copy);
      assertEquals(filterOf(shape, 0, 10), filter);
      assertEquals(OptionalLong.of(10), filter.elementCount());
    }
  }

  @Test
  void filterBuiltFromItsBitsEqualsIt() {
    for (Shape shape : shapes) {
      F filter = filterOf(shape, 0, 40);
      F rebuilt = buildFrom(shape, filter.toLongArray(), 40);
      assertEquals(filter, rebuilt);
      assertEquals(filter.setPositions(), rebuilt.setPositions());
      assertEquals(OptionalLong.of(40), rebuilt.elementCount());
      for (long i = 0; i < 1000; i++) {
        assertEquals(filter.mightContain(i), rebuilt.mightContain(i));
      }
      long[] given = filter.toLongArray();
      F fromGiven = buildFrom(shape, given);
      assertEquals(OptionalLong.empty(), fromGiven.elementCount());
      Arrays.fill(given, 0);
      assertEquals(filter, fromGiven, "the array is copied");
      Arrays.fill(filter.toLongArray(), 0);
      assertEquals(filterOf(shape, 0, 40), filter, "a copy is handed out");
      assertEquals(filterOf(shape, 0, 0), buildFrom(shape, given, 0));
      assertEquals(OptionalLong.of(0), buildFrom(shape, given, 0).elementCount());
    }
  }

  @Test
  void bitsThatDoNotFitAreRefused() {
    for (Shape shape : shapes) {
      int words = filterOf(shape, 0, 0).toLongArray().length;
      for (int wrong : new int[] {0, words - 1, words + 1, words + 6}) {
        String refusal =
            assertThrows(IllegalArgumentException.class, () -> buildFrom(shape, new long[wrong]))
                .toString();
        assertTrue(refusal.contains(words + " elements") && refusal.endsWith(" " + wrong), refusal);
      }
      String refusal =
          assertThrows(IllegalArgumentException.class, () -> buildFrom(shape, new long[words], -1))
              .toString();
      assertTrue(refusal.contains("elementCount") && refusal.contains("-1"), refusal);
    }
  }

  @Test
  void batchesEqualSingleOperations() {
    for (Shape shape : shapes) {
      for (int length : new int[] {0, 1, 31, 32, 33, 127, 128, 129, 255, 256, 257, 400}) {
        assertBatchEqualsSingleOperations(shape, false, length);
        assertBatchEqualsSingleOperations(shape, true, length);
      }
    }
  }

  final void assertBatchEqualsSingleOperations(Shape shape, boolean isConcurrent, int length) {
    F single = filterWith(HashStrategies.longs(), shape, isConcurrent);
    F batch = filterWith(HashStrategies.longs(), shape, isConcurrent);
    long[] hashes = new SplittableRandom(length).longs(length + 7L).toArray();
    for (int i = 3; i < hashes.length; i += 5) {
      hashes[i] = hashes[i / 2]; // some come twice
    }
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
      hashes[i] += (i % 3) * 0x123456789abcdefL; // some that are not there
      expected[i] = single.mightContainHash(hashes[i]);
      positive += expected[i] ? 1 : 0;
    }
    assertEquals(positive, batch.mightContainHashes(hashes, 3, length, answers));
    assertArrayEquals(expected, answers);
  }
}
