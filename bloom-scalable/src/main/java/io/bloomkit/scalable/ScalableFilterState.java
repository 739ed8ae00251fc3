package io.bloomkit.scalable;

import io.bloomkit.LayeredFormulas;
import io.bloomkit.Shape;
import java.util.List;
import java.util.Objects;

/**
 * A snapshot of a growing filter, for logs and metrics.
 *
 * @param layers the layers in use, from the oldest to the newest, at least one; new elements go to
 *     the newest
 * @param memoryBytes the bytes of the layers and of empty layers that are kept for reuse
 * @param expectedFpp 1 − Π(1 − pᵢ) over the {@code expectedFpp} pᵢ of the layers
 */
public record ScalableFilterState(List<Layer> layers, long memoryBytes, double expectedFpp) {

  /** Copies the list. */
  public ScalableFilterState {
    layers = List.copyOf(Objects.requireNonNull(layers, "layers"));
  }

  static ScalableFilterState of(List<Layer> layers, long reservedBytes) {
    return new ScalableFilterState(
        layers,
        reservedBytes + layers.stream().mapToLong(Layer::memoryBytes).sum(),
        LayeredFormulas.compoundFpp(layers.stream().mapToDouble(Layer::expectedFpp).toArray()));
  }

  /**
   * A layer.
   *
   * @param index i, from 0 on: the layer's part of the false-positive probability is P₀·rⁱ; unique
   *     within a filter
   * @param shape its number of positions and of hashes
   * @param setPositions the number of its set bits or non-zero counters
   * @param memoryBytes the bytes that its arrays occupy
   * @param expectedFpp its false-positive probability
   */
  public record Layer(
      int index, Shape shape, long setPositions, long memoryBytes, double expectedFpp) {

    /** Throws {@link NullPointerException} if the shape is null. */
    public Layer {
      Objects.requireNonNull(shape, "shape");
    }

    /** Returns the fill ratio, from 0 to 1. */
    public double fill() {
      return (double) setPositions / shape.positions();
    }
  }
}
