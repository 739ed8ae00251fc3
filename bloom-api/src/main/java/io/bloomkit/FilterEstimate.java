package io.bloomkit;

import io.bloomkit.internal.Arguments;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongToIntFunction;

/**
 * The false-positive rate, the fill ratio and the number of elements of a filter, estimated from a
 * bounded sample of its array. For gauges and logs. {@link MembershipFilter#estimate()} returns
 * such an estimate. Each value has its standard error.
 *
 * <pre>{@code
 * FilterEstimate.Value fpp = seen.estimate().fpp();
 * log.info("false-positive rate {} ± {}", fpp.value(), fpp.standardError());
 * }</pre>
 *
 * <p>The array is divided into strata, which are ranges of equal length. One cache line of each
 * stratum is read. Repeated calls read the same lines. The standard error of the fill ratio is
 * computed from the differences between the lines. The standard errors of functions of the fill
 * ratio, such as the number of elements, are computed by the delta method (L. Wasserman, <i>All of
 * Statistics</i>, 2004, section 5.5).
 *
 * <p>A standard error is 0 if the whole array was read or the filter keeps the exact value. It is
 * also 0 if the estimate is the same in all lines of the sample. For example, the sample of a
 * filter with few elements may contain no set position.
 *
 * @param fpp the estimate of {@link MembershipFilter#expectedFpp}
 * @param fill the estimate of the fill ratio, from 0 to 1, or above 1 in a {@code
 *     DynamicCuckooFilter} or {@code ExpiringCuckooFilter} with more elements than planned; NaN
 *     only if the class of the filter does not override {@link MembershipFilter#estimate(int)}, as
 *     no class of this project
 * @param elements the estimate of {@link MembershipFilter#approximateElementCount}; positive
 *     infinity if the filter is too full for an estimate
 */
public record FilterEstimate(Value fpp, Value fill, Value elements) {

  /**
   * The largest number of cache lines that {@link MembershipFilter#estimate()} samples: 4,096 lines
   * of 64 bytes, 256 KiB.
   */
  public static final int LINES = 4096;

  static final int WORDS_PER_LINE = 8;

  /** Creates an estimate. */
  public FilterEstimate {
    Objects.requireNonNull(fpp, "fpp");
    Objects.requireNonNull(fill, "fill");
    Objects.requireNonNull(elements, "elements");
  }

  /**
   * An estimated value with its standard error.
   *
   * @param value the estimate
   * @param standardError the standard deviation of the difference between the estimate and the
   *     value of the whole filter; 0 if the value was not estimated from a sample; positive
   *     infinity if the sample is a single line or block of a larger filter
   */
  public record Value(double value, double standardError) {

    /** Returns a value that was not estimated from a sample: its standard error is 0. */
    public static Value exact(double value) {
      return new Value(value, 0);
    }

    /** Delta method: the standard error of f(x) is the standard error of x times |f'(x)|. */
    Value map(double mapped, double derivative) {
      boolean isInvariant = standardError == 0 || standardError == Double.POSITIVE_INFINITY;
      return new Value(mapped, isInvariant ? standardError : Math.abs(derivative) * standardError);
    }
  }

  /**
   * Returns the exact values of a filter that does not sample, at the cost of {@link
   * MembershipFilter#expectedFpp} and {@link MembershipFilter#approximateElementCount}.
   *
   * @param fill the fill ratio; NaN if it is unknown
   * @param lines the argument of {@link MembershipFilter#estimate(int)}
   * @throws IllegalArgumentException if {@code lines} is less than 1
   */
  public static FilterEstimate ofWhole(MembershipFilter<?> filter, double fill, int lines) {
    Objects.requireNonNull(filter, "filter");
    Arguments.checkAtLeast(1, lines, "lines");
    return new FilterEstimate(
        Value.exact(filter.expectedFpp()),
        Value.exact(fill),
        Value.exact(toDouble(filter.approximateElementCount())));
  }

  private static double toDouble(long elements) {
    return elements == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : elements;
  }

