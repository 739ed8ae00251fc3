package io.bloomkit.cli.text;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The window in which lines are remembered: a number of lines or a duration.
 *
 * @param text the value on the command line
 * @param lines the number of lines, or 0 if the window is a duration
 * @param duration the duration, or null if the window is a number of lines
 */
public record Window(String text, long lines, @Nullable Duration duration) {

  /**
   * Creates a filter for a number of lines in this window. The message of its refusal names the
   * option that gives the number.
   *
   * @throws IllegalArgumentException if the filter refuses its size
   */
  public <F> F sized(long items, double fpp, Supplier<F> filter) {
    try {
      return filter.get();
    } catch (IllegalArgumentException e) {
      String number = duration == null ? "--window " + text : "--items " + items;
      throw new IllegalArgumentException(number + " at --fpp " + fpp + ": " + e.getMessage(), e);
    }
  }

  /** The units from the longest. */
  private static final Map<String, Duration> UNITS = new LinkedHashMap<>();

  static {
    UNITS.put("d", Duration.ofDays(1));
    UNITS.put("h", Duration.ofHours(1));
    UNITS.put("m", Duration.ofMinutes(1));
    UNITS.put("s", Duration.ofSeconds(1));
    UNITS.put("ms", Duration.ofMillis(1));
  }

  /** Returns a duration of whole milliseconds as it is written on the command line. */
  public static String text(Duration duration) {
    Map.Entry<String, Duration> unit =
        UNITS.entrySet().stream()
            .filter(entry -> duration.toMillis() % entry.getValue().toMillis() == 0)
            .findFirst()
            .orElseThrow();
    return duration.toMillis() / unit.getValue().toMillis() + unit.getKey();
  }

  /** Returns the length: that of the same windows is the same, however they were given. */
  public String lengthText() {
    return duration == null ? String.valueOf(lines) : text(duration);
  }

  /** Parses a window, such as 5000, 5k, 30s or 1h. */
  public static final class Converter implements ITypeConverter<Window> {

    private static final Pattern SYNTAX =
        Pattern.compile("(" + Arguments.WHOLE_NUMBER + ")(?<unit>ms|s|m|h|d)?");

    /** The longest time that filters support, 2<sup>60</sup> milliseconds. */
    private static final Duration MAX_DURATION = Duration.ofMillis(1L << 60);

    private static final long MAX_LINES = 1L << 60;

    @Override
    public Window convert(String value) {
      Matcher matcher = SYNTAX.matcher(value);
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "'" + value + "' is neither a number of lines nor a time such as 30s, 15m, 1h, 7d");
      }
      long number = new Arguments.WholeNumber().convert(matcher.group(1));
      if (number <= 0) {
        throw new TypeConversionException("must be above 0, got " + value);
      }
      String unit = matcher.group("unit");
      if (unit == null) {
        if (number > MAX_LINES) {
          throw new TypeConversionException("must be at most 2^60 lines, got " + value);
        }
        return new Window(value, number, null);
      }
      try {
        Duration duration = UNITS.getOrDefault(unit, Duration.ZERO).multipliedBy(number);
        if (duration.compareTo(MAX_DURATION) > 0) {
          throw new TypeConversionException("must be at most 2^60 ms, got " + value);
        }
        return new Window(value, 0, duration);
      } catch (ArithmeticException e) {
        throw new TypeConversionException("'" + value + "' is too long");
      }
    }
  }
}
