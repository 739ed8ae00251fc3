package io.bloomkit.cli.text;

import io.bloomkit.testkit.stat.Interval;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats numbers for people, independently of the locale. */
public final class Figures {

  /** The text for a missing figure. */
  public static final String NONE = "-";

  private static final MathContext FOUR_DIGITS = new MathContext(4);

  private Figures() {}

  /**
   * Returns a text that is safe to print on a terminal. Control characters, invisible or reordering
   * characters, and line separators are escaped as in Java: {@code \\u001b}. Names in foreign files
   * may contain any characters.
   */
  public static String printable(String text) {
    StringBuilder printable = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (isPrintable(c)) {
                printable.appendCodePoint(c);
              } else {
                for (char unit : Character.toChars(c)) {
                  printable.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
                }
              }
            });
    return printable.toString();
  }

  private static boolean isPrintable(int codePoint) {
    int type = Character.getType(codePoint);
    return type != Character.CONTROL
        && type != Character.FORMAT
        && type != Character.LINE_SEPARATOR
        && type != Character.PARAGRAPH_SEPARATOR
        && type != Character.SURROGATE;
  }

  public static String whole(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Returns a number and what it counts: {@code 1 line}, {@code 2 lines}. */
  public static String counted(long number, String singular) {
    return whole(number) + " " + singular + (number == 1 ? "" : "s");
  }

  public static String wholeOrNone(@Nullable Number number) {
    return number == null ? NONE : whole(number.longValue());
  }

  public static String twoDecimals(double number) {
    return String.format(Locale.ROOT, "%,.2f", number);
  }

  public static String oneDecimal(double number) {
    return String.format(Locale.ROOT, "%,.1f", number);
  }

  /** Returns four significant digits, with an exponent below 0.001 and from ten million on. */
  public static String fourDigits(double number) {
    if (number == 0 || !Double.isFinite(number)) {
      return number == 0 ? "0" : NONE;
    }
    double size = Math.abs(number);
    return size < 1e-3 || size >= 1e7
        ? String.format(Locale.ROOT, "%.1e", number)
        : new BigDecimal(number).round(FOUR_DIGITS).stripTrailingZeros().toPlainString();
  }

  public static String percent(double probability) {
    return percentage(probability) + " %";
  }

  public static String percent(Interval interval) {
    return percentage(interval.lower()) + " to " + percentage(interval.upper()) + " %";
  }

  /** Returns a percentage with four significant digits, with an exponent below 0.0001. */
  private static String percentage(double probability) {
    return probability == 0 ? "0" : String.format(Locale.ROOT, "%.4g", 100 * probability);
  }
}
