package io.bloomkit.counting;

import static io.bloomkit.counting.WaitingThreads.awaitBlocked;
import static io.bloomkit.counting.WaitingThreads.awaitEnd;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
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
    long sum = 0;
    int overflowed = 0;
    long[] bits = array.toBits(0);
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], array.get(i), "counter " + i);
      assertEquals(expected[i], array.getShared(i));
      assertEquals(expected[i] == 0, array.fourBits(i) == 0);
      assertEquals(expected[i] == 0, array.isZeroShared(i));
      assertEquals(expected[i] != 0, (bits[i / 64] >>> i & 1) != 0, "bit " + i);
      nonZero += expected[i] == 0 ? 0 : 1;
      sum += expected[i];
      overflowed += expected[i] > 15 ? 1 : 0;
    }
    assertEquals(nonZero, array.countNonZero());
    assertEquals(sum, array.sumOver(1, false));
    assertEquals(sum / 7, array.sumOver(7, false));
    assertEquals((sum + 6) / 7, array.sumOver(7, true));
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
          model[i]--;
          if (shared) {
            array.subtractShared(i, 1);
          } else {
            array.decrement(i);
          }
        }
        if (step % 10_000 == 0) {
          assertHolds(model, array);
        }
      }
      assertHolds(model, array);
    }
  }

  @Test
  void numbersAreAddedAndSubtractedAtOnce() {
    SplittableRandom random = new SplittableRandom(5);
    CounterArray array = new CounterArray(COUNTERS);
    long[] model = new long[COUNTERS];
    for (int step = 0; step < 100_000; step++) {
      int i = random.nextInt(COUNTERS);
      long number = 1L + random.nextInt(random.nextInt(4) == 0 ? 500 : 20);
      if (random.nextInt(2) > 0) {
        assertEquals(model[i] == 0 ? 1 : 0, array.addShared(i, number));
        model[i] += number;
      } else {
        long subtracted = random.nextBoolean() ? model[i] : Math.min(number, model[i]);
        array.subtractShared(i, subtracted);
        model[i] -= subtracted;
      }
      if (step % 5_000 == 0) {
        assertHolds(model, array);
      }
    }
    assertHolds(model, array);
  }

  @Test
  void countersOfAMaskCountLikePlainNumbers() {
    for (boolean shared : new boolean[] {false, true}) {
      SplittableRandom random = new SplittableRandom(14);
      CounterArray array = new CounterArray(112);
      long[] model = new long[112]; // seven words
      for (int step = 0; step < 100_000; step++) {
        int word = random.nextInt(1 + random.nextInt(7));
        long mask = mask(random, random.nextInt(1 + random.nextInt(16)));
        long zeros = zerosOf(model, word, mask);
        assertEquals(zeros, array.zerosShared(word, mask));
        long value = shared ? array.wordShared(word) : array.word(word);
        assertEquals(zeros != 0, CounterWord.anyZero(value, mask) != 0);
        if (mask != 0) {
          assertEquals(
              leastOf(model, word, mask),
              shared ? array.minShared(word, mask) : array.min(word, mask));
        }
        // Up and down take turns, so that many counters pass fifteen both ways.
        boolean up = step / 2_000 % 2 == 0 ? random.nextInt(5) > 0 : random.nextInt(5) == 0;
        if (up) {
          if (shared) {
            assertEquals(zeros, array.incrementAllShared(word, mask, array));
          } else {
            int otherWord = (word + 1 + random.nextInt(6)) % 7;
            long otherMask = mask(random, random.nextInt(3));
            boolean isNew = (zeros | zerosOf(model, otherWord, otherMask)) != 0;
            assertEquals(isNew, array.incrementBoth(word, mask, otherWord, otherMask));
            add(model, otherWord, otherMask, 1);
          }
          add(model, word, mask, 1);
        } else {
          long held = mask & ~zeros;
          if (shared) {
            array.decrementAllShared(word, held);
            add(model, word, held, -1);
          } else {
            long some = random.nextInt(4) > 0 ? held : mask;
            int otherWord = (word + 1 + random.nextInt(6)) % 7;
            long otherMask = mask(random, random.nextInt(3));
            boolean allHeld = (some & zeros) == 0 && zerosOf(model, otherWord, otherMask) == 0;
            assertEquals(allHeld, array.decrementIfNonZero(word, some, otherWord, otherMask));
            if (allHeld) {
              add(model, word, some, -1);
              add(model, otherWord, otherMask, -1);
            }
          }
        }
        if (step % 1_000 == 0) {
          assertHolds(model, array);
        }
      }
      assertHolds(model, array);
      assertTrue(array.overflowedCounters() > 5, "overflowed: " + array.overflowedCounters());
    }
  }

  /** Each counter of the word alone at fifteen, so that the others may not feel its overflow. */
  @Test
  void countersOfAMaskPassFifteenOneByOne() {
    long all = 0x1111111111111111L;
    for (boolean shared : new boolean[] {false, true}) {
      for (int i = 16; i < 32; i++) {
        long[] model = new long[48];
        Arrays.fill(model, 16, 32, 13);
        model[i] = 14;
        CounterArray array = arrayOf(model);
        for (int step = 1; step <= 3; step++) {
          if (shared) {
            assertEquals(0, array.incrementAllShared(1, all, array));
          } else {
            assertFalse(array.incrementBoth(1, all, 0, 0));
          }
          add(model, 1, all, 1);
          assertHolds(model, array);
        }
        for (int step = 1; step <= 16; step++) {
          if (shared) {
            array.decrementAllShared(1, all);
          } else {
            assertTrue(array.decrementIfNonZero(1, all, 2, 0));
          }
          add(model, 1, all, -1);
          assertHolds(model, array);
        }
      }
    }
  }

  /** The lowest bit of some counters; fewer than given if some are drawn twice. */
  private static long mask(SplittableRandom random, int counters) {
    long mask = 0;
    for (int i = 0; i < counters; i++) {
      mask |= 1L << (4 * random.nextInt(16));
    }
    return mask;
  }

  private static boolean isIn(long mask, int counter) {
    return ((mask >>> (4 * counter)) & 1) != 0;
  }

  private static long zerosOf(long[] model, int word, long mask) {
    long zeros = 0;
    for (int i = 0; i < 16; i++) {
      zeros |= isIn(mask, i) && model[16 * word + i] == 0 ? 1L << (4 * i) : 0;
    }
    return zeros;
  }

  private static long leastOf(long[] model, int word, long mask) {
    return IntStream.range(0, 16)
        .filter(i -> isIn(mask, i))
        .mapToLong(i -> model[16 * word + i])
        .min()
        .orElseThrow();
  }

  private static void add(long[] model, int word, long mask, int difference) {
    for (int i = 0; i < 16; i++) {
      model[16 * word + i] += isIn(mask, i) ? difference : 0;
    }
  }

  @Test
  void addsLikePlainNumbers() {
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 500; round++) {
      long[] a = values(random);
      long[] b = values(random);
      CounterArray sum = arrayOf(a);
      CounterArray other = arrayOf(b);
      long[] expected = new long[COUNTERS];
      int overflows = 0;
      for (int i = 0; i < COUNTERS; i++) {
        expected[i] = a[i] + b[i];
        overflows += Math.min(a[i], 15) + Math.min(b[i], 15) > 15 ? 1 : 0;
      }
      assertEquals(overflows, CounterSums.countOverflows(sum, other));
      CounterSums.add(sum, other);
      assertHolds(expected, sum);
      assertHolds(b, other);
      assertEquals(-1, CounterSums.anyBelow(sum, other));
      CounterSums.subtract(sum, other);
      assertHolds(a, sum);
    }
  }

  @Test
  void addsAndSubtractsItself() {
    SplittableRandom random = new SplittableRandom(6);
    for (int round = 0; round < 100; round++) {
      long[] a = values(random);
      CounterArray array = arrayOf(a);
      CounterSums.add(array, array);
      long[] expected = new long[COUNTERS];
      for (int i = 0; i < COUNTERS; i++) {
        expected[i] = 2 * a[i];
      }
      assertHolds(expected, array);
      assertEquals(-1, CounterSums.anyBelow(array, array));
      CounterSums.subtract(array, array);
      assertHolds(new long[COUNTERS], array);
    }
  }

  @Test
  void findsACounterThatIsBelowAnother() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 2000; round++) {
      long[] a = values(random);
      long[] b = a.clone();
      for (int i = 0; i < COUNTERS; i++) {
        b[i] -= random.nextLong(b[i] + 1);
      }
      CounterArray array = arrayOf(a);
      assertEquals(-1, CounterSums.anyBelow(array, arrayOf(b)));
      int changed = random.nextInt(COUNTERS);
      b[changed] = a[changed] + 1 + random.nextInt(3);
      assertEquals(changed, CounterSums.anyBelow(array, arrayOf(b)));
      int another = random.nextInt(COUNTERS);
      b[another] = a[another] + 1;
      long found = CounterSums.anyBelow(array, arrayOf(b));
      assertTrue(found == changed || found == another);
    }
  }

  @Test
  void additionThatFoundACounterFullLooksAgainUnderTheLock() throws Exception {
    CounterArray array = arrayOf(new long[] {15});
    Thread adder = new Thread(() -> array.incrementShared(0));
    synchronized (array) {
      adder.start();
      awaitBlocked(adder);
      array.subtractShared(0, 1);
    }
    adder.join();
    assertHolds(new long[] {15}, array);
  }

  @Test
  void additionToAMaskThatFoundACounterFullLooksAgainUnderTheLock() throws Exception {
    CounterArray array = arrayOf(new long[] {3, 15, 0});
    Thread adder = new Thread(() -> array.incrementAllShared(0, 0x111, new Object()));
    synchronized (array) {
      adder.start();
      awaitBlocked(adder);
      array.decrementAllShared(0, 0x010);
    }
    adder.join();
    assertHolds(new long[] {4, 15, 1}, array);
  }

  @Test
  void additionToACounterThatWasEmptiedMeanwhileSaysThatItWasZero() throws Exception {
    CounterArray array = arrayOf(new long[] {15});
    AtomicLong answer = new AtomicLong();
    Thread adder = new Thread(() -> answer.set(array.incrementShared(0)));
    synchronized (array) {
      adder.start();
      awaitBlocked(adder);
      for (int i = 0; i < 15; i++) {
        array.subtractShared(0, 1);
      }
    }
    adder.join();
    assertEquals(1, answer.get());
    assertHolds(new long[] {1}, array);
  }

  @Test
  void countersBelowFifteenAreReadAndChangedWithoutTheLock() throws Exception {
    CounterArray array = arrayOf(new long[] {14, 13});
    AtomicLong read = new AtomicLong();
    Thread other =
        new Thread(
            () -> {
              read.set(array.getShared(0));
              array.incrementShared(1);
              array.subtractShared(0, 1);
            });
    synchronized (array) {
      other.start();
      awaitEnd(other);
    }
    other.join();
    assertEquals(14, read.get());
    assertHolds(new long[] {13, 14}, array);
  }

  @Test
  void wordsAreTheCountersAsTheyLieInMemory() {
    CounterArray array = arrayOf(new long[] {1, 2, 0, 14, 15, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 5});
    assertEquals(0x90000000_00ffe021L, array.word(0));
    assertEquals(5, array.word(1));
  }

  @Test
  void fullCounterIsReadUnderTheLock() throws Exception {
    CounterArray array = arrayOf(new long[] {40});
    AtomicLong read = new AtomicLong();
    Thread reader = new Thread(() -> read.set(array.getShared(0)));
    synchronized (array) {
      reader.start();
      awaitBlocked(reader);
      array.subtractShared(0, 1);
    }
    reader.join();
    assertEquals(39, read.get());
  }
}
