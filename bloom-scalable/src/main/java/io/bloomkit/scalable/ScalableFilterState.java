package io.bloomkit.scalable;

import io.bloomkit.BloomFormulas;
import io.bloomkit.Shape;
import java.util.List;
import java.util.Objects;

/**
 * A snapshot of a filter that grows, for logs and metrics.
 *
 * @param layers one or more layers, from the oldest to the newest
 * @param memoryBytes the number of bytes of the arrays of all layers
 * @param expectedFpp the expected false-positive rate of the filter, 1 − Π(1 − pᵢ), where pᵢ is the
 *     {@link Layer#expectedFpp} of layer i
 */
public record ScalableFilterState(List<Layer> layers, long memoryBytes, double expectedFpp) {

  /**
   * Creates a snapshot. Copies the list.
   *
   * @throws NullPointerException if the list or a layer is null
   */
  public ScalableFilterState {
    layers = List.copyOf(Objects.requireNonNull(layers, "layers"));
  }

  static ScalableFilterState of(List<Layer> layers) {
    return new ScalableFilterState(
        layers,
        layers.stream().mapToLong(Layer::memoryBytes).sum(),
        BloomFormulas.compoundFpp(layers.stream().mapToDouble(Layer::expectedFpp).toArray()));
  }

  /**
   * A layer of a filter that grows.
   *
   * @param index the index i of the layer, from 0; unique within a filter. The false-positive rate
   *     planned for the layer is fpp · (1 − r) · rⁱ, where fpp is the planned rate of the whole
   *     filter and r the {@linkplain ScalableBloomFilter.Builder#tighteningRatio tightening ratio}.
   * @param shape the number of bits, and the number of hashes
   * @param setPositions the number of set bits
   * @param memoryBytes the number of bytes of the arrays of the layer
   * @param expectedFpp the expected false-positive rate of the layer in its present state
   */
  public record Layer(
      int index, Shape shape, long setPositions, long memoryBytes, double expectedFpp) {

    /**
     * Creates a layer. Only the shape is checked.
     *
     * @throws NullPointerException if the shape is null
     */
    public Layer {
      Objects.requireNonNull(shape, "shape");
    }

    /** Returns the fill ratio, from 0 to 1. */
    public double fill() {
      return (double) setPositions / shape.positions();
    }
  }
}
