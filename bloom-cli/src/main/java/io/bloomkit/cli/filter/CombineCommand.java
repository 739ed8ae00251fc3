package io.bloomkit.cli.filter;

import io.bloomkit.FilterPlan;
import io.bloomkit.cli.io.Subcommand;
import io.bloomkit.cli.text.Arguments;
import io.bloomkit.cli.text.Figures;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Combines several filters of the same kind, strategy and size into one. */
public abstract sealed class CombineCommand extends Subcommand implements Runnable {

  @Parameters(
      arity = "1..*",
      paramLabel = "FILTER",
      description = "The files of the filters, or the folders of durable ones, two or more.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<Path> files;

  @Mixin private final UncompressedOption uncompressed = new UncompressedOption();
  @Mixin private final OutputOption output = new OutputOption();

  private CombineCommand() {}

  /**
   * Combines a filter with another one.
   *
   * @throws IllegalArgumentException if the filters are incompatible
   */
  abstract void combine(LineFilter filter, LineFilter other);

  /** Returns why filters of a kind cannot be combined, or an empty text if they can. */
  String refusal(FileKind kind) {
    return "";
  }

  /** Returns what is known about the lines of the result, or an empty text. */
  String lines() {
    return "";
  }

  @Override
  public void run() {
    if (files.size() < 2) {
      throw new IllegalArgumentException(
          spec().name() + " takes two filters or more, got only " + files.get(0));
    }
    output.runLocked(this::combine);
  }

  private void combine() {
    LineFilter filter = LineFilterFile.open(files.get(0), LineStrategy.BYTES);
    uncompressed.check(filter.kind(), output);
    Optional<FilterPlan> plan = filter.plan(); // what is merged has another one
    for (Path file : files.subList(1, files.size())) {
      CompatibilityCheck check = new CompatibilityCheck(spec().name(), files.get(0), file);
      check.requireSameKindAndStrategy();
      String refusal = refusal(filter.kind());
      if (!refusal.isEmpty()) {
        throw new IllegalArgumentException(file + ": " + refusal);
      }
      LineFilter other = LineFilterFile.open(file, filter.strategy());
      try {
        combine(filter, other);
      } catch (IllegalArgumentException e) {
        check.requireSameOptions(filter, plan, other);
        String message = Arguments.withOptions(String.valueOf(e.getMessage()));
        throw new IllegalArgumentException(file + ": " + message, e);
      }
    }
    output.write(uncompressed.writer(filter));
    printErr(
        "%s: %s, combined from %d filters; %sexpected fpp %s",
        output.file(), filter.kind(), files.size(), lines(), Figures.percent(filter.expectedFpp()));
    filter.warnIfOverfull(output.file(), err());
  }

  /** Merges filters. */
  @Command(
      name = "merge",
      description = {
        "Writes the union: a filter of all lines of several filters.",
        "",
        "The filters must be of the same kind, strategy and size, which means built with the"
            + " same --kind, --strategy, --items and --fpp. Filters that count add up the"
            + " counts of a line. Filters that forget lines must have the same --window; a line"
            + " is forgotten at the later of its times. cuckoo and scalable filters cannot be"
            + " merged. dcso files keep the data of the first one.",
        "",
        "guava and bloomkit-guava files can be merged with each other. The result is of"
            + " the kind of the first file. If a bloomkit-guava file was built with"
            + " --strategy utf8 or longs, the first file must be a bloomkit-guava one."
      })
  public static final class Merge extends CombineCommand {

    @Override
    void combine(LineFilter filter, LineFilter other) {
      filter.merge(other);
    }
  }

  /** Intersects filters. */
  @Command(
      name = "intersect",
      description = {
        "Writes the intersection: a filter of the lines that all of several filters contain.",
        "",
        "The filters must be classic or blocked filters of the same kind, strategy and size,"
            + " which means built with the same --kind, --strategy, --items and --fpp. The"
            + " false-positive rate is at most that of each filter, but may exceed that of a"
            + " filter built from the common lines.",
        "",
        "The summary estimates the number of common lines, which the result cannot tell: its"
            + " approximate elements are too many."
      })
  public static final class Intersect extends CombineCommand {

    private long common = Long.MAX_VALUE;
    private int pairs;

    @Override
    String refusal(FileKind kind) {
      return kind.isIntersectable()
          ? ""
          : "cannot intersect: both must be classic or blocked filters of the same kind, got "
              + kind.withArticle()
              + " one"
              + FileKind.all().stream()
                  .filter(to -> kind.isCounting() && kind.isConvertibleTo(to))
                  .map(to -> ", which bloom convert --to " + to + " converts")
                  .findFirst()
                  .orElse("");
    }

    @Override
    void combine(LineFilter filter, LineFilter other) {
      common = Math.min(common, ((HashedLineFilter) filter).intersect(other));
      pairs++;
    }

    @Override
    String lines() {
      return common == Long.MAX_VALUE
          ? ""
          : (pairs > 1 ? "at most about " : "about ")
              + Figures.counted(common, "common line")
              + "; ";
    }
  }

  /** Subtracts filters from the first one. */
  @Command(
      name = "subtract",
      description = {
        "Writes the difference: the first filter with the lines of all other filters removed,"
            + " each as often as the other filters contain it.",
        "",
        "The filters must be counting, blocked-counting or dynamic-cuckoo filters of the same"
            + " kind, strategy and size, which means built with the same --kind, --strategy,"
            + " --items and --fpp.",
        "",
        "Subtract only lines that the first filter contains. Other lines are refused if the"
            + " counts of the first filter are too low. Otherwise, subtracting them decrements"
            + " the counts of lines in the first filter, which may become false negatives."
      })
  public static final class Subtract extends CombineCommand {

    @Override
    String refusal(FileKind kind) {
      return kind.isSubtractable()
          ? ""
          : "cannot subtract: both must be counting, blocked-counting or dynamic-cuckoo filters of"
              + " one kind, got "
              + kind.withArticle()
              + " one";
    }

    @Override
    void combine(LineFilter filter, LineFilter other) {
      ((HashedLineFilter) filter).subtract(other);
    }
  }
}
