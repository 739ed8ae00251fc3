package io.bloomkit.internal.filter;

import io.bloomkit.hash.StrategyIdentity;
import java.util.Locale;

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
   * @throws IllegalArgumentException if the keys are not equal
   */
  public void requireEqual(MergeKey other, String operation) {
    if (!strategy.equals(other.strategy)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "cannot %s: this filter has the strategy %s, other has %s; build both with one strategy",
              operation,
              strategy,
              other.strategy));
    }
    if (!shape.equals(other.shape)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "cannot %s: this filter has %s, other has %s; build both with the same expected number"
                  + " and rate",
              operation,
              shape,
              other.shape));
    }
  }
}
