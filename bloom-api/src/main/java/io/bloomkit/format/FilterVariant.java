package io.bloomkit.format;

import io.bloomkit.internal.Arguments;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The code of a kind of data in a file, with a name. Each {@link FilterKind} has its own variant;
 * all deltas have {@link #DELTA}. See docs/format.md for the codes.
 *
 * @param code the number in the file, from 1 to 65,535; numbers from {@link #FIRST_PRIVATE_CODE} on
 *     are reserved for filters of other authors
 * @param name the name in error messages; not stored in files
 */
public record FilterVariant(int code, String name) {

  /**
   * The smallest code for filters of other authors, 32,768. This library only ever uses smaller
   * codes.
   */
  public static final int FIRST_PRIVATE_CODE = 0x8000;

  private static final int MAX_CODE = 0xffff;

  /** The variant of a {@link Delta}, which is not a filter. */
  public static final FilterVariant DELTA = new FilterVariant(256, "Delta");

  /**
   * Creates a variant.
   *
   * @throws IllegalArgumentException if the code is out of its range
   * @throws NullPointerException if the name is null
   */
  public FilterVariant {
    Objects.requireNonNull(name, "name");
    Arguments.checkRange(1, MAX_CODE, code, "code");
  }

  /** Returns whether an object is a variant with the same code. Names are ignored. */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof FilterVariant other && code == other.code;
  }

  @Override
  public int hashCode() {
    return code;
  }

  /**
   * Returns the variant with a code. If no installed module has this variant, it is named by its
   * code.
   */
  static FilterVariant of(int code) {
    return code == DELTA.code
        ? DELTA
        : FilterKinds.variants().stream()
            .filter(variant -> variant.code == code)
            .findAny()
            .orElseGet(() -> new FilterVariant(code, "variant " + code));
  }
}
