package io.bloomkit;

import io.bloomkit.internal.BlockMasks;
import io.bloomkit.internal.BlockedIndexDerivation;

/**
 * An oracle for split blocks that takes every pair of masks in every rotation: it shares the masks
 * with the formulas, but no sum and no mean, and takes the words of an element in either order.
 */
final class SplitLayoutByMasks {

  private static final int MASKS = BlockMasks.MASKS;

  private final int perWord;
  private final int r;
  private final boolean arePartners;
  private final boolean areRotatedAlike;

  /** The masks in every rotation. */
  private final long[][] rotated;

  SplitLayoutByMasks(int positionsPerWord, int r) {
    this.perWord = positionsPerWord;
    this.r = r;
    this.arePartners = r <= 3;
    this.areRotatedAlike = arePartners && positionsPerWord == 64;
    rotated = new long[MASKS][perWord];
    for (int mask = 0; mask < MASKS; mask++) {
      for (int rotation = 0; rotation < perWord; rotation++) {
        rotated[mask][rotation] = rotate(mask(mask), rotation);
      }
    }
  }

  private long mask(int index) {
    return BlockMasks.mask(perWord, r, index);
  }

  private long rotate(long mask, int rotation) {
    long rotated = 0;
    for (int position = 0; position < perWord; position++) {
      if ((mask >>> position & 1) != 0) {
        rotated |= 1L << ((position + rotation) % perWord);
      }
    }
    return rotated;
  }

  private static double probabilityOf(int distance) {
    return BlockedIndexDerivation.weightOfDistance(distance) / 64.0;
  }

  /**
   * By a and b: P(two elements in the same two words have a positions in common in the first of one
   * of them, and b in its second).
   */
  private double[][] commonOfBoth() {
    double[][] common = new double[r + 1][r + 1];
    for (int q = 0; q < MASKS; q++) {
      for (int o = 0; o < MASKS; o++) {
        add(common, q, q ^ 1, o, o ^ 1);
        add(common, q, q ^ 1, o ^ 1, o); // the words in the other order
      }
    }
    if (!arePartners) {
      double[] ofOne = commonOfOne(common);
      for (int a = 0; a <= r; a++) {
        for (int b = 0; b <= r; b++) {
          common[a][b] = ofOne[a] * ofOne[b];
        }
      }
    }
    return common;
  }

  private void add(double[][] common, int q, int otherQ, int o, int otherO) {
    double[] ofSecond = new double[r + 1];
    for (int rotation = 0; rotation < perWord; rotation++) {
      ofSecond[Long.bitCount(mask(otherQ) & rotated[otherO][rotation])] += 1.0 / perWord;
    }
    double weight = 0.5 / MASKS / MASKS / perWord;
    for (int rotation = 0; rotation < perWord; rotation++) {
      int a = Long.bitCount(mask(q) & rotated[o][rotation]);
      if (areRotatedAlike) {
        common[a][Long.bitCount(mask(otherQ) & rotated[otherO][rotation])] += weight;
      } else {
        for (int b = 0; b <= r; b++) {
          common[a][b] += weight * ofSecond[b];
        }
      }
    }
  }

  /** By a: P(two elements in the same word have a positions in common in it). */
  private static double[] commonOfOne(double[][] commonOfBoth) {
    double[] common = new double[commonOfBoth.length];
    for (int a = 0; a < common.length; a++) {
      for (double ofBoth : commonOfBoth[a]) {
        common[a] += ofBoth;
      }
    }
    return common;
  }

  /** P(two elements of a block take the same two words). */
  private static double sameWords() {
    double sum = 0;
    for (int distance = 1; distance < 8; distance++) {
      sum += probabilityOf(distance) * probabilityOf(distance) / 4;
    }
    return sum;
  }

  /** The rate with one element. */
  double fppOfOne(long blocks) {
    return sameWords() * commonOfBoth()[r][r] / blocks;
  }

  /** The variance of the set positions of two elements: that of what they have in common. */
  double varianceOfTwo(long blocks) {
    double both = sameWords() / blocks;
    double one = (0.5 - 2 * sameWords()) / blocks; // either word is in the other's pair: 1/4
    double[][] commonOfBoth = commonOfBoth();
    double[] commonOfOne = commonOfOne(commonOfBoth);
    double mean = 0;
    double square = 0;
    for (int a = 0; a <= r; a++) {
      mean += one * a * commonOfOne[a];
      square += one * a * a * commonOfOne[a];
      for (int b = 0; b <= r; b++) {
        mean += both * (a + b) * commonOfBoth[a][b];
        square += both * (a + b) * (a + b) * commonOfBoth[a][b];
      }
    }
    return square - mean * mean;
  }

  /**
   * The rate by inclusion and exclusion over the positions of every query, for masks of three
   * positions and fewer.
   */
  double fpp(double elements, long blocks) {
    int subsets = 1 << r;
    double[][] misses = new double[MASKS][subsets];
    for (int q = 0; q < MASKS; q++) {
      for (int s = 0; s < subsets; s++) {
        long chosen = chosen(mask(q), s);
        for (long[] rotations : rotated) {
          for (long other : rotations) {
            misses[q][s] += (other & chosen) == 0 ? 1.0 / MASKS / perWord : 0;
          }
        }
      }
    }
    double sum = 0;
    for (int q = 0; q < MASKS; q++) {
      for (int s = 0; s < subsets; s++) {
        for (int t = 0; t < subsets; t++) {
          double missBoth = missBoth(chosen(mask(q), s), chosen(mask(q ^ 1), t));
          double sign = (Integer.bitCount(s) + Integer.bitCount(t)) % 2 == 0 ? 1 : -1;
          double hitByOne = (1 - misses[q][s]) + (1 - misses[q ^ 1][t]);
          for (int distance = 1; distance < 8; distance++) {
            double same = probabilityOf(distance);
            double hit = (same * (1 - missBoth) + (1 - same) * hitByOne) / 4 / blocks;
            sum += sign * same * Math.exp(elements * Math.log1p(-hit));
          }
        }
      }
    }
    return sum / MASKS;
  }

  /** P(an element in the same two words misses some positions of both). */
  private double missBoth(long ofFirst, long ofSecond) {
    double sum = 0;
    for (int o = 0; o < MASKS; o++) {
      int first = 0;
      int second = 0;
      int both = 0;
      for (int rotation = 0; rotation < perWord; rotation++) {
        boolean missesFirst = (rotated[o][rotation] & ofFirst) == 0;
        boolean missesSecond = (rotated[o ^ 1][rotation] & ofSecond) == 0;
        first += missesFirst ? 1 : 0;
        second += missesSecond ? 1 : 0;
        both += missesFirst && missesSecond ? 1 : 0;
      }
      sum += areRotatedAlike ? both : (double) first * second / perWord;
    }
    return sum / perWord / MASKS;
  }

  private static long chosen(long mask, int subset) {
    long chosen = 0;
    long remaining = mask;
    for (int i = 0; remaining != 0; i++, remaining &= remaining - 1) {
      if ((subset >>> i & 1) != 0) {
        chosen |= Long.lowestOneBit(remaining);
      }
    }
    return chosen;
  }
}
