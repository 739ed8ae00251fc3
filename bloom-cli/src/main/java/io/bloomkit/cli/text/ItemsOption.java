package io.bloomkit.cli.text;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the number of elements that a command expects or generates. */
public final class ItemsOption {

  private final long min;
  private final long max;

  /** A {@code Long}; or a text if the default depends on other options and none was given. */
  @Option(
      names = "--items",
      paramLabel = "N",
      converter = Arguments.WholeNumber.class,
      description =
          "The number of distinct elements, such as 10M or 1e7 (default: ${DEFAULT-VALUE}).")
  private Object items;

  /** Creates the option with a default and with the range of its values, both ends inclusive. */
  public ItemsOption(long defaultValue, long min, long max) {
    this.items = defaultValue;
    this.min = min;
    this.max = max;
  }

  /**
   * Creates the option for any positive number.
   *
   * @param defaultValue what the help says of the default, which the command decides
   */
  public ItemsOption(String defaultValue) {
    this.items = defaultValue;
    this.min = 1;
    this.max = Long.MAX_VALUE;
  }

  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public void check() {
    if (items instanceof Long given) {
      Arguments.checkRange("--items", given, min, max);
    }
  }

  /**
   * Checks that no number was given if a window is a number of lines, since that number is the
   * expected one.
   *
   * @throws IllegalArgumentException if both were given
   */
  public void checkNoneWith(@Nullable Window window) {
    if (isSet() && window != null && window.duration() == null) {
      throw new IllegalArgumentException(
          "--items has no meaning with a window of lines, but --window is " + window.text());
    }
  }

  /** Returns whether there is a number, given or by default. */
  public boolean isSet() {
    return items instanceof Long;
  }

  /** Returns the number; {@link #isSet} must be true. */
  public long value() {
    return (Long) items;
  }
}
