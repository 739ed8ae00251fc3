package io.bloomkit;

import io.bloomkit.internal.Arguments;
import java.util.Objects;
import java.util.function.LongToDoubleFunction;

/**
 * The formulas of blocked Bloom filters, with their sources. All positions of an element lie in one
 * block. The false-positive rate is higher than that of a flat filter (a filter without blocks) of
 * the same size, because some blocks hold more elements than others.
 *
 * <p>The symbols are those of {@link BloomFormulas}. In addition, <i>b</i> is the number of blocks
 * and <i>B</i> the number of positions per block, so m = b · B. Binomial(n, q)(j) is the
 * probability of j successes in n trials with the success probability q.
 *
 * <p><b>Layout.</b> In the <i>split</i> layout, which {@link BlockedShape} uses, a block has eight
 * words of P = B/8 positions. An element takes two different words of one block and r = k/2
 * different positions in each word. A mask is a set of r positions of a word, so an operation sets
 * or tests the positions of an element by two masks.
 *
 * <p>The split layout resembles the cache-sectorized filter with two sectors (H. Lang, T. Neumann,
 * A. Kemper, P. Boncz, <i>Performance-optimal filtering: Bloom overtakes cuckoo at high
 * throughput</i>, 2019). In that filter, an element takes one word from each half of the block. In
 * the split layout, an element may take any two words. The split layout differs from the split
 * block of Apache Parquet, where an element takes one bit in each of eight words.
 *
 * <p><b>Masks.</b> In each of its two words, an element takes one of 256 masks, rotated by 0 to P −
 * 1 positions. If r is at most 3, the mask chosen for one word, before rotation, determines the
 * mask of the other word; otherwise the two choices are independent. If r is at most 3 and P is 64,
 * both masks are rotated by the same number of positions; otherwise the two rotations are
 * independent. Two elements take the same r positions of a word more often than if the positions
 * were independent. The formulas take this into account. The distance of the two words of an
 * element is the exclusive or of their indexes in the block. The distance is 1 with probability
 * 10/64, and each of the values 2 to 7 with probability 9/64.
 *
 * <p>Every method is a pure function. It throws {@link IllegalArgumentException} if an argument is
 * out of its range; the message names the argument and its value.
 */
public final class BlockedFormulas {

  /** A smaller summand does not noticeably change a sum of probabilities. */
  private static final double NEGLIGIBLE = 1e-18;

  private static final int WORDS = BlockedShape.WORDS_PER_BLOCK;

  private BlockedFormulas() {}

  /**
   * Returns the mean of a false-positive rate over all blocks, for layouts of your own. The rate
   * f(j) of a block depends only on its load j, the number of elements in the block. The mean is
   * Σ<sub>j</sub> Binomial(n, 1/b)(j) · f(j) (F. Putze, P. Sanders, J. Singler, <i>Cache-, hash-
   * and space-efficient Bloom filters</i>, 2007).
   *
   * @param elements n, at least 0
   * @param blocks b, at least 1
   * @param fppAtLoad f, the false-positive rate of a block with a given load; called with
   *     consecutive ascending loads; very low and very high loads are left out if their probability
   *     is too small to affect the result
   */
  public static double meanOverBlocks(long elements, long blocks, LongToDoubleFunction fppAtLoad) {
    Objects.requireNonNull(fppAtLoad, "fppAtLoad");
    Arguments.checkAtLeast(0, elements, "elements");
    Arguments.checkAtLeast(1, blocks, "blocks");
    // Start at the least load whose binomial weight, relative to that of the mean load, is not
    // negligible.
    long load = elements / blocks;
    double weight = 1;
    while (load > 0 && blocks > 1 && weight > NEGLIGIBLE) {
      weight *= load * (blocks - 1.0) / (elements - load + 1);
      load--;
    }
    double weights = 0;
    double sum = 0;
    while (weight > NEGLIGIBLE * weights) {
      weights += weight;
      sum += weight * fppAtLoad.applyAsDouble(load);
      weight *= blocks == 1 ? 0 : (elements - load) / ((load + 1) * (blocks - 1.0));
      load++;
    }
    return sum / weights;
  }

