package io.bloomkit.cli.text;

import picocli.CommandLine.Option;

/** The option for the false-positive rate of a filter with its planned number of elements. */
public final class FppOption {

  @Option(
      names = "--fpp",
      paramLabel = "P",
      defaultValue = "0.01",
      converter = Arguments.RealNumber.class,
      description =
          "The false-positive rate of the filter with N elements, between 0 and 1 (default:"
              + " ${DEFAULT-VALUE}).")
  private double fpp;

  /**
   * Checks the rate.
   *
   * @throws IllegalArgumentException if it is not in (0, 1)
   */
  public void check() {
    Arguments.checkFpp(fpp);
  }

  /** Returns the rate. */
  public double value() {
    return fpp;
  }
}
