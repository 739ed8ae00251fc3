package io.bloomkit.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LongCountsTest {

  /** A table that can be told to find no memory for another size. */
  private static final class ScarceCounts extends LongCounts {

    private boolean memoryIsGone;
    private int arrays;

    @Override
    protected long[] allocate(int length) {
      if (memoryIsGone) {
        throw new OutOfMemoryError("of the test");
      }
      arrays++;
      return super.allocate(length);
    }
  }

  /** Keys of few different places, of many, and spread over all numbers. */
  @Test
  void itAnswersAsAMap() {
    for (long factor : new long[] {1, 64, 1L << 40}) {
      itAnswersAsAMap(factor);
    }
  }

  private static void itAnswersAsAMap(long factor) {
    SplittableRandom random = new SplittableRandom(factor);
    LongCounts table = new LongCounts();
    Map<Long, Long> model = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      // Grows to hundreds of entries and shrinks again.
      long key = factor * random.nextInt(1 + (i / 1000 % 40) * 20);
      boolean isGrowing = i / 40_000 % 2 == 0;
      int choice = random.nextInt(10);
      if (choice < (isGrowing ? 5 : 1)) {
        long difference = random.nextInt(1, 4);
        table.add(key, difference);
        model.merge(key, difference, Long::sum);
      } else if (choice < 8) {
        assertEquals(model.containsKey(key), table.decrement(key));
        model.computeIfPresent(key, (same, value) -> value == 1 ? null : value - 1);
      } else {
        long count = random.nextInt(2) * 5L;
        table.set(key, count);
        if (count == 0) {
          model.remove(key);
        } else {
          model.put(key, count);
        }
      }
      assertEquals(model.getOrDefault(key, 0L), table.get(key));
      if (i % 997 == 0) {
        check(model, table);
      }
    }
    check(model, table);
    table.clear();
    check(Map.of(), table);
  }

  private static void check(Map<Long, Long> model, LongCounts table) {
    assertEquals(model.size(), table.size());
    assertEquals(model.isEmpty(), table.isEmpty());
    Map<Long, Long> found = new HashMap<>();
    for (int entry = table.next(0); entry >= 0; entry = table.next(entry + 1)) {
      found.put(table.keyAt(entry), table.countAt(entry));
    }
    assertEquals(model, found);
    assertEquals(model.values().stream().mapToLong(Long::longValue).sum(), table.sum());
    assertArrayEquals(
        model.keySet().stream().mapToLong(Long::longValue).sorted().toArray(), table.sortedKeys());
    LongCounts copy = table.copy();
    assertEquals(table, copy);
    copy.add(-7, 1);
    assertNotEquals(table, copy);
    assertEquals(0, table.get(-7));
  }

  @Test
  void equalContentsAreEqualWhateverTheTableHeldBefore() {
    LongCounts one = new LongCounts();
    ScarceCounts other = new ScarceCounts();
    for (long key = 0; key < 1000; key++) {
      other.add(key, 2);
    }
    int arrays = other.arrays;
    for (long key = 999; key >= 10; key--) {
      other.set(key, 0);
    }
    assertTrue(other.arrays > arrays, "the table has not shrunk");
    for (long key = 9; key >= 0; key--) {
      one.add(key, 1);
      one.add(key, 1);
    }
    assertEquals(one, other);
    assertEquals(one.hashCode(), other.hashCode());
    assertEquals(one.memoryBytes(), other.memoryBytes());
    one.add(3, 1);
    assertNotEquals(one, other);
    assertNotEquals(one.hashCode(), other.hashCode());
  }

  @Test
  void entriesAreDeletedWithoutMemory() {
    ScarceCounts table = new ScarceCounts();
    for (long key = 0; key < 100; key++) {
      table.add(key, 1);
    }
    table.memoryIsGone = true;
    assertThrows(OutOfMemoryError.class, () -> table.ensureCapacity(1000));
    for (long key = 0; key < 100; key++) {
      assertTrue(table.decrement(key));
      assertFalse(table.decrement(key));
      assertEquals(99 - key, table.size());
    }
  }

  @Test
  void ensuredCapacityIsAvailable() {
    ScarceCounts table = new ScarceCounts();
    int entries = 3 << 9; // all that a table of 2,048 places has room for
    table.ensureCapacity(entries);
    table.memoryIsGone = true;
    for (long key = 0; key < entries; key++) {
      table.add(key, 1);
    }
    assertEquals(entries, table.size());
    String message =
        assertThrows(OutOfMemoryError.class, () -> table.ensureCapacity(Long.MAX_VALUE))
            .getMessage();
    assertTrue(String.valueOf(message).contains(" 17179869184 bytes"), message);
  }
}
