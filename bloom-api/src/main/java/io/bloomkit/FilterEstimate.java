package io.bloomkit;

import java.util.List;
import java.util.Objects;
import java.util.function.LongToIntFunction;

/**
 * The state of a filter as a bounded sample of its array shows it, for gauges and logs: {@link
 * MembershipFilter#estimate()} returns it. Each value has its standard error.
 *
 * <pre>{@code
 * FilterEstimate.Value fpp = seen.estimate().fpp();
 * log.info("false-positive rate {} ± {}", fpp.value(), fpp.standardError());
 * }</pre>
 *
 * <p>A sample takes one cache line of each of equal stretches of the array, the same ones each time
 * ({@link FilterSample}). The standard error of the fill follows from the spread between the lines
 * read, those of the rate and the elements from the delta method (L. Wasserman, <i>All of
 * Statistics</i>, 2004, section 5.5). A good hash fills all lines alike, so the choice of lines
 * needs no secret. The standard error is 0 if everything was read, or the filter keeps the value;
 * also if all lines read are alike, as in a filter of a few elements, which a sample may miss.
 *
 * @param fpp of {@link MembershipFilter#expectedFpp}
 * @param fill of the share of positions that are set; NaN if it is unknown
 * @param elements of {@link MembershipFilter#approximateElementCount}; infinite if the filter is
 *     too full
 */
public record FilterEstimate(Value fpp, Value fill, Value elements) {

  /** The most cache lines that {@link MembershipFilter#estimate()} reads: 4,096, or 256 KiB. */
  public static final int LINES = 4096;

  static final int WORDS_PER_LINE = 8;

  /** Requires all values. */
  public FilterEstimate {
    Objects.requireNonNull(fpp, "fpp");
    Objects.requireNonNull(fill, "fill");
    Objects.requireNonNull(elements, "elements");
  }

  /**
   * A value and how far it is from that of the whole filter, as a standard deviation.
   *
   * @param standardError 0 if the value is exact; infinite if the sample is one line of several
   */
  public record Value(double value, double standardError) {

    /** Returns a value that was not estimated. */
    public static Value exact(double value) {
      return new Value(value, 0);
    }

    /** By the delta method: the standard error of f(x) is that of x times |f'(x)|. */
    Value map(double image, double derivative) {
      boolean isKept = standardError == 0 || standardError == Double.POSITIVE_INFINITY;
      return new Value(image, isKept ? standardError : Math.abs(derivative) * standardError);
    }
  }

  /** Returns what a filter says of itself, at the costs that it states. */
  static FilterEstimate ofWhole(MembershipFilter<?> filter) {
    return new FilterEstimate(
        Value.exact(filter.expectedFpp()),
        Value.exact(Double.NaN),
        Value.exact(toDouble(filter.approximateElementCount())));
  }

  private static double toDouble(long elements) {
    return elements == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : elements;
  }

  /** Returns this with a share of positions that the filter keeps. */
  public FilterEstimate withFill(double share) {
    return new FilterEstimate(fpp, Value.exact(share), elements);
  }

  /**
   * Estimates the state of a filter in which each element may take any of the positions.
   *
   * @param positions m, at least 1
   * @param hashes k, at least 1
   * @param positionsPerWord the positions of each word but the last one
   * @param setPositions returns how many positions of a word, counted from 0, are set
   * @param lines the largest number of cache lines to read, at least 1
   * @throws IllegalArgumentException if an argument is below its least value
   */
  public static FilterEstimate ofFlat(
      long positions, int hashes, int positionsPerWord, LongToIntFunction setPositions, int lines) {
    Objects.requireNonNull(setPositions, "setPositions");
    FormulaArguments.checkFilter(0, positions, hashes);
    FormulaArguments.checkAtLeast(1, positionsPerWord, "positionsPerWord");
    long words = (positions - 1) / positionsPerWord + 1;
    FilterSample sample = new FilterSample((words - 1) / WORDS_PER_LINE + 1, 1, lines);
    sample.forEach(
        line -> {
          long from = line * WORDS_PER_LINE;
          long to = Math.min(words, from + WORDS_PER_LINE);
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
   * Estimates the state of a filter of blocks.
   *
   * @param blocksPerLine how many blocks a cache line has
   * @param setPositions returns how many positions of a word of a block are set; the words of block
   *     i are those from 8i on
   * @param lines the largest number of cache lines to read, at least 1
   * @throws IllegalArgumentException if an argument is below its least value
   */
  public static FilterEstimate ofBlocks(
      BlockedShape shape, int blocksPerLine, LongToIntFunction setPositions, int lines) {
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(setPositions, "setPositions");
    FilterSample sample = new FilterSample(shape.blocks(), blocksPerLine, lines);
    BlockedFppOfState state = new BlockedFppOfState(shape);
    sample.forEach(
        block -> {
          long from = block * BlockedShape.WORDS_PER_BLOCK;
          int set = 0;
          for (long word = from; word < from + BlockedShape.WORDS_PER_BLOCK; word++) {
            int ofWord = setPositions.applyAsInt(word);
            state.addWord(ofWord);
            set += ofWord;
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
   * Returns the number of elements that a fill shows, ln(1 − fill) times a constant.
   *
   * @param elements that number
   */
  public static Value elements(Value fill, double elements) {
    double unset = 1 - Objects.requireNonNull(fill, "fill").value();
    return fill.map(elements, fill.value() == 0 ? 0 : elements / (-Math.log(unset) * unset));
  }

  /**
   * Estimates the state of a filter of layers, any of which makes a query positive, from those of
   * its layers. The lines go to small layers first, which are read whole, and evenly to the rest.
   *
   * @param layers from the smallest to the largest, at least one
   * @param lines the largest number of cache lines to read, at least 1; every layer takes at least
   *     one
   */
  public static FilterEstimate ofLayers(List<? extends MembershipFilter<?>> layers, int lines) {
    Objects.requireNonNull(layers, "layers");
    FormulaArguments.checkAtLeast(1, lines, "lines");
    double[] fpps = new double[layers.size()];
    double[] errors = new double[layers.size()];
    double set = 0;
    double setVariance = 0;
    double elements = 0;
    double elementsVariance = 0;
    long bytes = 0;
    int left = lines;
    for (int i = 0; i < fpps.length; i++) {
      long ofLayer = layers.get(i).memoryBytes();
      int share = Math.max(1, left / (fpps.length - i));
      left -= (int) Math.min(share, ofLayer / (WORDS_PER_LINE * Long.BYTES) + 1);
      FilterEstimate estimate = layers.get(i).estimate(share);
      fpps[i] = estimate.fpp.value;
      errors[i] = estimate.fpp.standardError;
      bytes += ofLayer;
      set += ofLayer * estimate.fill.value;
      setVariance += square(ofLayer * estimate.fill.standardError);
      elements += estimate.elements.value;
      elementsVariance += square(estimate.elements.standardError);
    }
    double fpp = LayeredFormulas.compoundFpp(fpps);
    double fppVariance = 0;
    for (int i = 0; i < fpps.length; i++) {
      if (errors[i] > 0) {
        fppVariance += square(errors[i] * (1 - fpp) / (1 - fpps[i]));
      }
    }
    return new FilterEstimate(
        new Value(fpp, Math.sqrt(fppVariance)),
        new Value(set / bytes, Math.sqrt(setVariance) / bytes),
        new Value(elements, Math.sqrt(elementsVariance)));
  }

  private static double square(double x) {
    return x * x;
  }
}
