package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.internal.BlockedIndexDerivation;
import java.util.SplittableRandom;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocked shapes by their factories: the rule of size, and the limits. */
class BlockedShapeTest {

  private static final long TEN_MILLION = 10_000_000;
  private static final double TOLERANCE = 1.01;

  /** The table of the class comment. */
  @ParameterizedTest
  @CsvSource({
    "0.03, 7.30, 5, 7.56, 4, 8.00, 4", "0.01, 9.59, 7, 10.11, 6, 11.80, 4",
    "0.001, 14.38, 10, 16.48, 8, 22.85, 6", "0.0001, 19.17, 13, 24.75, 10, 44.14, 8",
  })
  void needsThePublishedPositionsAnElement(
      double fpp,
      double flat,
      int hashesOfFlat,
      double bits,
      int hashesOfBits,
      double counters,
      int hashesOfCounters) {
    FlatShape shape = Shape.of(TEN_MILLION, fpp);
    assertEquals(flat, shape.positions() / (double) TEN_MILLION, 0.005);
    assertEquals(hashesOfFlat, shape.hashes());
    BlockedShape ofBits = BlockedShape.ofBits(TEN_MILLION, fpp);
    assertEquals(bits, ofBits.positions() / (double) TEN_MILLION, 0.005);
    assertEquals(hashesOfBits, ofBits.hashes());
    BlockedShape ofCounters = BlockedShape.ofCounters(TEN_MILLION, fpp);
    assertEquals(counters, ofCounters.positions() / (double) TEN_MILLION, 0.005);
    assertEquals(hashesOfCounters, ofCounters.hashes());
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0.5",
    "1, 0.01",
    "1, 1e-6",
    "2, 0.01",
    "2, 1e-6",
    "10, 0.5",
    "10, 0.03",
    "10, 0.001",
    "10, 1e-6",
    "100, 0.3",
    "100, 0.01",
    "100, 1e-5",
    "1000, 0.001",
    "1000, 1e-8", // takes the most hashes
    "1000, 1e-10",
    "20000, 0.9",
    "20000, 0.02",
    "1000000, 0.5",
    "1000000, 0.01",
    "1000000, 1e-6",
    "1000000000, 0.5",
    "1000000000, 0.01",
    "1000000000, 1e-4",
    "500000000, 1e-5",
  })
  void hasTheFewestBlocksOfTheFewestHashesThatCostLittle(long n, double fpp) {
    assertRuleHolds(n, fpp, BlockedShape.ofBits(n, fpp), 512);
    assertRuleHolds(n, fpp, BlockedShape.ofCounters(n, fpp), 128);
  }

  @Property(tries = 60, seed = "16")
  void theRuleHoldsForAnyElementsAndRate(
      @ForAll @DoubleRange(min = 0, max = 8) @Scale(5) double log10OfElements,
      @ForAll @DoubleRange(min = -6, max = -0.00437) @Scale(5) double log10OfFpp) {
    hasTheFewestBlocksOfTheFewestHashesThatCostLittle(
        Math.round(Math.pow(10, log10OfElements)), Math.pow(10, log10OfFpp));
  }

  private static void assertRuleHolds(long n, double fpp, BlockedShape shape, int block) {
    assertEquals(block, shape.positionsPerBlock());
    double max = TOLERANCE * fpp;
    assertTrue(shape.fpp(n) <= max, () -> shape + " errs at " + shape.fpp(n));
    assertTrue(
        shape.blocks() == 2 || rate(n, shape.blocks() - 2, shape) > max,
        () -> shape + " would keep " + fpp + " with two blocks less");
    double smallest = Double.POSITIVE_INFINITY;
    double[] pairs = new double[17];
    for (int k = 2; k <= 16; k += 2) {
      pairs[k] = minBlocks(n, max, block, k) / 2;
      smallest = Math.min(smallest, pairs[k]);
    }
    int k = 2;
    while (pairs[k] - smallest > Math.floor(smallest / 100)) {
      k += 2;
    }
    assertEquals(k, shape.hashes());
  }

  private static double rate(long n, long blocks, BlockedShape like) {
    return new BlockedShape(blocks, like.positionsPerBlock(), like.hashes()).fpp(n);
  }

  /** By doubling until it is enough, then by setting bit after bit of one less than enough. */
  private static double minBlocks(long n, double max, int block, int k) {
    long limit = BlockedFormulas.maxBlocks(block) / 2;
    long step = 1;
    while (step <= limit && BlockedFormulas.splitBlockedFpp(n, 2 * step, block, k) > max) {
      step *= 2;
    }
    if (step > limit) {
      return Double.POSITIVE_INFINITY;
    }
    long tooFew = 0;
    for (; step > 0; step /= 2) {
      if (tooFew + step <= limit
          && BlockedFormulas.splitBlockedFpp(n, 2 * (tooFew + step), block, k) > max) {
        tooFew += step;
      }
    }
    return 2 * (tooFew + 1.0);
  }

  @Test
  void equalsTheManualResultForOneElement() {
    // Two blocks err with one hash a word where block, words and both positions agree: of bits, one
    // position and its distance from the other, which is odd for three masks in four, any of 32,
    // and otherwise any of 8.
    double sameWords = (6 * 9 * 9 + 10 * 10) / (4.0 * 64 * 64);
    double sameDistance = 0.75 * 0.75 / 32 + 0.25 * 0.25 / 8;
    double bits = sameWords * sameDistance / (2.0 * 64);
    assertEquals(new BlockedShape(2, 512, 2), BlockedShape.ofBits(1, 0.01));
    assertEquals(new BlockedShape(2, 512, 2), BlockedShape.ofBits(1, bits));
    assertEquals(
        new BlockedShape(2, 128, 2), BlockedShape.ofCounters(1, sameWords / (2.0 * 16 * 16)));
    assertEquals(4, BlockedShape.ofBits(1, 0.98 * bits).hashes());
  }

  @ParameterizedTest
  @CsvSource({"50, 2, 4", "50, 4, 2", "200, 2, 2", "200, 6, 6", "200, 4, 4"})
  void aRateThatIsMetToTheLastBitIsEnough(long n, long blocks, int hashes) {
    double rate = BlockedFormulas.splitBlockedFpp(n, blocks, 512, hashes);
    double fpp = rate / TOLERANCE;
    assertRuleHolds(n, fpp, BlockedShape.ofBits(n, fpp), 512);
  }

  @Property(tries = 100, seed = "17")
  void moreElementsOrALowerRateSaveOnePercentAtMost(
      @ForAll @DoubleRange(min = 0, max = 6) @Scale(5) double log10OfElements,
      @ForAll @DoubleRange(min = -5, max = -0.3) @Scale(5) double log10OfFpp) {
    long n = Math.round(Math.pow(10, log10OfElements));
    double fpp = Math.pow(10, log10OfFpp);
    Assume.that(fpp < 0.98);
    double size = BlockedShape.ofBits(n, fpp).positions() / 1.01;
    assertTrue(BlockedShape.ofBits(n + 1 + n / 10, fpp).positions() >= size);
    assertTrue(BlockedShape.ofBits(n, fpp / 1.1).positions() >= size);
  }

  @Test
  void positionsAreThoseOfAllBlocks() {
    assertEquals(512 * 8, new BlockedShape(8, 512, 6).positions());
    assertEquals(64, new BlockedShape(8, 512, 6).positionsPerWord());
    assertEquals(128 * 8, new BlockedShape(8, 128, 4).positions());
    assertEquals(16, new BlockedShape(8, 128, 4).positionsPerWord());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.99, 0.9902, 0.995, 0.999999, 0x1.fffffffffffffp-1})
  void ratesNearOneHaveShapes(double fpp) {
    for (long elements : new long[] {1, 1000, 1_000_000_000}) {
      assertTrue(BlockedShape.ofBits(elements, fpp).fpp(elements) <= 1.01 * fpp);
      assertTrue(BlockedShape.ofCounters(elements, fpp).fpp(elements) <= 1.01 * fpp);
    }
  }

  @Test
  void theLimitsThemselvesAreAllowed() {
    assertEquals(Shape.MAX_POSITIONS, new BlockedShape(1L << 28, 512, 16).positions());
    assertEquals(Shape.MAX_POSITIONS / 2, new BlockedShape(1L << 29, 128, 2).positions());
    assertEquals(512, BlockedShape.BITS_PER_BLOCK);
    assertEquals(128, BlockedShape.COUNTERS_PER_BLOCK);
    assertEquals(8, BlockedShape.WORDS_PER_BLOCK);
    assertEquals(16, BlockedShape.MAX_HASHES);
  }

  @Test
  void fppIsTheExactRateOfTheLayout() {
    assertEquals(
        BlockedFormulas.splitBlockedFpp(1000, 20, 512, 6), new BlockedShape(20, 512, 6).fpp(1000));
  }

  @Test
  void sizeAboveTheLargestIsRefusedByItsFigures() {
    assertRefusedAsTooLarge(
        () -> BlockedShape.ofBits(20_000_000_000L, 0.01), "20000000000", 137_438_953_472L);
    assertRefusedAsTooLarge(
        () -> BlockedShape.ofBits(1L << 55, 0.99), "36028797018963968", 137_438_953_472L);
    assertRefusedAsTooLarge(
        () -> BlockedShape.ofCounters(1_000_000_000, 1e-6), "1.0E-6", 68_719_476_736L);
  }

  private static void assertRefusedAsTooLarge(Executable call, String value, long max) {
    Refusals.assertRefused(call, "above the largest number, " + max + ":", value);
  }

  @ParameterizedTest
  @CsvSource({"1, 3.2e-19", "1000000, 3e-13", "1000000000, 3e-10", "1, 4.9e-324"})
  void aRateBelowWhat64BitsAllowIsRefused(long n, double fpp) {
    Refusals.assertRefused(
        () -> BlockedShape.ofBits(n, fpp),
        "fpp must be at least " + BloomFormulas.hashFloor(n),
        Double.toString(fpp));
  }

  @Test
  void anOddNumberOfBlocksIsRefused() {
    Refusals.assertRefused(() -> new BlockedShape(7, 512, 6), "blocks must be even", "7");
  }

  @Test
  void elementsAreEstimatedByTheFormulaOfBlocks() {
    BlockedShape shape = BlockedShape.ofCounters(1000, 0.01);
    assertEquals(
        BlockedFormulas.estimatedElements(
            700, shape.blocks(), BlockedShape.COUNTERS_PER_BLOCK, shape.hashes()),
        shape.estimatedElements(700));
    assertEquals(Double.POSITIVE_INFINITY, shape.estimatedElements(shape.positions()));
  }

  @Test
  void positionsAreThoseOfTheMasks() {
    SplittableRandom random = new SplittableRandom(2);
    for (BlockedShape shape :
        new BlockedShape[] {
          new BlockedShape(2, BlockedShape.BITS_PER_BLOCK, 2),
          new BlockedShape(1000, BlockedShape.BITS_PER_BLOCK, 16),
          new BlockedShape(1L << 28, BlockedShape.COUNTERS_PER_BLOCK, 6)
        }) {
      for (int i = 0; i < 1000; i++) {
        long hash = i < 2 ? -i : random.nextLong();
        assertPositionsAreThoseOfTheMasks(shape, hash);
      }
    }
  }

  private static void assertPositionsAreThoseOfTheMasks(BlockedShape shape, long hash) {
    long words = shape.blocks() * BlockedShape.WORDS_PER_BLOCK;
    int half = shape.hashes() / 2;
    int masks = BlockedIndexDerivation.maskTable(half);
    long first =
        BlockedIndexDerivation.wordIndex(BlockedIndexDerivation.offset(hash, words), words);
    long second = first ^ BlockedIndexDerivation.distance(hash);
    long[] found = new long[2];
    long before = -1;
    long[] positions = new long[shape.hashes()];
    shape.positionsOf(hash, positions);
    for (int j = 0; j < shape.hashes(); j++) {
      long position = shape.positionOf(hash, j);
      assertEquals(position, positions[j]);
      assertEquals(j < half ? first : second, position / shape.positionsPerWord());
      assertTrue(j % half == 0 || position > before);
      found[j / half] |= 1L << (position % shape.positionsPerWord());
      before = position;
    }
    if (shape.positionsPerWord() == Long.SIZE) {
      assertEquals(BlockedIndexDerivation.firstMask(hash, masks), found[0]);
      assertEquals(BlockedIndexDerivation.secondMask(hash, masks), found[1]);
    } else {
      assertEquals(BlockedIndexDerivation.firstMask16(hash, masks, 0), found[0]);
      assertEquals(BlockedIndexDerivation.secondMask16(hash, masks, 0), found[1]);
    }
  }
}
