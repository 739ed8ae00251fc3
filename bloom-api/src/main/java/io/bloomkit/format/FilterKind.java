package io.bloomkit.format;

import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterFormatException;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MergeableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.format.Variant;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The descriptor of a kind of filter. Each kind corresponds to one Java class of filters. A
 * descriptor has the name and the file code of the kind, and methods that create, read, size and
 * combine filters of the kind. For tools that handle every kind, such as the command line. An
 * application uses the class of the filter instead.
 *
 * <p>Only this library implements this interface. All methods throw {@link NullPointerException} if
 * an argument is null. Descriptors are immutable and thread-safe.
 */
public interface FilterKind {

  /** An optional property of the filters of a kind. */
  enum Trait {
    /** A filter can be {@linkplain InsertableFilter#isConcurrent concurrent}. */
    CONCURRENT,

    /**
     * A filter grows by layers, and accepts more elements than planned. The planned number of
     * elements is the number for the first layer.
     */
    GROWING,

    /**
     * The memory of a filter grows and shrinks with the number of its elements. A filter accepts
     * more elements than planned, at a higher false-positive rate.
     */
    ELASTIC,

    /**
     * Two filters of the same size that hold the same elements are equal, whatever the order of
     * insertions. For a filter with {@link #EXPIRING} elements, this holds only while all its
     * elements are of the same age.
     */
    COMPARABLE,

    /** A filter forgets elements by itself, as they age. */
    EXPIRING
  }

  /**
   * Returns all kinds of filters whose modules are on the class path or module path, in ascending
   * order of their {@linkplain #code codes}. Looks for their classes by name, in two class loaders:
   * the context class loader of the thread and the class loader of this library. On the module
   * path, a module that nothing requires must be named by {@code --add-modules}.
   *
   * <p>Each call searches again, so keep the result if you read many files.
   *
   * @throws LinkageError if the class of a kind is there but cannot be loaded
   */
  static List<FilterKind> installed() {
    List<FilterKind> kinds = new ArrayList<>();
    for (Variant variant : Variant.values()) {
      InstalledKind.of(variant).ifPresent(kinds::add);
    }
    return List.copyOf(kinds);
  }

  /**
   * Returns the installed kind with a {@linkplain #code code}, or empty if no module has it.
   *
   * @throws LinkageError as for {@link #installed}
   */
  static Optional<FilterKind> of(int code) {
    return Variant.of(code).flatMap(InstalledKind::of);
  }

  /** Returns the code of this kind in files. See docs/format.md for the codes. */
  int code();

  /**
   * Returns the name of this kind on the command line and in SQL functions on Apache Spark. It
   * consists of lower-case words joined by hyphens, such as "blocked-counting".
   */
  String label();

  /** Returns the class of the filters of this kind. */
  Class<?> filterClass();

  /** Returns the optional properties of the filters of this kind. */
  Set<Trait> traits();

  /**
   * Returns the layout of the filter that {@link #create} would return, without creating the
   * filter.
   *
   * @param expectedInsertions the planned number of distinct elements, at least 1; for a {@link
   *     Trait#GROWING} kind, the number for the first layer
   * @param fpp the planned false-positive rate at that number, in (0, 1)
   * @throws IllegalArgumentException if an argument is out of its range, or a filter cannot have
   *     that size
   */
  FilterLayout layout(long expectedInsertions, double fpp);

  /**
   * Returns the layout of an existing filter, including its fill ratio. Costs up to a pass over the
   * filter.
   *
   * @throws ClassCastException if the filter is of another kind
   */
  FilterLayout layoutOf(StorableFilter<?> filter);

  /**
   * Returns a new, empty filter of this kind. The filter is concurrent only if all of its kind are.
   *
   * @param strategy turns elements into hashes
   * @param expectedInsertions as for {@link #layout}, or 0 for an empty set
   * @param fpp as for {@link #layout}
   * @throws IllegalArgumentException as for {@link #layout}
   */
  <T> StorableFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp);

  /**
   * Reads a filter of this kind from a stream. The filter is concurrent only if all of its kind
   * are. Reads no byte beyond the filter.
   *
   * @param in not closed; needs no buffering
   * @throws FilterFormatException if the bytes are damaged, of another kind, or were filled by
   *     another strategy
   * @throws IOException if the stream fails
   */
  <T> StorableFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException;

  /**
   * Reads a filter of this kind from its bytes. The filter is concurrent only if all of its kind
   * are.
   *
   * @throws FilterFormatException if the bytes are damaged, of another kind, or were filled by
   *     another strategy, or if more bytes follow
   */
  <T> StorableFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException;

  /** Returns whether the filters of this kind have a given trait. */
  default boolean is(Trait trait) {
    return traits().contains(Objects.requireNonNull(trait, "trait"));
  }

  /** Returns whether the filters of this kind are {@link DeletableFilter}s. */
  default boolean isDeletable() {
    return DeletableFilter.class.isAssignableFrom(filterClass());
  }

  /** Returns whether the filters of this kind are {@link MergeableFilter}s. */
  default boolean isMergeable() {
    return MergeableFilter.class.isAssignableFrom(filterClass());
  }

  /**
   * Adds an element to a filter of this kind by its hash, as {@link InsertableFilter#addHash} does.
   *
   * @return true exactly if the element was certainly absent before
   * @throws ClassCastException if elements cannot be added to the filter
   * @throws IllegalStateException as for {@link InsertableFilter#addHash}
   */
  boolean addHash(StorableFilter<?> filter, long hash);

  /**
   * Merges a filter of this kind into another one by {@link MergeableFilter#merge}.
   *
   * @param into receives the elements
   * @param other not modified, unless it is {@code into}
   * @throws IllegalArgumentException if filters of this kind cannot be merged, if one of the two
   *     filters is of another kind, if they are incompatible, or if the result would exceed a limit
   *     (see {@link MergeableFilter#merge}); nothing is changed
   */
  void merge(StorableFilter<?> into, StorableFilter<?> other);

  /**
   * Subtracts a filter of this kind from another one: removes all elements of {@code other} from
   * {@code from}.
   *
   * @param from the filter from which elements are removed
   * @param other the filter whose elements are removed; not modified, unless it is {@code from}
   * @throws IllegalArgumentException if filters of this kind cannot be subtracted, if one of the
   *     two filters is of another kind, if they are incompatible, or if {@code other} holds
   *     elements that {@code from} does not hold; nothing is changed
   */
  void subtract(StorableFilter<?> from, StorableFilter<?> other);

  /**
   * Intersects a filter of this kind with another one. Elements that are in both filters stay
   * positive. The element count of {@code into} becomes unknown.
   *
   * @param into the filter that is modified
   * @param other not modified
   * @throws IllegalArgumentException if filters of this kind cannot be intersected, if one of the
   *     two filters is of another kind, or if they are incompatible; nothing is changed
   */
  void intersect(StorableFilter<?> into, StorableFilter<?> other);

  /** Returns whether {@link #convert} can convert filters of this kind to another kind. */
  boolean isConvertibleTo(FilterKind to);

  /**
   * Converts a filter of this kind to another kind. The new filter answers all queries as the given
   * filter does now. Later changes of either filter do not affect the other one.
   *
   * @return the new filter, or empty if this kind is not {@linkplain #isConvertibleTo convertible}
   *     to {@code to}
   * @throws ClassCastException if this kind is convertible to {@code to}, but {@code filter} is not
   *     of this kind
   */
  <T> Optional<StorableFilter<T>> convert(StorableFilter<T> filter, FilterKind to);
}
