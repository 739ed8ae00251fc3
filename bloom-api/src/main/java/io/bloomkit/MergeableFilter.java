package io.bloomkit;

/**
 * A filter that can be merged with filters of the same class, strategy and size.
 *
 * <p>A concurrent filter may be copied and merged into another one at any time. {@code merge} must
 * not run concurrently with other uses of the filter that receives the elements, or with writers of
 * an argument that is not concurrent; a happens-before edge from earlier writes is required.
 *
 * @param <F> the type of the filters that can be merged with this one
 */
public interface MergeableFilter<F> {

  /**
   * Returns whether this filter can be merged with another one: whether they have the same class,
   * strategy id, strategy fingerprint and size. Such filters put every element at the same
   * positions.
   */
  boolean isCompatible(MembershipFilter<?> other);

  /**
   * Adds all elements of another filter to this one. Afterwards this filter equals a filter to
   * which the elements of both filters were added. A filter may be merged with itself.
   *
   * @throws IllegalArgumentException if the filters are not {@linkplain #isCompatible compatible},
   *     or the result would exceed a limit that the class documents; nothing is changed
   */
  void merge(F other);

  /**
   * Returns an independent filter with the same strategy, size, {@linkplain MembershipFilter#plan
   * plan} and contents, {@linkplain InsertableFilter#isConcurrent concurrent} if this filter is.
   */
  F copy();
}
