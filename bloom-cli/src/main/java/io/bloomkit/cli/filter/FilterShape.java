package io.bloomkit.cli.filter;

import io.bloomkit.scalable.ScalableFilterState;
import io.bloomkit.scalable.ScalableFilterState.Layer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How large a filter is and how much of that is in use: the same names for every kind. */
final class FilterShape {

  private FilterShape() {}

  /** Returns that of positions that an element may take anywhere. */
  static Map<String, @Nullable Object> flat(long positions, int hashes, long setPositions) {
    Map<String, @Nullable Object> shape = empty();
    shape.put("positions", positions);
    shape.put("hashes", hashes);
    shape.put("setPositions", setPositions);
    shape.put("fill", (double) setPositions / positions);
    return shape;
  }

  /** Returns that of positions in blocks. */
  static Map<String, @Nullable Object> blocked(
      long blocks, long positions, int hashes, long setPositions) {
    Map<String, @Nullable Object> shape = flat(positions, hashes, setPositions);
    shape.put("blocks", blocks);
    return shape;
  }

  /** Returns that of a filter that grows; the hashes are those of the newest layer. */
  static Map<String, @Nullable Object> layered(ScalableFilterState state) {
    List<Layer> layers = state.layers();
    return layered(
        layers.size(),
        layers.stream().mapToLong(layer -> layer.shape().positions()).sum(),
        layers.get(layers.size() - 1).shape().hashes(),
        layers.stream().mapToLong(Layer::setPositions).sum());
  }

  /** Returns that of positions in layers or slices. */
  static Map<String, @Nullable Object> layered(
      int layers, long positions, int hashes, long setPositions) {
    Map<String, @Nullable Object> shape = flat(positions, hashes, setPositions);
    shape.put("layers", layers);
    return shape;
  }

  /** Returns that of fingerprints in buckets; the fill is the share of places that are taken. */
  static Map<String, @Nullable Object> buckets(
      long buckets, int fingerprintBits, long capacity, double fill) {
    Map<String, @Nullable Object> shape = empty();
    shape.put("fill", fill);
    shape.put("buckets", buckets);
    shape.put("fingerprintBits", fingerprintBits);
    shape.put("capacity", capacity);
    return shape;
  }

  private static Map<String, @Nullable Object> empty() {
    Map<String, @Nullable Object> shape = new LinkedHashMap<>();
    shape.put("positions", null);
    shape.put("hashes", null);
    shape.put("setPositions", null);
    shape.put("fill", null);
    shape.put("layers", 1);
    shape.put("blocks", null);
    shape.put("buckets", null);
    shape.put("fingerprintBits", null);
    shape.put("capacity", null);
    return shape;
  }
}
