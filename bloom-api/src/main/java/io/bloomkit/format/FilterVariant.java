package io.bloomkit.format;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The kind of data in a file, part of the file format (docs/format.md). Each {@link FilterKind} has
 * one.
 *
 * @param code the number in the file, from 1 to 65,535; those from {@link #FIRST_PRIVATE_CODE} on
 *     are free for filters of other authors
 * @param name the name in error messages; not stored in files
 */
public record FilterVariant(int code, String name) {

  /** The first code that this library will never use. */
  public static final int FIRST_PRIVATE_CODE = 0x8000;

  private static final int MAX_CODE = 0xffff;

  /** A {@link Delta}: not a filter, but the difference between two versions of one. */
  public static final FilterVariant DELTA = new FilterVariant(256, "Delta");

  /**
   * Checks a variant.
   *
   * @throws IllegalArgumentException if the code is out of its range
   */
  public FilterVariant {
    Objects.requireNonNull(name, "name");
    if (code < 1 || code > MAX_CODE) {
      throw new IllegalArgumentException("code must lie in [1, " + MAX_CODE + "] but is " + code);
    }
  }

  /** Returns whether an object is a variant with the same code; names are ignored. */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof FilterVariant other && code == other.code;
  }

  @Override
  public int hashCode() {
    return code;
  }

  /** Returns the variant of a code. One of no installed module is named by its number. */
  static FilterVariant of(int code) {
    return code == DELTA.code
        ? DELTA
        : FilterKinds.variants().stream()
            .filter(variant -> variant.code == code)
            .findAny()
            .orElseGet(() -> new FilterVariant(code, "variant " + code));
  }
}
