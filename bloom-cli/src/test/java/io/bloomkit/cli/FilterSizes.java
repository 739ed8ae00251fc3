package io.bloomkit.cli;

import static io.bloomkit.cli.PageText.logged;
import static java.util.stream.Collectors.toMap;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterKinds;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The sizes that filters have by their layouts, for the tests that compare pages with them. */
final class FilterSizes {

  static final long TEN_MILLION = 10_000_000;
  static final long MILLION = 1_000_000;

  private static final Map<String, FilterKind> KINDS =
      FilterKinds.installed().stream().collect(toMap(kind -> kind.variant().name(), kind -> kind));

  private FilterSizes() {}

  static FilterKind kind(String name) {
    return Objects.requireNonNull(KINDS.get(name), name);
  }

  private static String perElement(double bytes, long elements) {
    return String.format(Locale.ROOT, "%.1f", Byte.SIZE * bytes / elements);
  }

  static String bits(String name, double fpp) throws IOException {
    return switch (name) {
      case "ScalableBloomFilter" -> bitsWhileGrowing(fpp);
      case "DynamicCuckooFilter" ->
          String.format(
              Locale.ROOT,
              "%.1f",
              logged(fpp == 0.01 ? "bits per element, 10⁷, full" : "full, 0.1 %"));
      default ->
          perElement((double) kind(name).layout(TEN_MILLION, fpp).memoryBytes(), TEN_MILLION);
    };
  }

  /** From 10⁴ to 10⁷ elements: the fewest when a layer is full, the most when one was begun. */
  private static String bitsWhileGrowing(double fpp) {
    ScalableBloomFilter.Builder<Long> builder =
        ScalableBloomFilter.builder(HashStrategies.longs()).expecting(10_000, fpp);
    double least = Double.MAX_VALUE;
    double most = 0;
    for (long full = 10_000; full <= TEN_MILLION; full = 2 * full + 10_000) {
      least = Math.min(least, 8.0 * builder.memoryBytes(full) / full);
      most = Math.max(most, 8.0 * builder.memoryBytes(full + 1) / full);
    }
    return Math.round(least) + " to " + Math.round(most);
  }
}
