package io.bloomkit.cli.text;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads and checks what stands on the command line. */
public final class Arguments {

  private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?\\d+(_+\\d+)*");

  private Arguments() {}

  /**
   * Refuses a number out of its range.
   *
   * @throws IllegalArgumentException if it is
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
   * Refuses what is no false-positive probability.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static void checkFpp(double fpp) {
    if (!(fpp > 0 && fpp < 1)) { // also refuses NaN
      throw new IllegalArgumentException("--fpp must be in (0, 1), got " + fpp);
    }
  }

  /** Reads whole numbers; underscores may stand between digits. */
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

  /** Reads numbers with a fraction. */
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
