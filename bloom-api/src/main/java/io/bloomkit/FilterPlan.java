package io.bloomkit;

import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a filter was made for: a number of distinct elements, and the false-positive rate that it
 * has once it holds them. {@link MembershipFilter#plan()} returns it.
 *
 * <p>A filter that was made for a number and a rate keeps both as they were given, and so do its
 * file, its copies, and the filters that it is converted to. Clearing, subtracting and converting
 * change the contents of a filter and not its size, so its plan stays. Of two plans that meet by
 * merging or intersecting, the {@linkplain #ofMerged stricter} stays. A plan is no part of the
 * contents: filters with equal contents and different plans are equal.
 *
 * @param expectedInsertions the number of distinct elements, from 1 to {@value
 *     #MAX_EXPECTED_INSERTIONS}; what it counts for filters that grow or age, they say
 * @param fpp the false-positive rate at that number, in (0, 1)
 */
public record FilterPlan(long expectedInsertions, double fpp) {

  /** The largest number of elements, 2<sup>60</sup>: 64-bit hashes tell no more apart. */
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
   * Returns the plan of a filter that two filters of one size were merged to: the only one if one
   * filter has none, and otherwise the one for fewer elements, or the lower rate. Filters of one
   * size were made for about the same, so this only makes the result independent of the order.
   */
  public static Optional<FilterPlan> ofMerged(
      Optional<FilterPlan> one, Optional<FilterPlan> other) {
    Objects.requireNonNull(one, "one");
    Objects.requireNonNull(other, "other");
    return Stream.of(one, other).flatMap(Optional::stream).min(STRICTEST_FIRST);
  }
}
