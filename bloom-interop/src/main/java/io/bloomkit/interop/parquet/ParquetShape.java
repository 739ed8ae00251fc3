package io.bloomkit.interop.parquet;

import io.bloomkit.BlockedFormulas;
import io.bloomkit.BloomFormulas;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.internal.Arguments;

/**
 * The size of a {@link ParquetBloomFilter}: the number of blocks of 256 bits. A block has eight
 * words of 32 bits. An element sets one bit in each word of one block.
 *
 * <p>The format allows any number of blocks. Up to 128 MiB, Parquet's Java library reads filters
 * with any number of blocks, and writes filters whose number of blocks is a power of two. It
 * neither reads nor writes larger filters. Other readers may require a power of two; see {@link
 * #roundedUpToPowerOfTwo}.
 *
 * @param blocks z, the number of blocks, from 1 to {@link #MAX_BLOCKS}
 */
public record ParquetShape(int blocks) {

  /** The number of bytes of a block, 32. */
  public static final int BYTES_PER_BLOCK = 32;

  /** The number of bits that an element sets, 8: one in each word of a block. */
  public static final int HASHES = 8;

  /**
   * The largest number of blocks, 67,108,863. The header stores the number of bytes as a signed
   * 32-bit integer.
   */
  public static final int MAX_BLOCKS = Integer.MAX_VALUE / BYTES_PER_BLOCK;

  static final int WORD_BITS = 32;
  static final int BITS_PER_BLOCK = HASHES * WORD_BITS;

  /** The number of blocks per cache line of 64 bytes. */
  static final int BLOCKS_PER_LINE = 64 / BYTES_PER_BLOCK;

  /**
   * Creates a shape.
   *
   * @throws IllegalArgumentException if there are fewer than 1 or more than {@link #MAX_BLOCKS}
   *     blocks
   */
  public ParquetShape {
    Arguments.checkRange(1, MAX_BLOCKS, blocks, "blocks");
  }

  /**
   * Returns the smallest shape whose {@link #fpp(long)} at the planned number of values is at most
   * the given probability.
   *
   * @param expectedDistinct n, the number of distinct values planned for, at least 1
   * @param fpp the false-positive probability at that number, in (0, 1)
   * @throws IllegalArgumentException if an argument is out of its range, or more than {@link
   *     #MAX_BLOCKS} blocks would be needed
   */
  public static ParquetShape of(long expectedDistinct, double fpp) {
    Arguments.checkFraction(fpp, "fpp");
    Arguments.checkAtLeast(1, expectedDistinct, "expectedDistinct");
    if (fpp(expectedDistinct, MAX_BLOCKS) > fpp) {
      throw new IllegalArgumentException(
          "expectedDistinct="
              + expectedDistinct
              + " and fpp="
              + fpp
              + " need more than "
              + MAX_BLOCKS
              + " blocks, the most that the format has");
    }
    int tooFew = 0;
    int enough = MAX_BLOCKS;
    while (enough - tooFew > 1) {
      int middle = tooFew + (enough - tooFew) / 2;
      if (fpp(expectedDistinct, middle) <= fpp) {
        enough = middle;
      } else {
        tooFew = middle;
      }
    }
    return new ParquetShape(enough);
  }

  /**
   * Returns the shape of a bitset of a given length.
   *
   * @param bytes the length in bytes
   * @throws IllegalArgumentException if the length is not a positive multiple of {@link
   *     #BYTES_PER_BLOCK}
   */
  public static ParquetShape ofBytes(int bytes) {
    if (bytes < BYTES_PER_BLOCK || bytes % BYTES_PER_BLOCK != 0) {
      throw new IllegalArgumentException(
          "bytes must be a positive multiple of " + BYTES_PER_BLOCK + ", got " + bytes);
    }
    return new ParquetShape(bytes / BYTES_PER_BLOCK);
  }

  /**
   * Returns this shape with its number of blocks rounded up to a power of two.
   *
   * @throws IllegalArgumentException if the result would have more than {@link #MAX_BLOCKS} blocks
   */
  public ParquetShape roundedUpToPowerOfTwo() {
    return new ParquetShape((int) BloomFormulas.roundUpToPowerOfTwo(blocks));
  }

  /** Returns the number of bytes of the bitset. */
  public int bytes() {
    return blocks * BYTES_PER_BLOCK;
  }

  /** Returns the number of bits. */
  public long positions() {
    return (long) blocks * BITS_PER_BLOCK;
  }

  /**
   * Returns the expected false-positive probability after n distinct values have been added:
   * Σ<sub>j</sub> Binomial(n, 1/z)(j) · (1 − (31/32)<sup>j</sup>)<sup>8</sup>.
   *
   * <p>Here z is the number of blocks, and Binomial(n, 1/z)(j) is the probability that j of the n
   * values are in a given block. The formula is exact if the eight bits of a value are chosen
   * independently. Parquet derives all eight from 32 bits of the hash, so the actual rate differs
   * slightly. In particular, values of the same block that agree in these 32 bits raise the rate by
   * about n/z · 2<sup>-32</sup>.
   *
   * @param elements n, the number of distinct values, at least 0
   * @throws IllegalArgumentException if n is negative
   */
  public double fpp(long elements) {
    return fpp(elements, blocks);
  }

  /**
   * Returns the layout of a filter of this shape: its memory, false-positive rate and cache lines
   * per operation.
   */
  public FilterLayout layout() {
    return new ParquetLayout(this);
  }

  private static double fpp(long elements, int blocks) {
    return BlockedFormulas.meanOverBlocks(elements, blocks, ParquetShape::fppAtLoad);
  }

  /** Returns (1 − (31/32)^j)^8, accurately even for small results. */
  private static double fppAtLoad(long load) {
    double minusHit = StrictMath.expm1(load * StrictMath.log1p(-1.0 / WORD_BITS));
    double square = minusHit * minusHit;
    double fourth = square * square;
    return fourth * fourth;
  }

  /**
   * Returns the number of distinct values after which the mean number of set bits is the given one.
   */
  double estimatedElements(long setPositions) {
    return StrictMath.log1p(-(double) setPositions / positions())
        / StrictMath.log1p(-1.0 / WORD_BITS / blocks);
  }
}
