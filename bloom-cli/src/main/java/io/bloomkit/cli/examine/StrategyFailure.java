package io.bloomkit.cli.examine;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a strategy of the user's throws, in one line. */
final class StrategyFailure {

  private StrategyFailure() {}

  /** Returns the class, the message, and where it, or what caused it, was thrown. */
  static String shown(@Nullable Throwable thrown) {
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
