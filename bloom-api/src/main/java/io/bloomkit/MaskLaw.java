package io.bloomkit;

import io.bloomkit.internal.BlockMasks;
import io.bloomkit.internal.BlockedIndexDerivation;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The probability that the masks of one element miss positions of the masks of another: once for
 * the masks of {@link BlockMasks}, and once for masks whose positions are drawn anew each time,
 * each set of r positions as likely.
 *
 * <p>Of i given positions of a mask, the rotated mask of another element misses all with a
 * probability that depends on which positions they are; {@link #missesOne} is its mean over all
 * choices of masks and positions. {@link #missesBoth} is the same for i positions in one word and j
 * in the other, for two elements that take the same two words. The means are exact fractions,
 * rounded once to the digits of {@link #ONE}.
 *
 * <p>It does not matter which of the two words is the first of an element: masks are partners in
 * either order.
 */
final class MaskLaw {

  /**
   * Binary digits after the point. A power to n loses log n of them, at most 63; the sum of a rate
   * cancels by up to 10<sup>-41</sup>, which is 137; 53 make a double.
   */
  static final int FRACTION_BITS = 320;

  static final BigInteger ONE = BigInteger.ONE.shiftLeft(FRACTION_BITS);

  private static final int BASES = 8;

  private static final ConcurrentHashMap<Integer, MaskLaw> OF_TABLES = new ConcurrentHashMap<>();

  private final BigInteger[][] both;
  private final BigInteger[] atDistance;
  private final BigInteger[] across;

  private MaskLaw(BigInteger[][] both, BigInteger[] atDistance, BigInteger[] across) {
    this.both = both;
    this.atDistance = atDistance;
    this.across = across;
  }

  /** Returns the law of the masks of a table. Costs some milliseconds the first time. */
  static MaskLaw ofTable(int positionsOfWord, int positions) {
    return OF_TABLES.computeIfAbsent(
        positionsOfWord * (BlockMasks.MAX_POSITIONS + 1) + positions,
        key -> count(positionsOfWord, positions));
  }

  /** Returns the law of masks that are drawn anew. */
  static MaskLaw ofFreshMasks(int positionsOfWord, int positions) {
    BigInteger all = binomial(positionsOfWord, positions);
    BigInteger[] one = new BigInteger[positions + 1];
    for (int i = 0; i <= positions; i++) {
      one[i] = fraction(binomial(positionsOfWord - i, positions), all);
    }
    return new MaskLaw(products(one), new BigInteger[0], new BigInteger[0]);
  }

  /** Of masks that do not depend on each other. */
  private static BigInteger[][] products(BigInteger[] one) {
    BigInteger[][] products = new BigInteger[one.length][one.length];
    for (int i = 0; i < one.length; i++) {
      for (int j = 0; j < one.length; j++) {
        products[i][j] = one[i].multiply(one[j]).shiftRight(FRACTION_BITS);
      }
    }
    return products;
  }

  private static MaskLaw count(int positionsOfWord, int r) {
    long[] masks = new long[BlockMasks.MASKS];
    for (int e = 0; e < masks.length; e++) {
      masks[e] = BlockMasks.mask(positionsOfWord, r, e);
    }
    BigInteger[] atDistance = atDistance(masks, positionsOfWord, r);
    if (BlockedIndexDerivation.areRotatedAlike(positionsOfWord, r)) {
      BigInteger[][] both = misses(r, commonIfRotatedAlike(masks, positionsOfWord, r));
      return new MaskLaw(both, atDistance, across(masks, positionsOfWord, r));
    }
    BigInteger[][] ofPartners = misses(r, common(masks, positionsOfWord, r));
    BigInteger[] one = new BigInteger[r + 1];
    Arrays.setAll(one, i -> ofPartners[i][0]);
    BigInteger[][] both = BlockedIndexDerivation.arePartners(r) ? ofPartners : products(one);
    BigInteger[] across = new BigInteger[positionsOfWord];
    Arrays.fill(across, one[1].multiply(one[1]).shiftRight(FRACTION_BITS));
    return new MaskLaw(both, atDistance, across);
  }

  /**
   * Returns how often two elements whose masks are partners have a positions in common in one word
   * and b in the other, at [a][b].
   */
  private static BigInteger[][] commonIfRotatedAlike(long[] masks, int positionsOfWord, int r) {
    long[][] times = new long[r + 1][r + 1];
    for (int rotation = 0; rotation < positionsOfWord; rotation++) {
      for (int q = 0; q < BASES; q++) { // they stand for all: an odd factor changes nothing
        for (int o = 0; o < masks.length; o++) {
          int a = common(masks[q], masks[o], rotation, positionsOfWord);
          int b =
              common(
                  masks[BlockMasks.partner(q)],
                  masks[BlockMasks.partner(o)],
                  rotation,
                  positionsOfWord);
          times[a][b]++;
        }
      }
    }
    return toBigIntegers(times);
  }

  /** {@link #commonIfRotatedAlike} where the rotations in both words are independent. */
  private static BigInteger[][] common(long[] masks, int positionsOfWord, int r) {
    long[][] times = new long[r + 1][r + 1];
    for (int q = 0; q < BASES; q++) {
      for (int o = 0; o < masks.length; o++) {
        int[] ofFirst = rotationsByCommon(masks[q], masks[o], positionsOfWord, r);
        int[] ofSecond =
            rotationsByCommon(
                masks[BlockMasks.partner(q)], masks[BlockMasks.partner(o)], positionsOfWord, r);
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

  /** In how many rotations two masks have a positions in common, at [a]. */
  private static int[] rotationsByCommon(long mask, long other, int positionsOfWord, int r) {
    int[] rotations = new int[r + 1];
    for (int rotation = 0; rotation < positionsOfWord; rotation++) {
      rotations[common(mask, other, rotation, positionsOfWord)]++;
    }
    return rotations;
  }

  private static int common(long mask, long other, int rotation, int positionsOfWord) {
    return Long.bitCount(mask & rotate(other, rotation, positionsOfWord));
  }

  /**
   * From {@link #commonIfRotatedAlike} to how likely i positions of one word and j of the other are
   * missed.
   */
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

  /** By the distance of two given positions of a word: how likely a mask misses both. */
  private static BigInteger[] atDistance(long[] masks, int positionsOfWord, int r) {
    BigInteger[] misses = new BigInteger[positionsOfWord];
    for (int distance = 1; distance < positionsOfWord; distance++) {
      long holdBoth = 0;
      for (long mask : masks) {
        holdBoth += common(mask, mask, distance, positionsOfWord);
      }
      misses[distance] = missesTwo(holdBoth, masks.length, positionsOfWord, r);
    }
    return misses;
  }

  /**
   * By how much further a given position lies in one word than one does in the other: how likely
   * the two masks of an element, partners that are rotated alike, miss both.
   */
  private static BigInteger[] across(long[] masks, int positionsOfWord, int r) {
    BigInteger[] misses = new BigInteger[positionsOfWord];
    for (int distance = 0; distance < positionsOfWord; distance++) {
      long holdBoth = 0;
      for (int e = 0; e < masks.length; e++) {
        holdBoth += common(masks[BlockMasks.partner(e)], masks[e], distance, positionsOfWord);
      }
      misses[distance] = missesTwo(holdBoth, masks.length, positionsOfWord, r);
    }
    return misses;
  }

  /** How likely two positions are missed by masks of which so many, rotated, hold both. */
  private static BigInteger missesTwo(long holdBoth, long cases, int positionsOfWord, int r) {
    long all = cases * positionsOfWord;
    return fraction(BigInteger.valueOf(all - 2L * r * cases + holdBoth), BigInteger.valueOf(all));
  }

  private static long rotate(long mask, int rotation, int positionsOfWord) {
    long wrapped = (mask << rotation) | (mask >>> (positionsOfWord - rotation));
    return rotation == 0 ? mask : wrapped & (-1L >>> (Long.SIZE - positionsOfWord));
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

  /** Returns how likely i positions of a word are all missed, in units of 1 / {@link #ONE}. */
  BigInteger missesOne(int i) {
    return both[i][0];
  }

  /** Returns how likely i positions of one word and j of the other are all missed. */
  BigInteger missesBoth(int i, int j) {
    return both[i][j];
  }

  /** Returns how likely two positions of a word at a distance, from 1 on, are both missed. */
  BigInteger missesAtDistance(int distance) {
    return atDistance[distance];
  }

  /**
   * Returns how likely a position of one word and one of the other are both missed, by their
   * distance as positions of a word, from 0 on.
   */
  BigInteger missesAcross(int distance) {
    return across[distance];
  }
}
