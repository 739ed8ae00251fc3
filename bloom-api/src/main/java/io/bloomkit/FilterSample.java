package io.bloomkit;

import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * A stratified sample of the cache lines of a filter, and what was read in it; for authors of
 * filters with a layout of their own. The array is cut into stretches of equal length, at most as
 * many as lines may be read, and one line of each is read (W. Cochran, <i>Sampling Techniques</i>,
 * 1977, chapter 5). The choice depends on the number of lines only, so a gauge does not jitter. If
 * the filter has no more lines than may be read, each is.
 *
 * <p>What is added is a unit, a line or one of the blocks that a line has. Units are filled
 * independently of each other by a good hash, so the spread between those read is that between all,
 * and the standard error of a mean over n of N units is √((1 − n/N) · s² / n) (Cochran, theorem
 * 2.2).
 */
public final class FilterSample {

  private final long units;
  private final int unitsPerLine;
  private final long lines;
  private final long stretch;

  private final Ratio fill = new Ratio();
  private final Ratio fpp = new Ratio();

  /**
   * Plans a sample.
   *
   * @param units the number of units of the filter, at least 1
   * @param unitsPerLine how many of them a cache line has, at least 1
   * @param lines the largest number of cache lines to read, at least 1
   * @throws IllegalArgumentException if an argument is below its least value
   */
  public FilterSample(long units, int unitsPerLine, int lines) {
    FormulaArguments.checkAtLeast(1, units, "units");
    FormulaArguments.checkAtLeast(1, unitsPerLine, "unitsPerLine");
    FormulaArguments.checkAtLeast(1, lines, "lines");
    this.units = units;
    this.unitsPerLine = unitsPerLine;
    this.lines = (units - 1) / unitsPerLine + 1;
    this.stretch = (this.lines - 1) / lines + 1;
  }

  /** Calls a reader with each unit of the sample, counted from 0; it calls {@link #add}. */
  public void forEach(LongConsumer reader) {
    Objects.requireNonNull(reader, "reader");
    SplittableRandom random = new SplittableRandom(lines);
    for (long from = 0; from < lines; from += stretch) {
      long line = from + random.nextLong(Math.min(stretch, lines - from));
      long end = Math.min(units, (line + 1) * unitsPerLine);
      for (long unit = line * unitsPerLine; unit < end; unit++) {
        reader.accept(unit);
      }
    }
  }

  /**
   * Takes what was read in a unit.
   *
   * @param setPositions how many of its positions are set
   * @param positions how many it has
   * @param rate the false-positive rate of queries that it answers; 0 if the fill determines it
   */
  public void add(int setPositions, int positions, double rate) {
    fill.add(setPositions, positions);
    fpp.add(rate, 1);
  }

  /** Returns the share of positions that are set. */
  public FilterEstimate.Value fill() {
    return fill.estimate(units);
  }

  /** Returns the mean of the rates of the units. */
  public FilterEstimate.Value fpp() {
    return fpp.estimate(units);
  }

  /** The ratio of two sums over all units: of parts, and of what they are parts of. */
  private static final class Ratio {

    private long count;
    private double parts;
    private double wholes;
    private double squaresOfParts;
    private double squaresOfWholes;
    private double products;

    void add(double part, double whole) {
      count++;
      parts += part;
      wholes += whole;
      squaresOfParts += part * part;
      squaresOfWholes += whole * whole;
      products += part * whole;
    }

    FilterEstimate.Value estimate(long units) {
      double ratio = parts / wholes;
      if (count == units) {
        return FilterEstimate.Value.exact(ratio);
      }
      if (count < 2) {
        return new FilterEstimate.Value(ratio, Double.POSITIVE_INFINITY);
      }
      double squares =
          Math.max(0, squaresOfParts - ratio * (2 * products - ratio * squaresOfWholes));
      double variance = squares / (count - 1) / count * (1 - (double) count / units);
      return new FilterEstimate.Value(ratio, Math.sqrt(variance) / (wholes / count));
    }
  }
}
