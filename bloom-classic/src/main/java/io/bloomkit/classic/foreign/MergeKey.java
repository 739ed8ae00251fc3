package io.bloomkit.classic.foreign;

import io.bloomkit.hash.StrategyIdentity;
import java.util.Locale;

/**
 * The properties that two filters must share so that they can be merged.
 *
 * @param shape the parameters of a filter, including its size. Together with the hash of an
 *     element, they determine the bits that the element sets.
 * @param strategy the identity of the hash strategy
 */
public record MergeKey(Record shape, StrategyIdentity strategy) {

  /**
   * Checks that another key is equal to this one. Filters with equal keys can be merged.
   *
   * @throws IllegalArgumentException if the keys are not equal
   */
  public void requireEqual(MergeKey other) {
    if (!equals(other)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "cannot merge: this filter has %s and %s, other has %s and %s",
              shape,
              strategy,
              other.shape,
              other.strategy));
    }
  }
}
