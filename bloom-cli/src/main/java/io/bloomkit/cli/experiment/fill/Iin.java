package io.bloomkit.cli.experiment.fill;

import java.time.LocalDate;

/**
 * The format of Kazakhstan's individual identification numbers (IIN), which the experiment
 * generates. A number has twelve digits: the birth date as YYMMDD, a digit for century and sex (1
 * and 2 for men and women born 1800 to 1899, 3 and 4 for 1900 to 1999, 5 and 6 from 2000 on), a
 * serial number of four digits, and a check digit. This class represents a number as a {@code
 * long}; its text has leading zeros.
 */
final class Iin {

  /** The number of digits of a number and of bytes of its text. */
  static final int DIGITS = 12;

  /** The number of texts of twelve digits. */
  static final long TEXTS = 1_000_000_000_000L;

  /** The result of {@link #checkDigit} for a number that is never issued. */
  static final int NOT_ISSUED = -1;

  /** The modulus of the check sums. */
  static final int MODULUS = 11;

  private static final int NO_DIGIT = 10;

  private static final int[] WEIGHTS = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  private static final int[] SECOND_WEIGHTS = {3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2};

  private Iin() {}

  /** Returns the check digit after eleven digits, or {@link #NOT_ISSUED}. */
  static int checkDigit(long elevenDigits) {
    int digit = residue(elevenDigits);
    if (digit == NO_DIGIT) {
      digit = secondResidue(elevenDigits);
    }
    return digit == NO_DIGIT ? NOT_ISSUED : digit;
  }

  /**
   * Returns the weighted sum of eleven digits modulo 11. The result 10 is not a digit and requires
   * {@link #secondResidue}.
   */
  static int residue(long elevenDigits) {
    return weightedSum(elevenDigits, WEIGHTS) % MODULUS;
  }

  /** Returns the sum modulo 11 with the second weights, which apply if {@link #residue} is 10. */
  static int secondResidue(long elevenDigits) {
    return weightedSum(elevenDigits, SECOND_WEIGHTS) % MODULUS;
  }

  private static int weightedSum(long elevenDigits, int[] weights) {
    int sum = 0;
    long rest = elevenDigits;
    for (int i = weights.length - 1; i >= 0; i--) {
      sum += (int) (rest % 10) * weights[i];
      rest /= 10;
    }
    return sum;
  }

  /**
   * Returns the first seven digits of the numbers of people born on a day: YYMMDD, century and sex.
   */
  static int prefix(LocalDate birth, boolean woman) {
    int yearMonthDay =
        birth.getYear() % 100 * 10_000 + birth.getMonthValue() * 100 + birth.getDayOfMonth();
    int century = birth.getYear() / 100 - 18;
    return yearMonthDay * 10 + 2 * century + (woman ? 2 : 1);
  }

  /** Writes the twelve ASCII digits of a number. */
  static void write(long number, byte[] text, int offset) {
    // Split into two int halves, because int division is several times cheaper than long division.
    writeSix((int) (number / 1_000_000), text, offset);
    writeSix((int) (number % 1_000_000), text, offset + DIGITS / 2);
  }

  private static void writeSix(int half, byte[] text, int offset) {
    int rest = half;
    for (int i = offset + DIGITS / 2 - 1; i >= offset; i--) {
      text[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }
}
