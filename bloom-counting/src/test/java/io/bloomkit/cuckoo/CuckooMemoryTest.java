package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.counting.ScarceCounts;
import org.junit.jupiter.api.Test;

/** The memory of a cuckoo filter, and updates in which memory runs out. */
class CuckooMemoryTest {

  private static final int BITS = 16;

  private final ScarceCounts stashed = new ScarceCounts();
  private final ScarceCounts extraCopies = new ScarceCounts();

  /** A filter of one bucket: of hashes below 2^32, all but the first four go to the stash. */
  private CuckooFingerprints filter(long capacity) {
    return new CuckooFingerprints(
        capacity, new FingerprintTable(1, BITS), new Stash(stashed), extraCopies, 0, 0, 0, 0);
  }

  private static long hash(int number) {
    return (number + 1L) << BITS;
  }

  private void setMemoryIsGone(boolean isGone) {
    stashed.memoryIsGone = isGone;
    extraCopies.memoryIsGone = isGone;
  }

  @Test
  void memoryOfAStashIsThatOfItsHashTable() {
    Stash stash = new Stash();
    assertEquals(0, stash.memoryBytes());
    for (long key = 1; key <= 5; key++) {
      stash.add(key);
    }
    assertEquals(8 * 2 * Long.BYTES, stash.memoryBytes()); // at most three quarters full
    CuckooFingerprints filter = filter(100);
    long empty = filter.memoryBytes();
    for (int i = 0; i < 9; i++) {
      filter.addHash(hash(i));
    }
    assertEquals(5, filter.stashed());
    assertEquals(empty + 8 * 2 * Long.BYTES, filter.memoryBytes());
  }

  @Test
  void anAdditionToTheStashThatFindsNoMemoryChangesNothing() {
    CuckooFingerprints filter = filter(64);
    for (int i = 0; i < 5; i++) {
      assertTrue(filter.addHash(hash(i)));
    }
    assertEquals(1, filter.stashed());
    setMemoryIsGone(true);
    assertThrows(OutOfMemoryError.class, () -> filter.addHash(hash(5)));
    long[] many = {hash(0), hash(5)};
    assertThrows(OutOfMemoryError.class, () -> filter.addHashes(many, 0, 2, null));
    assertEquals(1, filter.countHash(hash(0)));
    assertEquals(1, filter.stashed());
    assertEquals(5, filter.size());
    assertFalse(filter.containsHash(hash(5)));
    assertTrue(filter.containsHash(hash(4)));
    setMemoryIsGone(false);
    assertTrue(filter.addHash(hash(5)));
    assertTrue(filter.containsHash(hash(5)));
    assertEquals(6, filter.distinct());
  }

  @Test
  void anAdditionOfACopyThatFindsNoMemoryChangesNothing() {
    CuckooFingerprints filter = filter(4);
    for (int i : new int[] {0, 1, 2, 3, 0}) {
      filter.addHash(hash(i));
    }
    setMemoryIsGone(true);
    assertThrows(OutOfMemoryError.class, () -> filter.addHash(hash(1)));
    assertEquals(1, filter.countHash(hash(1)));
    assertEquals(5, filter.size());
  }

  @Test
  void anAdditionThatFindsNoMemoryForTheCopyInItsPlaceChangesNothing() {
    CuckooFingerprints filter = filter(4);
    for (int i : new int[] {0, 1, 2, 0}) {
      filter.addHash(hash(i));
    }
    setMemoryIsGone(true);
    assertThrows(OutOfMemoryError.class, () -> filter.addHash(hash(3)));
    assertEquals(2, filter.countHash(hash(0)));
    assertFalse(filter.containsHash(hash(3)));
    setMemoryIsGone(false);
    assertTrue(filter.addHash(hash(3)));
    assertEquals(2, filter.countHash(hash(0)));
  }

  @Test
  void stashedKeysAreFoundAndRemovedWithoutMemory() {
    CuckooFingerprints filter = filter(64);
    for (int i = 0; i < 40; i++) {
      assertTrue(filter.addHash(hash(i)));
    }
    setMemoryIsGone(true);
    for (int i = 39; i >= 0; i--) {
      assertTrue(filter.containsHash(hash(i)));
      assertTrue(filter.removeHash(hash(i)));
      assertFalse(filter.containsHash(hash(i)));
      assertEquals(i, filter.size());
    }
    assertEquals(0, filter.stashed());
  }

  @Test
  void aRemovalThatHasNoMemoryToEmptyTheStashIsDone() {
    boolean[] isFull = {false};
    FingerprintTable table =
        new FingerprintTable(1, BITS) {
          @Override
          long place(int bucket, long fingerprint, boolean displaceCopies) {
            return isFull[0] ? NO_ROOM : super.place(bucket, fingerprint, displaceCopies);
          }
        };
    CuckooFingerprints filter =
        new CuckooFingerprints(4, table, new Stash(stashed), extraCopies, 0, 0, 0, 0);
    for (int i : new int[] {0, 0, 1, 3, 0}) {
      filter.addHash(hash(i));
    }
    isFull[0] = true;
    for (int i : new int[] {2, 1, 2}) {
      filter.addHash(hash(i));
    }
    assertEquals(1, filter.stashed());
    assertEquals(3, extraCopies.size());
    setMemoryIsGone(true);
    assertTrue(filter.removeHash(hash(3)));
    assertFalse(filter.containsHash(hash(3)));
    assertEquals(1, filter.stashed());
    assertTrue(filter.containsHash(hash(2)));
    assertEquals(7, filter.size());
  }
}
