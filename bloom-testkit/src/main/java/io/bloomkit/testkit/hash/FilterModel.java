package io.bloomkit.testkit.hash;

import io.bloomkit.BlockedShape;
import io.bloomkit.BloomFormulas;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FlatShape;
import io.bloomkit.testkit.stat.FillDistribution;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/** A model of a filter that consists of its set positions only. */
final class FilterModel {

  private final String label;
  private final FillDistribution law;
  private final Derivation derivation;
  private final ToDoubleFunction<long[]> rateOfWords;
  private final long[] words;

  private FilterModel(
      String label,
      FillDistribution law,
      long positions,
      Derivation derivation,
      ToDoubleFunction<long[]> rateOfWords) {
    this.label = label;
    this.law = law;
    this.derivation = derivation;
    this.rateOfWords = rateOfWords;
    words = new long[Math.toIntExact((positions + Long.SIZE - 1) / Long.SIZE)];
  }

  /** Derives one of the positions of a hash. */
  @FunctionalInterface
  private interface Derivation {
    long positionOf(long hash, int index);
  }

  static FilterModel flat(FlatShape shape) {
    return new FilterModel(
        "a model of flat filters",
        FillDistribution.of(shape),
        shape.positions(),
        shape::positionOf,
        words -> BloomFormulas.fppAtFill(bitsOf(words), shape.positions(), shape.hashes()));
  }

  static FilterModel blocked(BlockedShape shape) {
    return new FilterModel(
        "a model of blocked filters",
        FillDistribution.of(shape),
        shape.blocks() * shape.positionsPerBlock(),
        shape::positionOf,
        words -> rateOf(shape, words));
  }

  private static double rateOf(BlockedShape shape, long[] words) {
    return FilterEstimate.ofBlocks(
            shape, 1, word -> Long.bitCount(words[(int) word]), Integer.MAX_VALUE)
        .fpp()
        .value();
  }

  private static long bitsOf(long[] words) {
    return Arrays.stream(words).map(Long::bitCount).sum();
  }

  String label() {
    return label;
  }

  /** Returns the distribution of the number of set positions with an ideal hash. */
  FillDistribution law() {
    return law;
  }

  void add(long hash) {
    for (int i = 0; i < law.hashes(); i++) {
      long position = derivation.positionOf(hash, i);
      words[(int) (position >>> 6)] |= 1L << position;
    }
  }

  boolean mightContain(long hash) {
    for (int i = 0; i < law.hashes(); i++) {
      long position = derivation.positionOf(hash, i);
      if ((words[(int) (position >>> 6)] >>> position & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  long setPositions() {
    return bitsOf(words);
  }

  /**
   * Returns the probability that the query of a hash that was never added is positive, given the
   * set positions.
   */
  double rateOfState() {
    return rateOfWords.applyAsDouble(words);
  }
}
