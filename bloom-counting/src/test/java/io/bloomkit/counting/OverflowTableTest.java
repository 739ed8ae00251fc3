package io.bloomkit.counting;

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

class OverflowTableTest {

  /** Indices of few different places, of many, and spread over all numbers. */
  @Test
  void itAnswersAsAMap() {
    for (long factor : new long[] {1, 64, 1L << 40}) {
      itAnswersAsAMap(factor);
    }
  }

  private static void itAnswersAsAMap(long factor) {
    SplittableRandom random = new SplittableRandom(factor);
    OverflowTable table = new OverflowTable();
    Map<Long, Long> model = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      // Grows to hundreds of entries and shrinks again.
      long index = factor * random.nextInt(1 + (i / 1000 % 40) * 20);
      boolean isGrowing = i / 40_000 % 2 == 0;
      int choice = random.nextInt(10);
      if (choice < (isGrowing ? 5 : 1)) {
        long difference = random.nextInt(1, 4);
        table.add(index, difference);
        model.merge(index, difference, Long::sum);
      } else if (choice < 8) {
        assertEquals(model.containsKey(index), table.take(index));
        model.computeIfPresent(index, (key, value) -> value == 1 ? null : value - 1);
      } else {
        long overflow = random.nextInt(2) * 5L;
        table.set(index, overflow);
        if (overflow == 0) {
          model.remove(index);
        } else {
          model.put(index, overflow);
        }
      }
      assertEquals(model.getOrDefault(index, 0L), table.get(index));
      if (i % 997 == 0) {
        check(model, table);
      }
    }
    check(model, table);
    table.clear();
    check(Map.of(), table);
  }

  private static void check(Map<Long, Long> model, OverflowTable table) {
    assertEquals(model.size(), table.size());
    assertEquals(model.isEmpty(), table.isEmpty());
    Map<Long, Long> found = new HashMap<>();
    for (int entry = table.next(0); entry >= 0; entry = table.next(entry + 1)) {
      found.put(table.indexAt(entry), table.overflowAt(entry));
    }
    assertEquals(model, found);
    assertEquals(model.values().stream().mapToLong(Long::longValue).sum(), table.sum());
    assertArrayEquals(
        model.keySet().stream().mapToLong(Long::longValue).sorted().toArray(),
        table.sortedIndices());
    OverflowTable copy = table.copy();
    assertEquals(table, copy);
    copy.add(-7, 1);
    assertNotEquals(table, copy);
    assertEquals(0, table.get(-7));
  }

  @Test
  void equalContentsAreEqualWhateverTheTableHeldBefore() {
    OverflowTable one = new OverflowTable();
    CounterMemoryTest.Table other = new CounterMemoryTest.Table();
    for (long index = 0; index < 1000; index++) {
      other.add(index, 2);
    }
    int arraysLeft = other.arraysLeft;
    for (long index = 999; index >= 10; index--) {
      other.set(index, 0);
    }
    assertTrue(other.arraysLeft < arraysLeft, "the table has not shrunk");
    for (long index = 9; index >= 0; index--) {
      one.add(index, 1);
      one.add(index, 1);
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
    CounterMemoryTest.Table table = new CounterMemoryTest.Table();
    for (long index = 0; index < 100; index++) {
      table.add(index, 1);
    }
    table.memoryIsGone = true;
    assertThrows(OutOfMemoryError.class, () -> table.ensureCapacity(1000));
    for (long index = 0; index < 100; index++) {
      assertTrue(table.take(index));
      assertFalse(table.take(index));
      assertEquals(99 - index, table.size());
    }
  }

  @Test
  void roomThatWasMadeIsThere() {
    CounterMemoryTest.Table table = new CounterMemoryTest.Table();
    int entries = 3 << 9; // all that a table of 2,048 places has room for
    table.ensureCapacity(entries);
    table.memoryIsGone = true;
    for (long index = 0; index < entries; index++) {
      table.add(index, 1);
    }
    assertEquals(entries, table.size());
    String message =
        assertThrows(OutOfMemoryError.class, () -> table.ensureCapacity(Long.MAX_VALUE))
            .getMessage();
    assertTrue(String.valueOf(message).contains(" 17179869184 bytes"), message);
  }
}
