package io.bloomkit;

import io.bloomkit.internal.BlockedIndexDerivation;
import java.util.Objects;

/**
 * The size of a blocked filter: how many blocks it has, how many positions (bits or counters) a
 * block has, and how many of them an element takes.
 *
 * <p>A block is one 64-byte cache line, eight words of 64 bits; an operation touches one block. An
 * element takes two different words of its block and half of its k positions in each, all distinct.
 * Up to eight hashes, both words use the same mask, rotated differently; with more, each word has a
 * mask of its own ({@link BlockedFormulas} has the probabilities). The price is a higher rate at
 * the same size, or a larger size at the same rate. It grows below 0.1 %, where a flat filter is
 * the better choice:
 *
 * <table>
 * <caption>Positions per element (and hashes) of filters of ten million elements</caption>
 * <tr><th>rate</th><th>3 %</th><th>1 %</th><th>0.1 %</th><th>0.01 %</th></tr>
 * <tr><th>flat, {@link Shape#of}</th>
 * <td>7.30 (5)</td><td>9.59 (7)</td><td>14.38 (10)</td><td>19.17 (13)</td></tr>
 * <tr><td>bits, {@link #ofBits}</td>
 * <td>7.55 (4)</td><td>10.08 (6)</td><td>16.49 (8)</td><td>24.75 (10)</td></tr>
 * <tr><td>counters, {@link #ofCounters}</td>
 * <td>8.00 (4)</td><td>11.82 (4)</td><td>22.92 (6)</td><td>44.88 (8)</td></tr>
 * </table>
 *
 * <p>Filters of one shape and one hash strategy put an element at the same positions, so they can
 * be merged. A shape does not store the planned number of elements; {@link #fpp(long)} returns its
 * rate at any number.
 *
 * @param blocks b, even, from 2 to {@link Shape#MAX_POSITIONS} / positionsPerBlock, and to {@link
 *     #MAX_BLOCKS}
 * @param positionsPerBlock B, {@link #BITS_PER_BLOCK} or {@link #COUNTERS_PER_BLOCK}
 * @param hashes k, even, from 2 to {@link #MAX_HASHES}
 */
public record BlockedShape(long blocks, int positionsPerBlock, int hashes) {

  /** The number of words of a block. */
  public static final int WORDS_PER_BLOCK = BlockedIndexDerivation.WORDS_PER_BLOCK;

  /** The number of positions of a block of bits. */
  public static final int BITS_PER_BLOCK = WORDS_PER_BLOCK * Long.SIZE;

  /** The number of positions of a block of four-bit counters. */
  public static final int COUNTERS_PER_BLOCK = BITS_PER_BLOCK / 4;

  /** The largest number of blocks: with more, one hash bit would select both word and mask. */
  public static final long MAX_BLOCKS = (1L << 32) / WORDS_PER_BLOCK;

  /** The largest number of hashes, eight in each of two words. */
  public static final int MAX_HASHES = 16;

  /**
   * Checks a shape.
   *
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public BlockedShape {
    BlockedFormulas.checkPositionsPerBlock(positionsPerBlock);
    BlockedFormulas.checkBlocks(blocks, positionsPerBlock);
    if (blocks % 2 != 0) {
      throw new IllegalArgumentException("blocks must be even but is " + blocks);
    }
    BlockedFormulas.checkHashes(hashes);
  }

  /**
   * Returns the shape of a filter of bits for a number of elements and a false-positive
   * probability.
   *
   * <p>For each number of hashes, finds the smallest number of blocks whose rate, {@link
   * #fpp(long)}, is at most 1 % above fpp. Among the sizes at most 1 % above the smallest, chooses
   * the one with the fewest hashes, because fewer hashes set fewer positions. So {@code
   * BlockedShape.ofBits(n, fpp).fpp(n) <= 1.01 * fpp} always. Costs some ten milliseconds.
   *
   * <p>Below 10<sup>-5</sup> a blocked filter becomes very large, because a hash selects one of a
   * limited number of patterns in a block: at 10<sup>-6</sup>, 10<sup>-7</sup> and 10<sup>-8</sup>
   * it takes 52, 78 and 130 bits per element, where {@link Shape#of} takes 29, 34 and 38.
   *
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @param fpp the probability that an absent element is positive, in (0, 1)
   * @throws IllegalArgumentException if an argument is out of its range, if more than {@link
   *     Shape#MAX_POSITIONS} positions or {@link #MAX_BLOCKS} blocks would be needed, or if fpp is
   *     below what 64-bit hashes allow ({@link BloomFormulas#hashFloor})
   */
  public static BlockedShape ofBits(long expectedInsertions, double fpp) {
    return of(expectedInsertions, fpp, BITS_PER_BLOCK);
  }

