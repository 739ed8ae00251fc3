package io.bloomkit.cli;

import static io.bloomkit.cli.PageText.logged;
import static java.util.stream.Collectors.toMap;

import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/** The sizes that filters have by their layouts, for the tests that compare pages with them. */
final class FilterSizes {

  static final long TEN_MILLION = 10_000_000;
  static final long MILLION = 1_000_000;
  private static final long FIRST_LAYER = 10_000;

  private static final Map<String, FilterKind> KINDS =
      FilterKind.installed().stream()
          .collect(toMap(kind -> kind.filterClass().getSimpleName(), kind -> kind));

  private FilterSizes() {}

  static FilterKind kind(String name) {
    return Objects.requireNonNull(KINDS.get(name), name);
  }

  private static String perElement(double bytes, long elements) {
    return String.format(Locale.ROOT, "%.1f", Byte.SIZE * bytes / elements);
  }

  static String bits(String name, double fpp) throws IOException {
    return switch (name) {
      case "ScalableBloomFilter" ->
          bitsWhileGrowing(
              ScalableBloomFilter.builder(HashStrategies.longs()).expecting(FIRST_LAYER, fpp)
                  ::memoryBytes);
      case "DynamicCuckooFilter" ->
          String.format(
              Locale.ROOT,
              "%.1f",
              logged(fpp == 0.01 ? "bits per element, 10⁷, full" : "full, 0.1 %"));
      default ->
          perElement((double) kind(name).layout(TEN_MILLION, fpp).memoryBytes(), TEN_MILLION);
    };
  }

  /** Returns the least bits, when a layer is full, and the most, when the next one was begun. */
  private static String bitsWhileGrowing(LongUnaryOperator memoryBytes) {
    double least = Double.MAX_VALUE;
    double most = 0;
    long full = fullAt(memoryBytes, FIRST_LAYER);
    while (full < TEN_MILLION) {
      least = Math.min(least, 8.0 * memoryBytes.applyAsLong(full) / full);
      most = Math.max(most, 8.0 * memoryBytes.applyAsLong(full + 1) / (full + 1));
      full = fullAt(memoryBytes, full + 1);
    }
    return Math.round(least) + " to " + Math.round(most);
  }

  /** Returns the most elements that take no more memory than a number of them, by bisection. */
  private static long fullAt(LongUnaryOperator memoryBytes, long elements) {
    long full = elements;
    long beyond = TEN_MILLION + 1;
    while (beyond - full > 1) {
      long middle = (full + beyond) / 2;
      if (memoryBytes.applyAsLong(middle) > memoryBytes.applyAsLong(elements)) {
        beyond = middle;
      } else {
        full = middle;
      }
    }
    return full;
  }
}
