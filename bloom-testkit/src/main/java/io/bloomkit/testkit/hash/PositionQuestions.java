package io.bloomkit.testkit.hash;

import io.bloomkit.testkit.stat.ChiSquares;
import io.bloomkit.BlockedShape;
import io.bloomkit.internal.BlockedIndexDerivation;
import io.bloomkit.internal.IndexDerivation;
import java.util.function.LongToIntFunction;

/** Whether the places that filters derive from hashes are uniform and independent. */
final class PositionQuestions {

  /** How many positions of an element are looked at. */
  private static final int PROBES = 8;

  /** Numbers of positions: a power of two, a round one, a prime. */
  private static final int[] POSITIONS = {256, 1000, 4093};

  /** Numbers of bits of a mask. */
  private static final int[] MASK_BITS = {4, 8, 12};

  /** Into how many ranges positions are sorted, for pairs and for triples. */
  private static final int RANGES_OF_PAIR = 16;

  private static final int RANGES_OF_TRIPLE = 8;

  /** Numbers of blocks. */
  private static final int[] BLOCKS = {32, 125, 509};

  private PositionQuestions() {}

  static ChiSquares positions(long[] hashes) {
    ChiSquares tests = new ChiSquares();
    for (int positions : POSITIONS) {
      for (int probe = 0; probe < PROBES; probe++) {
        long leap = IndexDerivation.leap(probe);
        add(
            tests,
            "position " + (probe + 1) + " of " + positions,
            hashes,
            positions,
            hash -> (int) IndexDerivation.position(IndexDerivation.start(hash) * leap, positions));
      }
    }
    for (int bits : MASK_BITS) {
      int cells = 1 << bits;
      for (int shift = 0; shift + bits <= Long.SIZE; shift += bits == 8 ? bits : Long.SIZE - bits) {
        int from = shift;
        add(
            tests,
            "bits " + from + " to " + (from + bits - 1),
            hashes,
            cells,
            hash -> (int) (hash >>> from) & (cells - 1));
      }
    }
    return tests;
  }

  static ChiSquares places(long[] hashes) {
    ChiSquares tests = new ChiSquares();
    for (int blocks : BLOCKS) {
      int words = blocks * BlockedShape.WORDS_PER_BLOCK;
      add(
          tests,
          "first word of " + blocks + " blocks",
          hashes,
          words,
          hash -> (int) BlockedIndexDerivation.firstWord(hash, words));
      add(
          tests,
          "second word of " + blocks + " blocks",
          hashes,
          words,
          hash -> (int) BlockedIndexDerivation.secondWord(hash, words));
    }
    int words = 64 * BlockedShape.WORDS_PER_BLOCK;
    int others = BlockedShape.WORDS_PER_BLOCK - 1;
    add(
        tests,
        "pair of words in the block",
        hashes,
        BlockedShape.WORDS_PER_BLOCK * others,
        hash -> {
          long first = BlockedIndexDerivation.firstWord(hash, words);
          long distance = first ^ BlockedIndexDerivation.secondWord(hash, words);
          return (int) (first % BlockedShape.WORDS_PER_BLOCK * others + distance - 1);
        });
    int windows = 4;
    for (int i = 0; i < windows; i++) {
      int shift = 6 * i;
      add(
          tests,
          "place " + (i + 1) + " in the first word",
          hashes,
          Long.SIZE,
          hash -> place(BlockedIndexDerivation.firstState(hash) << shift));
      add(
          tests,
          "place " + (i + 1) + " in the second word",
          hashes,
          Long.SIZE,
          hash -> place(BlockedIndexDerivation.secondState(hash) << shift));
    }
    add(
        tests,
        "first places in both words",
        hashes,
        Long.SIZE * Long.SIZE,
        hash ->
            place(BlockedIndexDerivation.firstState(hash)) * Long.SIZE
                + place(BlockedIndexDerivation.secondState(hash)));
    return tests;
  }

  private static int place(long state) {
    return Long.numberOfTrailingZeros(BlockedIndexDerivation.bits(state, 1));
  }

  static ChiSquares independence(long[] hashes) {
    ChiSquares tests = new ChiSquares();
    for (int a = 0; a < PROBES; a++) {
      for (int b = a + 1; b < PROBES; b++) {
        long first = IndexDerivation.leap(a);
        long second = IndexDerivation.leap(b);
        add(
            tests,
            "positions " + (a + 1) + " and " + (b + 1),
            hashes,
            RANGES_OF_PAIR * RANGES_OF_PAIR,
            hash ->
                range(hash, first, RANGES_OF_PAIR) * RANGES_OF_PAIR
                    + range(hash, second, RANGES_OF_PAIR));
        for (int c = b + 1; c < PROBES; c++) {
          long third = IndexDerivation.leap(c);
          add(
              tests,
              "positions " + (a + 1) + ", " + (b + 1) + " and " + (c + 1),
              hashes,
              RANGES_OF_TRIPLE * RANGES_OF_TRIPLE * RANGES_OF_TRIPLE,
              hash ->
                  (range(hash, first, RANGES_OF_TRIPLE) * RANGES_OF_TRIPLE
                              + range(hash, second, RANGES_OF_TRIPLE))
                          * RANGES_OF_TRIPLE
                      + range(hash, third, RANGES_OF_TRIPLE));
        }
      }
    }
    return tests;
  }

  private static int range(long hash, long leap, int ranges) {
    return (int) IndexDerivation.position(IndexDerivation.start(hash) * leap, ranges);
  }

  private static void add(
      ChiSquares tests, String name, long[] hashes, int cells, LongToIntFunction cell) {
    if (ChiSquares.suits(cells, hashes.length)) {
      tests.add(name, counts(hashes, cells, cell), hashes.length);
    }
  }

  static int[] counts(long[] hashes, int cells, LongToIntFunction cell) {
    int[] counts = new int[cells];
    for (long hash : hashes) {
      counts[cell.applyAsInt(hash)]++;
    }
    return counts;
  }
}
