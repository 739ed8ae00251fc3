package io.bloomkit;

import io.bloomkit.internal.BlockedIndexDerivation;
import java.util.Objects;

/**
 * Computes the false-positive probability of the split layout from the state of a filter, for
 * authors of filters. {@link BlockedFormulas} explains the layout and the symbols.
 *
 * <p>The result is a sum of two parts. The first would be the probability if each element had
 * independent random positions: the mean of f(X) · f(Y) over all blocks and all pairs of words of a
 * block, weighted by the probability of the distance of the words. X and Y are the numbers of set
 * positions of the two words, and f(X) = C(X, r) / C(P, r).
 *
 * <p>The second part is due to the masks that elements share. It is the difference between {@link
 * BlockedFormulas#splitBlockedFpp} and the same formula for independent positions, both at the
 * number of elements estimated from the number of set positions.
 *
 * <p>The result is an approximation: it is accurate to about 1 % from a twentieth to twice the
 * planned elements. Below a rate of 10<sup>-6</sup> the error for a small filter is about 10 %.
 *
 * <p>Not thread-safe.
 */
public final class BlockedFppOfState {

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

  /**
   * Creates a computation to which no word has been added.
   *
   * @param shape the size of the filter
   */
  public BlockedFppOfState(BlockedShape shape) {
    this.shape = Objects.requireNonNull(shape, "shape");
    this.perWord = shape.positionsPerWord();
    int r = shape.hashes() / 2;
    shareAtFill = new double[perWord + 1];
    for (int x = 0; x <= perWord; x++) {
      shareAtFill[x] =
          MaskLaw.binomial(x, r).doubleValue() / MaskLaw.binomial(perWord, r).doubleValue();
    }
  }

  /**
   * Adds the next word. The eight words of a block must be added one after another.
   *
   * @param setPositions the number of set positions of the word
   * @throws IndexOutOfBoundsException if it is negative or above {@link
   *     BlockedShape#positionsPerWord}
   */
  public void addWord(int setPositions) {
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
  public double fpp() {
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

  /** The probability for the last whole block, with masks drawn anew. */
  double fppOfLastBlock() {
    return last;
  }

  /**
   * By how much the rate is higher than with masks drawn anew. Elements that repeat a mask are
   * spread evenly, while few full blocks may hold the rest of the rate: so it is a summand.
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
