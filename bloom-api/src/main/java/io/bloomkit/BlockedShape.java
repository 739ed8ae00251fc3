package io.bloomkit;

import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.BlockedIndexDerivation;
import java.util.Objects;

/**
 * The size of a blocked filter: the number of blocks, the number of positions (bits or counters)
 * per block, and the number of positions that an element takes.
 *
 * <p>A block has eight words of 64 bits, which fill a 64-byte cache line: {@link #BITS_PER_BLOCK}
 * bits or {@link #COUNTERS_PER_BLOCK} 4-bit counters. A filter of counters can be converted to a
 * filter of bits. A block then keeps its 128 positions, with one bit each, and takes only a quarter
 * of a cache line. An operation touches one block. An element takes k distinct positions: k/2 in
 * each of two different words of its block. An insertion sets these positions, and a query tests
 * them. {@link BlockedFormulas} describes how the words and the positions are chosen.
 *
 * <p>In a flat filter ({@link FlatShape}), the positions of an element may lie anywhere. A blocked
 * filter has a higher false-positive rate than a flat filter of the same size, so a blocked filter
 * must be larger for the same rate. The difference in size grows as the rate falls. Below 0.1 %, a
 * flat filter is usually the better choice:
 *
 * <table>
 * <caption>Size in positions per element (and k in parentheses) for ten million elements</caption>
 * <tr><th>rate</th><th>3 %</th><th>1 %</th><th>0.1 %</th><th>0.01 %</th></tr>
 * <tr><th>flat, {@link Shape#of}</th>
 * <td>7.30 (5)</td><td>9.59 (7)</td><td>14.38 (10)</td><td>19.17 (13)</td></tr>
 * <tr><td>blocked bits, {@link #ofBits}</td>
 * <td>7.56 (4)</td><td>10.11 (6)</td><td>16.48 (8)</td><td>24.75 (10)</td></tr>
 * <tr><td>blocked counters, {@link #ofCounters}</td>
 * <td>8.00 (4)</td><td>11.80 (4)</td><td>22.85 (6)</td><td>44.14 (8)</td></tr>
 * </table>
 *
 * @param blocks b, the number of blocks: even, from 2 to the lesser of {@link #MAX_BLOCKS} and
 *     {@link Shape#MAX_POSITIONS} / {@code positionsPerBlock}
 * @param positionsPerBlock B, {@link #BITS_PER_BLOCK} or {@link #COUNTERS_PER_BLOCK}
 * @param hashes k, the number of positions that an element takes: even, from 2 to {@link
 *     #MAX_HASHES}
 */
public record BlockedShape(long blocks, int positionsPerBlock, int hashes) implements Shape {

  /** The number of words of a block, 8. */
  public static final int WORDS_PER_BLOCK = BlockedIndexDerivation.WORDS_PER_BLOCK;

  /** The number of positions of a block of bits, 512. */
  public static final int BITS_PER_BLOCK = WORDS_PER_BLOCK * Long.SIZE;

  /** The number of positions of a block of 4-bit counters, 128. */
  public static final int COUNTERS_PER_BLOCK = BITS_PER_BLOCK / 4;

  /** The largest number of blocks, 2<sup>29</sup>. */
  public static final long MAX_BLOCKS = (1L << 32) / WORDS_PER_BLOCK;

  /** The largest number of hashes k, 16: eight positions in each of two words. */
  public static final int MAX_HASHES = 16;

  /**
   * Creates a shape.
   *
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public BlockedShape {
    BlockedFormulas.checkPositionsPerBlock(positionsPerBlock);
    BlockedFormulas.checkBlocks(blocks, positionsPerBlock);
    if (blocks % 2 != 0) {
      throw new IllegalArgumentException("blocks must be even, got " + blocks);
    }
    BlockedFormulas.checkHashes(hashes);
  }

  /**
   * Returns the shape of a filter of bits for a number of elements and a false-positive
   * probability.
   *
   * <p>A shape suffices if its rate is at most 1.01 times {@code fpp}. The method considers all
   * shapes that suffice and are at most 1 % larger than the smallest shape that suffices. It
   * returns one with the fewest hashes. The computation takes milliseconds. It is guaranteed that
   * {@code BlockedShape.ofBits(n, fpp).fpp(n) <= 1.01 * fpp}; the formula is up to 2 % low, see
   * {@link BlockedFormulas#splitBlockedFpp}.
   *
   * <p>For rates below 10<sup>-5</sup> a blocked filter becomes very large. At 10<sup>-6</sup>,
   * 10<sup>-7</sup> and 10<sup>-8</sup> it takes 52, 78 and 129 bits per element; a flat filter of
   * {@link Shape#of} takes 29, 34 and 38 bits per element.
   *
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @param fpp the false-positive probability, in (0, 1)
   * @throws IllegalArgumentException if an argument is out of its range, if more than {@link
   *     Shape#MAX_POSITIONS} positions or {@link #MAX_BLOCKS} blocks would be needed, or if {@code
   *     fpp} is below {@link BloomFormulas#hashFloor} of n
   */
  public static BlockedShape ofBits(long expectedInsertions, double fpp) {
    return of(expectedInsertions, fpp, BITS_PER_BLOCK);
  }

