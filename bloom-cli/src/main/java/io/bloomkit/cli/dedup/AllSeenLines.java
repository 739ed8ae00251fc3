package io.bloomkit.cli.dedup;

import io.bloomkit.BlockedShape;
import io.bloomkit.BloomFormulas;
import io.bloomkit.InsertableFilter;
import io.bloomkit.Shape;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.scalable.ScalableBloomFilter;
import io.bloomkit.scalable.ScalableFilterState.Layer;
import java.util.List;
import java.util.function.Supplier;

/** All lines that ever came, in a filter of a fixed size or one that grows. */
final class AllSeenLines implements SeenLines {

  /** Below, filters of blocks are larger than classic ones by more than their speed is worth. */
  private static final double LEAST_FPP_OF_BLOCKS = 1e-5;

  /** Enough for three digits. */
  private static final int POINTS = 16;

  private static final int BITS_A_BLOCK = BlockedShape.BITS_PER_BLOCK;

  private final BytesHashStrategy strategy;
  private final String description;
  private final boolean isBlocked;
  private final InsertableFilter<byte[]> filter;

  /** The parts of the filter as they are now; a pass over all bits. */
  private final Supplier<List<Layer>> layers;

  private long newLines;

  private AllSeenLines(
      BytesHashStrategy strategy,
      String description,
      boolean isBlocked,
      InsertableFilter<byte[]> filter,
      Supplier<List<Layer>> layers) {
    this.strategy = strategy;
    this.description = description;
    this.isBlocked = isBlocked;
    this.filter = filter;
    this.layers = layers;
  }

  /**
   * Makes room for a number of lines; with more the rate rises.
   *
   * @throws IllegalArgumentException if there is no such filter
   */
  static AllSeenLines fixed(BytesHashStrategy strategy, long expected, double fpp) {
    if (fpp < LEAST_FPP_OF_BLOCKS) {
      ClassicBloomFilter<byte[]> filter = ClassicBloomFilter.create(strategy, expected, fpp);
      return new AllSeenLines(
          strategy,
          "a classic filter",
          false,
          filter,
          () -> List.of(layer(filter, filter.shape(), filter.setPositions())));
    }
    BlockedBloomFilter<byte[]> filter = BlockedBloomFilter.create(strategy, expected, fpp);
    BlockedShape shape = filter.shape();
    Shape flat = new Shape(shape.positions(), shape.hashes());
    return new AllSeenLines(
        strategy,
        "a blocked filter",
        true,
        filter,
        () -> List.of(layer(filter, flat, filter.setPositions())));
  }

  /**
   * Grows with the lines.
   *
   * @param initial how many lines there is room for at first
   * @throws IllegalArgumentException if there is no such filter
   */
  static AllSeenLines growing(BytesHashStrategy strategy, long initial, double fpp) {
    return growing(strategy, ScalableBloomFilter.builder(strategy).expecting(initial, fpp), fpp);
  }

  /**
   * Makes room for a number of lines that is estimated: it can grow, but hardly has to. So half of
   * the error goes to the first layer.
   *
   * @throws IllegalArgumentException if there is no such filter
   */
  static AllSeenLines estimated(BytesHashStrategy strategy, long lines, double fpp) {
    return growing(
        strategy,
        ScalableBloomFilter.builder(strategy).expecting(lines, fpp).tighteningRatio(0.5),
        fpp);
  }

  private static AllSeenLines growing(
      BytesHashStrategy strategy, ScalableBloomFilter.Builder<byte[]> builder, double fpp) {
    boolean isBlocked = fpp >= LEAST_FPP_OF_BLOCKS;
    ScalableBloomFilter<byte[]> filter = isBlocked ? builder.blocked().build() : builder.build();
    return new AllSeenLines(
        strategy, "a growing filter", isBlocked, filter, () -> filter.state().layers());
  }

  private static Layer layer(InsertableFilter<byte[]> filter, Shape shape, long setPositions) {
    return new Layer(0, shape, setPositions, filter.memoryBytes(), filter.expectedFpp());
  }

  @Override
  public BytesHashStrategy strategy() {
    return strategy;
  }

  @Override
  public boolean isFirst(long hash) {
    return filter.addHash(hash);
  }

  @Override
  public void wereNew(long lines) {
    newLines += lines;
  }

  @Override
  public double expectedFpp() {
    return filter.expectedFpp();
  }

  /**
   * Layers fill one after another, so the rate that a new line met is that of all layers before its
   * own, and the mean of its own while that filled.
   */
  @Override
  public double expectedWronglyDropped() {
    double lines = 0;
    double wrong = 0;
    double sealed = 0;
    for (Layer layer : layers.get()) {
      double held = elements(layer);
      lines += held;
      wrong += held * (sealed + meanFppWhileFilling(layer, held));
      sealed += layer.expectedFpp();
    }
    // Of the lines that came, those held are the ones not dropped: 1 - rate of them.
    double rate = lines == 0 ? 0 : wrong / lines;
    return newLines * rate / (1 - rate);
  }

  private static double elements(Layer layer) {
    return BloomFormulas.estimatedElements(
        layer.setPositions(), layer.shape().positions(), layer.shape().hashes());
  }

  /** The rate at the end, times the mean of a filter of this size over its own at the end. */
  private double meanFppWhileFilling(Layer layer, double elements) {
    double atEnd = plannedFpp(layer.shape(), elements);
    if (atEnd == 0) {
      return 0;
    }
    double sum = 0;
    for (int i = 0; i < POINTS; i++) {
      sum += plannedFpp(layer.shape(), elements * (i + 0.5) / POINTS);
    }
    return layer.expectedFpp() * (sum / POINTS / atEnd);
  }

  private double plannedFpp(Shape shape, double elements) {
    long n = Math.round(elements);
    return isBlocked
        ? new BlockedShape(shape.positions() / BITS_A_BLOCK, BITS_A_BLOCK, shape.hashes()).fpp(n)
        : shape.fpp(n);
  }

  @Override
  public long memoryBytes() {
    return filter.memoryBytes();
  }

  @Override
  public String description() {
    return description;
  }
}
