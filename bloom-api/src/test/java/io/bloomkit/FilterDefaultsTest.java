package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterEstimate.Value;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The bulk forms that the interfaces bring along, on a filter that is an exact multiset. */
class FilterDefaultsTest {

  private final ExactFilter<String> filter = texts();

  private static ExactFilter<String> texts() {
    return new ExactFilter<>(HashStrategies.utf8());
  }

  @Test
  void hashesAreAddedOneAfterAnother() {
    assertEquals(3, filter.addHashes(new long[] {1, 2, 1, 3}, 0, 4));
    assertEquals(2, filter.countHash(1));
    assertEquals(1, filter.addHashes(new long[] {8, 1, 9, 8}, 1, 2));
    assertEquals(3, filter.countHash(1));
    assertFalse(filter.mightContainHash(8));
    assertEquals(0, filter.addHashes(new long[] {5}, 1, 0));
    assertEquals(Value.exact(4), filter.estimate().elements());
  }

  @Test
  void copiesAreAddedAndRemovedAllOrNone() {
    assertTrue(filter.add("a", 3));
    assertFalse(filter.add("a", 2));
    assertEquals(5, filter.count("a"));
    assertFalse(filter.remove("a", 6));
    assertEquals(5, filter.count("a"));
    assertTrue(filter.remove("a", 4));
    assertEquals(1, filter.count("a"));
    assertTrue(filter.remove("a"));
    assertFalse(filter.remove("a"));
    assertFalse(filter.remove("b", 1));
    assertThrows(IllegalArgumentException.class, () -> filter.add("a", 0));
    assertThrows(IllegalArgumentException.class, () -> filter.remove("a", 0));
  }

  /** As if another thread had removed the last copies meanwhile. */
  @Test
  void copiesThatCannotAllBeRemovedAreAddedAgain() {
    ExactFilter<String> fewer =
        new ExactFilter<>(HashStrategies.utf8()) {
          @Override
          public long countHash(long hash) {
            return 2 + super.countHash(hash);
          }
        };
    fewer.add("a", 3);
    assertFalse(fewer.remove("a", 5));
    assertEquals(2 + 3, fewer.count("a"));
    assertFalse(fewer.remove("b", 2));
    assertFalse(fewer.mightContain("b"));
  }

