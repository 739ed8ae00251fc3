package io.bloomkit.cli.filter;

import io.bloomkit.FilterPlan;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.format.FilterLayout;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongToDoubleFunction;

/**
 * A filter in a file whose elements are lines, or fields of lines. A line is passed as a range of
 * an array, with an exclusive end, so that it is not copied.
 */
abstract sealed class LineFilter permits HashedLineFilter, InteropLineFilter {

  private final FileKind kind;
  private final LineStrategy strategy;

  LineFilter(FileKind kind, LineStrategy strategy) {
    this.kind = kind;
    this.strategy = strategy;
  }

  /** Returns the kind of the filter. */
  final FileKind kind() {
    return kind;
  }

  /** Returns the strategy of its elements. */
  final LineStrategy strategy() {
    return strategy;
  }

  /** Returns false if the line is certainly not in the filter. */
  abstract boolean mightContain(byte[] bytes, int from, int to);

  /**
   * Adds a line, now or in a later call. A filter that is filled faster in bulk adds many at once.
   *
   * @return the number of lines added by this call that were certainly absent before
   * @throws IllegalArgumentException if the filter is full, or if the line is no element
   */
  final long add(byte[] bytes, int from, int to) {
    strategy.requireElement(bytes, from, to);
    return addElement(bytes, from, to);
  }

  /** Adds a line that {@linkplain LineStrategy#requireElement is an element}; see {@link #add}. */
  abstract long addElement(byte[] bytes, int from, int to);

  /**
   * Removes one occurrence of a line, or all of them if the filter does not count them, now or in a
   * later call, as {@link #add} adds it. The kind of the filter must be {@linkplain
   * FileKind#requireDeletable deletable}.
   *
   * @return the number of lines removed by this call; a line that was certainly absent changes
   *     nothing
   */
  long remove(byte[] bytes, int from, int to) {
    throw kind.notDeletable();
  }

  /** Adds or removes the remaining lines. Returns the number of lines that changed the filter. */
  long finishBatches() {
    return 0;
  }

  /**
   * Checks that the filter supports counts.
   *
   * @throws IllegalArgumentException if it does not
   */
  final void requireCounts() {
    if (!kind.isCounting()) {
      throw notCounting();
    }
  }

  private IllegalArgumentException notCounting() {
    return new IllegalArgumentException(
        kind.withArticle()
            + " filter does not count its lines; build a filter with --kind "
            + FileKind.counting());
  }

  /**
   * Returns the count of a line, which is never below its additions minus its removals. The filter
   * must {@linkplain #requireCounts support counts}.
   */
  long count(byte[] bytes, int from, int to) {
    throw notCounting();
  }

  /**
   * Adds the contents of another filter, which must be of the same kind or, like this one, in a
   * format of Guava.
   *
   * @throws IllegalArgumentException if the other filter is incompatible
   */
  abstract void merge(LineFilter other);

  /**
   * Returns a filter of another kind with the same answers to all queries.
   *
   * @throws IllegalArgumentException if the conversion is not possible
   */
  abstract LineFilter convert(FileKind to);

  /** Returns the present probability that a query for a line that was never added is positive. */
  abstract double expectedFpp();

  /**
   * Returns an estimate of the number of distinct lines in the filter; {@link Long#MAX_VALUE} if it
   * is too full for one.
   */
  abstract long approximateElementCount();

  /** Returns the plan of the filter, or an empty result if it is unknown. */
  Optional<FilterPlan> plan() {
    return Optional.empty();
  }

  /** Returns whether both filters are of one size and strategy, as far as that is known. */
  boolean isCompatible(LineFilter other) {
    return true;
  }

  /** Prints a warning if the filter holds more than planned. */
  final void warnIfOverfull(Path file, PrintWriter err) {
    if (isOverfull()) {
      FilterPlan made = plan().orElseThrow();
      err.printf(
          "bloom: warning: %s holds more lines than it was made for, %s at %s; build it again with"
              + " a larger %s%n",
          file,
          Figures.whole(made.expectedInsertions()),
          Figures.percent(made.fpp()),
          planOption());
      err.flush();
    }
  }

  /** Returns the option of {@code bloom build} for more lines. */
  String planOption() {
    return "--items";
  }

  /** Returns whether the filter holds more than planned. */
  boolean isOverfull() {
    return false;
  }

  /** Returns the memory of the filter in bytes. */
  abstract long memoryBytes();

  /** Returns figures on size and fill, by the names of {@link FilterLayout#figures}. */
  abstract Map<String, Number> figures();

  /**
   * Returns a function from the number of distinct lines to the false-positive rate; NaN if the
   * rate is not known.
   */
  abstract LongToDoubleFunction fppByElements();

  /** Writes the file atomically. */
  abstract void writeTo(Path file) throws IOException;

  /**
   * Writes the file atomically and without compression. The kind of the filter must be {@linkplain
   * FileKind#isMappable mappable}.
   */
  void writeMappableTo(Path file) throws IOException {
    writeTo(file); // other libraries do not compress
  }
}
