package io.bloomkit.cli.text;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses and checks values on the command line. */
public final class Arguments {

  private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?\\d+(_+\\d+)*");

  private Arguments() {}

  /**
   * Checks that a number is between two limits, both inclusive.
   *
   * @throws IllegalArgumentException if it is out of range; the message names the option
   */
  public static void checkRange(String option, long value, long least, long most) {
    if (value < least) {
      throw new IllegalArgumentException(option + " must be at least " + least + ", got " + value);
    }
    if (value > most) {
      throw new IllegalArgumentException(option + " must be at most " + most + ", got " + value);
    }
  }

  /**
   * Checks a value of {@code --fpp}.
   *
   * @throws IllegalArgumentException if the value is not in (0, 1)
   */
  public static void checkFpp(double fpp) {
    if (!(fpp > 0 && fpp < 1)) { // also refuses NaN
      throw new IllegalArgumentException("--fpp must be in (0, 1), got " + fpp);
    }
  }

  /** Parses a whole number; underscores between digits are ignored. */
  public static final class WholeNumber implements ITypeConverter<Long> {

    @Override
    public Long convert(String value) {
      if (!WHOLE_NUMBER.matcher(value).matches()) {
        throw new TypeConversionException("'" + value + "' is not a whole number");
      }
      try {
        return Long.valueOf(value.replace("_", ""));
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'" + value + "' does not fit into 64 bits");
      }
    }
  }

  /** Parses a decimal number. */
  public static final class RealNumber implements ITypeConverter<Double> {

    @Override
    public Double convert(String value) {
      try {
        return Double.valueOf(value);
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'" + value + "' is not a number");
      }
    }
  }
}
