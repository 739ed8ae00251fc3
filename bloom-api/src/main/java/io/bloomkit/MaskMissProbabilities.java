package io.bloomkit;

import io.bloomkit.internal.BlockMasks;
import io.bloomkit.internal.BlockedIndexDerivation;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The probabilities that the masks of one element miss given positions of the masks of another
 * element: for the masks of {@link BlockMasks}, or for random masks, where each set of r positions
 * is equally likely.
 *
 * <p>The probability that a rotated mask misses i positions of the mask of another element depends
 * on the masks and on the choice of these positions. {@link #missesOne} returns its mean over all
 * masks and choices. {@link #missesBoth} returns the same for i positions in one word and j in the
 * other, for two elements that take the same two words. The means are exact fractions, rounded once
 * to multiples of 1 / {@link #ONE}.
 *
 * <p>Either of the two words may be the first one of an element, because partners are symmetric.
 */
final class MaskMissProbabilities {

  /**
   * The number of binary digits after the point. A power with the exponent n loses log n of them,
   * at most 63. Cancellation may leave 10<sup>-41</sup> of the summands, which loses 137. A double
   * has 53.
   */
  static final int FRACTION_BITS = 320;

  static final BigInteger ONE = BigInteger.ONE.shiftLeft(FRACTION_BITS);

  private static final int BASES = 8;

  private static final ConcurrentHashMap<Integer, MaskMissProbabilities> CACHE =
      new ConcurrentHashMap<>();

  private final BigInteger[][] both;
  private final BigInteger[] atDistance;
  private final BigInteger[] across;

  private MaskMissProbabilities(BigInteger[][] both, BigInteger[] atDistance, BigInteger[] across) {
    this.both = both;
    this.atDistance = atDistance;
    this.across = across;
  }

  /**
   * Returns the probabilities for the masks of {@link BlockMasks}. Costs some milliseconds on the
   * first call.
   */
  static MaskMissProbabilities ofTable(int positionsPerWord, int positions) {
    return CACHE.computeIfAbsent(
        positionsPerWord * (BlockMasks.MAX_POSITIONS + 1) + positions,
        key -> count(positionsPerWord, positions));
  }

  /** Returns the probabilities for random masks. */
  static MaskMissProbabilities ofRandomMasks(int positionsPerWord, int positions) {
    BigInteger all = binomial(positionsPerWord, positions);
    BigInteger[] one = new BigInteger[positions + 1];
    for (int i = 0; i <= positions; i++) {
      one[i] = fraction(binomial(positionsPerWord - i, positions), all);
    }
    return new MaskMissProbabilities(products(one), new BigInteger[0], new BigInteger[0]);
  }

  /** Returns the probabilities for two words with independent masks. */
  private static BigInteger[][] products(BigInteger[] one) {
    BigInteger[][] products = new BigInteger[one.length][one.length];
    for (int i = 0; i < one.length; i++) {
      for (int j = 0; j < one.length; j++) {
        products[i][j] = one[i].multiply(one[j]).shiftRight(FRACTION_BITS);
      }
    }
    return products;
  }

  private static MaskMissProbabilities count(int positionsPerWord, int r) {
    long[] masks = new long[BlockMasks.MASKS];
    for (int e = 0; e < masks.length; e++) {
      masks[e] = BlockMasks.mask(positionsPerWord, r, e);
    }
    BigInteger[] atDistance = atDistance(masks, positionsPerWord, r);
    if (BlockedIndexDerivation.areRotatedAlike(positionsPerWord, r)) {
      BigInteger[][] both = misses(r, commonIfRotatedAlike(masks, positionsPerWord, r));
      return new MaskMissProbabilities(both, atDistance, across(masks, positionsPerWord, r));
    }
    BigInteger[][] ofPartners = misses(r, common(masks, positionsPerWord, r));
    BigInteger[] one = new BigInteger[r + 1];
    Arrays.setAll(one, i -> ofPartners[i][0]);
    BigInteger[][] both = BlockedIndexDerivation.arePartners(r) ? ofPartners : products(one);
    BigInteger[] across = new BigInteger[positionsPerWord];
    Arrays.fill(across, one[1].multiply(one[1]).shiftRight(FRACTION_BITS));
    return new MaskMissProbabilities(both, atDistance, across);
  }

  /**
   * Counts pairs of elements by their common positions: at [a][b], those with a common positions in
   * one word and b in the other. The two masks of an element are partners, rotated alike.
   */
  private static BigInteger[][] commonIfRotatedAlike(long[] masks, int positionsPerWord, int r) {
    long[][] times = new long[r + 1][r + 1];
    for (int rotation = 0; rotation < positionsPerWord; rotation++) {
      for (int q = 0; q < BASES; q++) { // base masks suffice: odd factors do not change the counts
        for (int o = 0; o < masks.length; o++) {
          int a = common(masks[q], masks[o], rotation, positionsPerWord);
          int b =
              common(
                  masks[BlockMasks.partner(q)],
                  masks[BlockMasks.partner(o)],
                  rotation,
                  positionsPerWord);
          times[a][b]++;
        }
      }
    }
    return toBigIntegers(times);
  }

  /** Counts like {@link #commonIfRotatedAlike}, for partners whose rotations are independent. */
  private static BigInteger[][] common(long[] masks, int positionsPerWord, int r) {
    long[][] times = new long[r + 1][r + 1];
    for (int q = 0; q < BASES; q++) {
      for (int o = 0; o < masks.length; o++) {
        int[] ofFirst = rotationsByCommon(masks[q], masks[o], positionsPerWord, r);
        int[] ofSecond =
            rotationsByCommon(
                masks[BlockMasks.partner(q)], masks[BlockMasks.partner(o)], positionsPerWord, r);
        for (int a = 0; a <= r; a++) {
          for (int b = 0; b <= r; b++) {
            times[a][b] += (long) ofFirst[a] * ofSecond[b];
          }
        }
      }
    }
    return toBigIntegers(times);
  }

  private static BigInteger[][] toBigIntegers(long[][] numbers) {
    return Arrays.stream(numbers)
        .map(row -> Arrays.stream(row).mapToObj(BigInteger::valueOf).toArray(BigInteger[]::new))
        .toArray(BigInteger[][]::new);
  }

  /** Returns, at [a], the number of rotations at which two masks have a positions in common. */
  private static int[] rotationsByCommon(long mask, long other, int positionsPerWord, int r) {
    int[] rotations = new int[r + 1];
    for (int rotation = 0; rotation < positionsPerWord; rotation++) {
      rotations[common(mask, other, rotation, positionsPerWord)]++;
    }
    return rotations;
  }

  private static int common(long mask, long other, int rotation, int positionsPerWord) {
    return Long.bitCount(mask & rotate(other, rotation, positionsPerWord));
  }

  /** Returns {@link #missesBoth} for all i and j, computed from the counts of common positions. */
  private static BigInteger[][] misses(int r, BigInteger[][] common) {
    BigInteger all = BigInteger.ZERO;
    BigInteger[][] misses = zeros(r + 1);
    for (int a = 0; a <= r; a++) {
      for (int b = 0; b <= r; b++) {
        all = all.add(common[a][b]);
        for (int i = 0; i <= r; i++) {
          for (int j = 0; j <= r; j++) {
            BigInteger choices = binomial(r - a, i).multiply(binomial(r - b, j));
            misses[i][j] = misses[i][j].add(common[a][b].multiply(choices));
          }
        }
      }
    }
    for (int i = 0; i <= r; i++) {
      for (int j = 0; j <= r; j++) {
        BigInteger choices = binomial(r, i).multiply(binomial(r, j));
        misses[i][j] = fraction(misses[i][j], all.multiply(choices));
      }
    }
    return misses;
  }

  /**
   * Returns the probability that a mask misses two given positions of a word, by their distance.
   */
  private static BigInteger[] atDistance(long[] masks, int positionsPerWord, int r) {
    BigInteger[] misses = new BigInteger[positionsPerWord];
    for (int distance = 1; distance < positionsPerWord; distance++) {
      long holdBoth = 0;
      for (long mask : masks) {
        holdBoth += common(mask, mask, distance, positionsPerWord);
      }
      misses[distance] = missesTwo(holdBoth, masks.length, positionsPerWord, r);
    }
    return misses;
  }

  /**
   * Returns the probability that the two masks of an element miss one given position in each word,
   * by the distance of the positions within their words. The masks are partners, rotated alike.
   */
  private static BigInteger[] across(long[] masks, int positionsPerWord, int r) {
    BigInteger[] misses = new BigInteger[positionsPerWord];
    for (int distance = 0; distance < positionsPerWord; distance++) {
      long holdBoth = 0;
      for (int e = 0; e < masks.length; e++) {
        holdBoth += common(masks[BlockMasks.partner(e)], masks[e], distance, positionsPerWord);
      }
      misses[distance] = missesTwo(holdBoth, masks.length, positionsPerWord, r);
    }
    return misses;
  }

  /**
   * Returns the probability that a rotated mask misses two given positions.
   *
   * @param holdBoth the number of cases and rotations in which masks hold both positions
   */
  private static BigInteger missesTwo(long holdBoth, long cases, int positionsPerWord, int r) {
    long all = cases * positionsPerWord;
    return fraction(BigInteger.valueOf(all - 2L * r * cases + holdBoth), BigInteger.valueOf(all));
  }

  private static long rotate(long mask, int rotation, int positionsPerWord) {
    long wrapped = (mask << rotation) | (mask >>> (positionsPerWord - rotation));
    return rotation == 0 ? mask : wrapped & (-1L >>> (Long.SIZE - positionsPerWord));
  }

  private static BigInteger fraction(BigInteger numerator, BigInteger denominator) {
    return numerator.shiftLeft(FRACTION_BITS).divide(denominator);
  }

  private static BigInteger[][] zeros(int length) {
    BigInteger[][] zeros = new BigInteger[length][length];
    for (BigInteger[] row : zeros) {
      Arrays.fill(row, BigInteger.ZERO);
    }
    return zeros;
  }

  static BigInteger binomial(int n, int k) {
    if (k > n) {
      return BigInteger.ZERO;
    }
    BigInteger binomial = BigInteger.ONE;
    for (int i = 0; i < k; i++) {
      binomial = binomial.multiply(BigInteger.valueOf(n - i)).divide(BigInteger.valueOf(i + 1L));
    }
    return binomial;
  }

  /**
   * Returns the probability that i positions of one word are all missed, in units of 1 / {@link
   * #ONE}.
   */
  BigInteger missesOne(int i) {
    return both[i][0];
  }

  /** Returns the probability that i positions of one word and j of the other are all missed. */
  BigInteger missesBoth(int i, int j) {
    return both[i][j];
  }

  /**
   * Returns the probability that two positions of a word at a given distance, at least 1, are both
   * missed.
   */
  BigInteger missesAtDistance(int distance) {
    return atDistance[distance];
  }

  /**
   * Returns the probability that one position of one word and one of the other are both missed.
   * Their distance, at least 0, is that of the positions within their words.
   */
  BigInteger missesAcross(int distance) {
    return across[distance];
  }
}
