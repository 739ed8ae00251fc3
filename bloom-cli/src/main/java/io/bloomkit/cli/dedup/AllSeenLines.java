package io.bloomkit.cli.dedup;

import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.BitFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.durable.DurableFilter;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.scalable.ScalableBloomFilter;
import io.bloomkit.scalable.ScalableBloomFilter.LayerState;
import java.util.List;
import java.util.function.Supplier;

/** Remembers all lines of a run, in a filter of fixed size or in a growing one. */
final class AllSeenLines extends FilteredLines {

  /**
   * The lowest rate for a blocked filter. Below it, a blocked filter is so much larger than a
   * classic one that its speed does not pay.
   */
  private static final double MIN_BLOCKED_FPP = 1e-5;

  /** The number of points for a mean; enough for three digits. */
  private static final int POINTS = 16;

  private final String description;

  /** Returns the present layers of the filter; costs a pass over all bits. */
  private final Supplier<List<LayerState>> layers;

  private long newLines;

  private AllSeenLines(
      String description, InsertableFilter<byte[]> filter, Supplier<List<LayerState>> layers) {
    super(filter);
    this.description = description;
    this.layers = layers;
  }

  /**
   * Creates a filter of fixed size. With more lines than expected, its false-positive rate exceeds
   * {@code fpp}.
   *
   * @throws IllegalArgumentException if the number or the rate is not supported
   */
  static AllSeenLines fixed(long expected, double fpp) {
    BitFilter<byte[]> filter = (BitFilter<byte[]>) fixedBuilder(expected, fpp).<byte[]>build();
    return of(filter, filter);
  }

  /** Returns the builder of a filter of fixed size. */
  static FilterBuilder<byte[]> fixedBuilder(long expected, double fpp) {
    return fpp >= MIN_BLOCKED_FPP
        ? BlockedBloomFilter.builder(STRATEGY).expecting(expected, fpp)
        : ClassicBloomFilter.builder(STRATEGY).expecting(expected, fpp);
  }

  /** Remembers lines in a durable filter. */
  static AllSeenLines of(DurableFilter<byte[]> durable) {
    return durable.filter() instanceof ScalableBloomFilter<byte[]> growing
        ? of(growing, durable)
        : of((BitFilter<byte[]>) durable.filter(), durable);
  }

  /** Adds lines to a filter, or to the durable one that has it. */
  private static AllSeenLines of(BitFilter<byte[]> filter, InsertableFilter<byte[]> target) {
    return new AllSeenLines(
        filter instanceof BlockedBloomFilter ? "a blocked filter" : "a classic filter",
        target,
        () ->
            List.of(
                new LayerState(
                    0,
                    filter.shape(),
                    filter.setPositions(),
                    filter.memoryBytes(),
                    filter.expectedFpp())));
  }

  /**
   * Creates a filter that grows.
   *
   * @param initial the initial capacity in lines
   * @throws IllegalArgumentException if the number or the rate is not supported
   */
  static AllSeenLines growing(long initial, double fpp) {
    return growing(growingBuilder(initial, fpp));
  }

  /** Returns the builder of a filter that grows. */
  static ScalableBloomFilter.Builder<byte[]> growingBuilder(long initial, double fpp) {
    return ScalableBloomFilter.builder(STRATEGY).expecting(initial, fpp);
  }

  /**
   * Creates a growing filter for an estimated number of lines. It rarely has to grow, so its first
   * layer gets half of the false-positive rate.
   *
   * @throws IllegalArgumentException if the number or the rate is not supported
   */
  static AllSeenLines estimated(long lines, double fpp) {
    return growing(
        ScalableBloomFilter.builder(STRATEGY).expecting(lines, fpp).tighteningRatio(0.5));
  }

  private static AllSeenLines growing(ScalableBloomFilter.Builder<byte[]> builder) {
    ScalableBloomFilter<byte[]> filter = builder.build();
    return of(filter, filter);
  }

  private static AllSeenLines of(
      ScalableBloomFilter<byte[]> filter, InsertableFilter<byte[]> target) {
    return new AllSeenLines("a growing filter", target, filter::layers);
  }

  @Override
  public void addNewLines(long lines) {
    newLines += lines;
  }

  /**
   * {@inheritDoc} Layers fill one after another. The rate for a new line is the rate of all older
   * layers, plus the mean rate of its own layer while that layer filled.
   */
  @Override
  public double expectedWronglyDropped() {
    double lines = 0;
    double wrong = 0;
    double sealed = 0;
    for (LayerState layer : layers.get()) {
      double held = layer.shape().estimatedElements(layer.setPositions());
      lines += held;
      wrong += held * (sealed + meanFppWhileFilling(layer, held));
      sealed += layer.expectedFpp();
    }
    // The stored lines are the share (1 - rate) of the new lines that was not dropped.
    double rate = lines == 0 ? 0 : wrong / lines;
    return newLines * rate / (1 - rate);
  }

  /**
   * Returns the mean rate of a layer while it filled: its final rate, scaled by the ratio of the
   * mean to the final rate in the formula.
   */
  private static double meanFppWhileFilling(LayerState layer, double elements) {
    if (Double.isInfinite(elements)) { // all bits are set
      return layer.expectedFpp();
    }
    double atEnd = layer.shape().fpp(Math.round(elements));
    if (atEnd == 0) {
      return 0;
    }
    double sum = 0;
    for (int i = 0; i < POINTS; i++) {
      sum += layer.shape().fpp(Math.round(elements * (i + 0.5) / POINTS));
    }
    return layer.expectedFpp() * (sum / POINTS / atEnd);
  }

  @Override
  public String description() {
    return description;
  }
}
