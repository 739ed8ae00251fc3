package io.bloomkit.cli.filter;

import io.bloomkit.FilterPlan;
import io.bloomkit.cli.text.FppOption;
import io.bloomkit.cli.text.Window;
import io.bloomkit.format.FilterFile;
import io.bloomkit.hash.StrategyIdentity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out in which option two filters differ that cannot be combined, for messages.
 *
 * @param operation what was to be done with them, such as {@code merge}
 */
record CompatibilityCheck(String operation, Path first, Path other) {

  /**
   * Checks that both files are of one kind, or both in a format of Guava, and of one strategy, as
   * far as their headers say. Reads the headers only.
   *
   * @throws IllegalArgumentException if they are not
   * @throws java.io.UncheckedIOException if a file cannot be read or is no filter
   */
  void requireSameKindAndStrategy() {
    Head one = Head.of(first);
    Head two = Head.of(other);
    requireSameKind(one.kind, two.kind);
    if (one.header == null || two.header == null) {
      return;
    }
    StrategyIdentity strategy = one.header.strategy();
    StrategyIdentity others = two.header.strategy();
    if (!strategy.equals(others)) {
      boolean differsInId = !strategy.id().equals(others.id());
      throw refusal(
          "%s was filled with %s, %s with %s: build both with one strategy",
          first,
          differsInId ? LineStrategy.described(one.header) : "the strategy " + strategy,
          other,
          differsInId ? LineStrategy.described(two.header) : "the strategy " + others);
    }
  }

  /**
   * What the beginning of a file says.
   *
   * @param header null in the format of another library
   */
  private record Head(FileKind kind, @Nullable FilterFile header) {
    static Head of(Path file) {
      return LineFilterFile.read(
          file,
          opened ->
              new Head(opened.kind(), opened.otherFormat().isPresent() ? null : opened.header()));
    }
  }

  private void requireSameKind(FileKind kind, FileKind others) {
    String name = kind.toString();
    if (name.equals(others.toString()) || (kind.isGuavas() && others.isGuavas())) {
      return;
    }
    String conversion =
        operation.equals("subtract")
            ? ", which is counting, blocked-counting or dynamic-cuckoo"
            : others.isConvertibleTo(kind)
                ? ", or convert " + other + ": bloom convert --to " + kind
                : kind.isConvertibleTo(others)
                    ? ", or convert " + first + ": bloom convert --to " + others
                    : "";
    throw refusal(
        "%s is of kind %s, %s of kind %s: build both with one --kind%s",
        first, kind, other, others, conversion);
  }

  /**
   * Checks that both filters were built with the same numbers, unless other ones lead to the same
   * size.
   *
   * @param plan the plan of the first file
   * @throws IllegalArgumentException if both files record them and they are not the same
   */
  void requireSameOptions(LineFilter one, Optional<FilterPlan> plan, LineFilter two) {
    if (one.isCompatible(two)) {
      return;
    }
    String window = window(one.figures());
    String others = window(two.figures());
    if (window != null && others != null && !window.equals(others)) {
      throw refusal(
          "%s was built with --window %s, %s with --window %s: build both with the same --window",
          first, window, other, others);
    }
    if (plan.isPresent() && two.plan().isPresent() && !plan.equals(two.plan())) {
      throw refusal(
          "%s was built with %s, %s with %s: build both with the same --items and --fpp",
          first, options(plan.get()), other, options(two.plan().get()));
    }
  }

  private static String options(FilterPlan plan) {
    return "--items " + plan.expectedInsertions() + " --fpp " + FppOption.text(plan.fpp());
  }

  private static @Nullable String window(Map<String, Number> figures) {
    Number millis = figures.get("timeToLiveMillis");
    if (millis != null) {
      return Window.text(Duration.ofMillis(millis.longValue()));
    }
    Number insertions = figures.get("windowInsertions");
    return insertions == null ? null : insertions.toString();
  }

  private IllegalArgumentException refusal(String format, Object... arguments) {
    return new IllegalArgumentException(
        "cannot " + operation + ": " + String.format(Locale.ROOT, format, arguments));
  }
}
