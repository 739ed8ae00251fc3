package io.bloomkit;

import io.bloomkit.internal.BlockedIndexDerivation;
import java.math.BigInteger;

/**
 * Sums that cancel badly, in whole numbers of many digits: the rate and the variance of the fill of
 * {@link BlockedFormulas}' split layout.
 */
final class SplitBlocks {

  /** The sum of the weights of all distances of two words. */
  static final int ALL_WEIGHTS = 64;

  private static final int WORDS = BlockedShape.WORDS_PER_BLOCK;

  private SplitBlocks() {}

  /** {@link BlockedFormulas#splitBlockedFpp} with masks of r positions. */
  static double fpp(MaskLaw law, long elements, long blocks, int r) {
    BigInteger sum = BigInteger.ZERO;
    for (int distance = 1; distance <= 2; distance++) { // 2 stands for those after it
      int weight = BlockedIndexDerivation.weightOfDistance(distance);
      BigInteger ofDistance = BigInteger.ZERO;
      for (int i = 0; i <= r; i++) {
        for (int j = 0; j <= i; j++) {
          BigInteger hit = hit(law.missesOne(i), law.missesOne(j), law.missesBoth(i, j), weight);
          BigInteger summand =
              power(MaskLaw.ONE.subtract(ofBlock(hit, blocks)), elements)
                  .multiply(MaskLaw.binomial(r, i))
                  .multiply(MaskLaw.binomial(r, j))
                  .shiftLeft(i == j ? 0 : 1);
          ofDistance = (i + j) % 2 == 0 ? ofDistance.add(summand) : ofDistance.subtract(summand);
        }
      }
      int asLikely =
          distance == 1 ? weight : ALL_WEIGHTS - BlockedIndexDerivation.weightOfDistance(1);
      sum = sum.add(ofDistance.multiply(BigInteger.valueOf(asLikely)));
    }
    return Math.max(0, toDouble(sum) / ALL_WEIGHTS);
  }

  /** {@link BlockedFormulas#varianceOfSetPositions}. */
  static double variance(MaskLaw law, long elements, long blocks, int positionsPerBlock) {
    int perWord = positionsPerBlock / WORDS;
    BigInteger m = BigInteger.valueOf(blocks * positionsPerBlock);
    BigInteger missOne = law.missesOne(1);
    // An element takes a word with probability 1/4b.
    BigInteger hitOne =
        ofBlock(MaskLaw.ONE.subtract(missOne).multiply(BigInteger.valueOf(ALL_WEIGHTS)), blocks);
    BigInteger unset = power(MaskLaw.ONE.subtract(hitOne), elements);
    BigInteger pairs =
        power(MaskLaw.ONE.subtract(hitOne.shiftLeft(1)), elements)
            .multiply(m.subtract(BigInteger.valueOf(positionsPerBlock)));
    for (int distance = 1; distance < perWord; distance++) {
      BigInteger hit = MaskLaw.ONE.subtract(law.missesAtDistance(distance));
      hit = ofBlock(hit.multiply(BigInteger.valueOf(ALL_WEIGHTS)), blocks);
      pairs = pairs.add(power(MaskLaw.ONE.subtract(hit), elements));
    }
    BigInteger missBoth = missOne.multiply(missOne).shiftRight(MaskLaw.FRACTION_BITS);
    for (int distance = 1; distance < WORDS; distance++) {
      int weight = BlockedIndexDerivation.weightOfDistance(distance);
      BigInteger hit = ofBlock(hit(missOne, missOne, missBoth, weight), blocks);
      BigInteger ofWords = power(MaskLaw.ONE.subtract(hit), elements);
      pairs = pairs.add(ofWords.multiply(BigInteger.valueOf(perWord)));
    }
    BigInteger mean = m.multiply(unset);
    BigInteger square = mean.multiply(mean).shiftRight(MaskLaw.FRACTION_BITS);
    return Math.max(0, toDouble(mean.add(m.multiply(pairs)).subtract(square)));
  }

  /**
   * How likely an element of the block hits some positions of two words, from how likely it misses
   * those of either and of both: four times as much, times {@link #ALL_WEIGHTS}.
   *
   * @param weight of the distance of the words
   */
  private static BigInteger hit(
      BigInteger missFirst, BigInteger missSecond, BigInteger missBoth, int weight) {
    BigInteger byBoth = MaskLaw.ONE.subtract(missBoth);
    BigInteger byOne = MaskLaw.ONE.shiftLeft(1).subtract(missFirst).subtract(missSecond);
    return byBoth
        .multiply(BigInteger.valueOf(weight))
        .add(byOne.multiply(BigInteger.valueOf(ALL_WEIGHTS - weight)));
  }

  /** From {@link #hit} to the probability for any element of a filter. */
  private static BigInteger ofBlock(BigInteger hit, long blocks) {
    return hit.divide(BigInteger.valueOf(blocks).multiply(BigInteger.valueOf(4 * ALL_WEIGHTS)));
  }

  private static double toDouble(BigInteger fraction) {
    return Math.scalb(fraction.doubleValue(), -MaskLaw.FRACTION_BITS);
  }

  private static BigInteger power(BigInteger fraction, long exponent) {
    BigInteger square = fraction;
    BigInteger power = MaskLaw.ONE;
    for (long rest = exponent; rest > 0; rest >>>= 1) {
      if ((rest & 1) == 1) {
        power = power.multiply(square).shiftRight(MaskLaw.FRACTION_BITS);
      }
      square = square.multiply(square).shiftRight(MaskLaw.FRACTION_BITS);
    }
    return power;
  }
}
