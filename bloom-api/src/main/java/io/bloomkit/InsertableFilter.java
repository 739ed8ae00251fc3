package io.bloomkit;

import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import java.util.Objects;

/**
 * A {@link MembershipFilter} to which elements can be added.
 *
 * <p>An operation that throws an exception leaves the filter unchanged. This includes {@link
 * #addHashes}.
 *
 * <p>{@link FilterCollectors} collects a stream into a filter. With a stream {@code urls} and a
 * filter {@code seen}, {@code urls.filter(seen::add)} keeps the first occurrence of each element,
 * but also drops a new element that is a false positive. The stream must be sequential unless the
 * filter is {@linkplain #isConcurrent() concurrent}.
 *
 * @param <T> the type of the elements
 */
public interface InsertableFilter<T> extends MembershipFilter<T> {

  /**
   * Adds an element.
   *
   * @return true if the element was certainly absent before; false if its query was positive
   *     before. The first addition of an element returns true unless the element was a false
   *     positive.
   * @throws NullPointerException if the element is null
   * @throws IllegalStateException if the filter is full; nothing is changed. Only some classes have
   *     a limit, which they document.
   */
  boolean add(T element);

  /**
   * Equivalent to {@link #add} of an element with a given hash. If the element itself is a long,
   * use {@link #addLong}.
   *
   * @param hash the {@linkplain HashStrategy#hash hash} of the element by {@link #strategy()}
   * @throws IllegalStateException as for {@link #add}
   */
  boolean addHash(long hash);

  /**
   * Equivalent to {@link #add} of a long, without boxing it.
   *
   * @throws IllegalStateException if the strategy is not a {@link LongHashStrategy}, or as for
   *     {@link #add}; nothing is changed
   */
  default boolean addLong(long element) {
    return addHash(LongHashStrategy.hashLong(strategy(), element));
  }

  /**
   * Adds the hashes of many elements, which {@link HashStrategy#hashAll} returns, from {@code
   * offset} to {@code offset + length - 1}: equivalent to {@link #addHash} of each hash in turn,
   * but faster in large filters.
   *
   * <p>Adds all hashes or none. The default implementation calls {@code addHash} for each hash, so
   * a class whose {@code addHash} may throw must override this method.
   *
   * @return the number of additions that returned true
   * @throws IndexOutOfBoundsException if the range does not lie within the array
   * @throws IllegalStateException as for {@link #add}; nothing is added
   */
  default long addHashes(long[] hashes, int offset, int length) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromIndexSize(offset, length, hashes.length);
    long added = 0;
    for (int i = offset; i < offset + length; i++) {
      added += addHash(hashes[i]) ? 1 : 0;
    }
    return added;
  }

  /**
   * Returns whether several threads may add and query at the same time. Some filters always may,
   * others only if they were built with the option {@code concurrent()} of their builder. The class
   * of the filter documents the guarantees of a concurrent filter.
   */
  default boolean isConcurrent() {
    return false;
  }

  /**
   * Removes all elements. Afterwards every query is negative. Must not run concurrently with other
   * operations, unless the class of the filter allows it.
   */
  void clear();
}