  /**
   * Returns the expected false-positive probability of the split layout. It depends on the number
   * of elements, not on the state of a filter.
   *
   * <p>By inclusion and exclusion over the 2r positions of a query, the probability is
   * Σ<sub>d</sub> π<sub>d</sub> Σ<sub>i</sub> Σ<sub>j</sub> (−1)<sup>i+j</sup> · C(r,i) · C(r,j) ·
   * u<sub>d</sub>(i, j)<sup>n</sup>. The indexes i and j run from 0 to r. π<sub>d</sub> is the
   * probability that the two words of the query have the distance d. u<sub>d</sub>(i, j) is the
   * probability that an added element takes none of i given positions of the query in the first
   * word and none of j given positions in the second word.
   *
   * <p>An added element takes both words of the query with probability π<sub>d</sub> / (4b). It
   * takes only the first word with probability (1 − π<sub>d</sub>) / (4b), and only the second word
   * with the same probability. Therefore u<sub>d</sub>(i, j) = 1 − (π<sub>d</sub> · (1 −
   * v<sub>ij</sub>) + (1 − π<sub>d</sub>) · ((1 − v<sub>i</sub>) + (1 − v<sub>j</sub>))) / (4b).
   * Here v<sub>i</sub> is the probability that, in one word, the mask of the added element contains
   * none of i given positions of the query. v<sub>ij</sub> is the probability that its two masks
   * contain none of i given positions in one word and none of j given positions in the other word.
   * Both probabilities are computed by enumerating the masks.
   *
   * <p>v<sub>i</sub> and v<sub>ij</sub> depend on the masks of the query and on the choice of the
   * given positions. The method uses the means of v<sub>i</sub> and v<sub>ij</sub> over all masks
   * and all choices. Because of this approximation, the result is too low by up to 2 % of the rate.
   * If the rate is above 0.1 %, the result is too low by at most 0.05 % of the rate for bits and
   * 0.6 % of the rate for counters. Costs up to some milliseconds.
   *
   * @param elements n, at least 0
   * @param blocks b, from 1 to the lesser of {@link Shape#MAX_POSITIONS} / B and {@link
   *     BlockedShape#MAX_BLOCKS}
   * @param positionsPerBlock B, {@link BlockedShape#BITS_PER_BLOCK} or {@link
   *     BlockedShape#COUNTERS_PER_BLOCK}
   * @param hashes k, even, from 2 to 16
   */
  public static double splitBlockedFpp(
      long elements, long blocks, int positionsPerBlock, int hashes) {
    checkSplit(elements, blocks, positionsPerBlock, hashes);
    MaskMissProbabilities masks =
        MaskMissProbabilities.ofTable(positionsPerBlock / WORDS, hashes / 2);
    return SplitLayout.fpp(masks, elements, blocks, hashes / 2);
  }

  /**
   * Returns the mean of the number of set positions X in the split layout: m · (1 − (1 −
   * p)<sup>n</sup>). The k positions of an element are distinct, so p = k/m is the probability that
   * an element takes a given position.
   *
   * @param elements n, at least 0
   * @param blocks b, from 1 to the lesser of {@link Shape#MAX_POSITIONS} / B and {@link
   *     BlockedShape#MAX_BLOCKS}
   * @param positionsPerBlock B, as for {@link #splitBlockedFpp}
   * @param hashes k, even, from 2 to 16
   */
  public static double expectedSetPositions(
      long elements, long blocks, int positionsPerBlock, int hashes) {
    checkSplit(elements, blocks, positionsPerBlock, hashes);
    double logOfMiss = logOfMiss(blocks, positionsPerBlock, hashes);
    return (double) blocks * positionsPerBlock * -StrictMath.expm1(elements * logOfMiss);
  }

  /**
   * Returns the exact variance of the number of set positions X in the split layout. The variance
   * is S − m² · (1 − p)<sup>2n</sup>, with the p of {@link #expectedSetPositions}. S is the sum of
   * the probabilities that both positions of a pair stay unset, over all m² ordered pairs,
   * including the pairs of a position with itself.
   *
   * @param elements n, at least 0
   * @param blocks b, from 1 to the lesser of {@link Shape#MAX_POSITIONS} / B and {@link
   *     BlockedShape#MAX_BLOCKS}
   * @param positionsPerBlock B, as for {@link #splitBlockedFpp}
   * @param hashes k, even, from 2 to 16
   */
  public static double varianceOfSetPositions(
      long elements, long blocks, int positionsPerBlock, int hashes) {
    checkSplit(elements, blocks, positionsPerBlock, hashes);
    MaskMissProbabilities masks =
        MaskMissProbabilities.ofTable(positionsPerBlock / WORDS, hashes / 2);
    return SplitLayout.variance(masks, elements, blocks, positionsPerBlock);
  }

