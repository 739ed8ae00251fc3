package io.bloomkit.testkit.hash;

import io.bloomkit.BlockedShape;
import io.bloomkit.Shape;
import io.bloomkit.testkit.stat.ChiSquares;
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
  private static final Shape PAIR = new Shape(16, PROBES);

  private static final Shape TRIPLE = new Shape(8, PROBES);

  /** Numbers of blocks. */
  private static final int[] BLOCKS = {32, 125, 509};

  /** How many places in each of its two words are looked at. */
  private static final int PLACES = 4;

  /** Two different words of a block, in order. */
  private static final int PAIRS_OF_WORDS =
      BlockedShape.WORDS_PER_BLOCK * (BlockedShape.WORDS_PER_BLOCK - 1);

  private PositionQuestions() {}

  static ChiSquares positions(long[] hashes) {
    ChiSquares tests = new ChiSquares();
    for (int positions : POSITIONS) {
      Shape shape = new Shape(positions, PROBES);
      for (int probe = 0; probe < PROBES; probe++) {
        int index = probe;
        add(
            tests,
            "position " + (probe + 1) + " of " + positions,
            hashes,
            positions,
            hash -> (int) shape.positionOf(hash, index));
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
      BlockedShape shape = shapeOf(blocks);
      int words = blocks * BlockedShape.WORDS_PER_BLOCK;
      add(
          tests,
          "first word of " + blocks + " blocks",
          hashes,
          words,
          hash -> word(shape, hash, 0));
      add(
          tests,
          "second word of " + blocks + " blocks",
          hashes,
          words,
          hash -> word(shape, hash, PLACES));
    }
    BlockedShape shape = shapeOf(64);
    add(
        tests,
        "pair of words in the block",
        hashes,
        PAIRS_OF_WORDS,
        hash -> {
          int first = word(shape, hash, 0);
          int distance = first ^ word(shape, hash, PLACES);
          return first % BlockedShape.WORDS_PER_BLOCK * (BlockedShape.WORDS_PER_BLOCK - 1)
              + distance
              - 1;
        });
    for (int i = 0; i < PLACES; i++) {
      int index = i;
      add(
          tests,
          "place " + (i + 1) + " in the first word",
          hashes,
          Long.SIZE,
          hash -> place(shape, hash, index));
      add(
          tests,
          "place " + (i + 1) + " in the second word",
          hashes,
          Long.SIZE,
          hash -> place(shape, hash, PLACES + index));
    }
    add(
        tests,
        "first places in both words",
        hashes,
        Long.SIZE * Long.SIZE,
        hash -> place(shape, hash, 0) * Long.SIZE + place(shape, hash, PLACES));
    return tests;
  }

  private static BlockedShape shapeOf(int blocks) {
    return new BlockedShape(blocks, BlockedShape.BITS_PER_BLOCK, 2 * PLACES);
  }

  private static int word(BlockedShape shape, long hash, int index) {
    return (int) (shape.positionOf(hash, index) / Long.SIZE);
  }

  private static int place(BlockedShape shape, long hash, int index) {
    return (int) (shape.positionOf(hash, index) % Long.SIZE);
  }

  static ChiSquares independence(long[] hashes) {
    ChiSquares tests = new ChiSquares();
    addPairs(tests, hashes);
    addTriples(tests, hashes);
    return tests;
  }

  private static void addPairs(ChiSquares tests, long[] hashes) {
    int base = (int) PAIR.positions();
    int cells = base * base;
    if (!ChiSquares.suits(cells, hashes.length)) {
      return;
    }
    byte[][] digits = digits(PAIR, hashes);
    for (int a = 0; a < PROBES; a++) {
      for (int b = a + 1; b < PROBES; b++) {
        int[] counts = new int[cells];
        for (int i = 0; i < hashes.length; i++) {
          counts[digits[a][i] * base + digits[b][i]]++;
        }
        tests.add("positions " + (a + 1) + " and " + (b + 1), counts, hashes.length);
      }
    }
  }

  private static void addTriples(ChiSquares tests, long[] hashes) {
    int base = (int) TRIPLE.positions();
    int cells = base * base * base;
    if (!ChiSquares.suits(cells, hashes.length)) {
      return;
    }
    byte[][] digits = digits(TRIPLE, hashes);
    for (int a = 0; a < PROBES; a++) {
      for (int b = a + 1; b < PROBES; b++) {
        for (int c = b + 1; c < PROBES; c++) {
          int[] counts = new int[cells];
          for (int i = 0; i < hashes.length; i++) {
            counts[(digits[a][i] * base + digits[b][i]) * base + digits[c][i]]++;
          }
          tests.add(
              "positions " + (a + 1) + ", " + (b + 1) + " and " + (c + 1), counts, hashes.length);
        }
      }
    }
  }

  /** The positions of all hashes, derived once for all pairs or triples: one array a probe. */
  private static byte[][] digits(Shape shape, long[] hashes) {
    byte[][] digits = new byte[PROBES][hashes.length];
    for (int probe = 0; probe < PROBES; probe++) {
      byte[] digitsOfProbe = digits[probe];
      for (int i = 0; i < hashes.length; i++) {
        digitsOfProbe[i] = (byte) shape.positionOf(hashes[i], probe);
      }
    }
    return digits;
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
