package io.bloomkit.internal.format;

import java.util.List;

/**
 * A kind of data in a file: its code, and its name in error messages. The variants of filters are
 * found through {@link FilterProvider}. See docs/format.md for the codes.
 */
public interface FilterVariant {

  /** The code of a delta, which is not a filter. */
  int DELTA = 256;

  /** What a message says of a code of this library without its module. */
  String MISSING =
      " (the module of this kind of filter is missing, or a shaded jar has not merged"
          + " META-INF/services)";

  int MAX_CODE = 0xffff;

  /** Returns the number in the file, from 1 to {@link #MAX_CODE}. */
  int code();

  /** Returns the name in error messages, which is not stored in files. */
  String name();

  /** Returns a variant that is not a kind of filter. */
  static FilterVariant of(int code, String name) {
    return new Named(code, name);
  }

  /** Returns the name of a code. Without its module, a variant is named by its code. */
  static String name(int code) {
    if (code == DELTA) {
      return "Delta";
    }
    List<FilterVariant> known = FilterProviders.known();
    return known.stream()
        .filter(variant -> variant.code() == code)
        .map(FilterVariant::name)
        .findAny()
        .orElseGet(() -> "variant " + code + (code < DELTA ? MISSING : ""));
  }

  /** A variant that is nothing but its code and name. */
  record Named(int code, String name) implements FilterVariant {}
}
