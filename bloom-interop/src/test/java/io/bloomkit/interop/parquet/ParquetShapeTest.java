package io.bloomkit.interop.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterLayout.CacheLines;
import io.bloomkit.testkit.stat.Binomial;
import io.bloomkit.testkit.stat.FillDistribution;
import io.bloomkit.testkit.stat.FillTest;
import io.bloomkit.testkit.stat.RateTest;
import io.bloomkit.testkit.stat.StatisticalResult;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sizes, and the rate of the layout: formula, fill, answers. */
class ParquetShapeTest {

  private static final long SEED = 20261123;

  /** The number of set bits of elements that each choose a block and one bit of its eight words. */
  private record Law(ParquetShape shape) implements FillDistribution {

    @Override
    public int hashes() {
      return ParquetShape.HASHES;
    }

    @Override
    public double mean(long elements) {
      return shape.positions() * (1 - missed(1 / 32.0, elements));
    }

    /** The sum over all pairs of bits of the probability that both stay unset, and so on. */
    @Override
    public double variance(long elements) {
      double m = shape.positions();
      double one = missed(1 / 32.0, elements);
      double ofWord = missed(2 / 32.0, elements);
      double ofBlock = missed(1 - (31 / 32.0) * (31 / 32.0), elements);
      double pairs = 31 * ofWord + 7 * 32 * ofBlock + (m - 256) * ofWord;
      return m * (one + pairs - m * one * one);
    }

    /** The probability that no element hits what one of the block hits with a probability. */
    private double missed(double hit, long elements) {
      return Math.pow(1 - hit / shape.blocks(), (double) elements);
    }

    @Override
    public double[] distribution(long elements) {
      throw new AssertionError("only totals are compared");
    }
  }

  private static ParquetBloomFilter<Long> filter(
      ParquetShape shape, int elements, SplittableRandom hashes) {
    ParquetBloomFilter<Long> filter = ParquetBloomFilter.create(ParquetStrategies.int64(), shape);
    for (int i = 0; i < elements; i++) {
      filter.add(hashes.nextLong()); // hashed, as a value
    }
    return filter;
  }

  /** First step: as many bits are set as the layout says. */
  @Test
  @Tag("rate")
  void asManyBitsAreSetAsByIndependentChoices() {
    SplittableRandom values = new SplittableRandom(SEED);
    for (double fpp : new double[] {0.03, 0.01, 0.001}) {
      for (int elements : new int[] {100, 1000, 20_000}) {
        ParquetShape shape = ParquetShape.of(elements, fpp);
        Law law = new Law(shape);
        long[] observed = new long[FillTest.filtersForTotals(law, elements)];
        for (int i = 0; i < observed.length; i++) {
          observed[i] = filter(shape, elements, values).setPositions();
        }
        FillTest.ofTotals(law, elements, observed).assertHolds();
      }
    }
  }

  /** The rate of the state is, in the mean, that of the formula: to six standard errors. */
  @Test
  @Tag("rate")
  void theMeanRateOfTheStateIsThatOfTheFormula() {
    SplittableRandom values = new SplittableRandom(SEED);
    for (double fpp : new double[] {0.1, 0.03, 0.01, 0.001, 1e-4}) {
      for (int elements : new int[] {1, 10, 100, 5000}) {
        ParquetShape shape = ParquetShape.of(elements, fpp);
        SummaryStatistics rates = new SummaryStatistics();
        for (int i = Math.max(10, 20_000 / elements); i > 0; i--) {
          rates.addValue(filter(shape, elements, values).expectedFpp());
        }
        double error = rates.getStandardDeviation() / Math.sqrt((double) rates.getN());
        assertEquals(
            shape.fpp(elements),
            rates.getMean(),
            6 * error + 1e-12 * fpp,
            elements + " elements at " + fpp);
      }
    }
  }

  /** Second step: as many false positives as the state says, and so as the formula. */
  @Test
  @Tag("rate")
  void answersFollowTheState() {
    SplittableRandom values = new SplittableRandom(SEED);
    for (double fpp : new double[] {0.03, 0.01, 0.002}) {
      ParquetBloomFilter<Long> filter = filter(ParquetShape.of(50_000, fpp), 50_000, values);
      double rate = filter.expectedFpp();
      assertEquals(filter.shape().fpp(50_000), rate, 0.05 * rate);
      long queries =
          Binomial.trialsToTell(
              rate, StatisticalResult.DEVIATION, StatisticalResult.ALPHA, StatisticalResult.POWER);
      long positives = 0;
      for (long i = 0; i < queries; i++) {
        positives += filter.mightContain(values.nextLong()) ? 1 : 0;
      }
      new RateTest().record(queries, positives, rate).result(filter.toString()).assertHolds();
    }
  }

