package io.bloomkit.testkit.hash;

import io.bloomkit.BlockedShape;
import io.bloomkit.BloomFormulas;
import io.bloomkit.FilterEstimate;
import io.bloomkit.Shape;
import io.bloomkit.testkit.stat.FillDistribution;
import java.util.Arrays;

/** A model of a filter that consists of its set positions only. */
final class FilterModel {

  private final Shape shape;
  private final long[] words;

  FilterModel(Shape shape) {
    this.shape = shape;
    words = new long[Math.toIntExact((shape.positions() + Long.SIZE - 1) / Long.SIZE)];
  }

  String label() {
    return shape instanceof BlockedShape ? "a model of blocked filters" : "a model of flat filters";
  }

  /** Returns the distribution of the number of set positions with an ideal hash. */
  FillDistribution law() {
    return FillDistribution.of(shape);
  }

  void add(long hash) {
    for (int i = 0; i < shape.hashes(); i++) {
      long position = shape.positionOf(hash, i);
      words[(int) (position >>> 6)] |= 1L << position;
    }
  }

  boolean mightContain(long hash) {
    for (int i = 0; i < shape.hashes(); i++) {
      long position = shape.positionOf(hash, i);
      if ((words[(int) (position >>> 6)] >>> position & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  long setPositions() {
    return Arrays.stream(words).map(Long::bitCount).sum();
  }

  /**
   * Returns the probability that the query of a hash that was never added is positive, given the
   * set positions.
   */
  double rateOfState() {
    return shape instanceof BlockedShape blocked
        ? FilterEstimate.ofBlocks(
                blocked, 1, word -> Long.bitCount(words[(int) word]), Integer.MAX_VALUE)
            .fpp()
            .value()
        : BloomFormulas.fppAtFill(setPositions(), shape.positions(), shape.hashes());
  }
}