  /**
   * Returns an estimate for a flat filter, in which each element may take any of the positions.
   *
   * @param positions the number of positions (bits or counters) of the filter, at least 1
   * @param hashes the number of positions that an element takes, at least 1
   * @param positionsPerWord the number of positions per 64-bit word, at least 1; the last word may
   *     have fewer
   * @param setPositions called with the index of a word, from 0; returns the number of set
   *     positions (non-zero counters) of this word
   * @param lines the largest number of cache lines to read, at least 1
   * @throws IllegalArgumentException if an argument is below its least value
   */
  public static FilterEstimate ofFlat(
      long positions, int hashes, int positionsPerWord, LongToIntFunction setPositions, int lines) {
    Objects.requireNonNull(setPositions, "setPositions");
    FormulaArguments.checkFilter(0, positions, hashes);
    Arguments.checkAtLeast(1, positionsPerWord, "positionsPerWord");
    long wordCount = (positions - 1) / positionsPerWord + 1;
    FilterSample sample = new FilterSample((wordCount - 1) / WORDS_PER_LINE + 1, 1, lines);
    sample.forEach(
        line -> {
          long from = line * WORDS_PER_LINE;
          long to = Math.min(wordCount, from + WORDS_PER_LINE);
          int set = 0;
          for (long word = from; word < to; word++) {
            set += setPositions.applyAsInt(word);
          }
          long end = Math.min(positions, to * positionsPerWord);
          sample.add(set, (int) (end - from * positionsPerWord), 0);
        });
    Value fill = sample.fill();
    long set = Math.round(fill.value() * positions);
    return new FilterEstimate(
        fill.map(
            BloomFormulas.fppAtFill(set, positions, hashes),
            hashes * Math.pow(fill.value(), hashes - 1)),
        fill,
        elements(fill, BloomFormulas.estimatedElements(set, positions, hashes)));
  }

  /**
   * Returns an estimate for a filter of blocks.
   *
   * @param shape the size of the filter
   * @param blocksPerLine the number of blocks per cache line, at least 1; more than 1 if a block is
   *     smaller than a line
   * @param setPositions called with the index of a word, which is an eighth of a block; returns the
   *     number of set positions of this word; the words of block i have the indexes 8i to 8i + 7
   * @param lines the largest number of cache lines to read, at least 1
   * @throws IllegalArgumentException if an argument is below its least value
   */
  public static FilterEstimate ofBlocks(
      BlockedShape shape, int blocksPerLine, LongToIntFunction setPositions, int lines) {
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(setPositions, "setPositions");
    FilterSample sample = new FilterSample(shape.blocks(), blocksPerLine, lines);
    BlockedStateFpp state = new BlockedStateFpp(shape);
    sample.forEach(
        block -> {
          long from = block * BlockedShape.WORDS_PER_BLOCK;
          int set = 0;
          for (long word = from; word < from + BlockedShape.WORDS_PER_BLOCK; word++) {
            int setInWord = setPositions.applyAsInt(word);
            state.addWord(setInWord);
            set += setInWord;
          }
          sample.add(set, shape.positionsPerBlock(), state.fppOfLastBlock());
        });
    Value fill = sample.fill();
    double estimate =
        BlockedFormulas.estimatedElements(
            Math.round(fill.value() * shape.positions()),
            shape.blocks(),
            shape.positionsPerBlock(),
            shape.hashes());
    return new FilterEstimate(
        new Value(state.fpp(), sample.fpp().standardError()), fill, elements(fill, estimate));
  }

