package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * Holds the formulas to a table computed in rational arithmetic by others (after Bose et al. 2008
 * and Christensen, Roginsky, Jimeno 2010), to every digit it prints.
 */
class ReferenceFiguresTest {

  @ParameterizedTest
  @CsvFileSource(resources = "fpr-reference.csv", numLinesToSkip = 1)
  void exactFppHasAllSixDigits(long n, long m, int k, String exact, String classic) {
    assertEquals(Double.parseDouble(exact), sixDigits(BloomFormulas.exactFpp(n, m, k)), classic);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "fpr-reference.csv", numLinesToSkip = 1)
  void classicFppHasAllSixDigits(long n, long m, int k, String exact, String classic) {
    assertEquals(Double.parseDouble(classic), sixDigits(BloomFormulas.classicFpp(n, m, k)), exact);
  }

  /** The comparison can fail: a formula that is off by one hash meets no row. */
  @ParameterizedTest
  @CsvFileSource(resources = "fpr-reference.csv", numLinesToSkip = 1)
  void theTableTellsOneHashMoreFromTheTruth(long n, long m, int k, String exact, String classic) {
    assertNotEquals(
        Double.parseDouble(exact), sixDigits(BloomFormulas.exactFpp(n, m, k + 1)), classic);
  }

  private static double sixDigits(double probability) {
    return SignificantDigits.round(probability, 6);
  }
}
