package io.bloomkit.testkit.stat;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FlatShape;

/** The number of set positions after kn independent choices out of m positions. */
record FlatFillDistribution(FlatShape shape) implements FillDistribution {

  @Override
  public int hashes() {
    return shape.hashes();
  }

  @Override
  public String toString() {
    return shape.toString();
  }

  @Override
  public double mean(long elements) {
    return BloomFormulas.expectedSetPositions(elements, shape.positions(), shape.hashes());
  }

  @Override
  public double variance(long elements) {
    return BloomFormulas.varianceOfSetPositions(elements, shape.positions(), shape.hashes());
  }

  @Override
  public double[] distribution(long elements) {
    return BloomFormulas.distributionOfSetPositions(
        elements, Math.toIntExact(shape.positions()), shape.hashes());
  }
}
