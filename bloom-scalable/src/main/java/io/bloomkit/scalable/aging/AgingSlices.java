package io.bloomkit.scalable.aging;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterEstimate.Value;
import io.bloomkit.LayeredFormulas;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.scalable.aging.AgingBloomFilter.Cycle;
import java.util.Arrays;

/**
 * The state of an aging filter: a ring of slices, and the present generation. Each slice has an
 * age; the youngest slice has age 0.
 *
 * <p>Slice i of the ring contains the i-th position of an element. In generation j, the youngest
 * slice is slice −j mod (k + l). Ages increase with i, and wrap around at the end of the ring.
 */
abstract sealed class AgingSlices permits PlainSlices, SharedSlices {

  static final int BITS_PER_WORD_LOG_2 = 6;

  final AgingShape shape;
  final GenerationClock generations;

  AgingSlices(GenerationClock generations) {
    this.shape = generations.shape;
    this.generations = generations;
  }

  /** Returns an empty state whose first generation begins now. */
  static AgingSlices empty(GenerationClock generations, boolean concurrent) {
    Cycle cycle = new Cycle(0, 0, generations.now());
    return concurrent
        ? SharedSlices.empty(generations, cycle)
        : new PlainSlices(generations, WordArrays.allocate(wordCount(generations.shape)), cycle);
  }

  /**
   * Returns the state with given bits in a given cycle.
   *
   * @param words the slices in the order of the ring; the state may keep the array
   */
  static AgingSlices of(
      GenerationClock generations, boolean concurrent, long[] words, Cycle cycle) {
    return concurrent
        ? SharedSlices.of(generations, words, cycle)
        : new PlainSlices(generations, words, cycle);
  }

  static int wordCount(AgingShape shape) {
    return (int) (shape.positions() >>> BITS_PER_WORD_LOG_2);
  }

  /** Returns the index in the ring of the youngest slice of a generation. */
  static int youngest(AgingShape shape, long generation) {
    return (int) Math.floorMod(-generation, (long) shape.slices());
  }

  /** Returns whether the query of an element is positive now. */
  abstract boolean contains(long start);

  /** Adds an element. Returns whether it was negative before. */
  abstract boolean add(long start);

  /** Clears all slices and begins with generation 0. */
  abstract void clear();

  /** Returns an independent state with the same contents. */
  abstract AgingSlices copy();

  /** Returns the state at one moment: of a concurrent filter, a copy. */
  abstract AgingSlices snapshot();

  abstract Cycle cycle();

  /** Returns the number of set bits of the slice of an age, as of {@link #cycle()}. */
  abstract long setPositions(int age);

  /**
   * Returns the fill ratios of the slices that a query reads now, from the youngest to the oldest.
   *
   * @param lines the largest number of cache lines to read in all slices together; at least one
   *     line of each slice is read
   */
  abstract Value[] fillRatios(int lines);

  /** Returns the slices in the order of the ring. The array may be that of the state. */
  abstract long[] words();

  /** Returns the false-positive probability of a query now, computed from all bits. */
  final double fpp() {
    return estimate(Integer.MAX_VALUE).fpp().value();
  }

  /** Returns the estimated number of elements, computed from all bits. */
  final long estimatedElements() {
    return Math.round(estimate(Integer.MAX_VALUE).elements().value());
  }

  /**
   * Returns estimates from a sample. The rate is linear in the fill ratio of each slice, so its
   * derivative is the difference of its values at the fill ratios 1 and 0. The number of elements
   * is the sum of the estimates for every k-th slice, counted from the oldest slice that is read.
   */
  final FilterEstimate estimate(int lines) {
    Arguments.checkAtLeast(1, lines, "lines");
    Value[] slices = fillRatios(lines);
    double[] ratios = Arrays.stream(slices).mapToDouble(Value::value).toArray();
    double fpp = LayeredFormulas.agePartitionedFpp(shape.hashes(), ratios);
    double fppVariance = 0;
    double fill = 0;
    double fillVariance = 0;
    double elements = 0;
    double elementsVariance = 0;
    for (int age = 0; age < ratios.length; age++) {
      double error = slices[age].standardError();
      fppVariance += error == 0 ? 0 : square(error * slope(ratios, age));
      fill += ratios[age] / ratios.length;
      fillVariance += square(error / ratios.length);
      if ((ratios.length - age) % shape.hashes() == 0) {
        Value ofSlice = elements(slices[age]);
        elements += ofSlice.value();
        elementsVariance += square(ofSlice.standardError());
      }
    }
    return new FilterEstimate(
        new Value(fpp, Math.sqrt(fppVariance)),
        new Value(fill, Math.sqrt(fillVariance)),
        new Value(elements, Math.sqrt(elementsVariance)));
  }

  private Value elements(Value fill) {
    long positions = shape.slicePositions();
    long set = Math.round(fill.value() * positions);
    return FilterEstimate.elements(fill, BloomFormulas.estimatedElements(set, positions, 1));
  }

  private double slope(double[] ratios, int age) {
    double[] changed = ratios.clone();
    changed[age] = 1;
    double most = LayeredFormulas.agePartitionedFpp(shape.hashes(), changed);
    changed[age] = 0;
    return most - LayeredFormulas.agePartitionedFpp(shape.hashes(), changed);
  }

  private static double square(double x) {
    return x * x;
  }
}
