package io.bloomkit;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;

/**
 * Computes {@link BloomFormulas#exactFpp} and its parts in decimal arithmetic, because their sums
 * suffer from cancellation.
 */
final class ExactFpp {

  /**
   * Decimal digits in addition to those lost by cancellation: more than the precision of a double.
   */
  private static final int GUARD_DIGITS = 25;

  private ExactFpp() {}

  static double bySum(long totalHashes, long m, int k) {
    // By Jensen's inequality the result is at least the classic formula, and the absolute values of
    // the summands add up to at most 2^k. The quotient bounds the digits lost by cancellation. A
    // power with the exponent kn loses log kn digits more.
    double fill = BloomFormulas.expectedFillRatio((double) totalHashes, m);
    int digits =
        (int)
                Math.ceil(
                    k * (StrictMath.log10(2) - StrictMath.log10(fill))
                        + StrictMath.log10((double) totalHashes))
            + GUARD_DIGITS;
    MathContext context = new MathContext(digits);
    int max = (int) Math.min(k, m);
    BigDecimal[] allMiss = new BigDecimal[max + 1]; // P(no throw hits any of j given positions)
    for (int j = 0; j <= max; j++) {
      allMiss[j] = missProbability(j, m, totalHashes, context);
    }

    BigInteger[] stirling = stirlingNumbersOfTheSecondKind(k);
    BigInteger fallingFactorial = BigInteger.ONE;
    BigDecimal sum = BigDecimal.ZERO;
    for (int d = 1; d <= max; d++) {
      fallingFactorial = fallingFactorial.multiply(BigInteger.valueOf(m - d + 1));
      BigInteger binomial = BigInteger.ONE;
      BigDecimal allHit = BigDecimal.ZERO;
      for (int j = 0; j <= d; j++) {
        BigDecimal summand = new BigDecimal(binomial).multiply(allMiss[j], context);
        allHit = j % 2 == 0 ? allHit.add(summand, context) : allHit.subtract(summand, context);
        binomial = binomial.multiply(BigInteger.valueOf(d - j)).divide(BigInteger.valueOf(j + 1));
      }
      BigDecimal weight = new BigDecimal(stirling[d].multiply(fallingFactorial));
      sum = sum.add(weight.multiply(allHit, context), context);
    }
    return sum.divide(BigDecimal.valueOf(m).pow(k), context).doubleValue();
  }

  /** Returns (1 − j/m)^exponent, or zero if it is below the precision of the context. */
  static BigDecimal missProbability(int j, long m, long exponent, MathContext context) {
    double log10 = (double) exponent * StrictMath.log1p(-(double) j / m) / StrictMath.log(10);
    if (log10 < -2.0 * context.getPrecision()) {
      return BigDecimal.ZERO;
    }
    BigDecimal square = BigDecimal.valueOf(m - j).divide(BigDecimal.valueOf(m), context);
    BigDecimal power = BigDecimal.ONE;
    for (long rest = exponent; rest > 0; rest >>>= 1) {
      if ((rest & 1) == 1) {
        power = power.multiply(square, context);
      }
      square = square.multiply(square, context);
    }
    return power;
  }

  /** Returns S(k, 0) to S(k, k). */
  static BigInteger[] stirlingNumbersOfTheSecondKind(int k) {
    BigInteger[] row = new BigInteger[k + 1];
    Arrays.fill(row, BigInteger.ZERO);
    row[0] = BigInteger.ONE;
    for (int i = 1; i <= k; i++) {
      for (int d = i; d >= 1; d--) {
        row[d] = row[d].multiply(BigInteger.valueOf(d)).add(row[d - 1]);
      }
      row[0] = BigInteger.ZERO;
    }
    return row;
  }
}
