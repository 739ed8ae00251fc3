package io.bloomkit;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Rounds as a printed table does. */
final class SignificantDigits {

  private SignificantDigits() {}

  static double round(double value, int digits) {
    return new BigDecimal(value).round(new MathContext(digits, RoundingMode.HALF_UP)).doubleValue();
  }
}
