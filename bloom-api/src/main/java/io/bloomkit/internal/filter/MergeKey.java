package io.bloomkit.internal.filter;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterPlan;
import io.bloomkit.Shape;
import io.bloomkit.hash.StrategyIdentity;
import java.util.Locale;
import java.util.Optional;

/**
 * The properties that two filters must share so that they can be merged. Together with the hash of
 * an element, they determine the positions that the element sets.
 *
 * @param shape a {@link io.bloomkit.Shape}, or the shape of a filter in the format of another
 *     library
 * @param strategy the identity of the hash strategy
 */
public record MergeKey(Object shape, StrategyIdentity strategy) {

  /**
   * Checks that another key is equal to this one.
   *
   * @param operation the operation on the two filters, for the message
   * @param plan the plan of the filter of this key, for the message
   * @param others the plan of the other filter
   * @throws IllegalArgumentException if the keys are not equal
   */
  public void requireEqual(
      MergeKey other, String operation, Optional<FilterPlan> plan, Optional<FilterPlan> others) {
    if (!strategy.equals(other.strategy)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "cannot %s: this filter has the strategy %s, other has %s; build both with one"
                  + " strategy%s",
              operation,
              strategy,
              other.strategy,
              strategy.id().equals(other.strategy.id())
                  ? ": the ids agree but not the fingerprints, so the function, a probe or the"
                      + " secret key is another one"
                  : ""));
    }
    if (!shape.equals(other.shape)) {
      boolean byPlan = plan.isPresent() && others.isPresent() && !plan.equals(others);
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "cannot %s: this filter has %s, other has %s; build both with the same expected number"
                  + " and rate",
              operation,
              describe(byPlan ? plan.get() : shape),
              describe(byPlan ? others.get() : other.shape)));
    }
  }

  /** Returns a plan or a shape in the words of a user. */
  public static String describe(Object size) {
    if (size instanceof FilterPlan plan) {
      return "expected number " + plan.expectedInsertions() + " and rate " + plan.fpp();
    }
    if (size instanceof Shape shape) {
      return shape.positions()
          + " positions"
          + (size instanceof BlockedShape blocked
              ? " in blocks of " + blocked.positionsPerBlock()
              : "")
          + " and "
          + shape.hashes()
          + " hashes";
    }
    return size.toString();
  }
}
