package io.bloomkit.format;

import java.util.List;
import java.util.Objects;

/**
 * What kind of filter a file holds; part of the file format (docs/format.md).
 *
 * @param code the number in the file, from 1 to 65,535; those from {@link #FIRST_PRIVATE_CODE} on
 *     are for filters of one's own
 * @param name the name, which error messages show and files do not hold
 */
public record FilterVariant(int code, String name) {

  /** The first code that this library will never use. */
  public static final int FIRST_PRIVATE_CODE = 0x8000;

  private static final int MAX_CODE = 0xffff;

  /** The classic filter of bits. */
  public static final FilterVariant CLASSIC = new FilterVariant(1, "ClassicBloomFilter");

  /** The filter of bits in blocks of a cache line. */
  public static final FilterVariant BLOCKED = new FilterVariant(2, "BlockedBloomFilter");

  /** The filter of counters. */
  public static final FilterVariant COUNTING = new FilterVariant(3, "CountingBloomFilter");

  /** The filter of counters in blocks of a cache line. */
  public static final FilterVariant BLOCKED_COUNTING =
      new FilterVariant(4, "BlockedCountingBloomFilter");

  /** The filter of fingerprints. */
  public static final FilterVariant CUCKOO = new FilterVariant(5, "CuckooFilter");

  /** The filter that grows. */
  public static final FilterVariant SCALABLE = new FilterVariant(6, "ScalableBloomFilter");

  /** The filter that grows and forgets. */
  public static final FilterVariant SCALABLE_COUNTING =
      new FilterVariant(7, "ScalableCountingBloomFilter");

  /** The filter that remembers a window. */
  public static final FilterVariant AGING = new FilterVariant(8, "AgingBloomFilter");

  /** The filter of Guava, in this library's file format. */
  public static final FilterVariant GUAVA = new FilterVariant(9, "GuavaBloomFilter");

  /** What is no filter, but leads from one version of a filter to the next: a {@link Delta}. */
  public static final FilterVariant DELTA = new FilterVariant(256, "Delta");

  private static final List<FilterVariant> KNOWN =
      List.of(
          CLASSIC,
          BLOCKED,
          COUNTING,
          BLOCKED_COUNTING,
          CUCKOO,
          SCALABLE,
          SCALABLE_COUNTING,
          AGING,
          GUAVA,
          DELTA);

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

  /** Returns the variant of a code; one that this library does not know is named by its number. */
  static FilterVariant of(int code) {
    return KNOWN.stream()
        .filter(variant -> variant.code == code)
        .findAny()
        .orElseGet(() -> new FilterVariant(code, "variant " + code));
  }
}
