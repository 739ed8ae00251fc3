package io.bloomkit;

import io.bloomkit.internal.BlockedIndexDerivation;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes the false-positive rate and the variance of the split layout of {@link BlockedFormulas}
 * in fixed-point arithmetic with many digits, because their sums suffer from cancellation.
 */
final class SplitBlocks {

  /** The sum of the weights of all distances of two words. */
  static final int ALL_WEIGHTS = 64;

  private static final int WORDS = BlockedShape.WORDS_PER_BLOCK;

  private SplitBlocks() {}

  /** Returns {@link BlockedFormulas#splitBlockedFpp} for masks of r positions. */
  static double fpp(MaskLaw law, long elements, long blocks, int r) {
    BigInteger sum = BigInteger.ZERO;
    for (Term term : terms(law, blocks, r)) {
      sum = sum.add(term.factor().multiply(power(term.miss(), elements)));
    }
    return Math.max(0, toDouble(sum) / ALL_WEIGHTS);
  }

  /**
   * The summand {@code factor} · {@code miss}<sup>n</sup> of a rate, where {@code miss} is the
   * probability that an element misses certain positions.
   */
  private record Term(BigInteger factor, BigInteger miss) {}

  private static List<Term> terms(MaskLaw law, long blocks, int r) {
    long[] choices = new long[r + 1];
    choices[0] = 1;
    for (int i = 1; i <= r; i++) {
      choices[i] = choices[i - 1] * (r - i + 1) / i;
    }
    List<Term> terms = new ArrayList<>();
    for (int distance = 1; distance <= 2; distance++) { // 2 stands for 2 to 7
      int weight = BlockedIndexDerivation.weightOfDistance(distance);
      int asLikely =
          distance == 1 ? weight : ALL_WEIGHTS - BlockedIndexDerivation.weightOfDistance(1);
      for (int i = 0; i <= r; i++) {
        for (int j = 0; j <= i; j++) {
          BigInteger hit = hit(law.missesOne(i), law.missesOne(j), law.missesBoth(i, j), weight);
          long factor = choices[i] * choices[j] * (i == j ? asLikely : 2L * asLikely);
          terms.add(
              new Term(
                  BigInteger.valueOf((i + j) % 2 == 0 ? factor : -factor),
                  MaskLaw.ONE.subtract(ofBlock(hit, blocks))));
        }
      }
    }
    return terms;
  }

  /** Returns {@link BlockedFormulas#varianceOfSetPositions}. */
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
    for (int further = 0; further < perWord; further++) {
      for (int distance = 1; distance <= 2; distance++) { // 2 stands for 2 to 7
        int weight = BlockedIndexDerivation.weightOfDistance(distance);
        BigInteger hit = hit(missOne, missOne, law.missesAcross(further), weight);
        BigInteger ofPair = power(MaskLaw.ONE.subtract(ofBlock(hit, blocks)), elements);
        pairs = pairs.add(distance == 1 ? ofPair : ofPair.multiply(BigInteger.valueOf(WORDS - 2)));
      }
    }
    BigInteger mean = m.multiply(unset);
    BigInteger square = mean.multiply(mean).shiftRight(MaskLaw.FRACTION_BITS);
    return Math.max(0, toDouble(mean.add(m.multiply(pairs)).subtract(square)));
  }

  /**
   * Returns the probability that an element of the block hits certain positions of two words, times
   * 4 · {@link #ALL_WEIGHTS}. It is computed from the probabilities that a mask misses the
   * positions of the first word, that a mask misses those of the second, and that two masks miss
   * all of them.
   *
   * @param weight the weight of the distance of the words
   */
  private static BigInteger hit(
      BigInteger missFirst, BigInteger missSecond, BigInteger missBoth, int weight) {
    BigInteger byBoth = MaskLaw.ONE.subtract(missBoth);
    BigInteger byOne = MaskLaw.ONE.shiftLeft(1).subtract(missFirst).subtract(missSecond);
    return byBoth
        .multiply(BigInteger.valueOf(weight))
        .add(byOne.multiply(BigInteger.valueOf(ALL_WEIGHTS - weight)));
  }

  /** Converts {@link #hit} to the probability for an element of any block of a filter. */
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
