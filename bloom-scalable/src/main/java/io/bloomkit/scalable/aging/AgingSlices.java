package io.bloomkit.scalable.aging;

import io.bloomkit.BloomFormulas;
import io.bloomkit.LayeredFormulas;
import io.bloomkit.scalable.aging.AgingBloomFilter.Cycle;

/**
 * The state of an aging filter: a ring of slices, and the generation that is under way. A slice has
 * an age, from 0 for the youngest up.
 *
 * <p>Slice i of the ring has the i-th position of an element. In generation j the youngest slice is
 * that of i = −j mod (k + l); ages rise with i, and round.
 */
abstract sealed class AgingSlices permits PlainSlices, SharedSlices {

  static final int BITS_PER_WORD_LOG_2 = 6;

  final AgingShape shape;
  final Pace pace;

  AgingSlices(Pace pace) {
    this.shape = pace.shape;
    this.pace = pace;
  }

  /** No bits; the first generation begins now. */
  static AgingSlices empty(Pace pace, boolean concurrent) {
    Cycle cycle = new Cycle(0, 0, pace.now());
    return concurrent
        ? SharedSlices.empty(pace, cycle)
        : new PlainSlices(pace, new long[wordCount(pace.shape)], cycle);
  }

  /**
   * Given bits, at a moment.
   *
   * @param words the slices in the order of the ring; may become part of the state
   */
  static AgingSlices of(Pace pace, boolean concurrent, long[] words, Cycle cycle) {
    return concurrent ? SharedSlices.of(pace, words, cycle) : new PlainSlices(pace, words, cycle);
  }

  static int wordCount(AgingShape shape) {
    return (int) (shape.positions() >>> BITS_PER_WORD_LOG_2);
  }

  /** Returns the place in the ring of the youngest slice in a generation. */
  static int youngest(AgingShape shape, long generation) {
    return (int) Math.floorMod(-generation, (long) shape.slices());
  }

  /** Whether an element is positive now. */
  abstract boolean contains(long start);

  /** Adds an element. Returns whether it was negative before. */
  abstract boolean add(long start);

  /** Clears all slices and begins with generation 0. */
  abstract void clear();

  /** Returns an independent state with the same contents. */
  abstract AgingSlices copy();

  abstract Cycle cycle();

  /** Returns the number of set positions of the slice of an age, as of the {@link #cycle()}. */
  abstract long setPositions(int age);

  /** Returns the numbers of set positions of the slices that a query reads now, by their age. */
  abstract long[] readSetPositions();

  /** Returns the slices in the order of the ring: the array itself if there is one, or a copy. */
  abstract long[] words();

  /** Returns the false-positive probability of a query now. */
  final double fpp() {
    long[] set = readSetPositions();
    double[] fillRatios = new double[set.length];
    for (int age = 0; age < set.length; age++) {
      fillRatios[age] = (double) set[age] / shape.slicePositions();
    }
    return LayeredFormulas.agePartitionedFpp(shape.hashes(), fillRatios);
  }

  /** Returns the estimated elements of the slice of age l, or the oldest read, and each k-th. */
  final long estimatedElements() {
    long[] set = readSetPositions();
    double sum = 0;
    for (int age = set.length - shape.hashes(); age >= 0; age -= shape.hashes()) {
      sum += BloomFormulas.estimatedElements(set[age], shape.slicePositions(), 1);
    }
    return Math.round(sum);
  }
}
