package io.bloomkit.cli;

import io.bloomkit.BytesHashStrategy;
import io.bloomkit.HashStrategies;
import io.bloomkit.HashStrategy;
import io.bloomkit.InsertableFilter;
import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A filter that can be built, and its size before it is.
 *
 * @param name its name in tables and JSON
 * @param bytesHash hashes the bytes of a text just as the strategy of the filter hashes the text
 * @param plannedLayers the shapes of its layers once it is full; a flat filter has one
 * @param bitsPerPosition what a position takes in memory; layers are rounded up to words
 * @param filters makes an empty one
 * @param layers the shapes of the layers that it has now
 */
record Candidate<F extends InsertableFilter<CharSequence>>(
    String name,
    BytesHashStrategy bytesHash,
    List<Shape> plannedLayers,
    int bitsPerPosition,
    Supplier<F> filters,
    Function<F, List<Shape>> layers) {

  static Candidate<ClassicBloomFilter<CharSequence>> classic(
      String name, BytesHashStrategy bytesHash, Shape shape) {
    ClassicBloomFilter.Builder<CharSequence> builder =
        ClassicBloomFilter.builder(texts(bytesHash)).shape(shape);
    return new Candidate<>(
        name, bytesHash, List.of(shape), 1, builder::build, filter -> List.of(filter.shape()));
  }

  static Candidate<CountingBloomFilter<CharSequence>> counting(
      String name, BytesHashStrategy bytesHash, Shape shape) {
    CountingBloomFilter.Builder<CharSequence> builder =
        CountingBloomFilter.builder(texts(bytesHash)).shape(shape);
    return new Candidate<>(
        name, bytesHash, List.of(shape), 4, builder::build, filter -> List.of(filter.shape()));
  }

  /**
   * Returns a filter that grows.
   *
   * @throws IllegalArgumentException if it could not grow to so many elements
   */
  static Candidate<ScalableBloomFilter<CharSequence>> scalable(
      String name, BytesHashStrategy bytesHash, long initialCapacity, long elements, double fpp) {
    ScalableBloomFilter.Builder<CharSequence> builder =
        ScalableBloomFilter.builder(texts(bytesHash)).expecting(initialCapacity, fpp);
    List<Shape> plannedLayers;
    try {
      plannedLayers = builder.layerShapes(elements);
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
    return new Candidate<>(
        name, bytesHash, plannedLayers, 1, builder::build, ScalableBloomFilter::layerShapes);
  }

  private static HashStrategy<CharSequence> texts(BytesHashStrategy bytesHash) {
    return HashStrategies.utf8(bytesHash);
  }

  /** Returns the bytes that its arrays take once it is full. */
  long plannedBytes() {
    long words = 0;
    for (Shape layer : plannedLayers) {
      int positionsPerWord = Long.SIZE / bitsPerPosition;
      words += (layer.positions() + positionsPerWord - 1) / positionsPerWord;
    }
    return words * Long.BYTES;
  }
}
