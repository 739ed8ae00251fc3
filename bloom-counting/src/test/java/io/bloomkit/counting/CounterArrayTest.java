package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Against a plain {@code long} for each counter. */
class CounterArrayTest {

  private static final int COUNTERS = 100; // six words and a quarter

  private static CounterArray arrayOf(long[] values) {
    CounterArray array = new CounterArray(values.length);
    for (int i = 0; i < values.length; i++) {
      for (long j = 0; j < values[i]; j++) {
        array.increment(i);
      }
    }
    return array;
  }

  private static void assertHolds(long[] expected, CounterArray array) {
    long nonZero = 0;
    int overflowed = 0;
    long[] bits = array.toBits();
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], array.get(i), "counter " + i);
      assertEquals(expected[i], array.getShared(i));
      assertEquals(expected[i] == 0, array.isZero(i));
      assertEquals(expected[i] == 0, array.isZeroShared(i));
      assertEquals(expected[i] != 0, (bits[i / 64] >>> i & 1) != 0, "bit " + i);
      nonZero += expected[i] == 0 ? 0 : 1;
      overflowed += expected[i] > 15 ? 1 : 0;
    }
    assertEquals(nonZero, array.countNonZero());
    assertEquals(overflowed, array.overflowedCounters());
    assertEquals(arrayOf(expected), array);
    assertEquals(arrayOf(expected).hashCode(), array.hashCode());
  }

  /** Counters of which many are 0 and many on either side of fifteen. */
  private static long[] values(SplittableRandom random) {
    return random
        .ints(COUNTERS, 0, 4)
        .mapToLong(
            kind ->
                switch (kind) {
                  case 0 -> 0;
                  case 1 -> random.nextInt(8);
                  case 2 -> 13 + random.nextInt(5);
                  default -> random.nextInt(60);
                })
        .toArray();
  }

  @Test
  void countsLikePlainNumbersUpAndDown() {
    for (boolean shared : new boolean[] {false, true}) {
      SplittableRandom random = new SplittableRandom(4);
      CounterArray array = new CounterArray(COUNTERS);
      long[] model = new long[COUNTERS];
      for (int step = 0; step < 200_000; step++) {
        // A few counters take most steps, and up and down take turns: all values to 60 come by.
        int i = random.nextInt(1 + random.nextInt(COUNTERS));
        boolean up = step / 5_000 % 2 == 0 ? random.nextInt(3) > 0 : random.nextInt(3) == 0;
        if (up) {
          assertEquals(
              model[i]++ == 0 ? 1 : 0, shared ? array.incrementShared(i) : array.increment(i));
        } else if (model[i] > 0) {
          assertEquals(
              --model[i] == 0 ? 1 : 0, shared ? array.decrementShared(i) : array.decrement(i));
        }
        if (step % 10_000 == 0) {
          assertHolds(model, array);
        }
      }
      assertHolds(model, array);
    }
  }

  @Test
  void countersOfAWordDoNotTouchEachOther() {
    CounterArray array = new CounterArray(48);
    long[] model = new long[48];
    for (int round = 0; round < 40; round++) {
      for (int i = 16; i < 32; i++) {
        array.increment(i);
        model[i]++;
        assertHolds(model, array);
      }
    }
    for (int i = 31; i >= 16; i--) {
      for (int round = 0; round < 40; round++) {
        array.decrement(i);
        model[i]--;
      }
      assertHolds(model, array);
    }
    assertEquals(new CounterArray(48), array);
  }

  @Test
  void addsLikePlainNumbers() {
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 500; round++) {
      long[] a = values(random);
      long[] b = values(random);
      CounterArray sum = arrayOf(a);
      CounterArray other = arrayOf(b);
      sum.add(other);
      long[] expected = new long[COUNTERS];
      for (int i = 0; i < COUNTERS; i++) {
        expected[i] = a[i] + b[i];
      }
      assertHolds(expected, sum);
      assertHolds(b, other);
      assertEquals(-1, sum.firstBelow(other));
      sum.subtract(other);
      assertHolds(a, sum);
    }
  }

  @Test
  void addsAndSubtractsItself() {
    SplittableRandom random = new SplittableRandom(6);
    for (int round = 0; round < 100; round++) {
      long[] a = values(random);
      CounterArray array = arrayOf(a);
      array.add(array);
      long[] expected = new long[COUNTERS];
      for (int i = 0; i < COUNTERS; i++) {
        expected[i] = 2 * a[i];
      }
      assertHolds(expected, array);
      assertEquals(-1, array.firstBelow(array));
      array.subtract(array);
      assertHolds(new long[COUNTERS], array);
    }
  }

  @Test
  void findsTheFirstCounterThatIsBelowAnother() {
    SplittableRandom random = new SplittableRandom(7);
    int found = 0;
    for (int round = 0; round < 2000; round++) {
      long[] a = values(random);
      long[] b = a.clone();
      for (int i = 0; i < COUNTERS; i++) {
        b[i] -= random.nextLong(b[i] + 1);
      }
      CounterArray array = arrayOf(a);
      assertEquals(-1, array.firstBelow(arrayOf(b)));
      int changed = random.nextInt(COUNTERS);
      b[changed] = a[changed] + 1 + random.nextInt(3);
      assertEquals(changed, array.firstBelow(arrayOf(b)));
      found++;
    }
    assertTrue(found > 0);
  }

  @Test
  void clearedArrayEqualsANewOne() {
    CounterArray array = arrayOf(values(new SplittableRandom(8)));
    assertNotEquals(new CounterArray(COUNTERS), array);
    array.clear();
    assertHolds(new long[COUNTERS], array);
    assertEquals(new CounterArray(COUNTERS).memoryBytes(), array.memoryBytes());
  }

  @Test
  void copyIsIndependent() {
    long[] values = values(new SplittableRandom(9));
    CounterArray array = arrayOf(values);
    CounterArray copy = array.copy();
    for (int i = 0; i < COUNTERS; i++) {
      copy.increment(i);
    }
    assertHolds(values, array);
  }
}
