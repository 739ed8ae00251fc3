package io.bloomkit.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
    assertRefused(8L * WordArrays.MAX_LENGTH, () -> WordArrays.allocate(WordArrays.MAX_LENGTH));
  }

  private static void assertRefused(long bytes, Executable allocation) {
    String message = String.valueOf(assertThrows(OutOfMemoryError.class, allocation).getMessage());
    assertTrue(message.startsWith("an array of " + bytes + " bytes"), message);
  }
}
