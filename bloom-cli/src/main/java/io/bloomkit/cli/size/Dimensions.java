package io.bloomkit.cli.size;

import io.bloomkit.cli.text.Figures;
import io.bloomkit.format.FilterLayout;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Formats the dimensions of a layout for tables and JSON. */
public final class Dimensions {

  /** The members of every object, null if a filter has no such figure. */
  private static final List<String> MEMBERS =
      List.of("positions", "hashes", "buckets", "fingerprintBits");

  private Dimensions() {}

  /** Returns the number of layers, which is 1 for a filter that does not grow. */
  public static int layers(FilterLayout layout) {
    return Objects.requireNonNullElse(layout.figures().get("layers"), 1).intValue();
  }

  /**
   * Returns a note on dimensions that the columns for positions and hashes do not show, or null.
   */
  public static @Nullable String note(FilterLayout layout) {
    int layers = layers(layout);
    if (layers > 1) {
      return "grew to " + layers + " layers; m is their sum, k is that of the newest";
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

  /** Adds the dimensions to the members of a JSON object. */
  public static void putInto(Map<String, @Nullable Object> members, FilterLayout layout) {
    MEMBERS.forEach(name -> members.put(name, layout.figures().get(name)));
  }
}
