package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rate of split blocks against counts of all outcomes and against the sum over all loads. */
class SplitBlockedFppTest {

  private static final long MILLION = 1_000_000;

  @ParameterizedTest
  @CsvSource({
    "0, 1, 2, 2", "1, 1, 2, 2", "2, 1, 2, 2", "3, 1, 2, 2", "1, 2, 2, 4", "2, 2, 2, 2",
    "2, 3, 2, 2", "2, 1, 2, 4", "2, 2, 2, 4", "2, 1, 2, 8", "2, 1, 2, 16", "1, 2, 4, 4",
    "2, 1, 4, 2", "1, 1, 4, 8", "1, 1, 8, 4", "1, 1, 4, 16",
  })
  void isTheCountOfAllOutcomes(int n, int b, int perWord, int k) {
    assertIsTheCountOfAllOutcomes(n, b, perWord, k);
  }

  @ParameterizedTest
  @CsvSource({"2, 1, 4, 4", "2, 2, 4, 2"})
  @Tag("large")
  void isTheCountOfMillionsOfOutcomes(int n, int b, int perWord, int k) {
    assertIsTheCountOfAllOutcomes(n, b, perWord, k);
  }

  private static void assertIsTheCountOfAllOutcomes(int n, int b, int perWord, int k) {
    double counted = new SplitBlocksByCounting(n, b, perWord, k).fpp();
    double formula = BlockedFormulas.splitBlockedFpp(n, b, 8 * perWord, k);
    assertEquals(counted, formula, counted * 1e-15);
  }

  @Property(tries = 150, seed = "12")
  void equalsTheSumOverAllLoadsOfTheTwoWords(
      @ForAll @IntRange(min = 0, max = 40) int n,
      @ForAll @IntRange(min = 1, max = 20) int b,
      @ForAll @IntRange(min = 1, max = 6) int log2OfWord,
      @ForAll @IntRange(min = 1, max = 8) int half) {
    double expected = SplitBlocksByLoads.fpp(n, b, 1 << log2OfWord, half, n);
    double actual = BlockedFormulas.splitBlockedFpp(n, b, 8 << log2OfWord, 2 * half);
    assertEquals(expected, actual, expected * 1e-12);
  }

  @ParameterizedTest
  @CsvSource({"5000, 97, 64, 3", "20000, 1900, 16, 2", "3000, 40, 64, 8", "100000, 2000, 64, 3"})
  void equalsTheSumOverLoadsOfLargerFilters(int n, int b, int perWord, int half) {
    // The mean load of the two words is at most 35; beyond 140 lies less than 1e-30.
    double expected = SplitBlocksByLoads.fpp(n, b, perWord, half, 140);
    double actual = BlockedFormulas.splitBlockedFpp(n, b, 8 * perWord, 2 * half);
    assertEquals(expected, actual, expected * 1e-10);
  }

  /** Computed elsewhere: the sum over loads in arithmetic of 40 digits. */
  @ParameterizedTest
  @CsvSource({
    "1000000, 19883, 512, 6, 0.010004374600312838",
    "1000000, 32734, 512, 8, 0.00099860927297869034",
    "1000000, 96563, 128, 4, 0.010008630418407394",
    "1000000, 192266, 128, 6, 0.00099952766815865645",
    "10, 3, 512, 6, 9.8080347277032345e-8",
    "2, 1, 128, 4, 5.6525291461880721e-5",
    "30, 1, 512, 16, 0.0011283095155329679",
    "1000000000, 268435456, 512, 10, 1.0390648481529776e-8",
  })
  void isRightAtAnySize(long n, long b, int positionsPerBlock, int k, double rate) {
    assertEquals(rate, BlockedFormulas.splitBlockedFpp(n, b, positionsPerBlock, k), rate * 1e-15);
  }

