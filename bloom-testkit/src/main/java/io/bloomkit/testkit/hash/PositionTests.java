package io.bloomkit.testkit.hash;

import io.bloomkit.BlockedShape;
import io.bloomkit.FlatShape;
import io.bloomkit.testkit.stat.ChiSquares;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.LongToIntFunction;

/** Tests whether the positions that filters derive from hashes are uniform and independent. */
final class PositionTests {

  /** The number of positions of an element that are tested. */
  private static final int PROBES = 8;

  /** Sizes of flat filters in positions: a power of two, a round number and a prime. */
  private static final int[] POSITIONS = {256, 1000, 4093};

  /** The numbers of adjacent bits that are tested for all combinations. */
  private static final int[] MASK_BITS = {4, 8, 12};

  /** Shapes with 16 positions for pairs and with 8 for triples. */
  private static final FlatShape PAIR = new FlatShape(16, PROBES);

  private static final FlatShape TRIPLE = new FlatShape(8, PROBES);

  /** Sizes of blocked filters in blocks: a power of two, and twice a prime. */
  private static final int[] BLOCKS = {32, 122, 502};

  /** The number of ordered pairs of different words of a block. */
  private static final int PAIRS_OF_WORDS =
      BlockedShape.WORDS_PER_BLOCK * (BlockedShape.WORDS_PER_BLOCK - 1);

  /** The number of hashes with which an element has one position in each of its two words. */
  private static final int ONE_A_WORD = 2;

  private static final BlockedShape WORDS = shapeOf(64, ONE_A_WORD);

  /** A shape in which the two words of an element have independent masks and rotations. */
  private static final BlockedShape OWN_MASKS = shapeOf(64, 10);

  /** The bits of a hash that determine the rotations of both masks. */
  private static final long ROTATIONS = 0xfff;

  /** Rotated mask → 64 · number of the mask + rotation; all rotated masks differ. */
  private static final Map<Long, Integer> MASKS = masks();

  private PositionTests() {}

  static ChiSquares positions(long[] hashes) {
    ChiSquares tests = new ChiSquares();
    for (int positions : POSITIONS) {
      FlatShape shape = new FlatShape(positions, PROBES);
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
      BlockedShape shape = shapeOf(blocks, ONE_A_WORD);
      int wordCount = blocks * BlockedShape.WORDS_PER_BLOCK;
      add(
          tests,
          "first word of " + blocks + " blocks",
          hashes,
          wordCount,
          hash -> word(shape, hash, 0));
      add(
          tests,
          "second word of " + blocks + " blocks",
          hashes,
          wordCount,
          hash -> word(shape, hash, 1));
    }
    addPairsOfWords(tests, hashes);
    add(tests, "rotation in the first word", hashes, Long.SIZE, hash -> rotation(hash, 0));
    add(tests, "rotation in the second word", hashes, Long.SIZE, hash -> rotation(hash, 1));
    add(
        tests,
        "rotations in both words",
        hashes,
        Long.SIZE * Long.SIZE,
        hash -> rotation(hash, 0) * Long.SIZE + rotation(hash, 1));
    int masks = MASKS.size() / Long.SIZE;
    add(tests, "mask in the first word", hashes, masks, hash -> mask(hash, 0));
    add(tests, "mask in the second word", hashes, masks, hash -> mask(hash, 1));
    return tests;
  }

  private static void addPairsOfWords(ChiSquares tests, long[] hashes) {
    if (!ChiSquares.suits(PAIRS_OF_WORDS, hashes.length)) {
      return;
    }
    int distances = BlockedShape.WORDS_PER_BLOCK - 1;
    int[] counts =
        counts(
            hashes,
            PAIRS_OF_WORDS,
            hash -> {
              int first = word(WORDS, hash, 0);
              int distance = first ^ word(WORDS, hash, 1);
              return first % BlockedShape.WORDS_PER_BLOCK * distances + distance - 1;
            });
    double[] shares = new double[PAIRS_OF_WORDS];
    for (int pair = 0; pair < PAIRS_OF_WORDS; pair++) {
      // BlockedFormulas: a distance of 1 has the weight 10, every other distance has 9.
      double weight = pair % distances == 0 ? 10 : 9;
      shares[pair] = weight / 64 / BlockedShape.WORDS_PER_BLOCK;
    }
    tests.add("pair of words in the block", counts, shares, hashes.length);
  }

  private static BlockedShape shapeOf(int blocks, int hashes) {
    return new BlockedShape(blocks, BlockedShape.BITS_PER_BLOCK, hashes);
  }

  private static int word(BlockedShape shape, long hash, int index) {
    return (int) (shape.positionOf(hash, index) / Long.SIZE);
  }

  private static Map<Long, Integer> masks() {
    Map<Long, Integer> masks = new HashMap<>();
    // All 256 masks occur among this many hashes with a probability of 1 - 10^-25.
    new SplittableRandom(1)
        .longs(1 << 14)
        .map(hash -> positionsOfWord(hash & ~ROTATIONS, 0))
        .filter(positions -> !masks.containsKey(positions))
        .forEach(
            positions -> {
              int number = masks.size();
              for (int rotation = 0; rotation < Long.SIZE; rotation++) {
                masks.put(Long.rotateLeft(positions, rotation), number + rotation);
              }
            });
    return masks;
  }

  /** Returns the number of the mask that a hash chooses for one of its two words. */
  private static int mask(long hash, int word) {
    return Objects.requireNonNull(MASKS.get(positionsOfWord(hash, word))) / Long.SIZE;
  }

  /** Returns the rotation of that mask. */
  private static int rotation(long hash, int word) {
    return Objects.requireNonNull(MASKS.get(positionsOfWord(hash, word))) % Long.SIZE;
  }

  private static long positionsOfWord(long hash, int word) {
    int half = OWN_MASKS.hashes() / 2;
    long positions = 0;
    for (int i = 0; i < half; i++) {
      positions |= 1L << (OWN_MASKS.positionOf(hash, word * half + i) % Long.SIZE);
    }
    return positions;
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

  /** Returns the positions of all hashes, in one array per probe, for all pairs or triples. */
  private static byte[][] digits(FlatShape shape, long[] hashes) {
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
