package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.FalsePositiveRateContract;
import io.bloomkit.testkit.stat.Binomial;
import io.bloomkit.testkit.stat.RateTest;
import io.bloomkit.testkit.stat.StatisticalResult;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The planned rate at the full capacity, and the rate that a filter says of its state: the contract
 * at 3 %, 1 % and 0.1 %, and here at the rates of 12 and 16 bits. All at α = 10<sup>-8</sup>, with
 * the queries that notice a tenth with power 0.99.
 */
@Tag("deep")
class CuckooFilterRateTest implements FalsePositiveRateContract<Long, CuckooFilter<Long>> {

  private static final long SEED = 20261120;

  @Override
  public CuckooFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return CuckooFilter.create(HashStrategies.longs(), expectedInsertions, fpp);
  }

  @Override
  public Long element(long index) {
    return index;
  }

  private static CuckooFilter<Long> full(int capacity, double fpp, SplittableRandom hashes) {
    CuckooFilter<Long> filter = CuckooFilter.create(HashStrategies.longs(), capacity, fpp);
    for (int i = 0; i < capacity; i++) {
      filter.addHash(hashes.nextLong());
    }
    return filter;
  }

  private static RateTest check(
      CuckooFilter<Long> filter, double rate, long queries, SplittableRandom hashes) {
    long positive = 0;
    for (long i = 0; i < queries; i++) {
      positive += filter.mightContainHash(hashes.nextLong()) ? 1 : 0;
    }
    return new RateTest().record(queries, positive, rate);
  }

  private static long queriesToTell(double rate) {
    return Binomial.trialsToTell(
        rate, StatisticalResult.DEVIATION, StatisticalResult.ALPHA, StatisticalResult.POWER);
  }

  @Test
  void answersFollowTheStateOfTwelveAndSixteenBits() {
    SplittableRandom hashes = new SplittableRandom(SEED);
    for (double fpp : new double[] {0.002, 0.00013}) {
      CuckooFilter<Long> filter = full(10_000, fpp, hashes);
      double rate = filter.expectedFpp();
      assertTrue(rate <= fpp, () -> rate + " is more than " + fpp);
      check(filter, rate, queriesToTell(rate), hashes).result(filter.toString()).assertHolds();
    }
  }

  /** A filter of five buckets, in which some fingerprints have only one. */
  @Test
  void answersFollowTheStateOfTheSmallestFilters() {
    SplittableRandom hashes = new SplittableRandom(SEED);
    RateTest check = new RateTest();
    for (int round = 0; round < 2000; round++) {
      CuckooFilter<Long> filter = full(3, 0.01, hashes);
      long positive = 0;
      for (int i = 0; i < 2000; i++) {
        positive += filter.mightContainHash(hashes.nextLong()) ? 1 : 0;
      }
      check.record(2000, positive, filter.expectedFpp());
    }
    check.result("filters for 3 elements").assertHolds();
  }

  @Test
  void aRateATenthOffWouldBeNoticed() {
    SplittableRandom hashes = new SplittableRandom(SEED);
    CuckooFilter<Long> filter = full(10_000, 0.01, hashes);
    double rate = filter.expectedFpp();
    for (double wrong : new double[] {0.9 * rate, 1.1 * rate}) {
      assertTrue(
          check(filter, wrong, queriesToTell(wrong), hashes).result("wrong rate").isRejected());
    }
  }

  @Test
  void fingerprintsAreTheShortestThatKeepTheRate() {
    double[] rates = {0.5, 0.03, 0.0294, 0.0293, 0.01, 0.002, 0.00185, 0.00013, 1e-6, 2e-9};
    int[] widths = {8, 8, 8, 10, 10, 12, 14, 16, 24, 32};
    for (int i = 0; i < rates.length; i++) {
      CuckooFilter<Long> filter = CuckooFilter.create(HashStrategies.longs(), 100_000, rates[i]);
      assertEquals(widths[i], filter.shape().fingerprintBits(), "fpp " + rates[i]);
    }
  }

  /**
   * 8 · load / (2^f − 1), the paper's bound, at 95 %; elements that share one take a little off.
   */
  @Test
  void theRateOfAFullFilterIsThatOfThePaper() {
    SplittableRandom hashes = new SplittableRandom(SEED);
    for (double fpp : new double[] {0.03, 0.01, 0.002, 0.00013}) {
      CuckooFilter<Long> filter = full(1_000_000, fpp, hashes);
      double paper =
          -Math.expm1(
              8
                  * 0.95
                  * Math.log1p(-1.0 / FingerprintTable.values(filter.shape().fingerprintBits())));
      assertEquals(
          1,
          filter.expectedFpp() / paper,
          0.002,
          () -> String.format(Locale.ROOT, "%s against %.4g", filter, paper));
    }
  }
}
