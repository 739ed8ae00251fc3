package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rate of a blocked filter whose words are known, against the sum over all pairs of words. */
class BlockedFppOfStateTest {

  private static final int WORDS = BlockedShape.WORDS_PER_BLOCK;

  @ParameterizedTest
  @CsvSource({"1, 512, 6", "3, 512, 2", "7, 128, 4", "2, 128, 16", "20, 512, 16"})
  void isTheMeanOverAllPairsOfWords(int blocks, int positionsPerBlock, int hashes) {
    BlockedShape shape = new BlockedShape(blocks, positionsPerBlock, hashes);
    SplittableRandom random = new SplittableRandom(17);
    BlockedFormulas.FppOfState state = new BlockedFormulas.FppOfState(shape);
    double sum = 0;
    for (int block = 0; block < blocks; block++) {
      double[] shares = new double[WORDS];
      for (int i = 0; i < WORDS; i++) {
        int set = random.nextInt(shape.positionsPerWord() + 1);
        state.addWord(set);
        shares[i] = Math.pow((double) set / shape.positionsPerWord(), hashes / 2.0);
        for (int j = 0; j < i; j++) {
          sum += shares[i] * shares[j];
        }
      }
    }
    assertEquals(sum / 28 / blocks, state.fpp(), 1e-12 * sum);
  }

  @Test
  void isZeroWhereEveryPairOfWordsHasAnEmptyOneAndOneWhereAllAreFull() {
    BlockedShape shape = new BlockedShape(1, 512, 6);
    BlockedFormulas.FppOfState oneWord = new BlockedFormulas.FppOfState(shape);
    BlockedFormulas.FppOfState full = new BlockedFormulas.FppOfState(shape);
    for (int i = 0; i < WORDS; i++) {
      oneWord.addWord(i == 3 ? 64 : 0);
      full.addWord(64);
    }
    assertEquals(0, oneWord.fpp());
    assertEquals(1, full.fpp());
  }

  @Test
  void onlyWholeBlocksHaveOne() {
    BlockedFormulas.FppOfState state = new BlockedFormulas.FppOfState(new BlockedShape(2, 128, 4));
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