  /**
   * Returns the estimated number of distinct elements in a filter of the split layout with X set
   * positions: the n for which {@link #expectedSetPositions} returns X. This n is ln(1 − X/m) /
   * ln(1 − p), with the p of {@link #expectedSetPositions}.
   *
   * @param setPositions X, from 0 to m
   * @param blocks b, from 1 to the lesser of {@link Shape#MAX_POSITIONS} / B and {@link
   *     BlockedShape#MAX_BLOCKS}
   * @param positionsPerBlock B, as for {@link #splitBlockedFpp}
   * @param hashes k, even, from 2 to 16
   * @return n, or positive infinity if every position is set
   */
  public static double estimatedElements(
      long setPositions, long blocks, int positionsPerBlock, int hashes) {
    checkSplit(0, blocks, positionsPerBlock, hashes);
    long positions = blocks * positionsPerBlock;
    FormulaArguments.checkSet(setPositions, positions);
    // The logarithm is 0 if no position is set, and negative infinity if all are.
    return StrictMath.log1p(-(double) setPositions / positions)
        / logOfMiss(blocks, positionsPerBlock, hashes);
  }

  /**
   * Returns the expected number of 4-bit counters that overflow in the split layout when each of n
   * distinct elements is added c times: m times the probability that c · Y exceeds 15. Y is the
   * number of elements that take a given counter. Its distribution is Binomial(n, p), with the p of
   * {@link #expectedSetPositions}. A counter overflows when its count exceeds 15.
   *
   * @param elements n, at least 0
   * @param blocks b, from 1 to the lesser of {@link Shape#MAX_POSITIONS} / B and {@link
   *     BlockedShape#MAX_BLOCKS}
   * @param positionsPerBlock B, as for {@link #splitBlockedFpp}
   * @param hashes k, even, from 2 to 16
   * @param copies c, the number of additions of each element, at least 1
   */
  public static double expectedOverflowedCounters(
      long elements, long blocks, int positionsPerBlock, int hashes, long copies) {
    checkSplit(elements, blocks, positionsPerBlock, hashes);
    Arguments.checkAtLeast(1, copies, "copies");
    double logOfMiss = logOfMiss(blocks, positionsPerBlock, hashes);
    return (double) blocks
        * positionsPerBlock
        * CounterOverflow.probability(elements, logOfMiss, copies);
  }

  /**
   * Returns ln(1 − p), where 1 − p is the probability that an element does not take a given
   * position.
   */
  private static double logOfMiss(long blocks, int positionsPerBlock, int hashes) {
    return StrictMath.log1p(-(double) hashes / positionsPerBlock / blocks);
  }

  private static void checkSplit(long elements, long blocks, int positionsPerBlock, int hashes) {
    Arguments.checkAtLeast(0, elements, "elements");
    checkPositionsPerBlock(positionsPerBlock);
    checkBlocks(blocks, positionsPerBlock);
    checkHashes(hashes);
  }

  static void checkPositionsPerBlock(int positionsPerBlock) {
    if (positionsPerBlock != BlockedShape.BITS_PER_BLOCK
        && positionsPerBlock != BlockedShape.COUNTERS_PER_BLOCK) {
      throw new IllegalArgumentException(
          "positionsPerBlock must be "
              + BlockedShape.BITS_PER_BLOCK
              + " or "
              + BlockedShape.COUNTERS_PER_BLOCK
              + ", got "
              + positionsPerBlock);
    }
  }

  static long maxBlocks(int positionsPerBlock) {
    return Math.min(Shape.MAX_POSITIONS / positionsPerBlock, BlockedShape.MAX_BLOCKS);
  }

  static void checkBlocks(long blocks, int positionsPerBlock) {
    long max = maxBlocks(positionsPerBlock);
    if (blocks < 1 || blocks > max) {
      throw new IllegalArgumentException(
          "blocks must be in [1, "
              + max
              + "] with "
              + positionsPerBlock
              + " positions each, got "
              + blocks);
    }
  }

  static void checkHashes(int hashes) {
    if (hashes < 2 || hashes > BlockedShape.MAX_HASHES || hashes % 2 != 0) {
      throw new IllegalArgumentException(
          "hashes must be even and in [2, " + BlockedShape.MAX_HASHES + "], got " + hashes);
    }
  }
}
