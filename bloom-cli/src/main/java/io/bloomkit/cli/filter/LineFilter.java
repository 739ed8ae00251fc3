package io.bloomkit.cli.filter;

import io.bloomkit.FilterPlan;
import io.bloomkit.format.FilterLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongToDoubleFunction;

/**
 * A filter whose elements are lines, or fields of lines, and that has a file. Lines are handed over
 * as a part of an array, so that none is copied.
 */
abstract sealed class LineFilter permits StoredLineFilter, GuavaLineFilter, ForeignLineFilter {

  /** Returns what kind of filter it is. */
  abstract LineKind kind();

  /** Returns false if the line is certainly not in the filter. */
  abstract boolean mightContain(byte[] bytes, int from, int to);

  /**
   * Adds a line.
   *
   * @return true exactly if it was certainly absent before
   * @throws IllegalArgumentException if nothing, or no more, can be added
   */
  abstract boolean add(byte[] bytes, int from, int to);

  /**
   * Refuses a filter from which nothing can be removed.
   *
   * @throws IllegalArgumentException if this is one
   */
  final void requireDeletable() {
    if (!kind().isDeletable()) {
      throw notDeletable();
    }
  }

  private IllegalArgumentException notDeletable() {
    return new IllegalArgumentException(
        "nothing can be removed from a "
            + kind()
            + " filter; build one from the lines that are to stay, with --kind "
            + LineKind.deletable()
            + " if more are to go later");
  }

  /**
   * Refuses a filter that does not know how often it holds a line.
   *
   * @throws IllegalArgumentException if this is one
   */
  final void requireCounts() {
    if (!kind().isDeletable()) {
      throw notCounting();
    }
  }

  private IllegalArgumentException notCounting() {
    return new IllegalArgumentException(
        "a "
            + kind()
            + " filter does not count its lines; build one with --kind "
            + LineKind.deletable());
  }

  /**
   * Gives one occurrence of a line back.
   *
   * @return false if it was certainly absent, and nothing changed
   * @throws IllegalArgumentException if nothing can be removed from this kind of filter
   */
  boolean remove(byte[] bytes, int from, int to) {
    throw notDeletable();
  }

  /**
   * Returns how often it holds a line; never less than it was added and not removed.
   *
   * @throws IllegalArgumentException if this kind of filter does not know
   */
  long count(byte[] bytes, int from, int to) {
    throw notCounting();
  }

  /**
   * Adds all that the filter in another file holds.
   *
   * @throws IllegalArgumentException if it does not fit
   * @throws IOException if it cannot be read, or is of another kind or strategy
   */
  abstract void merge(Path other) throws IOException;

  /**
   * Keeps only what the filter in another file holds too.
   *
   * @throws IllegalArgumentException if it does not fit, or filters of this kind cannot do so
   * @throws IOException if it cannot be read, or is of another kind or strategy
   */
  void intersect(Path other) throws IOException {
    throw new IllegalArgumentException(
        "cannot intersect: both must be classic or blocked filters of one kind, got a "
            + kind()
            + " one");
  }

  /**
   * Removes all that the filter in another file holds.
   *
   * @throws IllegalArgumentException if it does not fit, holds what this one does not, or filters
   *     of this kind cannot do so
   * @throws IOException if it cannot be read, or is of another kind or strategy
   */
  void subtract(Path other) throws IOException {
    throw new IllegalArgumentException(
        "cannot subtract: both must be counting or dynamic cuckoo filters of one kind, got a "
            + kind()
            + " one");
  }

  /**
   * Returns a filter of another kind with the same answers.
   *
   * @throws IllegalArgumentException if there is none
   */
  abstract LineFilter convert(LineKind to);

  /** Returns the probability that the query of a line which was never added is positive, now. */
  abstract double expectedFpp();

  /** Returns an estimate of how many distinct lines it holds. */
  abstract long approximateElementCount();

  /** Returns what it was made for; empty if that is unknown. */
  Optional<FilterPlan> plan() {
    return Optional.empty();
  }

  /** Returns whether it holds more than it was made for. */
  boolean isOverfull() {
    return false;
  }

  /** Returns the bytes that its arrays take. */
  abstract long memoryBytes();

  /** Returns its size and what is in use, by the names of {@link FilterLayout#figures}. */
  abstract Map<String, Number> figures();

  /** Returns the error by the number of distinct lines; NaN where that is not known. */
  abstract LongToDoubleFunction fppByElements();

  /** Writes the file, atomically. */
  abstract void writeTo(Path file) throws IOException;
}
