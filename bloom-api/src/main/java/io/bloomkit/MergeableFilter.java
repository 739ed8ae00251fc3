package io.bloomkit;

/**
 * A filter that merges with others of its class, strategy and size.
 *
 * <p>{@code merge} and {@code copy} must not run concurrently with writers; a happens-before edge
 * from earlier writes is required.
 *
 * @param <F> the type of the filters that merge
 */
public interface MergeableFilter<F> {

  /**
   * Returns whether another filter puts every element at the same positions, so that the two can be
   * merged: same class, same strategy id and fingerprint, same size.
   */
  boolean isCompatible(MembershipFilter<?> other);

  /**
   * Adds all elements of another filter: afterwards this one equals the filter to which the
   * elements of both were added. A filter may be merged with itself.
   *
   * @throws IllegalArgumentException if the other is not {@linkplain #isCompatible compatible};
   *     nothing has changed then
   */
  void merge(F other);

  /** Returns an independent filter with the same contents. */
  F copy();
}
