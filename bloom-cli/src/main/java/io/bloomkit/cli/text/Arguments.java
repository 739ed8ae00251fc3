package io.bloomkit.cli.text;

import java.io.File;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses and checks values on the command line. */
public final class Arguments {

  static final Pattern WHOLE_NUMBER =
      Pattern.compile("([+-]?\\d+(?:_+\\d+)*(?:\\.\\d+)?(?:[eE]\\d{1,2})?)([kMG]?)");

  /** A number with commas between thousands. A decimal comma in other forms is refused. */
  private static final Pattern GROUPED = Pattern.compile("[+-]?[1-9]\\d{0,2}(?:,\\d{3})+");

  /** Thousands, millions, and thousands of millions, by the power of a thousand. */
  private static final String SUFFIXES = "kMG";

  private static final Pattern PERCENTAGE = Pattern.compile("(.*[^ ]) *%");

  /** What Java calls the number of elements and the rate, as in {@code fpp = 0.01}. */
  private static final Pattern PARAMETERS =
      Pattern.compile(
          "(?<![\\w-])(expectedInsertions|expectedDistinct|maxElements|fpp|expected(?= / fpp| is"
              + " \\d))\\b( = )?");

  private Arguments() {}

  /**
   * Returns the message of a filter that refuses its size, or another filter, with options for the
   * parameters.
   */
  public static String withOptions(String message) {
    return PARAMETERS
        .matcher(message.replace("expected number and rate", "--items and --fpp"))
        .replaceAll(
            parameter ->
                (parameter.group(1).equals("fpp") ? "--fpp" : "--items")
                    + (parameter.group(2) == null ? "" : " "));
  }

  /**
   * Checks that a number is between two limits, both inclusive.
   *
   * @throws IllegalArgumentException if it is out of range; the message names the option
   */
  public static void checkRange(String option, long value, long min, long max) {
    if (value < min) {
      throw new IllegalArgumentException(option + " must be at least " + min + ", got " + value);
    }
    if (value > max) {
      throw new IllegalArgumentException(option + " must be at most " + max + ", got " + value);
    }
  }

  /** Returns the choice whose text is a value, in any case. Refuses others with all choices. */
  public static <T> T choice(List<T> choices, String value) {
    return choices.stream()
        .filter(choice -> choice.toString().equals(value.toLowerCase(Locale.ROOT)))
        .findAny()
        .orElseThrow(() -> new TypeConversionException("'" + value + "' is not one of " + choices));
  }

  /**
   * Parses a whole number: {@code 1000000}, {@code 1,000,000}, {@code 1_000_000}, {@code 1e6},
   * {@code 1000k}, {@code 1M}, {@code 0.001G}.
   */
  public static final class WholeNumber implements ITypeConverter<Long> {

    @Override
    public Long convert(String value) {
      Matcher parts =
          WHOLE_NUMBER.matcher(GROUPED.matcher(value).matches() ? value.replace(",", "") : value);
      if (!parts.matches()) {
        throw new TypeConversionException(
            "'" + value + "' is not a whole number, such as 5000, 20k, 1M or 1e6");
      }
      int powerOfThousand = parts.group(2).isEmpty() ? 0 : 1 + SUFFIXES.indexOf(parts.group(2));
      BigDecimal number =
          new BigDecimal(parts.group(1).replace("_", "")).scaleByPowerOfTen(3 * powerOfThousand);
      if (number.stripTrailingZeros().scale() > 0) {
        throw new TypeConversionException(
            "'" + value + "' is not a whole number, such as 5000, 20k, 1M or 1e6");
      }
      try {
        return number.longValueExact();
      } catch (ArithmeticException e) {
        throw new TypeConversionException("'" + value + "' does not fit into 64 bits");
      }
    }
  }

  /**
   * Parses the name of a file to write. Refuses a directory's, which {@link Path} would not show.
   */
  public static final class NewFile implements ITypeConverter<Path> {

    @Override
    public Path convert(String value) {
      if (value.endsWith("/") || value.endsWith(File.separator)) {
        throw new TypeConversionException(
            "'" + value + "' names a directory; append the name of a file");
      }
      return Path.of(value);
    }
  }

  /**
   * Parses a decimal number or a percentage: {@code 0.01}, {@code 1e-2}, {@code 1%}, {@code 1 %}.
   */
  public static final class RealNumber implements ITypeConverter<Double> {

    @Override
    public Double convert(String value) {
      try {
        Matcher percentage = PERCENTAGE.matcher(value);
        return percentage.matches()
            ? new BigDecimal(percentage.group(1)).movePointLeft(2).doubleValue()
            : Double.parseDouble(value);
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'" + value + "' is not a number, such as 0.01 or 1%");
      }
    }
  }
}
