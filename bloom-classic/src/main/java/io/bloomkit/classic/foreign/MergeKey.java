package io.bloomkit.classic.foreign;

import io.bloomkit.hash.StrategyIdentity;
import java.util.Locale;

/**
 * The properties that two filters must share so that they can be merged.
 *
 * @param shape the size and the other parameters that, together with the hash of an element,
 *     determine the bits of the element
 * @param strategy the identity of the hash strategy
 */
public record MergeKey(Record shape, StrategyIdentity strategy) {

  /**
   * Checks that filters with this key can be merged with filters of another key.
   *
   * @throws IllegalArgumentException if the other key is not equal to this one
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
