package io.bloomkit.cli.size;

import io.bloomkit.cli.text.Figures;
import io.bloomkit.format.FilterLayout;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The dimensions of a layout in tables and JSON. */
public final class Dimensions {

  /** Members of every object, null where a filter has no such figure. */
  private static final List<String> MEMBERS =
      List.of("positions", "hashes", "buckets", "fingerprintBits");

  private Dimensions() {}

  /** Returns the number of bits or counters in all layers as a cell of a table. */
  public static String positions(FilterLayout layout) {
    return Figures.wholeOrNone(layout.figures().get("positions"));
  }

  /** Returns how many of them an element takes in the newest layer as a cell of a table. */
  public static String hashes(FilterLayout layout) {
    return Figures.wholeOrNone(layout.figures().get("hashes"));
  }

  /** Returns the number of layers; 1 in a filter that does not grow. */
  public static int layers(FilterLayout layout) {
    return Objects.requireNonNullElse(layout.figures().get("layers"), 1).intValue();
  }

  /** Returns what columns for positions and hashes do not say, or null. */
  public static @Nullable String note(FilterLayout layout) {
    int layers = layers(layout);
    if (layers > 1) {
      return "grew to " + layers + " layers; m is their sum, k that of the newest";
    }
    Number buckets = layout.figures().get("buckets");
    return buckets == null
        ? null
        : String.format(
            Locale.ROOT,
            "%s buckets, %s bits per fingerprint",
            Figures.whole(buckets.longValue()),
            layout.figures().get("fingerprintBits"));
  }

  /** Puts the dimensions among the members of a JSON object. */
  public static void putInto(Map<String, @Nullable Object> members, FilterLayout layout) {
    MEMBERS.forEach(name -> members.put(name, layout.figures().get(name)));
  }
}