  /**
   * Returns the shape of a filter of counters for a number of elements and a false-positive
   * probability, by the rule of {@link #ofBits}. A block of counters has only a quarter of the
   * positions of a block of bits, so the filter needs more positions per element. At
   * 10<sup>-5</sup>, 10<sup>-6</sup> and 10<sup>-7</sup> the shape has 86, 184 and 451 counters per
   * element; a flat shape by {@link Shape#of} has 24, 29 and 34 counters per element.
   *
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @param fpp the false-positive probability, in (0, 1)
   * @throws IllegalArgumentException as for {@link #ofBits}
   */
  public static BlockedShape ofCounters(long expectedInsertions, double fpp) {
    return of(expectedInsertions, fpp, COUNTERS_PER_BLOCK);
  }

  private static BlockedShape of(long expectedInsertions, double fpp, int positionsPerBlock) {
    Arguments.checkAtLeast(1, expectedInsertions, "expectedInsertions");
    // A flat filter is never larger, and its message states the number of positions.
    FormulaArguments.checkPositions(
        BloomFormulas.optimalPositions(expectedInsertions, fpp), expectedInsertions);
    FormulaArguments.checkAboveHashFloor(expectedInsertions, fpp);
    double maxFpp = FilterPlan.TOLERANCE * fpp;
    long best = Long.MAX_VALUE;
    long[] pairs = new long[MAX_HASHES + 1];
    for (int hashes = 2; hashes <= MAX_HASHES; hashes += 2) {
      // A larger number of hashes must save at least one pair of blocks.
      long limit = Math.min(BlockedFormulas.maxBlocks(positionsPerBlock) / 2, best - 1);
      pairs[hashes] = minPairs(expectedInsertions, maxFpp, limit, positionsPerBlock, hashes);
      best = Math.min(best, pairs[hashes]);
    }
    if (best == Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "expectedInsertions = "
              + expectedInsertions
              + " at fpp = "
              + fpp
              + " would need a number of positions above the largest number, "
              + BlockedFormulas.maxBlocks(positionsPerBlock) * positionsPerBlock
              + ": expect fewer elements or allow more errors");
    }
    int hashes = 2;
    while (pairs[hashes] - best > best / 100) {
      hashes += 2;
    }
    return new BlockedShape(2 * pairs[hashes], positionsPerBlock, hashes);
  }

  /**
   * Returns the smallest number of pairs of blocks whose rate is at most {@code maxFpp}, or {@link
   * Long#MAX_VALUE} if it exceeds the limit. The rate is roughly a power of the number of blocks,
   * so the search alternates between interpolation on logarithmic scales and bisection.
   */
  private static long minPairs(
      long elements, double maxFpp, long limit, int positionsPerBlock, int hashes) {
    if (limit < 1) {
      return Long.MAX_VALUE;
    }
    double fppOfSufficient = fppOf(elements, limit, positionsPerBlock, hashes);
    if (fppOfSufficient > maxFpp) {
      return Long.MAX_VALUE;
    }
    long insufficient = 0;
    long sufficient = limit;
    double fppOfInsufficient = 1;
    // No blocked filter is smaller than the best flat one.
    double attainable = Math.min(maxFpp, Math.nextDown(1.0));
    double middle =
        (double) BloomFormulas.optimalPositions(elements, attainable) / positionsPerBlock;
    for (int step = 0; sufficient - insufficient > 1; step++) {
      long pairs = Math.max(insufficient + 1, Math.min(sufficient - 1, Math.round(middle)));
      double fpp = fppOf(elements, pairs, positionsPerBlock, hashes);
      if (fpp <= maxFpp) {
        sufficient = pairs;
        fppOfSufficient = fpp;
      } else {
        insufficient = pairs;
        fppOfInsufficient = fpp;
      }
      double share =
          step % 2 == 0
              ? Math.log(fppOfInsufficient / maxFpp) / Math.log(fppOfInsufficient / fppOfSufficient)
              : 0.5;
      middle =
          Math.pow(Math.max((double) insufficient, 0.5), 1 - share)
              * Math.pow((double) sufficient, share);
    }
    return sufficient;
  }

  private static double fppOf(long elements, long pairs, int positionsPerBlock, int hashes) {
    return BlockedFormulas.splitBlockedFpp(elements, 2 * pairs, positionsPerBlock, hashes);
  }

  /** {@inheritDoc} The positions are distinct, and in the order of {@link #positionOf}. */
  @Override
  public void positionsOf(long hash, long[] into) {
    Objects.requireNonNull(into, "into");
    for (int i = 0; i < hashes; i++) {
      into[i] = positionOf(hash, i);
    }
  }

  /**
   * {@inheritDoc} The positions with an index below k/2 lie in one word of the block, and the
   * others lie in another word. In each word, the positions ascend with the index. Block i has the
   * positions from i · B to (i + 1) · B − 1.
   */
  @Override
  public long positionOf(long hash, int index) {
    Objects.checkIndex(index, hashes);
    long wordCount = blocks * WORDS_PER_BLOCK;
    int half = hashes / 2;
    long offset = BlockedIndexDerivation.offset(hash, wordCount);
    boolean inFirst = index < half;
    if (!inFirst) {
      offset ^= BlockedIndexDerivation.distance(hash);
    }
    long word = BlockedIndexDerivation.wordIndex(offset, wordCount);
    int maskTable = BlockedIndexDerivation.maskTable(half);
    long mask =
        positionsPerBlock == BITS_PER_BLOCK
            ? maskOf64(hash, maskTable, inFirst)
            : maskOf16(hash, maskTable, inFirst);
    for (int before = index % half; before > 0; before--) {
      mask &= mask - 1;
    }
    return word * positionsPerWord() + Long.numberOfTrailingZeros(mask);
  }

  private static long maskOf64(long hash, int maskTable, boolean inFirst) {
    return inFirst
        ? BlockedIndexDerivation.firstMask(hash, maskTable)
        : BlockedIndexDerivation.secondMask(hash, maskTable);
  }

  private static long maskOf16(long hash, int maskTable, boolean inFirst) {
    return inFirst
        ? BlockedIndexDerivation.firstMask16(hash, maskTable, 0)
        : BlockedIndexDerivation.secondMask16(hash, maskTable, 0);
  }

  /** Returns m, the number of positions: {@code blocks * positionsPerBlock}. */
  @Override
  public long positions() {
    return blocks * positionsPerBlock;
  }

  /** Returns the number of positions of a word: 64 bits or 16 counters. */
  public int positionsPerWord() {
    return positionsPerBlock / WORDS_PER_BLOCK;
  }

  /**
   * {@inheritDoc} The value is {@link BlockedFormulas#splitBlockedFpp}.
   *
   * @throws IllegalArgumentException {@inheritDoc}
   */
  @Override
  public double fpp(long elements) {
    return BlockedFormulas.splitBlockedFpp(elements, blocks, positionsPerBlock, hashes);
  }

  /** {@inheritDoc} The value is {@link BlockedFormulas#estimatedElements}. */
  @Override
  public double estimatedElements(long setPositions) {
    return BlockedFormulas.estimatedElements(setPositions, blocks, positionsPerBlock, hashes);
  }

  /**
   * {@inheritDoc} The value is {@link BlockedFormulas#expectedOverflowedCounters}. It is meaningful
   * for shapes of counters only.
   *
   * <p>Example: take a shape that {@link #ofCounters} returns for a rate of 1 %. The result divided
   * by {@link #positions} is the probability that a given counter overflows. With the planned
   * elements, this probability is 1.1·10<sup>-21</sup> if each element was added once,
   * 3.2·10<sup>-9</sup> if twice, 0.042 % if four times, and 4.6 % if eight times. If each element
   * was added sixteen times, every non-zero counter overflows. With four times the planned
   * elements, each added once, the probability is 1.7·10<sup>-12</sup>. These probabilities are
   * lower than in a flat filter ({@link FlatShape#expectedOverflowedCounters}).
   */
  @Override
  public double expectedOverflowedCounters(long elements, long copies) {
    return BlockedFormulas.expectedOverflowedCounters(
        elements, blocks, positionsPerBlock, hashes, copies);
  }
}
