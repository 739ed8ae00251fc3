package io.bloomkit.cli.examine;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Describes an exception from a user's strategy on one line. */
final class StrategyFailure {

  private StrategyFailure() {}

  /** Returns the class and the message of an exception, and where it or its cause was thrown. */
  static String describe(@Nullable Throwable thrown) {
    if (thrown == null) {
      return "an exception";
    }
    Throwable first = thrown;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    StackTraceElement[] trace = first.getStackTrace();
    String text = thrown.toString().lines().findFirst().orElse("");
    if (trace.length == 0) {
      return text;
    }
    StackTraceElement at = trace[0];
    return String.format(
        Locale.ROOT,
        "%s, at %s.%s, line %d",
        text,
        at.getClassName(),
        at.getMethodName(),
        at.getLineNumber());
  }
}
