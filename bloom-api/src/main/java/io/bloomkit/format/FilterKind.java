package io.bloomkit.format;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MergeableFilter;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The descriptor of a kind of filter: its name, its code in files, and methods that create, read,
 * size and combine its filters. For code that works with every kind without knowing the classes:
 * command line, test kit, Spark, benchmarks. To use one filter, call its class.
 *
 * <p>To make every tool support a filter of your own, write its class, a descriptor, and a {@link
 * FilterProvider} registered in {@code META-INF/services} and {@code module-info}.
 *
 * <p>Implementations are immutable and thread-safe.
 */
public interface FilterKind {

  /** An optional property of the filters of a kind. */
  enum Trait {
    /** There is a thread-safe form. */
    CONCURRENT,

    /** It grows without a maximum; the planned number of elements is that of its first layer. */
    GROWING,

    /**
     * Its memory is proportional to the elements that it holds. It is planned for a maximum number
     * of elements, and its planned memory is that of a filter with that number.
     */
    ELASTIC,

    /** Two filters of one size that hold the same elements are equal, whatever the order. */
    COMPARABLE
  }

  /** Returns the variant: the code in files, and the class name in error messages. */
  FilterVariant variant();

  /**
   * Returns the name of this kind on the command line, in SQL and in tables: lower-case words
   * joined by hyphens, such as "blocked-counting".
   */
  String label();

  /** Returns the class of its filters. */
  Class<?> filterClass();

  /** Returns the optional properties that its filters have. */
  Set<Trait> traits();

  /**
   * Plans a filter. Allocates none.
   *
   * @param expectedInsertions the number of distinct elements planned for, at least 1; that of the
   *     first layer if it is {@link Trait#GROWING}
   * @param fpp the false-positive probability once it holds them, in (0, 1)
   * @throws IllegalArgumentException if an argument is out of its range, or no filter has that size
   */
  FilterLayout layout(long expectedInsertions, double fpp);

  /**
   * Returns the layout of a filter of this kind, including its fill. Costs up to a pass over it.
   *
   * @throws ClassCastException if it is of another kind
   */
  FilterLayout layoutOf(StorableFilter<?> filter);

  /**
   * Returns an empty filter.
   *
   * @param strategy turns elements into hashes
   * @param expectedInsertions as for {@link #layout}
   * @param fpp as for {@link #layout}
   * @throws IllegalArgumentException as for {@link #layout}
   */
  <T> StorableFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp);

  /**
   * Reads a filter of this kind: {@code FilterReader.readFrom(file, reader -> kind.read(reader,
   * strategy))}.
   *
   * @throws FilterFormatException if it is damaged, of another kind, or was filled by another
   *     strategy
   * @throws IOException if the stream fails
   */
  <T> StorableFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy)
      throws IOException;

  /** Returns whether its filters have a trait. */
  default boolean is(Trait trait) {
    return traits().contains(Objects.requireNonNull(trait, "trait"));
  }

  /** Returns whether its filters are {@link InsertableFilter}s. */
  default boolean isInsertable() {
    return InsertableFilter.class.isAssignableFrom(filterClass());
  }

  /** Returns whether its filters are {@link DeletableFilter}s. */
  default boolean isDeletable() {
    return DeletableFilter.class.isAssignableFrom(filterClass());
  }

  /** Returns whether its filters are {@link MergeableFilter}s. */
  default boolean isMergeable() {
    return MergeableFilter.class.isAssignableFrom(filterClass());
  }

  /**
   * Adds an element by its hash: {@link InsertableFilter#addHash}.
   *
   * @return true exactly if it was certainly absent before
   * @throws ClassCastException if the filter is of another kind
   */
  default boolean addHash(StorableFilter<?> filter, long hash) {
    Objects.requireNonNull(filter, "filter");
    return ((InsertableFilter<?>) filter).addHash(hash);
  }

  /**
   * Merges a filter of this kind into another one: {@link MergeableFilter#merge}.
   *
   * @throws IllegalArgumentException if filters of this kind do not merge, or these two are of
   *     different classes, sizes or strategies
   */
  default <T> void merge(StorableFilter<T> into, StorableFilter<? extends T> other) {
    Objects.requireNonNull(into, "into");
    Objects.requireNonNull(other, "other");
    if (!filterClass().isInstance(into)
        || !filterClass().isInstance(other)
        || !(into instanceof MergeableFilter<?> mergeable)) {
      throw new IllegalArgumentException(
          isMergeable()
              ? "cannot merge: this is " + into + ", other is " + other
              : label() + " filters cannot be merged; add the elements of one to the other");
    }
    @SuppressWarnings("unchecked") // filters merge with those of their class, as both are
    MergeableFilter<Object> target = (MergeableFilter<Object>) mergeable;
    target.merge(other);
  }

  /**
   * Subtracts a filter of this kind from another one: removes all its elements.
   *
   * @throws IllegalArgumentException if filters of this kind cannot be subtracted, as by default,
   *     if the two are incompatible, or if {@code other} holds elements that {@code from} does not;
   *     nothing has changed then
   */
  default <T> void subtract(StorableFilter<T> from, StorableFilter<? extends T> other) {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(other, "other");
    throw new IllegalArgumentException(
        "cannot subtract: both must be counting filters of one kind, but this is "
            + from
            + ", other is "
            + other);
  }

  /**
   * Intersects a filter of this kind with another one: elements of both stay positive, and the
   * element count becomes unknown.
   *
   * @throws IllegalArgumentException if filters of this kind cannot be intersected, as by default,
   *     or if the two are incompatible; nothing has changed then
   */
  default <T> void intersect(StorableFilter<T> into, StorableFilter<? extends T> other) {
    Objects.requireNonNull(into, "into");
    Objects.requireNonNull(other, "other");
    throw new IllegalArgumentException(
        "cannot intersect: both must be filters of bits of one kind, but this is "
            + into
            + ", other is "
            + other);
  }

  /** Returns whether {@link #convert} makes filters of another kind from those of this kind. */
  default boolean isConvertibleTo(FilterKind to) {
    Objects.requireNonNull(to, "to");
    return false;
  }

  /**
   * Returns a filter of another kind that answers as one of this kind does now, or empty if this
   * kind is not {@linkplain #isConvertibleTo convertible} to it.
   *
   * @throws ClassCastException if the filter is not of this kind
   */
  default <T> Optional<StorableFilter<T>> convert(StorableFilter<T> filter, FilterKind to) {
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(to, "to");
    return Optional.empty();
  }
}