  /** From the law of the layout with loads of Poisson's law, which a large filter has. */
  @ParameterizedTest
  @CsvSource({
    "512, 4, 7.61, 0.03", "512, 6, 10.18, 0.01", "512, 8, 16.76, 0.001", "512, 10, 25.26, 0.0001",
    "128, 4, 8.20, 0.03", "128, 4, 12.36, 0.01", "128, 6, 24.61, 0.001", "128, 8, 48.80, 0.0001",
  })
  void meetsTheTableOfPositionsAnElement(int block, int k, double perElement, double fpp) {
    long blocks = Math.round(100 * MILLION * perElement / block);
    assertEquals(
        fpp, BlockedFormulas.splitBlockedFpp(100 * MILLION, blocks, block, k), fpp * 0.005);
  }

  @Test
  void oneElementIsOnlyTakenForAnotherOfTheSamePairOfWords() {
    // With one hash a word: the same block, pair of words, and position in either.
    for (long b : new long[] {1, 2, 1000, 1L << 28}) {
      assertEquals(1 / (28.0 * b * 64 * 64), BlockedFormulas.splitBlockedFpp(1, b, 512, 2));
    }
  }

  /** The lowest rates, where the sum cancels most. */
  @ParameterizedTest
  @CsvSource({"512, 16", "512, 10", "128, 16", "128, 2"})
  void oneElementInTheLargestFilterIsKnownByCounting(int positionsPerBlock, int k) {
    long b = Shape.MAX_POSITIONS / positionsPerBlock;
    double ofWord = new OccupancyByCounting(1, positionsPerBlock / 8, k / 2).moment(k / 2);
    double rate = ofWord * ofWord / (28.0 * b);
    assertEquals(rate, BlockedFormulas.splitBlockedFpp(1, b, positionsPerBlock, k), rate * 1e-15);
  }

  @Test
  void anEmptyFilterClaimsNothingAndAFullOneEverything() {
    assertEquals("0.0", Double.toString(BlockedFormulas.splitBlockedFpp(0, 7, 512, 6)));
    assertEquals(1, BlockedFormulas.splitBlockedFpp(Long.MAX_VALUE, 1, 512, 16));
    assertEquals(1, BlockedFormulas.splitBlockedFpp(Long.MAX_VALUE, 1L << 28, 512, 2));
    double nearlyFull = BlockedFormulas.splitBlockedFpp(2000, 1, 512, 6);
    assertTrue(nearlyFull < 1 && nearlyFull > 1 - 1e-8);
  }

  @Property(tries = 200, seed = "13")
  void risesWithTheElementsAndFallsWithTheBlocks(
      @ForAll @IntRange(min = 0, max = 2000) int n,
      @ForAll @IntRange(min = 1, max = 100) int b,
      @ForAll @IntRange(min = 4, max = 9) int log2OfBlock,
      @ForAll @IntRange(min = 1, max = 8) int half) {
    double rate = BlockedFormulas.splitBlockedFpp(n, b, 1 << log2OfBlock, 2 * half);
    double withMore = BlockedFormulas.splitBlockedFpp(n + 1, b, 1 << log2OfBlock, 2 * half);
    assertTrue(rate < withMore || withMore > 1 - 1e-12);
    if (n > 0) {
      double inMore = BlockedFormulas.splitBlockedFpp(n, b + 1, 1 << log2OfBlock, 2 * half);
      assertTrue(inMore < rate || rate > 1 - 1e-12);
    }
  }

  @Test
  void twoWordsCostMoreThanABlockAndABlockMoreThanAFlatFilter() {
    double flat = BloomFormulas.exactFpp(MILLION, 20_000 * 512, 6);
    double block = BlockedFormulas.blockedFpp(MILLION, 20_000, 512, 6);
    double split = BlockedFormulas.splitBlockedFpp(MILLION, 20_000, 512, 6);
    assertTrue(flat < block && block < split);
    assertTrue(split < 1.15 * block);
  }
}