  /** Computed by the sum over all loads, in another language, to twelve digits. */
  @Test
  void theFormulaHasTheValuesOfItsSum() {
    assertEquals(0.00238318492680001, new ParquetShape(1).fpp(20), 1e-14);
    assertEquals(0.00807691579753131, new ParquetShape(43).fpp(1000), 1e-14);
    assertEquals(0.0272558232484426, new ParquetShape(1 << 15).fpp(1_000_000), 1e-13);
    assertEquals(0, new ParquetShape(5).fpp(0));
    assertEquals(1, new ParquetShape(1).fpp(1L << 60), 1e-12);
  }

  @Test
  void theSmallestShapeThatKeepsTheRateIsChosen() {
    for (long elements : new long[] {1, 7, 1000, 1_000_000, 100_000_000}) {
      for (double fpp : new double[] {0.5, 0.03, 0.01, 0.001, 1e-5}) {
        ParquetShape shape = ParquetShape.of(elements, fpp);
        assertTrue(shape.fpp(elements) <= fpp);
        if (shape.blocks() > 1) {
          assertTrue(new ParquetShape(shape.blocks() - 1).fpp(elements) > fpp);
        }
      }
    }
    for (int blocks : new int[] {1, 43, 1 << 15, ParquetShape.MAX_BLOCKS}) { // keeps its own rate
      ParquetShape shape = new ParquetShape(blocks);
      assertEquals(shape, ParquetShape.of(20L * blocks, shape.fpp(20L * blocks)));
    }
    assertEquals(10.53, ParquetShape.of(1_000_000, 0.01).positions() / 1e6, 0.01);
  }

  @Test
  void sizesAreConverted() {
    ParquetShape shape = ParquetShape.ofBytes(96);
    assertEquals(new ParquetShape(3), shape);
    assertEquals(96, shape.bytes());
    assertEquals(768, shape.positions());
    assertEquals(new ParquetShape(4), shape.roundedUpToPowerOfTwo());
    assertEquals(new ParquetShape(4), new ParquetShape(4).roundedUpToPowerOfTwo());
    assertEquals(2_147_483_616, new ParquetShape(ParquetShape.MAX_BLOCKS).bytes());
  }

  @Test
  void whatIsNoShapeIsRefused() {
    assertRefused("blocks must be in [1, 67108863], got 0", () -> new ParquetShape(0));
    assertRefused("blocks must be in [1, 67108863], got 67108864", () -> new ParquetShape(1 << 26));
    assertRefused(
        "blocks must be in [1, 67108863], got 67108864",
        () -> new ParquetShape((1 << 25) + 1).roundedUpToPowerOfTwo());
    assertRefused(
        "bytes must be a positive multiple of 32, got 33", () -> ParquetShape.ofBytes(33));
    assertRefused("expectedDistinct must be at least 1, got 0", () -> ParquetShape.of(0, 0.01));
    assertRefused("fpp must be in (0, 1), got 1.0; 1 % is 0.01", () -> ParquetShape.of(1, 1));
    assertRefused("fpp must be in (0, 1), got 0.0; 1 % is 0.01", () -> ParquetShape.of(1, 0));
    assertRefused(
        "fpp must be in (0, 1), got NaN; 1 % is 0.01", () -> ParquetShape.of(1, Double.NaN));
    assertRefused(
        "expectedDistinct=10000000000 and fpp=0.01 need more than 67108863 blocks",
        () -> ParquetShape.of(10_000_000_000L, 0.01));
  }

  private static void assertRefused(String message, Runnable call) {
    String refusal = assertThrows(IllegalArgumentException.class, call::run).toString();
    assertTrue(refusal.contains(message), refusal);
  }

  @Test
  void layoutIsThatOfTheCreatedFilter() {
    ParquetShape shape = ParquetShape.of(1000, 0.01);
    FilterLayout layout = shape.layout();
    ParquetBloomFilter<Long> filter = ParquetBloomFilter.create(ParquetStrategies.int64(), shape);
    assertEquals(filter.memoryBytes(), layout.memoryBytes());
    assertEquals(
        Map.of("positions", shape.positions(), "hashes", 8, "blocks", shape.blocks()),
        layout.figures());
    assertEquals(shape.fpp(1000), layout.fpp(1000));
    assertEquals(new CacheLines(1, 1, 1, 1, 1), layout.cacheLines(1000));
  }
}
