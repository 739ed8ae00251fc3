package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.junit.jupiter.api.function.Executable;

/**
 * Checks that invalid arguments are refused, and that a refusal changes nothing. For contracts of
 * your own; those of this package include them.
 */
public final class ArgumentChecks {

  private ArgumentChecks() {}

  /** A way to build a filter from a number of elements and a rate. */
  @FunctionalInterface
  public interface Factory {

    /**
     * Returns a new filter.
     *
     * @throws IllegalArgumentException if an argument is out of its range
     */
    Object create(long expectedInsertions, double fpp);
  }

  /**
   * Checks that sizes below 1 and rates outside (0, 1) are refused.
   *
   * @throws AssertionError if one is accepted, or the message does not name it
   */
  public static void badSizesAreRefusedByValue(Factory factory) {
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

  /**
   * Checks that a call throws an {@link IllegalArgumentException} that names a value.
   *
   * @throws AssertionError if it does not
   */
  public static void refusesNaming(String value, Executable call) {
    IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, call);
    String message = String.valueOf(refusal.getMessage());
    assertTrue(
        message.contains(value), () -> "\"" + message + "\" does not name the value " + value);
  }

  static <T> void nullElementsAreRefused(
      InsertableFilter<T> filter, LongFunction<? extends T> elements) {
    Observation before = Observation.of(filter, elements);
    assertThrows(NullPointerException.class, () -> filter.add(noElement()), "add(null)");
    assertThrows(
        NullPointerException.class, () -> filter.mightContain(noElement()), "mightContain(null)");
    assertThrows(
        NullPointerException.class,
        () -> filter.mightContainEach(withNullInTheMiddle(elements)),
        "mightContainEach(with a null)");
    if (filter instanceof DeletableFilter<T> deletable) {
      assertThrows(NullPointerException.class, () -> deletable.remove(noElement()), "remove(null)");
      assertThrows(NullPointerException.class, () -> deletable.count(noElement()), "count(null)");
    }
    assertEquals(before, Observation.of(filter, elements), "a refused null changed the filter");
  }

  static <T> void addAllWithANullAddsNothing(
      InsertableFilter<T> filter, LongFunction<? extends T> elements) {
    Observation before = Observation.of(filter, elements);
    assertThrows(NullPointerException.class, () -> filter.addAll(withNullInTheMiddle(elements)));
    assertEquals(
        before, Observation.of(filter, elements), "addAll added something before it met the null");
  }

  /** The same of {@link DeletableFilter#removeAll}, for a filter with elements 500 to 519. */
  static <T> void removeAllWithANullRemovesNothing(
      DeletableFilter<T> filter, LongFunction<? extends T> elements) {
    Observation before = Observation.of(filter, elements);
    assertThrows(NullPointerException.class, () -> filter.removeAll(withNullInTheMiddle(elements)));
    assertEquals(before, Observation.of(filter, elements), "removeAll removed something");
  }

  /**
   * Checks that an operation on an element throws a {@link NullPointerException} for null.
   *
   * @throws AssertionError if it does not
   */
  public static <T> void nullIsRefusedBy(Consumer<T> operation) {
    assertThrows(NullPointerException.class, () -> operation.accept(noElement()));
  }

  private static <T> List<T> withNullInTheMiddle(LongFunction<? extends T> elements) {
    List<T> list = new ArrayList<>();
    for (int i = 500; i < 520; i++) {
      list.add(i == 510 ? noElement() : elements.apply(i));
    }
    return list;
  }

  /** The null that no caller who heeds the annotations could pass. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T noElement() {
    return null;
  }
}
