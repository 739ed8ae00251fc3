package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.internal.BlockMasks;
import io.bloomkit.internal.BlockedIndexDerivation;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rate of a blocked filter whose words are known, against the sum over all pairs of words. */
class BlockedStateFppTest {

  private static final int WORDS = BlockedShape.WORDS_PER_BLOCK;

  @ParameterizedTest
  @CsvSource({"2, 512, 6", "4, 512, 2", "8, 128, 4", "2, 128, 16", "20, 512, 16"})
  void isTheWeightedMeanOverAllPairsOfWordsAndWhatRepeatedMasksAdd(
      int blocks, int positionsPerBlock, int hashes) {
    BlockedShape shape = new BlockedShape(blocks, positionsPerBlock, hashes);
    SplittableRandom random = new SplittableRandom(17);
    BlockedStateFpp state = new BlockedStateFpp(shape);
    int r = hashes / 2;
    int perWord = shape.positionsPerWord();
    double sum = 0;
    long all = 0;
    for (int block = 0; block < blocks; block++) {
      double[] shares = new double[WORDS];
      for (int i = 0; i < WORDS; i++) {
        int set = random.nextInt(perWord + 1);
        all += set;
        state.addWord(set);
        shares[i] = 1;
        for (int j = 0; j < r; j++) {
          shares[i] *= Math.max(0, set - j) / (perWord - (double) j);
        }
      }
      for (int i = 0; i < WORDS; i++) {
        for (int distance = 1; distance < WORDS; distance++) {
          double weight = BlockedIndexDerivation.weightOfDistance(distance) / 64.0;
          sum += weight * shares[i] * shares[i ^ distance] / WORDS;
        }
      }
    }
    long elements =
        Math.round(BlockedFormulas.estimatedElements(all, blocks, positionsPerBlock, hashes));
    double repetition =
        shape.fpp(elements)
            - SplitLayout.fpp(MaskMissProbabilities.ofRandomMasks(perWord, r), elements, blocks, r);
    assertEquals(sum / blocks + repetition, state.fpp(), 1e-12 * sum);
  }

  /** Filters of random hashes, with as many queries: see {@link SplitBlockedFppTest}. */
  @ParameterizedTest
  @CsvSource({"512, 6, 0.5", "512, 6, 1", "128, 4, 0.25", "128, 4, 1", "128, 6, 1.5"})
  void isTheRateOfAFilterAtAnyFill(int block, int k, double load) {
    BlockedShape shape = new BlockedShape(200, block, k);
    long elements = Math.round(load * shape.positions() / (block == 512 ? 10.1 : 11.8));
    SplittableRandom random = new SplittableRandom(19);
    double difference = 0;
    double squares = 0;
    double mean = 0;
    int filters = 60;
    for (int i = 0; i < filters; i++) {
      BitSet bits = new BitSet();
      for (long element = 0; element < elements; element++) {
        long hash = random.nextLong();
        for (int j = 0; j < k; j++) {
          bits.set((int) shape.positionOf(hash, j));
        }
      }
      double rate = rate(bits, shape, random);
      double d = rate - stateOf(bits, shape).fpp();
      difference += d;
      squares += d * d;
      mean += rate / filters;
    }
    double error =
        Math.sqrt((squares - difference * difference / filters) / (filters - 1) / filters);
    // Student's law with 59 degrees of freedom at α = 1e-8, and the 1 % that the class promises.
    assertEquals(0, difference / filters, 6.6 * error + 0.01 * mean);
    assertTrue(error < 0.03 * mean, "standard error " + error / mean);
  }

  /**
   * The error of single filters, against all masks in all places: 40 filters, so their root mean
   * square is within a third of that of all filters at α = 1e-3 (chi-square, 40 degrees of
   * freedom).
   */
  @Tag("deep")
  @ParameterizedTest
  @CsvSource({
    "196, 512, 14, 1000, 0.12",
    "92, 128, 4, 1000, 0.02",
    "20, 512, 6, 1000, 0.02",
  })
  void isTheRateOfEachFilterUpToItsPromise(
      int blocks, int positionsPerBlock, int hashes, int elements, double max) {
    BlockedShape shape = new BlockedShape(blocks, positionsPerBlock, hashes);
    SplittableRandom random = new SplittableRandom(1);
    double squares = 0;
    int filters = 40;
    for (int i = 0; i < filters; i++) {
      BitSet bits = filled(shape, elements, random);
      double error = stateOf(bits, shape).fpp() / rateOverAllMasks(bits, shape) - 1;
      squares += error * error;
    }
    double error = Math.sqrt(squares / filters);
    assertTrue(error < max, "relative error " + error);
  }

  /** Returns the bits of a filter with some random elements. */
  private static BitSet filled(BlockedShape shape, int elements, SplittableRandom random) {
    BitSet bits = new BitSet();
    for (int element = 0; element < elements; element++) {
      long hash = random.nextLong();
      for (int j = 0; j < shape.hashes(); j++) {
        bits.set((int) shape.positionOf(hash, j));
      }
    }
    return bits;
  }

