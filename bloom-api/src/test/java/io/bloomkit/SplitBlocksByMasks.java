package io.bloomkit;

import io.bloomkit.internal.BlockMasks;
import io.bloomkit.internal.BlockedIndexDerivation;

/**
 * An oracle for split blocks that takes every pair of masks in every rotation: it shares the masks
 * with the formulas, but no sum and no mean.
 */
final class SplitBlocksByMasks {

  private static final int MASKS = BlockMasks.MASKS;

  private final int perWord;
  private final int r;
  private final boolean sameMask;

  /** The masks in every rotation. */
  private final long[][] rotated;

  /** By two masks and what they have in common: in how many rotations. */
  private final int[][][] rotations = new int[MASKS][MASKS][];

  SplitBlocksByMasks(int positionsPerWord, int r) {
    this.perWord = positionsPerWord;
    this.r = r;
    this.sameMask = r <= BlockedIndexDerivation.SAME_MASK;
    rotated = new long[MASKS][perWord];
    for (int mask = 0; mask < MASKS; mask++) {
      for (int rotation = 0; rotation < perWord; rotation++) {
        rotated[mask][rotation] = rotate(mask(mask), rotation);
      }
    }
    for (int q = 0; q < MASKS; q++) {
      for (int o = 0; o < MASKS; o++) {
        rotations[q][o] = new int[r + 1];
        for (long other : rotated[o]) {
          rotations[q][o][Long.bitCount(mask(q) & other)]++;
        }
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

  /** P(two elements in the same two words have a and b positions in common in them). */
  private double commonOfBoth(int a, int b) {
    double sum = 0;
    for (int q = 0; q < MASKS; q++) {
      for (int o = 0; o < MASKS; o++) {
        sum += (double) rotations[q][o][a] * rotations[q][o][b];
      }
    }
    double same = sum / MASKS / MASKS / perWord / perWord;
    return sameMask ? same : commonOfOne(a) * commonOfOne(b);
  }

  /** P(two elements in the same word have a positions in common in it). */
  private double commonOfOne(int a) {
    double sum = 0;
    for (int q = 0; q < MASKS; q++) {
      for (int o = 0; o < MASKS; o++) {
        sum += rotations[q][o][a];
      }
    }
    return sum / MASKS / MASKS / perWord;
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
    return sameWords() * commonOfBoth(r, r) / blocks;
  }

  /** The variance of the set positions of two elements: that of what they have in common. */
  double varianceOfTwo(long blocks) {
    double both = sameWords() / blocks;
    double one = (0.5 - 2 * sameWords()) / blocks; // either word is in the other's pair: 1/4
    double mean = 0;
    double square = 0;
    for (int a = 0; a <= r; a++) {
      mean += one * a * commonOfOne(a);
      square += one * a * a * commonOfOne(a);
      for (int b = 0; b <= r; b++) {
        mean += both * (a + b) * commonOfBoth(a, b);
        square += both * (a + b) * (a + b) * commonOfBoth(a, b);
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
    double[][][] miss = new double[MASKS][subsets][MASKS];
    double[][] mean = new double[MASKS][subsets];
    for (int q = 0; q < MASKS; q++) {
      for (int s = 0; s < subsets; s++) {
        long chosen = chosen(mask(q), s);
        for (int o = 0; o < MASKS; o++) {
          int misses = 0;
          for (long other : rotated[o]) {
            misses += (other & chosen) == 0 ? 1 : 0;
          }
          miss[q][s][o] = (double) misses / perWord;
          mean[q][s] += miss[q][s][o] / MASKS;
        }
      }
    }
    double sum = 0;
    for (int q = 0; q < MASKS; q++) {
      for (int s = 0; s < subsets; s++) {
        for (int t = 0; t < subsets; t++) {
          double missBoth = 0;
          for (int o = 0; o < MASKS; o++) {
            missBoth += miss[q][s][o] * miss[q][t][o] / MASKS;
          }
          double sign = (Integer.bitCount(s) + Integer.bitCount(t)) % 2 == 0 ? 1 : -1;
          double hitByOne = (1 - mean[q][s]) + (1 - mean[q][t]);
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

  private static long chosen(long mask, int subset) {
    long chosen = 0;
    long left = mask;
    for (int i = 0; left != 0; i++, left &= left - 1) {
      if ((subset >>> i & 1) != 0) {
        chosen |= Long.lowestOneBit(left);
      }
    }
    return chosen;
  }
}
