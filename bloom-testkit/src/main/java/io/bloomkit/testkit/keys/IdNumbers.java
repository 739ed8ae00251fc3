package io.bloomkit.testkit.keys;

/**
 * National identification numbers of twelve digits: a birth date as YYMMDD, a digit for century and
 * sex, a serial number of four digits, and a check digit (Luhn's).
 */
final class IdNumbers {

  /** The number of ids: the largest prime below 2^29. */
  static final long COUNT = 536_870_909;

  private static final int DIGITS = 12;
  private static final int SERIALS = 10_000;
  private static final int DAYS_OF_MONTH = 28;
  private static final int MONTHS = 12;
  private static final int YEARS = 100;

  private IdNumbers() {}

  /**
   * Returns the number of an index.
   *
   * @param index from 0 to {@link #COUNT} − 1; distinct indexes have distinct numbers
   * @param order any number; selects another order of the same numbers
   */
  static long number(long index, long order) {
    // Multiples of a step that is not 0 modulo a prime visit all numbers below the prime.
    long step = 1 + Long.remainderUnsigned(order, COUNT - 1);
    long person = index % COUNT * step % COUNT;
    long serial = person % SERIALS;
    long rest = person / SERIALS;
    long day = 1 + rest % DAYS_OF_MONTH;
    rest /= DAYS_OF_MONTH;
    long month = 1 + rest % MONTHS;
    rest /= MONTHS;
    long year = rest % YEARS;
    long centuryAndSex = 3 + rest / YEARS;
    long digits = (((year * 100 + month) * 100 + day) * 10 + centuryAndSex) * SERIALS + serial;
    return digits * 10 + checkDigit(digits);
  }

  private static int checkDigit(long digits) {
    int sum = 0;
    boolean doubled = true;
    for (long rest = digits; rest > 0; rest /= 10) {
      int digit = (int) (rest % 10) * (doubled ? 2 : 1);
      sum += digit / 10 + digit % 10;
      doubled = !doubled;
    }
    return (10 - sum % 10) % 10;
  }

  /** Returns the twelve digits of a number, with leading zeros. */
  static String text(long number) {
    char[] digits = new char[DIGITS];
    long rest = number;
    for (int i = DIGITS - 1; i >= 0; i--) {
      digits[i] = (char) ('0' + rest % 10);
      rest /= 10;
    }
    return new String(digits);
  }
}
