package io.bloomkit;

import io.bloomkit.internal.Arguments;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * A stratified sample of the cache lines of a filter.
 *
 * <p>The cache lines of the filter are divided into strata, each with the same number of
 * consecutive lines; the last stratum may have fewer. One random line of each stratum is read (W.
 * Cochran, <i>Sampling Techniques</i>, 1977, chapter 5). The random numbers depend only on the size
 * of the filter and the number of lines to read, so repeated samples of an unchanged filter are
 * equal. If the filter has no more lines than the number to read, the whole filter is read.
 *
 * <p>A line consists of one or more units. A unit is the whole line or, if blocks are smaller than
 * a line, one of the blocks in it. {@link #forEach} visits the units of the sample, and {@link
 * #add} records the values of one unit. With a good hash, the values of all units have the same
 * probability distribution, so the standard error is that of a simple random sample. The standard
 * error of a mean over n of N units is √((1 − n/N) · s² / n), where s is the standard deviation
 * between the units read (Cochran, theorem 2.2).
 *
 * <p>Use each instance for one sample only. Not thread-safe.
 */
final class FilterSample {

  private final long units;
  private final int unitsPerLine;
  private final long lines;
  private final long stratumLines;

  private final Ratio fill = new Ratio();
  private final Ratio fpp = new Ratio();

  /** Plans a sample of a number of units that reads up to a number of cache lines. */
  FilterSample(long units, int unitsPerLine, int lines) {
    Arguments.checkAtLeast(1, units, "units");
    Arguments.checkAtLeast(1, unitsPerLine, "unitsPerLine");
    Arguments.checkAtLeast(1, lines, "lines");
    this.units = units;
    this.unitsPerLine = unitsPerLine;
    this.lines = (units - 1) / unitsPerLine + 1;
    this.stratumLines = (this.lines - 1) / lines + 1;
  }

  /**
   * Calls a function with the index of each unit of the sample, in ascending order. The function
   * must read the unit and call {@link #add}.
   */
  void forEach(LongConsumer reader) {
    SplittableRandom random = new SplittableRandom(lines);
    for (long from = 0; from < lines; from += stratumLines) {
      long line = from + random.nextLong(Math.min(stratumLines, lines - from));
      long end = Math.min(units, (line + 1) * unitsPerLine);
      for (long unit = line * unitsPerLine; unit < end; unit++) {
        reader.accept(unit);
      }
    }
  }

  /**
   * Records the values of a unit.
   *
   * @param rate the false-positive rate of queries that read this unit; 0 if {@link #fpp()} is not
   *     needed
   */
  void add(int setPositions, int positions, double rate) {
    fill.add(setPositions, positions);
    fpp.add(rate, 1);
  }

  /**
   * Returns the estimated fill ratio of the filter; NaN if no unit was added. The standard error is
   * 0 if all units were added, and infinite if only one of several units was added.
   */
  FilterEstimate.Value fill() {
    return fill.estimate(units);
  }

  /**
   * Returns the estimated mean of the false-positive rates of all units; NaN if no unit was added.
   * The standard error is 0 or infinite in the same cases as that of {@link #fill()}.
   */
  FilterEstimate.Value fpp() {
    return fpp.estimate(units);
  }

  /** Estimates the ratio of two totals over all units, such as set positions to positions. */
  private static final class Ratio {

    private long count;
    private double partSum;
    private double wholeSum;
    private double partSquareSum;
    private double wholeSquareSum;
    private double productSum;

    void add(double part, double whole) {
      count++;
      partSum += part;
      wholeSum += whole;
      partSquareSum += part * part;
      wholeSquareSum += whole * whole;
      productSum += part * whole;
    }

    FilterEstimate.Value estimate(long units) {
      double ratio = partSum / wholeSum;
      if (count == units) {
        return FilterEstimate.Value.exact(ratio);
      }
      if (count < 2) {
        return new FilterEstimate.Value(ratio, Double.POSITIVE_INFINITY);
      }
      double squares =
          Math.max(0, partSquareSum - ratio * (2 * productSum - ratio * wholeSquareSum));
      double variance = squares / (count - 1) / count * (1 - (double) count / units);
      return new FilterEstimate.Value(ratio, Math.sqrt(variance) / (wholeSum / count));
    }
  }
}
