package io.bloomkit.internal;

/**
 * Tables of masks: an element of a blocked filter takes one, rotated, in each of its two words. For
 * words of 64 positions and of 16, and for each number of positions from 1 to 8, a table has 256
 * masks.
 *
 * <p>A table comes from eight base masks. Mask e is base mask e mod 8 with each of its positions
 * multiplied by the odd number 2⌊e/8⌋ + 1, modulo the positions of a word. An odd factor permutes
 * the distances of positions that the same power of two divides, so eight masks whose distances are
 * spread well make 256 that are. They were found by a search for the lowest false-positive
 * probability; more masks would hardly lower it (docs/lab/performance.md). Filter files depend on
 * the masks: they are never changed.
 */
public final class BlockMasks {

  /** The number of masks of a table, a power of two. */
  public static final int MASKS = 1 << 8;

  /** The most positions of a mask. */
  public static final int MAX_POSITIONS = 8;

  private static final int BASES = 8;

  /** By positions of a mask less one: base masks of words of 64 positions. */
  private static final long[][] BASES_OF_64 = {
    {1, 1, 1, 1, 1, 1, 1, 1},
    {0x201L, 0x5L, 0x100000000000001L, 0x100000000001L, 0x8000001L, 0x800001L, 0x4001L, 0x9L},
    {
      0x800009L, 0x400000040000001L, 0x801000000000001L, 0x2000000800001L,
      0x80000000000009L, 0x4000000000009L, 0x1040001L, 0x100080000000001L
    },
    {
      0x4800000000010001L, 0x8008000801L, 0x12000004001L, 0x8000100000041L,
      0xa00000200000001L, 0x8809L, 0x2000000209L, 0x4000040000000081L
    },
    {
      0x8001205L, 0x202201000001L, 0x42804000000001L, 0x1080800000080001L,
      0x100020400000401L, 0xc0000400041L, 0x2000000200800009L, 0x400080300000001L
    },
    {
      0x9002000051L, 0x2008200000400005L, 0x10020000028201L, 0x8000008803001L,
      0x100020008800009L, 0x1040140200000001L, 0x11020004000021L, 0x4008080010401L
    },
    {
      0x206000004221L, 0x14000008410081L, 0x402008300005L, 0x20020000020807L,
      0x10800408080011L, 0x4820004001010001L, 0x1200000042080081L, 0x2000450018000001L
    },
    {
      0x1200440210201L, 0x20850a000000009L, 0x8000001021080281L, 0x810001101400021L,
      0x1000041280002401L, 0x168200220000001L, 0x110000404800a001L, 0x28200000020825L
    },
  };

  /** By positions of a mask less one: base masks of words of 16 positions. */
  private static final long[][] BASES_OF_16 = {
    {1, 1, 1, 1, 1, 1, 1, 1},
    {0x5, 0x801, 0x9, 0x101, 0x81, 0x4001, 0x9, 0x11},
    {0x8101, 0x8003, 0x8041, 0x211, 0x241, 0x1021, 0x405, 0x4011},
    {0x1007, 0x119, 0x8b, 0x2811, 0x125, 0x4043, 0x7001, 0x9041},
    {0x2605, 0xe5, 0xa23, 0x42c1, 0x48d, 0xd009, 0xa809, 0x5205},
    {0xe241, 0xd211, 0x114d, 0xb203, 0x90b1, 0xcb1, 0x20e9, 0x1d3},
    {0x628b, 0x415b, 0x7063, 0x573, 0x7819, 0xa40f, 0x64a3, 0x4cf},
    {0x30f3, 0x744b, 0x8e87, 0x88ed, 0xbc51, 0xd703, 0x64e9, 0x51cd},
  };

  private BlockMasks() {}

  /**
   * Returns a mask.
   *
   * @param positionsOfWord P, 64 or 16
   * @param positions how many positions the mask has, from 1 to {@link #MAX_POSITIONS}
   * @param index from 0 to {@link #MASKS} − 1
   * @return a word with a bit set for each of them, of the P lowest
   */
  public static long mask(int positionsOfWord, int positions, int index) {
    long[][] bases = positionsOfWord == Long.SIZE ? BASES_OF_64 : BASES_OF_16;
    int factor = 2 * (index / BASES) + 1;
    long mask = 0;
    for (long left = bases[positions - 1][index % BASES]; left != 0; left &= left - 1) {
      mask |= 1L << ((Long.numberOfTrailingZeros(left) * factor) & (positionsOfWord - 1));
    }
    return mask;
  }

  /** Returns all masks, those of r positions from {@code MASKS * (r - 1)} on, of 64 each. */
  static long[] ofBits() {
    long[] masks = new long[MAX_POSITIONS * MASKS];
    for (int i = 0; i < masks.length; i++) {
      masks[i] = mask(Long.SIZE, i / MASKS + 1, i % MASKS);
    }
    return masks;
  }

  /** Returns what {@link #ofBits} does for words of 16, each the lowest 16 bits. */
  static long[] ofQuarters() {
    long[] masks = new long[MAX_POSITIONS * MASKS];
    for (int i = 0; i < masks.length; i++) {
      masks[i] = mask(Long.SIZE / 4, i / MASKS + 1, i % MASKS);
    }
    return masks;
  }
}
