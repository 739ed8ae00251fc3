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
 * The rate of a single filter with the planned number of elements is within 2 % of the result. The
 * lower the rate, the more it depends on the few elements of a filter that share masks: a rate
 * below 10<sup>-5</sup> may be a third above the result, and one far below that may be a multiple
 * of the result or zero.
 *
 * <p>Not thread-safe.
 */
final class BlockedFppOfState {

  private static final int WORDS = BlockedShape.WORDS_PER_BLOCK;

  private final BlockedShape shape;
  private final int perWord;
  private final double[] shareAtFill;
  private final double[] ofBlock = new double[WORDS];
  private int wordsOfBlock;
  private long setPositions;
  private long blocks;
  private double sum;
  private double last;

  BlockedFppOfState(BlockedShape shape) {
    this.shape = shape;
    this.perWord = shape.positionsPerWord();
    int r = shape.hashes() / 2;
    shareAtFill = new double[perWord + 1];
    for (int x = 0; x <= perWord; x++) {
      shareAtFill[x] =
          MaskLaw.binomial(x, r).doubleValue() / MaskLaw.binomial(perWord, r).doubleValue();
    }
  }

  /**
   * Adds a word. The eight words of a block must be added in the order of their indexes, without
   * words of other blocks in between. Blocks may be added in any order.
   */
  void addWord(int setPositions) {
    ofBlock[wordsOfBlock] = shareAtFill[setPositions];
    this.setPositions += setPositions;
    wordsOfBlock++;
    if (wordsOfBlock == WORDS) {
      last = meanOfPairs(ofBlock);
      sum += last;
      blocks++;
      wordsOfBlock = 0;
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
    int ofOne = BlockedIndexDerivation.weightOfDistance(1);
    int ofOthers = BlockedIndexDerivation.weightOfDistance(2);
    return (ofOthers * (all * all - squares) + (ofOne - ofOthers) * atDistanceOne)
        / (SplitBlocks.ALL_WEIGHTS * WORDS);
  }

  /**
   * Returns the false-positive probability of a filter that consists of the blocks added so far.
   * Costs up to some milliseconds, whatever the number of blocks.
   *
   * @throws IllegalStateException if no block was added, or the last block is not complete
   */
  double fpp() {
    if (blocks == 0 || wordsOfBlock != 0) {
      throw new IllegalStateException(
          "only whole blocks have a probability, got "
              + blocks
              + " and "
              + wordsOfBlock
              + " words of the next");
    }
    return sum == 0 ? 0 : Math.max(0, Math.min(1, sum / blocks + ofRepetition()));
  }

  /** Returns the first part of the probability, for the last complete block alone. */
  double fppOfLastBlock() {
    return last;
  }

  /**
   * Returns the second part of the probability. It is a summand, not a factor, because elements
   * that share masks are spread evenly over the blocks, whereas a few full blocks may cause most of
   * the first part.
   */
  private double ofRepetition() {
    int r = shape.hashes() / 2;
    double estimate =
        BlockedFormulas.estimatedElements(
            setPositions, blocks, shape.positionsPerBlock(), shape.hashes());
    long elements = Math.max(1, Math.round(Math.min(estimate, blocks * 1e6)));
    return SplitBlocks.fpp(MaskLaw.ofTable(perWord, r), elements, blocks, r)
        - SplitBlocks.fpp(MaskLaw.ofFreshMasks(perWord, r), elements, blocks, r);
  }
}
