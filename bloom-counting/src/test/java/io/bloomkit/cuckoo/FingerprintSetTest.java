package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FingerprintSetTest {

  private static final TableShape SHAPE = new TableShape(0, 1 << 20, 57, 4, 0, 100, 0, 1, 0);

  @Test
  void noMoreThanTheLimitIsAdded() {
    FingerprintSet set = new FingerprintSet(SHAPE);
    for (int i = 0; i < 100; i++) {
      assertEquals(FingerprintSet.ADDED, set.addFingerprint(i));
      assertEquals(FingerprintSet.HELD, set.addFingerprint(i));
    }
    assertEquals(FingerprintSet.NO_ROOM, set.addFingerprint(100));
    assertEquals(FingerprintSet.HELD, set.addFingerprint(99));
    assertEquals(100, set.size());
    assertTrue(set.removeFingerprint(0));
    assertFalse(set.removeFingerprint(0));
    assertEquals(FingerprintSet.ADDED, set.addFingerprint(100));
  }

  @Test
  void emptySetsShareATable() {
    FingerprintSet empty = new FingerprintSet(SHAPE);
    assertEquals(FingerprintSet.OBJECT_BYTES, empty.memoryBytes());
    assertEquals(FingerprintSet.OBJECT_BYTES, new FingerprintSet(empty).memoryBytes());
    FingerprintSet ofNothing = new FingerprintSet(new TableFiller(SHAPE));
    assertEquals(FingerprintSet.OBJECT_BYTES, ofNothing.memoryBytes());
    long table = SHAPE.newTable().length;
    assertEquals(FingerprintSet.ADDED, empty.addFingerprint(7));
    assertEquals(FingerprintSet.OBJECT_BYTES + table, empty.memoryBytes());
    assertEquals(0, ofNothing.size());
    assertFalse(ofNothing.containsFingerprint(7));
  }
}
