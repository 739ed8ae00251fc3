package io.bloomkit;

import io.bloomkit.internal.BlockedIndexDerivation;

/**
 * Computes the false-positive probability of the split layout from the state of a filter. {@link
 * BlockedFormulas} explains the layout and the symbols.
 *
 * <p>The result is the sum of two parts. The first part assumes that all masks are random, that is,
 * that a mask takes any r positions of its word with equal probability. This part is the mean of
 * f(x) · f(y) over all blocks and all pairs of words of a block. Each pair is weighted by the
 * probability of the distance of its words. Here x and y are the numbers of set positions of the
 * two words, and f(x) = C(x, r) / C(P, r).
 *
 * <p>The second part accounts for masks shared by several elements. This part is the result of
 * {@link BlockedFormulas#splitBlockedFpp} minus the result of the same formula for random masks.
 * Both results are computed for the number of elements estimated from the number of set positions.
 *
 * <p>The result is an approximation. On average over filters it is within about 1 % of their rate.
 * The rate of a single filter with at least 10,000 elements, the planned number, is within 2 % of
 * the result; {@code BlockedBloomFilter.expectedFpp} names what smaller ones deviate by. The lower
 * the rate, the more it depends on the few elements of a filter that share masks: a rate below
 * 10<sup>-5</sup> may be a third above the result, and one far below that may be a multiple of the
 * result or zero.
 *
 * <p>Not thread-safe.
 */
final class BlockedStateFpp {

  private static final int WORDS = BlockedShape.WORDS_PER_BLOCK;

  /** The weights of the distance 1 and of each other one. */
  private static final int WEIGHT_OF_ONE = BlockedIndexDerivation.weightOfDistance(1);

  private static final int WEIGHT_OF_OTHERS = BlockedIndexDerivation.weightOfDistance(2);

  private final BlockedShape shape;
  private final int positionsPerWord;
  private final double[] maskHitProbability;
  private final double[] blockProbabilities = new double[WORDS];
  private int wordsOfLastBlock;
  private long setPositions;
  private long blocks;
  private double sum;
  private double lastBlockFpp;

  BlockedStateFpp(BlockedShape shape) {
    this.shape = shape;
    this.positionsPerWord = shape.positionsPerWord();
    int r = shape.hashes() / 2;
    maskHitProbability = new double[positionsPerWord + 1];
    for (int x = 0; x <= positionsPerWord; x++) {
      maskHitProbability[x] =
          MaskMissProbabilities.binomial(x, r).doubleValue()
              / MaskMissProbabilities.binomial(positionsPerWord, r).doubleValue();
    }
  }

  /**
   * Adds a word. The eight words of a block must be added in the order of their indexes, without
   * words of other blocks in between. Blocks may be added in any order.
   */
  void addWord(int setPositions) {
    blockProbabilities[wordsOfLastBlock] = maskHitProbability[setPositions];
    this.setPositions += setPositions;
    wordsOfLastBlock++;
    if (wordsOfLastBlock == WORDS) {
      lastBlockFpp = meanOfPairs(blockProbabilities);
      sum += lastBlockFpp;
      blocks++;
      wordsOfLastBlock = 0;
    }
  }

  private static double meanOfPairs(double[] shares) {
    double all = 0;
    double squares = 0;
    double atDistanceOne = 0;
    for (int i = 0; i < WORDS; i++) {
      all += shares[i];
      squares += shares[i] * shares[i];
      atDistanceOne += shares[i] * shares[i ^ 1];
    }
    return (WEIGHT_OF_OTHERS * (all * all - squares)
            + (WEIGHT_OF_ONE - WEIGHT_OF_OTHERS) * atDistanceOne)
        / (SplitLayout.TOTAL_WEIGHT * WORDS);
  }

  /**
   * Returns the false-positive probability of a filter that consists of the blocks added so far.
   * Costs up to some milliseconds, whatever the number of blocks.
   *
   * @throws IllegalStateException if no block was added, or the last block is not complete
   */
  double fpp() {
    if (blocks == 0 || wordsOfLastBlock != 0) {
      throw new IllegalStateException(
          "only whole blocks have a probability, got "
              + blocks
              + " and "
              + wordsOfLastBlock
              + " words of the next");
    }
    return sum == 0 ? 0 : Math.max(0, Math.min(1, sum / blocks + sharedMaskCorrection()));
  }

  /** Returns the first part of the probability, for the last complete block alone. */
  double fppOfLastBlock() {
    return lastBlockFpp;
  }

  /**
   * Returns the second part of the probability. It is a summand, not a factor, because elements
   * that share masks are spread evenly over the blocks, whereas a few full blocks may cause most of
   * the first part.
   */
  private double sharedMaskCorrection() {
    int r = shape.hashes() / 2;
    double estimate =
        BlockedFormulas.estimatedElements(
            setPositions, blocks, shape.positionsPerBlock(), shape.hashes());
    long elements = Math.max(1, Math.round(Math.min(estimate, blocks * 1e6)));
    return SplitLayout.fpp(MaskMissProbabilities.ofTable(positionsPerWord, r), elements, blocks, r)
        - SplitLayout.fpp(
            MaskMissProbabilities.ofRandomMasks(positionsPerWord, r), elements, blocks, r);
  }
}
