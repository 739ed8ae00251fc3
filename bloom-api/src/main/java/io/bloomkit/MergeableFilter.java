package io.bloomkit;

/**
 * A filter that merges with others of its class, strategy and size.
 *
 * <p>{@code merge} and {@code copy} must not run concurrently with writers of the filters involved;
 * a happens-before edge from earlier writes is required. A class may allow more; it documents that.
 *
 * @param <F> the type of the filters that merge
 */
public interface MergeableFilter<F> {

  /**
   * Returns whether this filter can be merged with another one: same class, same strategy id and
   * fingerprint, same size. Such filters put every element at the same positions.
   */
  boolean isCompatible(MembershipFilter<?> other);

  /**
   * Adds all elements of another filter. Afterwards this filter equals one to which the elements of
   * both were added. A filter may be merged with itself.
   *
   * @throws IllegalArgumentException if the filters are not {@linkplain #isCompatible compatible};
   *     nothing is changed
   */
  void merge(F other);

  /** Returns an independent filter with the same strategy, size and contents. */
  F copy();
}
