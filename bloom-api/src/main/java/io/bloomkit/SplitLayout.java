package io.bloomkit;

import io.bloomkit.internal.BlockedIndexDerivation;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes the false-positive rate and the variance of the split layout of {@link BlockedFormulas}
 * in fixed-point arithmetic with many digits, because their sums suffer from cancellation.
 */
final class SplitLayout {

  /** The sum of the weights of all distances of two words. */
  static final int TOTAL_WEIGHT = 64;

  private static final int WORDS = BlockedShape.WORDS_PER_BLOCK;

  private SplitLayout() {}

  /** Returns {@link BlockedFormulas#splitBlockedFpp} for masks of r positions. */
  static double fpp(MaskMissProbabilities masks, long elements, long blocks, int r) {
    BigInteger sum = BigInteger.ZERO;
    for (Term term : terms(masks, blocks, r)) {
      sum = sum.add(term.factor().multiply(power(term.miss(), elements)));
    }
    return Math.max(0, toDouble(sum) / TOTAL_WEIGHT);
  }

  /**
   * The summand {@code factor} · {@code miss}<sup>n</sup> of a rate, where {@code miss} is the
   * probability that an element misses certain positions.
   */
  private record Term(BigInteger factor, BigInteger miss) {}

  private static List<Term> terms(MaskMissProbabilities masks, long blocks, int r) {
    long[] choices = new long[r + 1];
    choices[0] = 1;
    for (int i = 1; i <= r; i++) {
      choices[i] = choices[i - 1] * (r - i + 1) / i;
    }
    List<Term> terms = new ArrayList<>();
    for (int distance = 1; distance <= 2; distance++) { // 2 stands for 2 to 7
      int weight = BlockedIndexDerivation.weightOfDistance(distance);
      int totalWeight =
          distance == 1 ? weight : TOTAL_WEIGHT - BlockedIndexDerivation.weightOfDistance(1);
      for (int i = 0; i <= r; i++) {
        for (int j = 0; j <= i; j++) {
          BigInteger hit =
              hit(masks.missesOne(i), masks.missesOne(j), masks.missesBoth(i, j), weight);
          long factor = choices[i] * choices[j] * (i == j ? totalWeight : 2L * totalWeight);
          terms.add(
              new Term(
                  BigInteger.valueOf((i + j) % 2 == 0 ? factor : -factor),
                  MaskMissProbabilities.ONE.subtract(ofBlock(hit, blocks))));
        }
      }
    }
    return terms;
  }

  /** Returns {@link BlockedFormulas#varianceOfSetPositions}. */
  static double variance(
      MaskMissProbabilities masks, long elements, long blocks, int positionsPerBlock) {
    int perWord = positionsPerBlock / WORDS;
    BigInteger m = BigInteger.valueOf(blocks * positionsPerBlock);
    BigInteger missOne = masks.missesOne(1);
    // An element takes a word with probability 1/4b.
    BigInteger hitOne =
        ofBlock(
            MaskMissProbabilities.ONE.subtract(missOne).multiply(BigInteger.valueOf(TOTAL_WEIGHT)),
            blocks);
    BigInteger unset = power(MaskMissProbabilities.ONE.subtract(hitOne), elements);
    BigInteger pairs =
        power(MaskMissProbabilities.ONE.subtract(hitOne.shiftLeft(1)), elements)
            .multiply(m.subtract(BigInteger.valueOf(positionsPerBlock)));
    for (int distance = 1; distance < perWord; distance++) {
      BigInteger hit = MaskMissProbabilities.ONE.subtract(masks.missesAtDistance(distance));
      hit = ofBlock(hit.multiply(BigInteger.valueOf(TOTAL_WEIGHT)), blocks);
      pairs = pairs.add(power(MaskMissProbabilities.ONE.subtract(hit), elements));
    }
    for (int shift = 0; shift < perWord; shift++) {
      for (int distance = 1; distance <= 2; distance++) { // 2 stands for 2 to 7
        int weight = BlockedIndexDerivation.weightOfDistance(distance);
        BigInteger hit = hit(missOne, missOne, masks.missesAcross(shift), weight);
        BigInteger ofPair =
            power(MaskMissProbabilities.ONE.subtract(ofBlock(hit, blocks)), elements);
        pairs = pairs.add(distance == 1 ? ofPair : ofPair.multiply(BigInteger.valueOf(WORDS - 2)));
      }
    }
    BigInteger mean = m.multiply(unset);
    BigInteger square = mean.multiply(mean).shiftRight(MaskMissProbabilities.FRACTION_BITS);
    return Math.max(0, toDouble(mean.add(m.multiply(pairs)).subtract(square)));
  }

  /**
   * Returns the probability that an element of the block hits certain positions of two words, times
   * 4 · {@link #TOTAL_WEIGHT}. It is computed from the probabilities that a mask misses the
   * positions of the first word, that a mask misses those of the second, and that two masks miss
   * all of them.
   *
   * @param weight the weight of the distance of the words
   */
  private static BigInteger hit(
      BigInteger missFirst, BigInteger missSecond, BigInteger missBoth, int weight) {
    BigInteger byBoth = MaskMissProbabilities.ONE.subtract(missBoth);
    BigInteger byOne =
        MaskMissProbabilities.ONE.shiftLeft(1).subtract(missFirst).subtract(missSecond);
    return byBoth
        .multiply(BigInteger.valueOf(weight))
        .add(byOne.multiply(BigInteger.valueOf(TOTAL_WEIGHT - weight)));
  }

  /** Converts {@link #hit} to the probability for an element of any block of a filter. */
  private static BigInteger ofBlock(BigInteger hit, long blocks) {
    return hit.divide(BigInteger.valueOf(blocks).multiply(BigInteger.valueOf(4 * TOTAL_WEIGHT)));
  }

  private static double toDouble(BigInteger fraction) {
    return Math.scalb(fraction.doubleValue(), -MaskMissProbabilities.FRACTION_BITS);
  }

  private static BigInteger power(BigInteger fraction, long exponent) {
    BigInteger square = fraction;
    BigInteger power = MaskMissProbabilities.ONE;
    for (long rest = exponent; rest > 0; rest >>>= 1) {
      if ((rest & 1) == 1) {
        power = power.multiply(square).shiftRight(MaskMissProbabilities.FRACTION_BITS);
      }
      square = square.multiply(square).shiftRight(MaskMissProbabilities.FRACTION_BITS);
    }
    return power;
  }
}
