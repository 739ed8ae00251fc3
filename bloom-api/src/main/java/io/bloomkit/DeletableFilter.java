package io.bloomkit;

import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.internal.Arguments;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An {@link InsertableFilter} from which elements can be removed. It is an approximate multiset: an
 * element that was added three times stays positive at least until it has been removed three times.
 *
 * <p><b>Remove only what was added.</b> Removing an element that is not in the filter changes
 * nothing, unless the element is a false positive. A filter usually cannot recognize a false
 * positive. Removing a false positive takes counts from other elements, which may then become false
 * negatives. The probability of a false positive is {@link #expectedFpp()}.
 *
 * @param <T> the type of the elements
 */
public interface DeletableFilter<T> extends InsertableFilter<T> {

  /**
   * Adds copies of an element: equivalent to that many calls of {@link #add}, all of them or none,
   * but costs about as much as one.
   *
   * @param copies at least 1
   * @return true if the element was certainly absent before
   * @throws NullPointerException if the element is null
   * @throws IllegalArgumentException if {@code copies} is less than 1
   * @throws IllegalStateException if the filter is full, or would have to count higher than
   *     2<sup>62</sup>; nothing is changed
   */
  default boolean add(T element, long copies) {
    return addHash(strategy().hash(Objects.requireNonNull(element, "element")), copies);
  }

  /**
   * Equivalent to {@link #add(Object, long)} of an element with a given hash.
   *
   * <p>The default implementation calls {@code addHash} for each copy, so a class whose {@code
   * addHash} may throw must override this method.
   *
   * @param hash the {@linkplain HashStrategy#hash hash} of the element by {@link #strategy()}
   */
  default boolean addHash(long hash, long copies) {
    Arguments.checkAtLeast(1, copies, "copies");
    boolean isNew = addHash(hash);
    for (long added = 1; added < copies; added++) {
      addHash(hash);
    }
    return isNew;
  }

  /**
   * Removes one occurrence of an element. Succeeds if the element was added more often than
   * removed, provided that no absent element was ever removed.
   *
   * @return true if one occurrence was removed; false if nothing was changed, because the query of
   *     the element is negative or the filter recognized a false positive
   * @throws NullPointerException if the element is null
   */
  default boolean remove(T element) {
    return removeHash(strategy().hash(Objects.requireNonNull(element, "element")));
  }

  /**
   * Equivalent to {@link #remove} of an element with a given hash. If the element itself is a long,
   * use {@link #removeLong}.
   *
   * @param hash the {@linkplain HashStrategy#hash hash} of the element by {@link #strategy()}
   */
  boolean removeHash(long hash);

  /**
   * Removes copies of an element, all of them or none: equivalent to that many calls of {@link
   * #remove} if each of them would return true, but costs about as much as one. To remove all that
   * the filter has, remove {@link #count} copies.
   *
   * @param copies at least 1
   * @return true if the copies were removed; false if nothing was changed, because the filter has
   *     fewer
   * @throws NullPointerException if the element is null
   * @throws IllegalArgumentException if {@code copies} is less than 1
   */
  default boolean remove(T element, long copies) {
    return removeHash(strategy().hash(Objects.requireNonNull(element, "element")), copies);
  }

  /**
   * Equivalent to {@link #remove(Object, long)} of an element with a given hash.
   *
   * <p>The default implementation calls {@code removeHash} for each copy.
   *
   * @param hash the {@linkplain HashStrategy#hash hash} of the element by {@link #strategy()}
   */
  default boolean removeHash(long hash, long copies) {
    Arguments.checkAtLeast(1, copies, "copies");
    if (countHash(hash) < copies) {
      return false;
    }
    for (long removed = 0; removed < copies; removed++) {
      if (!removeHash(hash)) {
        if (removed > 0) {
          addHash(hash, removed);
        }
        return false;
      }
    }
    return true;
  }

  /**
   * Equivalent to {@link #remove} of a long, without boxing it.
   *
   * @throws IllegalStateException if the strategy is not a {@link LongHashStrategy}; nothing is
   *     changed
   */
  default boolean removeLong(long element) {
    return removeHash(LongHashStrategy.hashLong(strategy(), element));
  }

  /**
   * Removes the hashes of many elements from {@code offset} to {@code offset + length - 1}:
   * equivalent to {@link #removeHash} of each hash in turn, but faster in large filters.
   *
   * @return the number of removals that returned true
   * @throws IndexOutOfBoundsException if the range does not lie within the array
   */
  default long removeHashes(long[] hashes, int offset, int length) {
    return removeHashes(hashes, offset, length, null);
  }

  /**
   * Removes many hashes as {@link #removeHashes(long[], int, int)} does, and answers each: sets
   * {@code wasRemoved[i]} to what {@code removeHash(hashes[i])} would have returned, for {@code i}
   * from {@code offset} to {@code offset + length - 1}. Other answers are not changed.
   *
   * @param wasRemoved takes the answers; may be null
   * @return the number of removals that returned true
   * @throws IndexOutOfBoundsException if the range does not lie within both arrays
   */
  default long removeHashes(
      long[] hashes, int offset, int length, boolean @Nullable [] wasRemoved) {
    Arguments.checkBatch(hashes, offset, length, wasRemoved);
    long removed = 0;
    for (int i = offset; i < offset + length; i++) {
      boolean isRemoved = removeHash(hashes[i]);
      removed += isRemoved ? 1 : 0;
      if (wasRemoved != null) {
        wasRemoved[i] = isRemoved;
      }
    }
    return removed;
  }

  /**
   * Returns an upper bound of the number of occurrences of an element in this filter. The result is
   * at least the number of insertions of the element minus the number of its removals, provided
   * that no absent element was ever removed. The result exceeds this difference with a probability
   * of about {@link #expectedFpp()}. The result is 0 if the query of the element is negative.
   *
   * @throws NullPointerException if the element is null
   */
  default long count(T element) {
    return countHash(strategy().hash(Objects.requireNonNull(element, "element")));
  }

  /**
   * Equivalent to {@link #count} of an element with a given hash. If the element itself is a long,
   * use {@link #countLong}.
   *
   * @param hash the {@linkplain HashStrategy#hash hash} of the element by {@link #strategy()}
   */
  long countHash(long hash);

  /**
   * Equivalent to {@link #count} of a long, without boxing it.
   *
   * @throws IllegalStateException if the strategy is not a {@link LongHashStrategy}
   */
  default long countLong(long element) {
    return countHash(LongHashStrategy.hashLong(strategy(), element));
  }
}
