package io.bloomkit.scalable;

import io.bloomkit.LayeredFormulas;
import io.bloomkit.Shape;
import java.util.List;
import java.util.Objects;

/**
 * What a growing filter looked like at one moment, for logs and metrics.
 *
 * @param layers the layers that hold elements or may take some, from the oldest to the newest,
 *     which alone takes elements for which no layer is positive; at least one
 * @param memoryBytes the bytes of the filter: those of its layers, and of what it keeps to reuse
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
   * @param index i, from 0 on: the layer may have the error P₀·rⁱ; no two layers of a filter have
   *     the same
   * @param shape how many positions it has, and how many of them an element takes
   * @param setPositions how many of its bits are set, or of its counters above zero
   * @param memoryBytes the bytes that its arrays take
   * @param expectedFpp its false-positive probability
   */
  public record Layer(
      int index, Shape shape, long setPositions, long memoryBytes, double expectedFpp) {

    /** Throws {@link NullPointerException} if there is no shape. */
    public Layer {
      Objects.requireNonNull(shape, "shape");
    }

    /** Returns the share of its positions that is set, from 0 to 1. */
    public double fill() {
      return (double) setPositions / shape.positions();
    }
  }
}
