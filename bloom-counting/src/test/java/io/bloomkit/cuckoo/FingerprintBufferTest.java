package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FingerprintBufferTest {

  private static final int FACTOR = 10;

  private static FingerprintBuffer filled(int size) {
    FingerprintBuffer buffer = new FingerprintBuffer();
    for (int i = 0; i < size; i++) {
      buffer.addEntry((long) i * FACTOR);
    }
    return buffer;
  }

  @Test
  void lowestAreCountedAndRemoved() {
    for (int size : new int[] {0, 1, 511, 512, 513, 1024, 2000}) {
      for (int removed = 0; removed <= size; removed += 1 + size / 3) {
        FingerprintBuffer buffer = filled(size);
        buffer.removeFirst(removed);
        assertEquals(size - removed, buffer.size());
        for (int i = 0; i < buffer.size(); i++) {
          long fingerprint = (long) (removed + i) * FACTOR;
          assertEquals(fingerprint, buffer.get(i));
          assertEquals(i, buffer.sizeBelow(fingerprint));
          assertEquals(i + 1, buffer.sizeBelow(fingerprint + 1));
        }
      }
    }
  }

  @Test
  void pagesAreAddedToATableThatHasRoom() {
    int size = 1024;
    FingerprintBuffer buffer = filled(size);
    TableShape shape = new TableShape(0, FACTOR * size + 1, size, 4, 0, 4 * size, 0, 1, 0);
    for (int count : new int[] {0, 1, 511, 512, 513, 1024}) {
      TableFiller table = new TableFiller(shape);
      assertTrue(buffer.addTo(table, count, 1));
      FingerprintSet set = new FingerprintSet(table);
      assertEquals(count, set.size());
      for (int i = 0; i < size; i++) {
        assertEquals(i < count, set.containsFingerprint(FACTOR * i + 1));
      }
    }
  }

  @Test
  void pagesAreRefusedByATableWithoutRoom() {
    FingerprintBuffer buffer = filled(1024);
    for (int limit : new int[] {100, 600}) {
      TableShape shape = new TableShape(0, 1 << 20, 1024, 4, 0, limit, 0, 1, 0);
      assertTrue(buffer.addTo(new TableFiller(shape), limit, 0));
      assertFalse(buffer.addTo(new TableFiller(shape), 1024, 0));
    }
  }
}
