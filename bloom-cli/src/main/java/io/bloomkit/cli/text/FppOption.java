package io.bloomkit.cli.text;

import java.math.BigDecimal;
import picocli.CommandLine.Option;

/** The option for the false-positive rate of a filter with its planned number of elements. */
public final class FppOption {

  @Option(
      names = "--fpp",
      paramLabel = "P",
      converter = Arguments.RealNumber.class,
      description =
          "The planned false-positive rate of the filter, between 0 and 1 (default:"
              + " ${DEFAULT-VALUE}).")
  private Number fpp;

  /** Creates the option with a default, which the help shows as it is written here. */
  public FppOption(String defaultValue) {
    fpp = new BigDecimal(defaultValue);
  }

  /**
   * Checks the rate.
   *
   * @throws IllegalArgumentException if it is not in (0, 1)
   */
  public void check() {
    if (!(value() > 0 && value() < 1)) { // also refuses NaN
      throw new IllegalArgumentException(
          "--fpp must be in (0, 1), got " + value() + "; 1 % is 0.01 or 1%");
    }
  }

  /** Returns a rate as it is written on the command line. */
  public static String text(double fpp) {
    return new BigDecimal(String.valueOf(fpp)).stripTrailingZeros().toPlainString();
  }

  /** Returns the rate. */
  public double value() {
    return fpp.doubleValue();
  }
}