  @Test
  void additionsAndRemovalsAreAnsweredAndOtherAnswersStay() {
    boolean[] answers = {true, false, true, false, true};
    long[] hashes = {7, 1, 2, 1, 7};
    assertEquals(2, filter.addHashes(hashes, 1, 3, answers));
    assertArrayEquals(new boolean[] {true, true, true, false, true}, answers);
    assertEquals(2, filter.countHash(1));
    boolean[] removed = {false, false, false, true};
    assertEquals(2, filter.removeHashes(new long[] {1, 9, 1, 2}, 0, 3, removed));
    assertArrayEquals(new boolean[] {true, false, true, true}, removed);
    assertEquals(1, filter.countHash(2));
    boolean[] few = new boolean[2];
    assertThrows(
        IndexOutOfBoundsException.class, () -> filter.addHashes(new long[] {1, 2, 3}, 0, 3, few));
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> filter.removeHashes(new long[] {1, 2, 3}, 0, 3, few));
    assertEquals(0, filter.countHash(1));
  }

  @Test
  void elementsAreAddedAndTheNewOnesReturned() {
    assertEquals(2, filter.addAll(List.of("a", "b", "a")));
    assertEquals(2, filter.count("a"));
    assertEquals(List.of("c", "d"), filter.addAndGetNew(List.of("c", "a", "d", "c")));
    assertEquals(2, filter.count("c"));
    assertEquals(List.of(), filter.addAndGetNew(List.of()));
  }

  @Test
  void manyHashesAreQueriedAndOtherAnswersStay() {
    filter.addHashes(new long[] {1, 3}, 0, 2);
    boolean[] answers = {true, true, true, true, true};
    assertEquals(2, filter.mightContainHashes(new long[] {1, 2, 3}, 0, 3, answers));
    assertArrayEquals(new boolean[] {true, false, true, true, true}, answers);
    boolean[] part = {true, false, false, false};
    assertEquals(1, filter.mightContainHashes(new long[] {2, 2, 3, 1}, 1, 2, part));
    assertArrayEquals(new boolean[] {true, false, true, false}, part);
  }

  @Test
  void hashesAreRemovedOneAfterAnother() {
    filter.addHashes(new long[] {1, 1, 2}, 0, 3);
    assertEquals(2, filter.removeHashes(new long[] {1, 3, 2}, 0, 3));
    assertEquals(1, filter.countHash(1));
    assertEquals(1, filter.removeHashes(new long[] {9, 1, 1}, 1, 2));
    assertEquals(0, filter.approximateElementCount());
  }

  @Test
  void hashesInBatchesAreThoseOneByOne() {
    HashBatches additions = HashBatches.adding(filter);
    long added = 0;
    for (long i = 0; i < 1_000; i++) {
      added += additions.add(i % 990);
    }
    assertEquals(990, added + additions.finish());
    assertEquals(0, additions.finish());
    assertEquals(2, filter.countHash(9));
    assertEquals(1, filter.countHash(10));
    HashBatches removals = HashBatches.removing(filter);
    long removed = 0;
    for (long i = 0; i < 500; i++) {
      removed += removals.add(2 * i);
    }
    assertEquals(495, removed + removals.finish());
    assertEquals(500, filter.approximateElementCount()); // distinct ones
  }

  @Test
  void aRangeOutsideAnArrayIsRefusedAndChangesNothing() {
    long[] hashes = {1, 2, 3};
    int[][] ranges = {{-1, 1}, {0, -1}, {0, 4}, {3, 1}, {2, Integer.MAX_VALUE}};
    for (int[] range : ranges) {
      assertThrows(
          IndexOutOfBoundsException.class, () -> filter.addHashes(hashes, range[0], range[1]));
      assertThrows(
          IndexOutOfBoundsException.class, () -> filter.removeHashes(hashes, range[0], range[1]));
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> filter.mightContainHashes(hashes, range[0], range[1], new boolean[9]));
    }
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> filter.mightContainHashes(hashes, 1, 2, new boolean[2]));
    assertEquals(0, filter.approximateElementCount());
  }

  @Test
  void elementsAndTheirHashesAreOneThing() {
    filter.add("a");
    long hash = filter.strategy().hash("a");
    assertTrue(filter.mightContainHash(hash));
    assertTrue(filter.removeHash(hash));
    assertEquals(hash, filter.strategy().hashAll(List.of("b", "a"))[1]);
    assertFalse(filter.mightContain("a"));
  }

  @Test
  void aStreamIsCollected() {
    ExactFilter<String> collected =
        Stream.of("a", "b", "a").collect(FilterCollectors.toFilter(FilterDefaultsTest::texts));
    assertEquals(2, collected.count("a"));
    assertEquals(1, collected.count("b"));
    List<Long> longs = LongStream.range(0, 10_000).boxed().toList();
    ExactFilter.Union merged =
        longs.parallelStream().collect(FilterCollectors.toFilter(ExactFilter.Union::new));
    assertEquals(10_000, merged.approximateElementCount());
    ExactFilter.Union shared =
        longs.stream().collect(FilterCollectors.toConcurrentFilter(ExactFilter.Union::new));
    assertEquals(merged.counts, shared.counts);
  }

  @Test
  void collectorsRefuseWhatTheirFiltersCannotDo() {
    List<String> elements = IntStream.range(0, 10_000).mapToObj(Integer::toString).toList();
    IllegalStateException parallel =
        assertThrows(
            IllegalStateException.class,
            () ->
                elements.parallelStream()
                    .collect(FilterCollectors.toFilter(FilterDefaultsTest::texts)));
    String refused = String.valueOf(parallel.getMessage());
    assertTrue(
        refused.startsWith("a parallel stream cannot be collected into filters that do not merge"),
        refused);
    assertTrue(
        refused.contains("sequential(), or use toConcurrentFilter; the filter is {"), refused);
    IllegalStateException shared =
        assertThrows(
            IllegalStateException.class,
            () ->
                elements.stream()
                    .collect(FilterCollectors.toConcurrentFilter(FilterDefaultsTest::texts)));
    assertEquals(
        "the supplier must return a filter that was built by concurrent(), got {}",
        shared.getMessage());
  }

  @Test
  void unboxedLongsAreThoseOfALongStrategy() {
    LongHashStrategy plain = HashStrategies.longs();
    for (LongHashStrategy strategy : List.of(plain, HashStrategies.seeded(plain, 1))) {
      ExactFilter<Long> longs = new ExactFilter<>(strategy);
      assertTrue(longs.addLong(42));
      assertFalse(longs.addLong(42));
      assertTrue(longs.mightContain(42L));
      assertTrue(longs.mightContainLong(42));
      assertEquals(2, longs.countLong(42));
      assertTrue(longs.removeLong(42));
      assertTrue(longs.removeLong(42));
      assertFalse(longs.removeLong(42));
      assertEquals(0, longs.countLong(42));
      assertFalse(longs.mightContainLong(42));
    }
  }

  @Test
  void unboxedLongsAreRefusedByOtherStrategies() {
    for (Executable call :
        List.<Executable>of(
            () -> filter.addLong(42),
            () -> filter.mightContainLong(42),
            () -> filter.countLong(42),
            () -> filter.removeLong(42))) {
      assertEquals(
          "the strategy must be a LongHashStrategy to take an unboxed long, got utf8(xxh3)",
          assertThrows(IllegalStateException.class, call).getMessage());
    }
    assertEquals(0, filter.approximateElementCount());
  }
}
