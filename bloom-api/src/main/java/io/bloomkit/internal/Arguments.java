package io.bloomkit.internal;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks the arguments of public methods. */
public final class Arguments {

  private Arguments() {}

  /**
   * Checks that a value is not too small.
   *
   * @throws IllegalArgumentException if it is
   */
  public static void checkAtLeast(long min, long value, String name) {
    if (value < min) {
      throw new IllegalArgumentException(name + " must be at least " + min + ", got " + value);
    }
  }

  /**
   * Returns the number of elements to make a filter for: at least 1, also for an empty set.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public static long atLeastOne(long elements, String name) {
    checkAtLeast(0, elements, name);
    return Math.max(1, elements);
  }

  /**
   * Checks that a value is within bounds, both of which are included.
   *
   * @throws IllegalArgumentException if it is not
   */
  public static void checkRange(long min, long max, long value, String name) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " must be in [" + min + ", " + max + "], got " + value);
    }
  }

  /**
   * Checks a range of hashes and their answers, which may be null.
   *
   * @throws IndexOutOfBoundsException if it does not lie within each array
   */
  public static void checkBatch(
      long[] hashes, int offset, int length, boolean @Nullable [] answers) {
    Objects.requireNonNull(hashes, "hashes");
    int end = answers == null ? hashes.length : Math.min(hashes.length, answers.length);
    Objects.checkFromIndexSize(offset, length, end);
  }

  /**
   * Checks a range of hashes and of the array for their answers.
   *
   * @throws IndexOutOfBoundsException if it does not lie within both arrays
   */
  public static void checkQuery(long[] hashes, int offset, int length, boolean[] answers) {
    Objects.requireNonNull(answers, "answers");
    checkBatch(hashes, offset, length, answers);
  }

  /**
   * Checks an index, as {@code Objects.checkIndex(long, long)}, which Android lacks before API
   * level 34.
   *
   * @throws IndexOutOfBoundsException if it is negative or not less than the length
   */
  public static void checkIndex(long index, long length) {
    if (index < 0 || index >= length) {
      throw new IndexOutOfBoundsException("Index " + index + " out of bounds for length " + length);
    }
  }

  /**
   * Checks that a probability is above 0 and below 1.
   *
   * @throws IllegalArgumentException if it is not
   */
  public static void checkFraction(double value, String name) {
    if (!(value > 0 && value < 1)) { // also refuses NaN
      throw new IllegalArgumentException(
          name + " must be in (0, 1), got " + value + "; 1 % is 0.01");
    }
  }
}
