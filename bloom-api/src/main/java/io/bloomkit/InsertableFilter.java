package io.bloomkit;

import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.internal.Arguments;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@link MembershipFilter} to which elements can be added.
 *
 * <p>An operation that throws an exception leaves the filter unchanged, {@link #addHashes} and
 * {@link #addAll} included, except where a class says otherwise.
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
  default boolean add(T element) {
    return addHash(strategy().hash(Objects.requireNonNull(element, "element")));
  }

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
   * but faster in large filters. Adds all hashes or none.
   *
   * @return the number of additions that returned true
   * @throws IndexOutOfBoundsException if the range does not lie within the array
   * @throws IllegalStateException as for {@link #add}; nothing is added
   */
  default long addHashes(long[] hashes, int offset, int length) {
    return addHashes(hashes, offset, length, null);
  }

  /**
   * Adds many hashes as {@link #addHashes(long[], int, int)} does, and answers each: sets {@code
   * wasNew[i]} to what {@code addHash(hashes[i])} would have returned, for {@code i} from {@code
   * offset} to {@code offset + length - 1}. Of a hash that occurs twice, the first one is the new
   * one. Other answers are not changed.
   *
   * <p>The default implementation calls {@code addHash} for each hash, so a class whose {@code
   * addHash} may throw must override this method.
   *
   * @param wasNew takes the answers; may be null
   * @return the number of additions that returned true
   * @throws IndexOutOfBoundsException if the range does not lie within both arrays
   * @throws IllegalStateException as for {@link #add}; nothing is added, and the answers are
   *     undefined
   */
  default long addHashes(long[] hashes, int offset, int length, boolean @Nullable [] wasNew) {
    Arguments.checkBatch(hashes, offset, length, wasNew);
    long added = 0;
    for (int i = offset; i < offset + length; i++) {
      boolean isNew = addHash(hashes[i]);
      added += isNew ? 1 : 0;
      if (wasNew != null) {
        wasNew[i] = isNew;
      }
    }
    return added;
  }

  /**
   * Adds elements by {@link #addHashes(long[], int, int)}: all of them or none. Takes 8 bytes of
   * memory per element during the call.
   *
   * @return the number of additions that returned true
   * @throws NullPointerException if an element is null; nothing is added
   * @throws IllegalStateException as for {@link #add}; nothing is added
   */
  default long addAll(Iterable<? extends T> elements) {
    long[] hashes = strategy().hashAll(elements);
    return addHashes(hashes, 0, hashes.length);
  }

  /**
   * Adds elements as {@link #addAll}, and returns those whose addition returned true, in their
   * order: the ones that were certainly absent before. Of equal elements, it returns the first one.
   *
   * @throws NullPointerException if an element is null; nothing is added
   * @throws IllegalStateException as for {@link #add}; nothing is added
   */
  default <E extends T> List<E> addAndGetNew(Collection<E> elements) {
    // Iterated twice, and it might change between.
    List<E> copies = new ArrayList<>(Objects.requireNonNull(elements, "elements"));
    long[] hashes = strategy().hashAll(copies);
    boolean[] wasNew = new boolean[hashes.length];
    List<E> added = new ArrayList<>((int) addHashes(hashes, 0, hashes.length, wasNew));
    for (int i = 0; i < wasNew.length; i++) {
      if (wasNew[i]) {
        added.add(copies.get(i));
      }
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
