package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.junit.jupiter.api.function.Executable;

/**
 * Checks that methods reject invalid arguments. For your own tests; the contracts of this package
 * already include these checks.
 */
public final class ArgumentChecks {

  private ArgumentChecks() {}

  /** Creates filters for a number of elements and a false-positive rate. */
  @FunctionalInterface
  public interface Factory {

    /**
     * Returns a new filter.
     *
     * @param expectedInsertions the planned number of distinct elements
     * @param fpp the planned false-positive rate
     * @throws IllegalArgumentException if an argument is out of its range
     */
    Object create(long expectedInsertions, double fpp);
  }

  /**
   * Checks that a factory rejects invalid sizes: negative values of {@code expectedInsertions}, and
   * several values of {@code fpp} outside (0, 1), including NaN. The factory must throw an {@link
   * IllegalArgumentException} whose message contains the value, formatted by {@link
   * Long#toString()} or {@link Double#toString()}.
   *
   * @throws AssertionError if the factory accepts a value or throws something else
   */
  public static void badSizesAreRefusedByValue(Factory factory) {
    for (long n : new long[] {-1, Long.MIN_VALUE}) {
      refusesNaming(n, "newFilter(" + n + ", 0.01)", () -> factory.create(n, 0.01));
    }
    for (double fpp :
        new double[] {
          Double.NaN, 0, 1, -0.01, 1.5, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
        }) {
      refusesNaming(fpp, "newFilter(100, " + fpp + ")", () -> factory.create(100, fpp));
    }
  }

  /**
   * Checks that a call throws an {@link IllegalArgumentException} whose message contains a value.
   *
   * @param value the value, which the message must contain as text
   * @param description the call as text, for failures
   * @throws AssertionError if the call throws nothing or something else
   */
  public static void refusesNaming(Object value, String description, Executable call) {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, call, description);
    String message = String.valueOf(refusal.getMessage());
    assertTrue(
        message.contains(value.toString()),
        () -> "the message of " + description + " must contain " + value + ": \"" + message + "\"");
  }

  static <T> void nullElementsAreRefused(
      InsertableFilter<T> filter, LongFunction<? extends T> elements) {
    ObservableState before = ObservableState.of(filter, elements);
    assertThrows(NullPointerException.class, () -> filter.add(noElement()), "add(null)");
    assertThrows(
        NullPointerException.class, () -> filter.mightContain(noElement()), "mightContain(null)");
    if (filter instanceof DeletableFilter<T> deletable) {
      assertThrows(NullPointerException.class, () -> deletable.remove(noElement()), "remove(null)");
      assertThrows(NullPointerException.class, () -> deletable.count(noElement()), "count(null)");
      assertThrows(NullPointerException.class, () -> deletable.add(noElement(), 2), "add(null, 2)");
      assertThrows(
          NullPointerException.class, () -> deletable.remove(noElement(), 2), "remove(null, 2)");
    }
    before.assertSame(ObservableState.of(filter, elements), "after refused nulls");
  }

  /**
   * Checks that an operation on an element throws a {@link NullPointerException} for null.
   *
   * @param <T> the type of the elements
   * @param name the name of the operation, for failures
   * @throws AssertionError if the operation throws nothing or something else
   */
  public static <T> void nullIsRefusedBy(String name, Consumer<T> operation) {
    assertThrows(NullPointerException.class, () -> operation.accept(noElement()), name + "(null)");
  }

  /** Returns null, although the annotations do not allow it. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T noElement() {
    return null;
  }
}
