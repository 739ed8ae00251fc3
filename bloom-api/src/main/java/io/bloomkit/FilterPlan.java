package io.bloomkit;

import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The plan of a filter: the number of distinct elements that it was made for, and its
 * false-positive rate once it holds them. {@link MembershipFilter#plan()} returns it.
 *
 * <p>A filter that was made for a number and a rate keeps both unchanged, and so do its file, its
 * copies, and the filters that it is converted to. Clearing and subtracting keep the plan too.
 * Merging or intersecting filters of fixed size keeps the {@linkplain #ofMerged stricter} of two
 * plans; a filter that grows keeps its own. A plan is not part of the contents: filters of equal
 * size and contents are equal, whatever their plans.
 *
 * @param expectedInsertions the number of distinct elements, from 1 to {@value
 *     #MAX_EXPECTED_INSERTIONS}; filters that grow or age document its meaning for them
 * @param fpp the false-positive rate at that number, in (0, 1)
 */
public record FilterPlan(long expectedInsertions, double fpp) {

  /** The largest number of elements, 2<sup>60</sup>. */
  public static final long MAX_EXPECTED_INSERTIONS = 1L << 60;

  private static final Comparator<FilterPlan> STRICTEST_FIRST =
      Comparator.comparingLong(FilterPlan::expectedInsertions).thenComparingDouble(FilterPlan::fpp);

  /**
   * Checks a plan.
   *
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public FilterPlan {
    if (expectedInsertions < 1 || expectedInsertions > MAX_EXPECTED_INSERTIONS) {
      throw new IllegalArgumentException(
          "expectedInsertions must be in [1, "
              + MAX_EXPECTED_INSERTIONS
              + "], got "
              + expectedInsertions);
    }
    if (!(fpp > 0 && fpp < 1)) {
      throw new IllegalArgumentException("fpp must be in (0, 1), got " + fpp);
    }
  }

  /**
   * Returns whether a false-positive rate is above the planned one by more than 1 %: a size is a
   * whole number of positions and hashes, so the rate at the planned number may be that much
   * higher.
   *
   * @param presentFpp the rate that a filter has now
   */
  public boolean isExceededBy(double presentFpp) {
    return presentFpp > Shape.TOLERANCE * fpp;
  }

  /**
   * Returns the plan of the result of merging two filters: the plan for fewer elements, or the one
   * with the lower rate if both are for the same number. If only one filter has a plan, returns
   * that; if neither has, empty. The order of the arguments does not matter.
   */
  public static Optional<FilterPlan> ofMerged(
      Optional<FilterPlan> one, Optional<FilterPlan> other) {
    Objects.requireNonNull(one, "one");
    Objects.requireNonNull(other, "other");
    return Stream.of(one, other).flatMap(Optional::stream).min(STRICTEST_FIRST);
  }
}
