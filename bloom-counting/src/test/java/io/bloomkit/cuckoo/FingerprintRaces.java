package io.bloomkit.cuckoo;

import static io.bloomkit.testkit.ConcurrentRunner.runAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The promise of the concurrent form of {@link FingerprintCounts}, as small races. Each runs once,
 * in any order of its threads, and throws if the promise was broken; Lincheck tries the orders.
 */
final class FingerprintRaces {

  static final String LOST = "a stored element was not found";
  static final String REFUSED = "a removal of a stored element was refused";
  static final String NOT_ONE = "not exactly one returned true";
  static final String TOTAL = "wrong number of copies";

  private FingerprintRaces() {}

  /** What the races do with a multiset, ours or one that must be caught. */
  interface Racing {

    boolean add(long hash);

    boolean remove(long hash);

    boolean contains(long hash);

    long count(long hash);
  }

  /** Elements are moved, within a table or to another one, while one of them is queried. */
  static void anElementStaysWhileOneIsAdded(Racing filter, long stays, long added) {
    boolean[] results = runAll(() -> filter.add(added), () -> filter.contains(stays));
    assertTrue(results[1], LOST);
    assertTrue(results[0], NOT_ONE);
    assertEquals(1, filter.count(added), TOTAL);
    assertEquals(1, filter.count(stays), TOTAL);
  }

  /** Two additions meet where the table has no room for more. */
  static void twoAdditionsAreBothKept(Racing filter, long one, long other) {
    runAll(() -> filter.add(one), () -> filter.add(other));
    assertTrue(filter.contains(one) && filter.contains(other), LOST);
  }

  static void ofTwoFirstAdditionsOneReturnsTrue(Racing filter, long hash) {
    boolean[] added = runAll(() -> filter.add(hash), () -> filter.add(hash));
    assertEquals(1, (added[0] ? 1 : 0) + (added[1] ? 1 : 0), NOT_ONE);
    assertEquals(2, filter.count(hash), TOTAL);
  }

  /** One copy is held. */
  static void ofTwoRemovalsOfOneCopyOneSucceeds(Racing filter, long hash) {
    boolean[] results = runAll(() -> filter.remove(hash), () -> filter.remove(hash));
    assertEquals(1, (results[0] ? 1 : 0) + (results[1] ? 1 : 0), NOT_ONE);
    assertEquals(0, filter.count(hash), TOTAL);
  }

  /** One copy is held. */
  static void anElementWhoseAdditionsOutnumberItsRemovalsStays(Racing filter, long hash) {
    boolean[] results =
        runAll(
            () -> {
              filter.add(hash);
              return filter.contains(hash) && filter.count(hash) >= 1;
            },
            () -> filter.remove(hash));
    assertTrue(results[0], LOST);
    assertTrue(results[1], REFUSED);
    assertEquals(1, filter.count(hash), TOTAL);
  }

  /** A removal makes a table shrink, or joins it with its neighbor. */
  static void remainingElementsAreFoundWhileTablesShrink(
      Racing filter, long removed, long stays, long added) {
    boolean[] results =
        runAll(
            () -> filter.remove(removed),
            () -> filter.contains(stays) && filter.add(added) && filter.contains(added));
    assertTrue(results[0], REFUSED);
    assertTrue(results[1], LOST);
    assertTrue(filter.contains(stays) && filter.contains(added), LOST);
    assertEquals(0, filter.count(removed), TOTAL);
  }
}