  /**
   * Returns the shape of a filter of counters for a number of elements and a false-positive
   * probability, by the rule of {@link #ofBits}. A block holds a quarter as many positions, so more
   * counters per element are needed: at 10<sup>-5</sup>, 10<sup>-6</sup> and 10<sup>-7</sup> 93,
   * 196 and 474, where {@link Shape#of} takes 24, 29 and 34.
   *
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @param fpp in (0, 1)
   * @throws IllegalArgumentException as for {@link #ofBits}
   */
  public static BlockedShape ofCounters(long expectedInsertions, double fpp) {
    return of(expectedInsertions, fpp, COUNTERS_PER_BLOCK);
  }

  private static BlockedShape of(long expectedInsertions, double fpp, int positionsPerBlock) {
    Shape.requireInsertions(expectedInsertions);
    // A flat filter is never larger, and its error says how many positions that would be.
    Shape.requirePossible(
        BloomFormulas.optimalPositions(expectedInsertions, fpp), expectedInsertions);
    Shape.requireAboveHashFloor(expectedInsertions, fpp);
    double mostFpp = Shape.TOLERANCE * fpp;
    long fewest = Long.MAX_VALUE;
    long[] enough = new long[MAX_HASHES + 1];
    for (int hashes = 2; hashes <= MAX_HASHES; hashes += 2) {
      // More hashes that do not save a pair of blocks are never chosen.
      long limit = Math.min(BlockedFormulas.mostBlocks(positionsPerBlock) / 2, fewest - 1);
      enough[hashes] = fewestPairs(expectedInsertions, mostFpp, limit, positionsPerBlock, hashes);
      fewest = Math.min(fewest, enough[hashes]);
    }
    if (fewest == Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "expectedInsertions = "
              + expectedInsertions
              + " at fpp = "
              + fpp
              + " would need a number of positions above the largest number, "
              + BlockedFormulas.mostBlocks(positionsPerBlock) * positionsPerBlock
              + ": expect fewer elements or allow more errors");
    }
    int hashes = 2;
    while (enough[hashes] - fewest > fewest / 100) {
      hashes += 2;
    }
    return new BlockedShape(2 * enough[hashes], positionsPerBlock, hashes);
  }

  /**
   * The fewest pairs of blocks that keep a rate, or the largest long if the limit does not. The
   * rate is close to a power of the number of blocks, so every other step goes where that power
   * would meet it, and the steps between halve what is left.
   */
  private static long fewestPairs(
      long elements, double mostFpp, long limit, int positionsPerBlock, int hashes) {
    if (limit < 1) {
      return Long.MAX_VALUE;
    }
    double fppOfEnough = fppOf(elements, limit, positionsPerBlock, hashes);
    if (fppOfEnough > mostFpp) {
      return Long.MAX_VALUE;
    }
    long tooFew = 0;
    long enough = limit;
    double fppOfTooFew = 1;
    // No blocked filter is smaller than the best flat one.
    double possible = Math.min(mostFpp, Math.nextDown(1.0));
    double middle = (double) BloomFormulas.optimalPositions(elements, possible) / positionsPerBlock;
    for (int step = 0; enough - tooFew > 1; step++) {
      long pairs = Math.max(tooFew + 1, Math.min(enough - 1, Math.round(middle)));
      double fpp = fppOf(elements, pairs, positionsPerBlock, hashes);
      if (fpp <= mostFpp) {
        enough = pairs;
        fppOfEnough = fpp;
      } else {
        tooFew = pairs;
        fppOfTooFew = fpp;
      }
      double share =
          step % 2 == 0
              ? Math.log(fppOfTooFew / mostFpp) / Math.log(fppOfTooFew / fppOfEnough)
              : 0.5;
      middle =
          Math.pow(Math.max((double) tooFew, 0.5), 1 - share) * Math.pow((double) enough, share);
    }
    return enough;
  }

  private static double fppOf(long elements, long pairs, int positionsPerBlock, int hashes) {
    return BlockedFormulas.splitBlockedFpp(elements, 2 * pairs, positionsPerBlock, hashes);
  }

  /**
   * Returns one of the k distinct positions of an element. Blocked filters of this shape use the
   * same ones. For filters of your own, and to locate an element in the bits of a filter.
   *
   * @param hash the {@linkplain io.bloomkit.hash.HashStrategy#hash hash} of the element
   * @param index from 0 to k − 1; the first half of the positions is in one word of the block, in
   *     ascending order, the second half in another word
   * @throws IndexOutOfBoundsException if there is no such position
   */
  public long positionOf(long hash, int index) {
    Objects.checkIndex(index, hashes);
    long words = blocks * WORDS_PER_BLOCK;
    int half = hashes / 2;
    long place = BlockedIndexDerivation.place(hash, words);
    boolean inFirst = index < half;
    if (!inFirst) {
      place ^= BlockedIndexDerivation.distance(hash);
    }
    long word = BlockedIndexDerivation.word(place, words);
    int masks = BlockedIndexDerivation.masks(half);
    long mask =
        positionsPerBlock == BITS_PER_BLOCK
            ? maskOfBits(hash, masks, inFirst)
            : maskOfQuarter(hash, masks, inFirst);
    for (int before = index % half; before > 0; before--) {
      mask &= mask - 1;
    }
    return word * positionsPerWord() + Long.numberOfTrailingZeros(mask);
  }

  private static long maskOfBits(long hash, int masks, boolean inFirst) {
    return inFirst
        ? BlockedIndexDerivation.first(BlockedIndexDerivation.bits(hash, masks), hash)
        : BlockedIndexDerivation.second(BlockedIndexDerivation.secondBits(hash, masks), hash);
  }

  private static long maskOfQuarter(long hash, int masks, boolean inFirst) {
    return inFirst
        ? BlockedIndexDerivation.firstOfQuarters(
            BlockedIndexDerivation.quarters(hash, masks), hash, 0)
        : BlockedIndexDerivation.secondOfQuarters(
            BlockedIndexDerivation.secondQuarters(hash, masks), hash, 0);
  }

  /** Returns the number of positions, blocks · positionsPerBlock. */
  public long positions() {
    return blocks * positionsPerBlock;
  }

  /** Returns the number of positions of a word: 64 bits or 16 counters. */
  public int positionsPerWord() {
    return positionsPerBlock / WORDS_PER_BLOCK;
  }

  /**
   * Returns the expected false-positive probability after n distinct elements have been added:
   * {@link BlockedFormulas#splitBlockedFpp}.
   *
   * @param elements n, at least 0
   */
  public double fpp(long elements) {
    return BlockedFormulas.splitBlockedFpp(elements, blocks, positionsPerBlock, hashes);
  }

  /**
   * Returns the expected number of 4-bit counters that overflow, that is, count to 16 or more,
   * after n distinct elements have each been added {@code copies} times: {@link
   * BlockedFormulas#expectedOverflowedCounters}. Meaningful for shapes of counters only.
   *
   * <p>Fewer counters are non-zero than in a flat filter, so fewer overflow. The probability that a
   * given counter overflows, with the elements that {@link #ofCounters} planned for at 1 %: added
   * once each, 1.0·10<sup>-21</sup>; twice, 3.2·10<sup>-9</sup>; four times, 0.042 %; eight times,
   * 4.6 %; sixteen times, every non-zero counter overflows. With four times the planned elements,
   * added once each: 1.7·10<sup>-12</sup>.
   *
   * @param elements n, the number of distinct elements, at least 0
   * @param copies how often each is added, at least 1
   */
  public double expectedOverflowedCounters(long elements, long copies) {
    return BlockedFormulas.expectedOverflowedCounters(
        elements, blocks, positionsPerBlock, hashes, copies);
  }
}
