package io.bloomkit.interop.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.testkit.stat.Binomial;
import io.bloomkit.testkit.stat.FillDistribution;
import io.bloomkit.testkit.stat.FillTest;
import io.bloomkit.testkit.stat.RateTest;
import io.bloomkit.testkit.stat.StatisticalResult;
import java.util.SplittableRandom;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.junit.jupiter.api.Test;

/** The rate of the layout: fill and answers. */
class ParquetShapeRateTest {

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
}
