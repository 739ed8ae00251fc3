package io.bloomkit.scalable.aging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FlatShape;
import io.bloomkit.LayeredFormulas;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.testkit.stat.FillDistribution;
import io.bloomkit.testkit.stat.FillTest;
import io.bloomkit.testkit.stat.RateTest;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The first step of testing the rate, the fill of every slice; and how elements fade. */
class AgingBloomFilterRateTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  /**
   * At a quarter, a half and the end of a generation, the set positions of every slice have the
   * mean and variance of independent throws: 60 tests at α = 10<sup>-8</sup>, pooled over as many
   * generations as notice with power 0.99 a fill that makes the rate of one slice a tenth higher.
   */
  @Test
  void everySliceIsFilledAsByIndependentThrows() {
    AgingShape shape = AgingShape.of(4000, 0.01);
    AgingBloomFilter<Long> filter = AgingBloomFilter.builder(LONGS).shape(shape).build();
    long g = shape.generationAdditions();
    FlatShape slice = new FlatShape(shape.slicePositions(), 1);
    int generations = Math.max(100, FillTest.filtersForTotals(FillDistribution.of(slice), g));
    long[] moments = {g / 4, g / 2, g};
    long[][][] set = new long[moments.length][shape.slices()][generations];
    SplittableRandom random = new SplittableRandom(71);
    // Of every slices-th generation, so that no two looks see the same slice.
    for (int i = 0; i < generations; i++) {
      for (long n = 0; n < shape.additionsUntilForgotten(); n++) {
        filter.addHash(random.nextLong());
      }
      for (int m = 0; m < moments.length; m++) {
        for (long n = m == 0 ? 0 : moments[m - 1]; n < moments[m]; n++) {
          filter.addHash(random.nextLong());
        }
        assertEquals(moments[m], filter.cycle().additions());
        for (int age = 0; age < shape.slices(); age++) {
          set[m][age][i] = filter.setPositions(age);
        }
      }
    }
    for (int m = 0; m < moments.length; m++) {
      for (int age = 0; age < shape.slices(); age++) {
        long elements =
            age < shape.hashes() ? age * g + moments[m] : shape.hashes() * g; // of this slice
        FillTest.ofTotals(FillDistribution.of(slice), elements, set[m][age]).assertHolds();
      }
    }
  }

  /** The figures of the class comment, and that the filter follows them: {@link RateTest}. */
  @Test
  void elementsFadeOverAsManyGenerationsAsThereAreHashes() {
    AgingShape shape = AgingShape.of(13_001, 0.01);
    assertEquals(13, shape.historicSlices());
    double[] inPercent = {100, 40, 16, 7, 3, 2, 1, 1};
    for (int past = 0; past < inPercent.length; past++) {
      assertEquals(inPercent[past], 100 * positiveAfter(shape, past), 0.5, "generations: " + past);
    }
    AgingBloomFilter<Long> filter = AgingBloomFilter.builder(LONGS).shape(shape).build();
    RateTest[] checks = new RateTest[shape.hashes() + 1];
    Arrays.setAll(checks, i -> new RateTest());
    long g = shape.generationAdditions();
    long generation = 0;
    for (; generation < 400; generation++) {
      for (long n = 0; n < g; n++) {
        filter.add(generation * g + n);
      }
      if (generation > 40 && generation % 8 == 0) { // so that nothing is queried twice
        for (int past = 1; past <= shape.hashes(); past++) {
          long from = (generation - shape.historicSlices() - past) * g;
          int positive = 0;
          for (long n = from; n < from + g; n++) {
            positive += filter.mightContain(n) ? 1 : 0;
          }
          checks[past].record(g, positive, rateNow(filter, past));
        }
      }
    }
    for (int past = 1; past <= shape.hashes(); past++) {
      checks[past].result("positive " + past + " generations after the window").assertHolds();
    }
  }

  /** On average, at the end of a generation of distinct elements. */
  private static double positiveAfter(AgingShape shape, int past) {
    double[] fills =
        LayeredFormulas.agePartitionedFillRatios(
            shape.hashes(), shape.slices(), shape.slicePositions(), shape.generationAdditions());
    return positiveWithItsOwnSlices(shape, fills, past);
  }

  /** Given the fills. That the element is one of those that fill its slices changes nothing. */
  private static double rateNow(AgingBloomFilter<Long> filter, int past) {
    double[] fills = new double[filter.shape().slices()];
    for (int age = 0; age < fills.length; age++) {
      fills[age] = (double) filter.setPositions(age) / filter.shape().slicePositions();
    }
    return positiveWithItsOwnSlices(filter.shape(), fills, past);
  }

  private static double positiveWithItsOwnSlices(AgingShape shape, double[] fills, int past) {
    Arrays.fill(fills, Math.min(fills.length, shape.historicSlices() + past), fills.length, 1);
    return LayeredFormulas.agePartitionedFpp(shape.hashes(), fills);
  }

  @Test
  void byTimeTheRateIsThePlannedOneAtThePlannedAdditions() {
    HandClock clock = new HandClock(0);
    AgingBloomFilter<Long> filter =
        AgingBloomFilter.builder(LONGS)
            .expecting(100_000, 0.01)
            .window(Duration.ofSeconds(1))
            .clock(clock)
            .build();
    RateTest check = new RateTest();
    double sum = 0;
    for (long n = 0; n < 300_000; n++) {
      clock.millis = n / 100;
      filter.add(n);
      if (n >= 150_000 && n % 7500 == 0) {
        int positive = 0;
        for (long i = 0; i < 40_000; i++) { // 800,000 in all: power 0.99 to tell a tenth at 1 %
          positive += filter.mightContain(n << 32 | i) ? 1 : 0;
        }
        check.record(40_000, positive, filter.expectedFpp());
        sum += filter.expectedFpp();
      }
    }
    check.result("absent elements positive by a window of time").assertHolds();
    assertTrue(sum / 20 <= 0.01 && sum / 20 > 0.0085, "mean expectedFpp " + sum / 20);
  }

  /** The figures of {@link AgingShape#of(Duration, long, double)}. */
  @Test
  void byTimeAdditionsInOneGenerationExceedThePlannedRate() {
    double[][] figures = {{0.1, 4}, {0.01, 3}, {0.001, 3}}; // the latter in percent
    for (double[] figure : figures) {
      HandClock clock = new HandClock(0);
      AgingBloomFilter<Long> filter =
          AgingBloomFilter.builder(LONGS)
              .expecting(100_000, figure[0])
              .window(Duration.ofHours(1))
              .clock(clock)
              .build();
      for (long n = 0; n < 100_000; n++) {
        filter.add(n);
      }
      assertEquals(figure[1], 100 * filter.expectedFpp(), 0.5, filter::toString);
      clock.millis += Duration.ofHours(1).toMillis();
      assertTrue(filter.mightContain(0L), "negative within the window");
    }
  }

  /** The figures of {@link AgingBloomFilter#expectedFpp}. */
  @Test
  void theRateSwingsWithTheGenerations() {
    double[][] figures = {{0.01, 10}, {0.1, 25}}; // the latter in percent of the highest
    for (double[] figure : figures) {
      AgingBloomFilter<Long> filter = AgingBloomFilter.create(LONGS, 200_000, figure[0]);
      long g = filter.shape().generationAdditions();
      double least = 1;
      double most = 0;
      for (long n = 1; n <= filter.shape().additionsUntilForgotten() + 3 * g; n++) {
        filter.add(n);
        if (n > filter.shape().additionsUntilForgotten() && n % (g / 50) == 0) {
          least = Math.min(least, filter.expectedFpp());
          most = Math.max(most, filter.expectedFpp());
        }
      }
      assertEquals(figure[1], 100 * (1 - least / most), 3, "least " + least + ", most " + most);
      assertEquals(figure[0], most, 0.02 * figure[0], filter::toString);
    }
  }

  /**
   * The figures of the class comment: the number of slices read for an absent element, of the mean
   * fills over a cycle.
   */
  @Test
  void anAbsentElementIsToldByAFewSlices() {
    double[][] figures = {{0.01, 4}, {0.001, 5}};
    for (double[] figure : figures) {
      AgingBloomFilter<Long> filter = AgingBloomFilter.create(LONGS, 100_000, figure[0]);
      AgingShape shape = filter.shape();
      for (long n = 0; n < shape.additionsUntilForgotten() + shape.generationAdditions() / 2; n++) {
        filter.add(n);
      }
      double[] fills = new double[shape.slices()];
      for (int age = 0; age < fills.length; age++) {
        fills[age] = (double) filter.setPositions(age) / shape.slicePositions();
      }
      SplittableRandom random = new SplittableRandom(72);
      long queried = 0;
      int elements = 200_000;
      for (int i = 0; i < elements; i++) {
        queried += slicesRead(random, fills, shape.hashes());
      }
      assertEquals(figure[1], (double) queried / elements, 0.5, "at " + figure[0]);
    }
  }

  /** The walk of the query, with a throw of the dice for every slice it comes to. */
  private static int slicesRead(SplittableRandom random, double[] fills, int hashes) {
    int queried = 0;
    int known = -1;
    for (int oldest = hashes - 1; oldest < fills.length; ) {
      int age = oldest;
      while (age > known) {
        queried++;
        if (random.nextDouble() >= fills[age]) {
          break;
        }
        age--;
      }
      if (age == known) {
        return queried;
      }
      known = oldest;
      oldest = age + hashes;
    }
    return queried;
  }
}
