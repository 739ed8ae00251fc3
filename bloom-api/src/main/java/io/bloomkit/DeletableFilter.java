package io.bloomkit;

import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import java.util.Objects;

/**
 * An {@link InsertableFilter} from which elements can be removed again. It is an approximate
 * multiset: an element inserted three times stays positive until it has been removed three times.
 *
 * <p><b>Remove only what was added.</b> Removing an element that was never added changes nothing,
 * unless it is a false positive ({@link #expectedFpp()} is the probability): the filter cannot
 * recognize one, so its removal takes counts from other elements, which may become false negatives.
 *
 * @param <T> the type of the elements
 */
public interface DeletableFilter<T> extends InsertableFilter<T> {

  /**
   * Removes one occurrence of an element. Succeeds for every element that was added more often than
   * it was removed. Only positive elements can be removed; a filter may refuse a false positive.
   *
   * @return true if one occurrence was removed; false if the element is negative or the filter
   *     refused a false positive, and nothing has changed
   * @throws NullPointerException if the element is null
   */
  boolean remove(T element);

  /**
   * Equivalent to {@link #remove} of an element whose {@linkplain HashStrategy#hash hash} this is.
   */
  boolean removeHash(long hash);

  /**
   * Equivalent to {@link #remove} of a long, which is not boxed.
   *
   * @throws IllegalStateException if the strategy is not a {@link LongHashStrategy}; nothing has
   *     changed then
   */
  default boolean removeLong(long element) {
    return removeHash(LongHashStrategy.hashLong(strategy(), element));
  }

  /**
   * Removes many elements: equivalent to {@link #remove} of one after another.
   *
   * @param elements iterated once; their hashes take some sixteen bytes each while the call lasts
   * @return how many of these removals returned true
   * @throws NullPointerException if an element is null; nothing has been removed then
   */
  default long removeAll(Iterable<? extends T> elements) {
    return removeHashes(strategy().hashAll(elements));
  }

  /**
   * Removes many hashes: equivalent to {@link #removeHash} of one after another.
   *
   * @return how many of these removals returned true
   */
  default long removeHashes(long[] hashes) {
    Objects.requireNonNull(hashes, "hashes");
    return removeHashes(hashes, 0, hashes.length);
  }

  /**
   * Removes the hashes from {@code offset} to {@code offset + length - 1}: equivalent to {@link
   * #removeHash} of one after another.
   *
   * @return how many of these removals returned true
   * @throws IndexOutOfBoundsException if the range does not lie within the array
   */
  default long removeHashes(long[] hashes, int offset, int length) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromIndexSize(offset, length, hashes.length);
    long removed = 0;
    for (int i = offset; i < offset + length; i++) {
      removed += removeHash(hashes[i]) ? 1 : 0;
    }
    return removed;
  }

  /**
   * Returns how often an element is in this filter: at least its insertions minus its removals,
   * provided that only inserted elements were removed. It is higher with a probability of about
   * {@link #expectedFpp()}.
   *
   * @throws NullPointerException if the element is null
   */
  long count(T element);

  /**
   * Equivalent to {@link #count} of an element whose {@linkplain HashStrategy#hash hash} this is.
   */
  long countHash(long hash);

  /**
   * Equivalent to {@link #count} of a long, which is not boxed.
   *
   * @throws IllegalStateException if the strategy is not a {@link LongHashStrategy}
   */
  default long countLong(long element) {
    return countHash(LongHashStrategy.hashLong(strategy(), element));
  }
}
