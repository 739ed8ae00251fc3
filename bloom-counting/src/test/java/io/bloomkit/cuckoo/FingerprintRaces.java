package io.bloomkit.cuckoo;

import static io.bloomkit.testkit.internal.ConcurrentRunner.runAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The promise of the concurrent form of {@link DynamicFingerprints}, as small races. Each runs
 * once, in any order of its threads, and throws if the promise was broken; Lincheck tries the
 * orders.
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

    /** Adds a batch in bulk, however short, and returns whether each hash was new. */
    boolean[] addAll(long... hashes);

    /**
     * The same, but memory runs out before the last chunk that gets some of them.
     *
     * @throws OutOfMemoryError always
     */
    void addAllInVain(long... hashes);
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

  /** A batch has a hash twice, while another thread adds it too. */
  static void aBatchAnswersAsOneByOne(Racing filter, long hash, long other) {
    boolean[][] batch = {{}};
    boolean[] results =
        runAll(
            () -> {
              batch[0] = filter.addAll(hash, other, hash);
              return filter.contains(hash) && filter.contains(other);
            },
            () -> filter.add(hash));
    assertTrue(results[0], LOST);
    assertTrue(batch[0][1], NOT_ONE);
    assertFalse(batch[0][2], NOT_ONE);
    assertTrue(batch[0][0] != results[1], NOT_ONE);
    assertEquals(3, filter.count(hash), TOTAL);
    assertEquals(1, filter.count(other), TOTAL);
  }

  static void anElementStaysWhileABatchIsAdded(Racing filter, long stays, long one, long other) {
    boolean[] results = runAll(() -> filter.addAll(one, other)[0], () -> filter.contains(stays));
    assertTrue(results[1], LOST);
    assertTrue(results[0], NOT_ONE);
    assertTrue(filter.contains(one) && filter.contains(other) && filter.contains(stays), LOST);
    assertEquals(1, filter.count(one), TOTAL);
    assertEquals(1, filter.count(other), TOTAL);
  }

  /** Two hashes are of different chunks; another thread adds the one that is taken back. */
  static void aBatchThatFailsTakesBackItsOwnCopiesOnly(Racing filter, long first, long second) {
    boolean[] results =
        runAll(
            () -> {
              try {
                filter.addAllInVain(first, second);
                return false;
              } catch (OutOfMemoryError e) {
                return true;
              }
            },
            () -> {
              filter.add(first);
              return filter.contains(first);
            });
    assertTrue(results[0]);
    assertTrue(results[1] && filter.contains(first), LOST);
    assertEquals(1, filter.count(first), TOTAL);
    assertEquals(0, filter.count(second), TOTAL);
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
