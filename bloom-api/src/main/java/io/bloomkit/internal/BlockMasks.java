package io.bloomkit.internal;

/**
 * Tables of masks. In each of its two words, an element of a blocked filter takes the positions of
 * one rotated mask. There are 16 tables of 256 masks: one for each number of positions per mask
 * from 1 to 8, both for words of 64 positions and for words of 16.
 *
 * <p>Each table is computed from eight base masks. Mask e is base mask e mod 8 with each position
 * multiplied by the odd number 2⌊e/8⌋ + 1, modulo the number of positions of a word. An odd factor
 * permutes those distances between positions that are divisible by the same power of two. So if the
 * distances within the eight base masks are well spread, those within all 256 masks are, too. The
 * base masks were found by a search for the lowest false-positive probability; more masks would
 * hardly lower it (bloom-bench/laboratory.md). Filter files depend on the masks, so they never
 * change.
 *
 * <p>Masks e and e XOR 1 are partners: an element may take one in its first word and the other in
 * its second. Their base masks were chosen for the case that both masks are rotated by the same
 * number of positions: two elements that share a position in one word are then hardly more likely
 * to share one in the other.
 */
public final class BlockMasks {

  /** The number of masks of a table, a power of two. */
  public static final int MASKS = 1 << 8;

  /** The largest number of positions of a mask. */
  public static final int MAX_POSITIONS = 8;

  private static final int BASES = 8;

  /**
   * The base masks for words of 64 positions, at the index of the number of positions of a mask
   * minus 1.
   */
  private static final long[][] BASES_OF_64 = {
    {
      0x80000000000L,
      0x80000000000000L,
      0x2L,
      0x100000000000L,
      0x40L,
      0x200L,
      0x80000000000000L,
      0x40000000000000L
    },
    {
      0x10080000000000L,
      0x280000000000000L,
      0x200000000000002L,
      0x100001000000L,
      0x200000040L,
      0x100000200L,
      0x80000000000020L,
      0x240000000000000L
    },
    {
      0x480000000004L,
      0x82000000200000L,
      0x1002000000000002L,
      0x100020000008L,
      0x2000000000000240L,
      0x800000000001200L,
      0x80000000008200L,
      0x40400200000000L
    },
    {
      0x8000a4000000000L,
      0x80000040040004L,
      0x24000008002L,
      0x4100080001000L,
      0x8000008000000042L,
      0x1101200L,
      0x480000010000001L,
      0x2050000100000000L
    },
    {
      0x90280000000040L,
      0x80001011008000L,
      0x85008000000002L,
      0x8000110808000000L,
      0x4000810000010040L,
      0x18000080008200L,
      0x490000001004000L,
      0x41000200c00000L
    },
    {
      0x2880000048010L,
      0x290041000002000L,
      0x20040000050402L,
      0x300100080000088L,
      0x4000800220000240L,
      0x8028040000000220L,
      0x1080088100020000L,
      0x40010020200041L
    },
    {
      0x211080001030000L,
      0x40800a0000042080L,
      0x80401060000aL,
      0x2080700200200000L,
      0x420010202000440L,
      0x4000800202000290L,
      0x4089000000210400L,
      0x48001140060000L
    },
    {
      0x810080009002201L,
      0x481042850000000L,
      0x2042100503L,
      0x2108100011014L,
      0x104a000090044L,
      0xd040044000000202L,
      0x88800020240050L,
      0x9400a0800000082L
    },
  };

  /**
   * The base masks for words of 16 positions, at the index of the number of positions of a mask
   * minus 1.
   */
  private static final long[][] BASES_OF_16 = {
    {0x800, 0x80, 0x2, 0x1000, 0x40, 0x200, 0x80, 0x40},
    {0x2800, 0x84, 0x12, 0x1010, 0x2040, 0x280, 0x480, 0x440},
    {0xc08, 0x1c0, 0x83, 0x1021, 0x9040, 0x4220, 0x282, 0x450},
    {0x3880, 0x8c80, 0x116, 0x1281, 0x4940, 0x8680, 0xb8, 0x1064},
    {0x2930, 0x7280, 0x1446, 0x142c, 0x2341, 0x13a0, 0x4d4, 0x8154},
    {0xf12, 0x8e9, 0x229a, 0x3b20, 0x2c64, 0x6219, 0x7490, 0x74c0},
    {0x5b14, 0xada0, 0xe0c6, 0x3057, 0x65e, 0x1f48, 0x51b2, 0x33c1},
    {0x9987, 0x25ba, 0x1d0f, 0xd88e, 0x146f, 0x7ae, 0x74b2, 0x7354},
  };

  private BlockMasks() {}

  /**
   * Returns a mask.
   *
   * @param positionsOfWord P, 64 or 16
   * @param positions the number of positions of the mask, from 1 to {@link #MAX_POSITIONS}
   * @param index from 0 to {@link #MASKS} − 1
   * @return a word in which bit i is set if the mask has position i, from 0 to P − 1
   */
  public static long mask(int positionsOfWord, int positions, int index) {
    long[][] bases = positionsOfWord == Long.SIZE ? BASES_OF_64 : BASES_OF_16;
    int factor = 2 * (index / BASES) + 1;
    long mask = 0;
    for (long remaining = bases[positions - 1][index % BASES];
        remaining != 0;
        remaining &= remaining - 1) {
      mask |= 1L << ((Long.numberOfTrailingZeros(remaining) * factor) & (positionsOfWord - 1));
    }
    return mask;
  }

  /** Returns the index of the partner of a mask, given the index of the mask. */
  public static int partner(int index) {
    return index ^ 1;
  }
}
