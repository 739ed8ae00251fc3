package io.bloomkit.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class WordArraysTest {

  @Test
  void arraysAreZero() {
    assertArrayEquals(new long[3], WordArrays.allocate(3));
    assertArrayEquals(new byte[3], WordArrays.allocateBytes(3));
  }

  /** The heap of tests is smaller than an array of 16 GiB. */
  @Test
  void anArrayThatDoesNotFitIsRefusedWithItsBytes() {
    long bytes = 8L * WordArrays.MAX_LENGTH;
    assertRefused(bytes, () -> WordArrays.allocate(WordArrays.MAX_LENGTH));
    long[] words = {1, 2, 3};
    assertRefused(bytes, () -> WordArrays.copyOfRange(words, 0, WordArrays.MAX_LENGTH));
  }

  @Test
  void copiesAreOfTheRangeAndZeroBehindTheEnd() {
    long[] words = {1, 2, 3};
    assertArrayEquals(words, WordArrays.copyOf(words));
    assertArrayEquals(new long[] {2, 3, 0}, WordArrays.copyOfRange(words, 1, 4));
    assertArrayEquals(new byte[] {5, 0}, WordArrays.copyOf(new byte[] {5}, 2));
  }

  @Test
  void setBitsOfAllWordsAreCounted() {
    assertEquals(0, WordArrays.countBits(new long[0]));
    assertEquals(64 + 1 + 2, WordArrays.countBits(new long[] {-1, 0, 8, 5}));
  }

  private static void assertRefused(long bytes, Executable allocation) {
    String message = String.valueOf(assertThrows(OutOfMemoryError.class, allocation).getMessage());
    assertTrue(message.startsWith("an array of " + bytes + " bytes"), message);
  }
}