  /**
   * Returns an estimate for a filter of blocks of a layout of its own.
   *
   * @param blocks the number of blocks, at least 1
   * @param blocksPerLine the number of blocks per cache line, at least 1
   * @param positionsPerBlock the number of positions of a block
   * @param setPositions called with the index of a block; returns its number of set positions
   * @param fpp called with the index of a block; returns the false-positive rate of queries that
   *     read it
   * @param elements returns the number of elements at a fill ratio, proportional to ln(1 − fill
   *     ratio)
   * @param lines the largest number of cache lines to read, at least 1
   * @throws IllegalArgumentException if an argument is below its least value
   */
  public static FilterEstimate ofBlocks(
      long blocks,
      int blocksPerLine,
      int positionsPerBlock,
      LongToIntFunction setPositions,
      LongToDoubleFunction fpp,
      DoubleUnaryOperator elements,
      int lines) {
    Objects.requireNonNull(setPositions, "setPositions");
    Objects.requireNonNull(fpp, "fpp");
    Objects.requireNonNull(elements, "elements");
    FilterSample sample = new FilterSample(blocks, blocksPerLine, lines);
    sample.forEach(
        block ->
            sample.add(
                setPositions.applyAsInt(block), positionsPerBlock, fpp.applyAsDouble(block)));
    Value fill = sample.fill();
    return new FilterEstimate(
        sample.fpp(), fill, elements(fill, elements.applyAsDouble(fill.value())));
  }

  /**
   * Returns a number of elements with its standard error, which follows from that of the fill ratio
   * by the delta method. The number must be proportional to ln(1 − fill ratio).
   */
  private static Value elements(Value fill, double elements) {
    double unset = 1 - fill.value();
    return fill.map(elements, fill.value() == 0 ? 0 : elements / (-Math.log(unset) * unset));
  }

  /**
   * Returns an estimate for a filter of layers, in which a query is positive if it is positive in
   * any layer. The result combines the estimates of the layers. The cache lines to read are divided
   * evenly among the layers; a larger layer receives the lines that smaller layers do not need.
   *
   * @param layers the layers, at least one, from the smallest to the largest
   * @param lines the largest number of cache lines to read, at least 1; with more layers than
   *     lines, one line per layer is read
   * @throws IllegalArgumentException if {@code lines} is less than 1
   */
  public static FilterEstimate ofLayers(List<? extends MembershipFilter<?>> layers, int lines) {
    Objects.requireNonNull(layers, "layers");
    Arguments.checkAtLeast(1, lines, "lines");
    double[] fpps = new double[layers.size()];
    double[] errors = new double[layers.size()];
    double set = 0;
    double setVariance = 0;
    double elements = 0;
    double elementsVariance = 0;
    long bytes = 0;
    int remaining = lines;
    for (int i = 0; i < fpps.length; i++) {
      long layerBytes = layers.get(i).memoryBytes();
      int layerLines = Math.max(1, remaining / (fpps.length - i));
      remaining -= (int) Math.min(layerLines, layerBytes / (WORDS_PER_LINE * Long.BYTES) + 1);
      FilterEstimate estimate = layers.get(i).estimate(layerLines);
      fpps[i] = estimate.fpp.value;
      errors[i] = estimate.fpp.standardError;
      bytes += layerBytes;
      set += layerBytes * estimate.fill.value;
      setVariance += square(layerBytes * estimate.fill.standardError);
      elements += estimate.elements.value;
      elementsVariance += square(estimate.elements.standardError);
    }
    return new FilterEstimate(
        new Value(BloomFormulas.compoundFpp(fpps), compoundError(fpps, errors)),
        new Value(set / bytes, Math.sqrt(setVariance) / bytes),
        new Value(elements, Math.sqrt(elementsVariance)));
  }

  /**
   * Returns the standard error of the rate of all layers: 0 if one layer is certain to be positive,
   * else infinite if that of a layer is.
   */
  private static double compoundError(double[] fpps, double[] errors) {
    double variance = 0;
    for (int i = 0; i < fpps.length; i++) {
      if (fpps[i] == 1 && errors[i] == 0) {
        return 0;
      }
      double derivative = 1;
      for (int other = 0; other < fpps.length; other++) {
        derivative *= other == i ? 1 : 1 - fpps[other];
      }
      variance +=
          errors[i] == Double.POSITIVE_INFINITY ? errors[i] : square(errors[i] * derivative);
    }
    return Math.sqrt(variance);
  }

  private static double square(double x) {
    return x * x;
  }
}
