package io.bloomkit.internal.format;

import java.util.Optional;

/**
 * What a file can hold: the one list of the kinds of filters, with Guava's filter and deltas.
 * docs/format.md has the same codes. The classes are named by text, because most of them are in
 * modules that depend on this one and may be missing.
 */
public enum Variant {
  CLASSIC(1, "io.bloomkit.classic.ClassicBloomFilter"),
  BLOCKED(2, "io.bloomkit.classic.BlockedBloomFilter"),
  COUNTING(3, "io.bloomkit.counting.CountingBloomFilter"),
  BLOCKED_COUNTING(4, "io.bloomkit.counting.BlockedCountingBloomFilter"),
  CUCKOO(5, "io.bloomkit.cuckoo.CuckooFilter"),
  SCALABLE(6, "io.bloomkit.scalable.ScalableBloomFilter"),
  GUAVA(9, "io.bloomkit.interop.guava.GuavaBloomFilter"),
  DYNAMIC_CUCKOO(10, "io.bloomkit.cuckoo.DynamicCuckooFilter"),
  EXPIRING_CUCKOO(11, "io.bloomkit.cuckoo.ExpiringCuckooFilter"),
  DELTA(256, "io.bloomkit.format.Delta");

  static final int MAX_CODE = 0xffff;

  private final int code;
  private final String className;

  Variant(int code, String className) {
    this.code = code;
    this.className = className;
  }

  /** Returns the number in the file. */
  public int code() {
    return code;
  }

  /** Returns the full name of the class. */
  public String className() {
    return className;
  }

  /** Returns the variant with a code, or empty if this version of the library has none. */
  public static Optional<Variant> of(int code) {
    for (Variant variant : values()) {
      if (variant.code == code) {
        return Optional.of(variant);
      }
    }
    return Optional.empty();
  }

  /** Returns the simple name of the class with a code, or "variant" and the code. */
  public static String name(int code) {
    return of(code)
        .map(variant -> variant.className.substring(variant.className.lastIndexOf('.') + 1))
        .orElseGet(() -> "variant " + code);
  }
}
