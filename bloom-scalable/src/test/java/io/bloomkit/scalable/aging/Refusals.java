package io.bloomkit.scalable.aging;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Consumer;
import org.junit.jupiter.api.function.Executable;

/** What an aging filter must refuse. */
final class Refusals {

  private Refusals() {}

  /** A way to build a filter from a number of elements and a rate. */
  @FunctionalInterface
  interface Factory {
    Object create(long elements, double fpp);
  }

  static void badSizesAreRefusedByValue(Factory factory) {
    for (long n : new long[] {0, -1, Long.MIN_VALUE}) {
      refusesNaming(Long.toString(n), () -> factory.create(n, 0.01));
    }
    for (double fpp :
        new double[] {
          Double.NaN, 0, 1, -0.01, 1.5, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
        }) {
      refusesNaming(Double.toString(fpp), () -> factory.create(100, fpp));
    }
  }

  /** That a call is refused with a message that names a value. */
  static void refusesNaming(String value, Executable call) {
    String message =
        String.valueOf(assertThrows(IllegalArgumentException.class, call).getMessage());
    assertTrue(
        message.contains(value), () -> "\"" + message + "\" does not name the value " + value);
  }

  /** That an operation on an element refuses to be without one. */
  @SuppressWarnings("NullAway")
  static <T> void nullIsRefusedBy(Consumer<T> operation) {
    assertThrows(NullPointerException.class, () -> operation.accept(null));
  }
}
