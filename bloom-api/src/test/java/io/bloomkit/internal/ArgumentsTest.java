package io.bloomkit.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ArgumentsTest {

  private static void assertRefused(String message, Executable check) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, check).getMessage());
  }

  @Test
  void boundsAreIncluded() {
    Arguments.checkAtLeast(3, 3, "n");
    assertRefused("n must be at least 3, got 2", () -> Arguments.checkAtLeast(3, 2, "n"));
    Arguments.checkRange(3, 5, 3, "n");
    Arguments.checkRange(3, 5, 5, "n");
    assertRefused("n must be in [3, 5], got 2", () -> Arguments.checkRange(3, 5, 2, "n"));
    assertRefused("n must be in [3, 5], got 6", () -> Arguments.checkRange(3, 5, 6, "n"));
  }

  @Test
  void fractionsAreBetweenZeroAndOne() {
    Arguments.checkFraction(Double.MIN_VALUE, "fpp");
    Arguments.checkFraction(Math.nextDown(1.0), "fpp");
    for (double bad : new double[] {0, 1, -0.5, 1.5, Double.NaN}) {
      assertRefused(
          "fpp must be in (0, 1), got " + bad + "; 1 % is 0.01",
          () -> Arguments.checkFraction(bad, "fpp"));
    }
  }

  @Test
  void anEmptySetTakesAFilterForOneElement() {
    assertEquals(1, Arguments.atLeastOne(0, "n"));
    assertEquals(1, Arguments.atLeastOne(1, "n"));
    assertEquals(7, Arguments.atLeastOne(7, "n"));
    assertEquals(
        "n must be at least 0, got -1",
        assertThrows(IllegalArgumentException.class, () -> Arguments.atLeastOne(-1, "n"))
            .getMessage());
  }

  @Test
  void indexesAreCheckedAsByJava() {
    for (long length : new long[] {Long.MIN_VALUE, -1, 0, 1, 5, 1L << 40, Long.MAX_VALUE}) {
      for (long index : new long[] {Long.MIN_VALUE, -1, 0, 1, 4, 5, length - 1, length}) {
        assertEquals(
            refusal(() -> Objects.checkIndex(index, length)),
            refusal(() -> Arguments.checkIndex(index, length)));
      }
    }
  }

  private static String refusal(Runnable check) {
    try {
      check.run();
      return "none";
    } catch (IndexOutOfBoundsException e) {
      return e.toString();
    }
  }
}