  /** The largest deviations that {@code expectedFpp} of blocked filters allows. */
  @ParameterizedTest
  @CsvSource({"20, 0.3", "100, 0.12", "1000, 0.03", "10000, 0.02"})
  void theRateOfASmallFilterIsAsNearAsPromised(int elements, double promised) {
    SplittableRandom random = new SplittableRandom(1);
    for (double fpp : new double[] {0.01, 0.001, 1e-4}) {
      for (BlockedShape shape :
          List.of(BlockedShape.ofBits(elements, fpp), BlockedShape.ofCounters(elements, fpp))) {
        int filters = Math.max(1, 1000 / elements);
        for (int i = 0; i < filters; i++) {
          BitSet bits = filled(shape, elements, random);
          double error = rateOverAllMasks(bits, shape) / stateOf(bits, shape).fpp() - 1;
          assertTrue(Math.abs(error) < promised, shape + ": " + error);
        }
      }
    }
  }

  /** The rate over all hashes: of all pairs of words, with all masks in all rotations. */
  private static double rateOverAllMasks(BitSet bits, BlockedShape shape) {
    int perWord = shape.positionsPerWord();
    int positions = shape.hashes() / 2;
    double sum = 0;
    for (int block = 0; block < shape.blocks(); block++) {
      long[][] rotations = new long[WORDS][];
      for (int i = 0; i < WORDS; i++) {
        int from = (block * WORDS + i) * perWord;
        long[] word = bits.get(from, from + perWord).toLongArray();
        rotations[i] = rotationsInWord(word.length == 0 ? 0 : word[0], perWord, positions);
      }
      for (int i = 0; i < WORDS; i++) {
        for (int distance = 1; distance < WORDS; distance++) {
          double weight = BlockedIndexDerivation.weightOfDistance(distance) / 64.0;
          double both = rateOfPair(rotations[i], rotations[i ^ distance], perWord, positions);
          sum += weight * both / WORDS;
        }
      }
    }
    return sum / shape.blocks();
  }

  /** Returns one bit per rotation for each mask, set if all of its positions are set in a word. */
  private static long[] rotationsInWord(long word, int perWord, int positions) {
    long[] rotations = new long[BlockMasks.MASKS];
    for (int index = 0; index < BlockMasks.MASKS; index++) {
      long mask = BlockMasks.mask(perWord, positions, index);
      for (int rotation = 0; rotation < perWord; rotation++) {
        long rotated =
            perWord == Long.SIZE
                ? Long.rotateLeft(mask, rotation)
                : (mask << rotation | mask >>> (perWord - rotation)) & ((1L << perWord) - 1);
        rotations[index] |= (rotated & ~word) == 0 ? 1L << rotation : 0;
      }
    }
    return rotations;
  }

  private static double rateOfPair(long[] first, long[] second, int perWord, int positions) {
    double sum = 0;
    if (!BlockedIndexDerivation.arePartners(positions)) {
      return share(first, perWord) * share(second, perWord);
    }
    boolean alike = BlockedIndexDerivation.areRotatedAlike(perWord, positions);
    for (int index = 0; index < BlockMasks.MASKS; index++) {
      long partner = second[BlockMasks.partner(index)];
      sum +=
          alike
              ? Long.bitCount(first[index] & partner)
              : Long.bitCount(first[index]) * (double) Long.bitCount(partner) / perWord;
    }
    return sum / (BlockMasks.MASKS * perWord);
  }

  private static double share(long[] rotations, int perWord) {
    return Arrays.stream(rotations).map(Long::bitCount).sum()
        / (double) (BlockMasks.MASKS * perWord);
  }

  private static double rate(BitSet bits, BlockedShape shape, SplittableRandom random) {
    int positives = 0;
    for (int query = 0; query < 200_000; query++) {
      long hash = random.nextLong();
      int j = 0;
      while (j < shape.hashes() && bits.get((int) shape.positionOf(hash, j))) {
        j++;
      }
      positives += j == shape.hashes() ? 1 : 0;
    }
    return positives / 200_000.0;
  }

  private static BlockedStateFpp stateOf(BitSet bits, BlockedShape shape) {
    BlockedStateFpp state = new BlockedStateFpp(shape);
    int perWord = shape.positionsPerWord();
    for (int word = 0; word < shape.blocks() * WORDS; word++) {
      state.addWord(bits.get(word * perWord, (word + 1) * perWord).cardinality());
    }
    return state;
  }

  @Test
  void isZeroWhereEveryPairOfWordsHasAnEmptyOneAndOneWhereAllAreFull() {
    BlockedShape shape = new BlockedShape(2, 512, 6);
    BlockedStateFpp oneWord = new BlockedStateFpp(shape);
    BlockedStateFpp full = new BlockedStateFpp(shape);
    for (int i = 0; i < WORDS; i++) {
      oneWord.addWord(i == 3 ? 64 : 0);
      full.addWord(64);
    }
    assertEquals(0, oneWord.fpp());
    assertEquals(1, full.fpp());
  }

  @Test
  void onlyWholeBlocksHaveOne() {
    BlockedStateFpp state = new BlockedStateFpp(new BlockedShape(2, 128, 4));
    for (int i = 0; i < 2 * WORDS; i++) {
      if (i % WORDS == 0 && i > 0) {
        assertEquals(1, state.fpp());
      } else {
        assertThrows(IllegalStateException.class, state::fpp);
      }
      state.addWord(16);
    }
    assertEquals(1, state.fpp());
    assertThrows(IndexOutOfBoundsException.class, () -> state.addWord(17));
    assertThrows(IndexOutOfBoundsException.class, () -> state.addWord(-1));
  }
}
