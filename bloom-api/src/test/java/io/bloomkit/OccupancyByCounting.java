package io.bloomkit;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;

/**
 * An oracle that shares nothing with the formulas: of all sequences of throws into the cells it
 * counts those that set x cells, in whole numbers of any size.
 */
final class OccupancyByCounting {

  private final int cells;
  private final int totalBalls;
  private BigInteger[] sequencesBySetCells;

  OccupancyByCounting(int elements, int cells, int hashes) {
    this.cells = cells;
    this.totalBalls = elements * hashes;
    this.sequencesBySetCells = new BigInteger[cells + 1];
    Arrays.fill(sequencesBySetCells, BigInteger.ZERO);
    sequencesBySetCells[0] = BigInteger.ONE;
    for (int i = 0; i < totalBalls; i++) {
      sequencesBySetCells = addBall();
    }
  }

  /** A throw hits one of the x cells that are set, or sets one of the others. */
  private BigInteger[] addBall() {
    BigInteger[] longer = new BigInteger[cells + 1];
    longer[0] = BigInteger.ZERO;
    for (int x = 1; x <= cells; x++) {
      BigInteger hitsSet = sequencesBySetCells[x].multiply(BigInteger.valueOf(x));
      BigInteger setsAnother =
          sequencesBySetCells[x - 1].multiply(BigInteger.valueOf(cells - x + 1));
      longer[x] = hitsSet.add(setsAnother);
    }
    return longer;
  }

  double probability(int setCells) {
    return fraction(sequencesBySetCells[setCells], totalBalls);
  }

  /** E[(X/m)^exponent], rounded once. */
  double moment(int exponent) {
    BigInteger sum = BigInteger.ZERO;
    for (int x = 0; x <= cells; x++) {
      sum = sum.add(sequencesBySetCells[x].multiply(BigInteger.valueOf(x).pow(exponent)));
    }
    return fraction(sum, totalBalls + exponent);
  }

  /** E[X²] − E[X]², subtracted before it is rounded. */
  double variance() {
    BigInteger sum = BigInteger.ZERO;
    BigInteger sumOfSquares = BigInteger.ZERO;
    for (int x = 0; x <= cells; x++) {
      BigInteger weighted = sequencesBySetCells[x].multiply(BigInteger.valueOf(x));
      sum = sum.add(weighted);
      sumOfSquares = sumOfSquares.add(weighted.multiply(BigInteger.valueOf(x)));
    }
    BigInteger all = BigInteger.valueOf(cells).pow(totalBalls);
    return fraction(sumOfSquares.multiply(all).subtract(sum.multiply(sum)), 2 * totalBalls);
  }

  private double fraction(BigInteger numerator, int powerOfCells) {
    return new BigDecimal(numerator)
        .divide(new BigDecimal(BigInteger.valueOf(cells).pow(powerOfCells)), new MathContext(25))
        .doubleValue();
  }
}
