package io.bloomkit.counting.dynamic;

import static io.bloomkit.testkit.Racer.race;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;

/**
 * The promise of the concurrent form of {@link FingerprintCounts}, as small races. Each runs once,
 * in any order of its threads, and throws if the promise was broken; Lincheck tries the orders.
 */
final class FingerprintRaces {

  static final String LOST = "a stored element was not found";
  static final String REFUSED = "a removal of a stored element was refused";
  static final String NOT_ONE = "not exactly one returned true";
  static final String TOTAL = "wrong number of copies";

  private static final int MAX_ELEMENTS = 20_000;

  private FingerprintRaces() {}

  /** What the races do with a multiset, ours or one that must be caught. */
  interface Racing {

    boolean add(long hash);

    boolean remove(long hash);

    boolean contains(long hash);

    long count(long hash);
  }

  static long hash(long number) {
    return new SplittableRandom(number).nextLong();
  }

  /** Returns the chunks of an empty filter. */
  static ChunkDirectory emptyDirectory() {
    return new ChunkDirectory(
        new TableSizes(FingerprintSpace.ofAtLeast(100L * MAX_ELEMENTS), MAX_ELEMENTS), true);
  }

  /** Adds distinct elements until the next one makes the first table grow. Returns how many. */
  static int fill(Racing filter, ChunkDirectory chunks) {
    int number = 0;
    Chunk first = chunks.chunkOf(0);
    while (first.size() < first.shape.limit) {
      filter.add(hash(number++));
    }
    return number;
  }

  /** A table grows while an element in it is queried. */
  static void anElementStaysWhileItsTableGrows(Racing filter, int filled) {
    boolean[] results =
        race(() -> filter.add(hash(filled)), () -> filter.contains(hash(filled / 2)));
    assertTrue(results[1], LOST);
    assertTrue(results[0], NOT_ONE);
    assertEquals(1, filter.count(hash(filled)), TOTAL);
  }

  /** Two additions meet where the table grows. */
  static void twoAdditionsThatMakeATableGrowAreBothKept(Racing filter, int filled) {
    race(() -> filter.add(hash(filled)), () -> filter.add(hash(filled + 1)));
    assertTrue(filter.contains(hash(filled)) && filter.contains(hash(filled + 1)), LOST);
  }

  static void ofTwoFirstAdditionsOneReturnsTrue(Racing filter) {
    boolean[] added = race(() -> filter.add(hash(1)), () -> filter.add(hash(1)));
    assertEquals(1, (added[0] ? 1 : 0) + (added[1] ? 1 : 0), NOT_ONE);
    assertEquals(2, filter.count(hash(1)), TOTAL);
  }

  static void ofTwoRemovalsOfOneCopyOneSucceeds(Racing filter) {
    filter.add(hash(1));
    filter.add(hash(2));
    boolean[] results =
        race(
            () -> filter.remove(hash(1)),
            () -> filter.remove(hash(1)),
            () -> filter.contains(hash(2)));
    assertTrue(results[2], LOST);
    assertEquals(1, (results[0] ? 1 : 0) + (results[1] ? 1 : 0), NOT_ONE);
    assertEquals(0, filter.count(hash(1)), TOTAL);
  }

  static void anElementWhoseAdditionsOutnumberItsRemovalsStays(Racing filter) {
    filter.add(hash(1));
    boolean[] results =
        race(
            () -> {
              filter.add(hash(1));
              return filter.contains(hash(1)) && filter.count(hash(1)) >= 1;
            },
            () -> filter.remove(hash(1)));
    assertTrue(results[0], LOST);
    assertTrue(results[1], REFUSED);
    assertEquals(1, filter.count(hash(1)), TOTAL);
  }
}
