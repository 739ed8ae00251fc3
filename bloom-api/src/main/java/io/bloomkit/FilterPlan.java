package io.bloomkit;

import io.bloomkit.internal.Arguments;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The plan of a filter: the number of distinct elements that the filter was made for, and its
 * false-positive rate once it holds that number. See {@link MembershipFilter#plan()}.
 *
 * <p>Adding, removing, clearing and subtracting do not change the plan of a filter. The copies of a
 * filter, its file, and the filters converted from it have the same plan. A filter of fixed size
 * that is merged or intersected with another one gets the {@linkplain #ofMerged stricter} of the
 * two plans. A dynamic or expiring cuckoo filter, which grows and shrinks, keeps its own plan when
 * another filter is merged into it.
 *
 * <p>Two filters can be equal although their plans differ.
 *
 * @param expectedInsertions the number of distinct elements, from 1 to {@link
 *     #MAX_EXPECTED_INSERTIONS}; the class of a growing or an expiring filter documents what this
 *     number means there
 * @param fpp the false-positive rate at that number, in (0, 1)
 */
public record FilterPlan(long expectedInsertions, double fpp) {

  /** The largest number of elements, 2<sup>60</sup>. */
  public static final long MAX_EXPECTED_INSERTIONS = 1L << 60;

  /** Upper bound of the rate of a shape for a plan, as a multiple of the planned rate. */
  static final double TOLERANCE = 1.01;

  private static final Comparator<FilterPlan> STRICTEST_FIRST =
      Comparator.comparingLong(FilterPlan::expectedInsertions).thenComparingDouble(FilterPlan::fpp);

  /**
   * Creates a plan.
   *
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public FilterPlan {
    Arguments.checkRange(1, MAX_EXPECTED_INSERTIONS, expectedInsertions, "expectedInsertions");
    Arguments.checkFraction(fpp, "fpp");
  }

  /**
   * Returns whether a false-positive rate is more than 1.01 times the planned one. The tolerance of
   * 1 % is needed because the numbers of positions and hashes are rounded to whole numbers.
   *
   * @param presentFpp the false-positive rate that a filter has now
   */
  public boolean isExceededBy(double presentFpp) {
    return presentFpp > TOLERANCE * fpp;
  }

  /**
   * Returns the plan of the result of merging two filters. If both filters have a plan, returns the
   * plan with fewer elements. If the numbers of elements are equal, returns the plan with the lower
   * rate. If only one filter has a plan, returns that plan. If neither filter has a plan, returns
   * empty. The order of the arguments does not matter.
   */
  public static Optional<FilterPlan> ofMerged(
      Optional<FilterPlan> one, Optional<FilterPlan> other) {
    Objects.requireNonNull(one, "one");
    Objects.requireNonNull(other, "other");
    return Stream.of(one, other).flatMap(Optional::stream).min(STRICTEST_FIRST);
  }
}
