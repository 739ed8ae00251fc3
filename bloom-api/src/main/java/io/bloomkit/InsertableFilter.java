package io.bloomkit;

import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import java.util.Objects;

/**
 * A {@link MembershipFilter} that can be filled.
 *
 * <p>An operation that throws has changed nothing, a bulk operation included: it computes every
 * hash before it adds the first.
 *
 * <p>{@link FilterCollectors} fills one from a stream. {@code urls.filter(seen::add)} keeps the
 * elements that are new, except for a few false positives; the stream must be sequential unless the
 * filter is concurrent.
 *
 * @param <T> the type of the elements
 */
public interface InsertableFilter<T> extends MembershipFilter<T> {

  /**
   * Adds an element.
   *
   * @return true exactly if the element was certainly absent before: its first addition returns
   *     true unless it was a false positive
   * @throws NullPointerException if the element is null
   * @throws IllegalStateException if the filter has a capacity, as its class then says, and it is
   *     reached; nothing has changed then
   */
  boolean add(T element);

  /**
   * Equivalent to {@link #add} of an element whose {@linkplain HashStrategy#hash hash} this is. A
   * long that is itself the element goes to {@link #addLong}.
   */
  boolean addHash(long hash);

  /**
   * Equivalent to {@link #add} of a long, which is not boxed.
   *
   * @throws IllegalStateException if the strategy is not a {@link LongHashStrategy}, or as {@link
   *     #add}; nothing has changed then
   */
  default boolean addLong(long element) {
    return addHash(LongHashStrategy.hashLong(strategy(), element));
  }

  /**
   * Adds many elements: equivalent to {@link #add} of one after another.
   *
   * @param elements iterated once; their hashes take some sixteen bytes each while the call lasts
   * @return how many of these additions returned true
   * @throws NullPointerException if an element is null; nothing has been added then
   */
  default long addAll(Iterable<? extends T> elements) {
    return addHashes(strategy().hashAll(elements));
  }

  /**
   * Adds many hashes: equivalent to {@link #addHash} of one after another.
   *
   * @return how many of these additions returned true
   */
  default long addHashes(long[] hashes) {
    Objects.requireNonNull(hashes, "hashes");
    return addHashes(hashes, 0, hashes.length);
  }

  /**
   * Adds the hashes from {@code offset} to {@code offset + length - 1}: equivalent to {@link
   * #addHash} of one after another. The default does just that, so a filter whose {@code addHash}
   * may throw overrides it, and adds all of them or none.
   *
   * @return how many of these additions returned true
   * @throws IndexOutOfBoundsException if the range does not lie within the array
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
   * Returns whether several threads may add and query at the same time, as the class of this filter
   * describes: false unless it was built {@code concurrent()}.
   */
  default boolean isConcurrent() {
    return false;
  }

  /** Removes all elements: afterwards every query is negative. */
  void clear();
}
