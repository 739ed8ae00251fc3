package io.bloomkit;

import io.bloomkit.internal.BlockMasks;
import io.bloomkit.internal.BlockedIndexDerivation;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The probability that the mask of one element misses positions of the mask of another: once for
 * the masks of {@link BlockMasks}, and once for masks whose positions are drawn anew each time,
 * each set of r positions as likely.
 *
 * <p>Two elements take masks q and o of a table, each as likely, and rotate them in two words,
 * independently in each. Of i given positions of q, a rotation of o misses all with a probability
 * that depends on which they are; {@link #missesOne} is its mean over all i positions of all masks,
 * and {@link #missesBoth} that of the product for i positions in one word and j in the other, where
 * both words take the same mask. The means are exact fractions, rounded once to the digits of
 * {@link #ONE}.
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

  private final BigInteger[] one;
  private final BigInteger[][] both;
  private final BigInteger[] atDistance;

  private MaskLaw(BigInteger[] one, BigInteger[][] both, BigInteger[] atDistance) {
    this.one = one;
    this.both = both;
    this.atDistance = atDistance;
  }

  /** Returns the law of the masks of a table. Costs a millisecond the first time. */
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
    return new MaskLaw(one, products(one), new BigInteger[0]);
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
    // An odd factor for both masks changes nothing: masks 0 to 7 stand for all as the first.
    BigInteger[] one = zeros(r + 1);
    BigInteger[][] both = new BigInteger[r + 1][];
    for (int i = 0; i <= r; i++) {
      both[i] = zeros(r + 1);
    }
    for (int q = 0; q < BASES; q++) {
      for (int o = 0; o < BlockMasks.MASKS; o++) {
        BigInteger[] misses = misses(positionsOfWord, r, q, o);
        for (int i = 0; i <= r; i++) {
          one[i] = one[i].add(misses[i]);
          for (int j = 0; j <= r; j++) {
            both[i][j] = both[i][j].add(misses[i].multiply(misses[j]));
          }
        }
      }
    }
    BigInteger pairs = BigInteger.valueOf((long) BASES * BlockMasks.MASKS);
    boolean sameMask = r <= BlockedIndexDerivation.SAME_MASK;
    for (int i = 0; i <= r; i++) {
      for (int j = 0; j <= r && sameMask; j++) {
        BigInteger casesOfBoth =
            cases(positionsOfWord, r, i).multiply(cases(positionsOfWord, r, j));
        both[i][j] = fraction(both[i][j], pairs.multiply(casesOfBoth));
      }
      one[i] = fraction(one[i], pairs.multiply(cases(positionsOfWord, r, i)));
    }
    return new MaskLaw(one, sameMask ? both : products(one), atDistance(positionsOfWord, r));
  }

  /** In how many of the {@link #cases} all of i positions of mask q are missed by mask o. */
  private static BigInteger[] misses(int positionsOfWord, int r, int q, int o) {
    long mask = BlockMasks.mask(positionsOfWord, r, q);
    long other = BlockMasks.mask(positionsOfWord, r, o);
    long[] rotationsByCommon = new long[r + 1];
    for (int rotation = 0; rotation < positionsOfWord; rotation++) {
      rotationsByCommon[Long.bitCount(mask & rotate(other, rotation, positionsOfWord))]++;
    }
    BigInteger[] misses = zeros(r + 1);
    for (int common = 0; common <= r; common++) {
      BigInteger rotations = BigInteger.valueOf(rotationsByCommon[common]);
      for (int i = 0; i <= r; i++) {
        misses[i] = misses[i].add(rotations.multiply(binomial(r - common, i)));
      }
    }
    return misses;
  }

  /** The choices of i positions of a mask, and the rotations of another. */
  private static BigInteger cases(int positionsOfWord, int r, int i) {
    return binomial(r, i).multiply(BigInteger.valueOf(positionsOfWord));
  }

  /** By the distance of two given positions of a word: how likely a mask misses both. */
  private static BigInteger[] atDistance(int positionsOfWord, int r) {
    BigInteger[] misses = new BigInteger[positionsOfWord];
    for (int distance = 1; distance < positionsOfWord; distance++) {
      long holdBoth = 0;
      for (int o = 0; o < BlockMasks.MASKS; o++) {
        long mask = BlockMasks.mask(positionsOfWord, r, o);
        holdBoth += Long.bitCount(mask & rotate(mask, distance, positionsOfWord));
      }
      long all = (long) positionsOfWord * BlockMasks.MASKS;
      long holdOne = 2L * r * BlockMasks.MASKS - holdBoth;
      misses[distance] = fraction(BigInteger.valueOf(all - holdOne), BigInteger.valueOf(all));
    }
    return misses;
  }

  private static long rotate(long mask, int rotation, int positionsOfWord) {
    long wrapped = (mask << rotation) | (mask >>> (positionsOfWord - rotation));
    return rotation == 0 ? mask : wrapped & (-1L >>> (Long.SIZE - positionsOfWord));
  }

  private static BigInteger fraction(BigInteger numerator, BigInteger denominator) {
    return numerator.shiftLeft(FRACTION_BITS).divide(denominator);
  }

  private static BigInteger[] zeros(int length) {
    BigInteger[] zeros = new BigInteger[length];
    Arrays.fill(zeros, BigInteger.ZERO);
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
    return one[i];
  }

  /** Returns how likely i positions of one word and j of the other are all missed. */
  BigInteger missesBoth(int i, int j) {
    return both[i][j];
  }

  /** Returns how likely two positions of a word at a distance, from 1 on, are both missed. */
  BigInteger missesAtDistance(int distance) {
    return atDistance[distance];
  }
}
