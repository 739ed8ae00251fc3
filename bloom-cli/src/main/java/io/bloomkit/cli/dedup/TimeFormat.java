package io.bloomkit.cli.dedup;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The format of the time of a line. All formats are converted to milliseconds since 1970 in UTC.
 */
enum TimeFormat {
  /** Seconds since 1970 in UTC, with an optional fraction. */
  S,
  /** Milliseconds since 1970 in UTC. */
  MS,
  /** Microseconds since 1970 in UTC. */
  US,
  /** Nanoseconds since 1970 in UTC. */
  NS,
  /**
   * ISO 8601, such as 2024-05-01T12:00:00Z, or with a space in place of T. The offset may lack its
   * colon or its minutes; without an offset, the time is in UTC.
   */
  ISO,
  /**
   * The time in the log of Apache and nginx, such as [05/May/2024:06:25:24 +0000]. The brackets and
   * the offset may be missing; without an offset, the time is in UTC.
   */
  CLF;

  /** The end of the year 9999. A larger value is likely to be in a smaller unit. */
  private static final long MAX_MILLIS = 253_402_300_799_999L;

  private static final int MAX_DIGITS = 18;

  /** A leap second, at the end of an hour in UTC, which is within an hour in some zones. */
  private static final Pattern LEAP_SECOND = Pattern.compile(":([25]9):60");

  private static final int DATE_LENGTH = "2024-05-01".length();

  private static final DateTimeFormatter ISO_TIME =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
          .appendPattern("[XXX][X]")
          .parseDefaulting(ChronoField.OFFSET_SECONDS, 0)
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  /** Years have four digits. */
  private static final DateTimeFormatter CLF_TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("['[']dd/MMM/")
          .appendValue(ChronoField.YEAR, 4)
          .appendPattern(":HH:mm:ss[ xx][']']")
          .parseDefaulting(ChronoField.OFFSET_SECONDS, 0)
          .toFormatter(Locale.ENGLISH)
          .withResolverStyle(ResolverStyle.STRICT);

  /**
   * Parses a time. Returns an empty result if the text is not a time before the year 10000 in this
   * format.
   */
  OptionalLong millis(byte[] bytes, int from, int to) {
    return switch (this) {
      case ISO -> parsed(withT(text(bytes, from, to)), ISO_TIME);
      case CLF -> parsed(text(bytes, from, to), CLF_TIME);
      default -> number(bytes, from, to);
    };
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1).strip();
  }

  private static String withT(String text) {
    return text.length() > DATE_LENGTH && text.charAt(DATE_LENGTH) == ' '
        ? text.substring(0, DATE_LENGTH) + "T" + text.substring(DATE_LENGTH + 1)
        : text;
  }

  private static OptionalLong parsed(String text, DateTimeFormatter formatter) {
    String withoutLeap = LEAP_SECOND.matcher(text).replaceFirst(":$1:59");
    try {
      Instant time = OffsetDateTime.parse(withoutLeap, formatter).toInstant();
      Instant leapt = withoutLeap.equals(text) ? time : time.plusSeconds(1); // as POSIX counts
      return OptionalLong.of(leapt.toEpochMilli());
    } catch (DateTimeException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /** Parses a number with an optional sign and, for seconds, an optional fraction. */
  private OptionalLong number(byte[] bytes, int from, int to) {
    int i = from;
    boolean negative = i < to && bytes[i] == '-';
    if (negative) {
      i++;
    }
    long number = 0;
    int digits = 0;
    for (; i < to && isDigit(bytes[i]); i++) {
      number = 10 * number + (bytes[i] - '0');
      if (++digits > MAX_DIGITS + 1) {
        return OptionalLong.empty();
      }
    }
    if (digits == 0 || (digits > MAX_DIGITS && this != NS)) {
      return OptionalLong.empty();
    }
    long fraction = 0;
    if (i < to && this == S && bytes[i] == '.') {
      int weight = 100;
      for (i++; i < to && isDigit(bytes[i]); i++) {
        fraction += (long) weight * (bytes[i] - '0');
        weight /= 10;
      }
    }
    if (i < to || number < 0) {
      return OptionalLong.empty();
    }
    long millis = inMillis(number) + fraction;
    return millis > MAX_MILLIS
        ? OptionalLong.empty()
        : OptionalLong.of(negative ? -millis : millis);
  }

  private long inMillis(long number) {
    return switch (this) {
      case S -> number > MAX_MILLIS / 1000 ? Long.MAX_VALUE / 2 : 1000 * number;
      case US -> number / 1000;
      case NS -> number / 1_000_000;
      default -> number;
    };
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
