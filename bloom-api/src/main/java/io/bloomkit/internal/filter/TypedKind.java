package io.bloomkit.internal.filter;

import io.bloomkit.FilterFormatException;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MergeableFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.Variant;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The descriptor of a kind, given by its names and operations. The class of the filters has it as
 * the constant {@code KIND}, by which {@link FilterKind#installed} finds it; the methods that
 * return the descriptor itself are called only while it is created.
 *
 * @param <F> the class of the filters, with any type of elements
 */
public final class TypedKind<F extends StorableFilter<?>> implements FilterKind {

  /** {@link FilterKind#layout}. */
  @FunctionalInterface
  public interface Planner {
    FilterLayout layout(long expectedInsertions, double fpp);
  }

  /** {@link FilterKind#create}. */
  @FunctionalInterface
  public interface Creator {
    <T> StorableFilter<T> create(
        HashStrategy<? super T> strategy, long expectedInsertions, double fpp);
  }

  /** Reads a filter of this kind. */
  @FunctionalInterface
  public interface Reader {
    <T> StorableFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy)
        throws IOException;
  }

  private final Variant variant;
  private final String label;
  private final Class<?> filterClass;
  private final Set<Trait> traits;
  private final Planner planner;
  private final Function<F, FilterLayout> layouts;
  private final Creator creator;
  private final Reader reader;
  private @Nullable BiConsumer<F, F> subtraction;
  private @Nullable BiConsumer<F, F> intersection;
  private @Nullable Class<?> target;
  private @Nullable Function<F, ? extends StorableFilter<?>> conversion;

  /** Creates a descriptor without the optional operations. */
  public TypedKind(
      Variant variant,
      String label,
      Class<?> filterClass,
      Set<Trait> traits,
      Planner planner,
      Function<F, FilterLayout> layouts,
      Creator creator,
      Reader reader) {
    this.variant = variant;
    this.label = label;
    this.filterClass = filterClass;
    this.traits = traits;
    this.planner = planner;
    this.layouts = layouts;
    this.creator = creator;
    this.reader = reader;
  }

  /** Makes {@link #subtract} possible. Returns this descriptor. */
  public TypedKind<F> subtracting(BiConsumer<F, F> subtract) {
    subtraction = subtract;
    return this;
  }

  /** Makes {@link #intersect} possible. Returns this descriptor. */
  public TypedKind<F> intersecting(BiConsumer<F, F> intersect) {
    intersection = intersect;
    return this;
  }

  /** Makes filters convertible to those of a class. Returns this descriptor. */
  public TypedKind<F> converting(Class<?> to, Function<F, ? extends StorableFilter<?>> convert) {
    target = to;
    conversion = convert;
    return this;
  }

  @Override
  public int code() {
    return variant.code();
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public Class<?> filterClass() {
    return filterClass;
  }

  @Override
  public Set<Trait> traits() {
    return traits;
  }

  @Override
  public FilterLayout layout(long expectedInsertions, double fpp) {
    Arguments.checkAtLeast(1, expectedInsertions, "expectedInsertions");
    return planner.layout(expectedInsertions, fpp);
  }

  @Override
  public FilterLayout layoutOf(StorableFilter<?> filter) {
    return layouts.apply(cast(Objects.requireNonNull(filter, "filter")));
  }

  @Override
  public <T> StorableFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return creator.create(strategy, expectedInsertions, fpp);
  }

  @Override
  public <T> StorableFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException {
    Objects.requireNonNull(strategy, "strategy");
    return FilterReader.readFrom(in, file -> reader.read(file, strategy));
  }

  @Override
  public <T> StorableFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    Objects.requireNonNull(strategy, "strategy");
    return FilterReader.fromBytes(bytes, file -> reader.read(file, strategy));
  }

  @Override
  public boolean addHash(StorableFilter<?> filter, long hash) {
    return ((InsertableFilter<?>) Objects.requireNonNull(filter, "filter")).addHash(hash);
  }

  @Override
  public void merge(StorableFilter<?> into, StorableFilter<?> other) {
    Objects.requireNonNull(into, "into");
    Objects.requireNonNull(other, "other");
    if (!areMine(into, other) || !(into instanceof MergeableFilter<?> mergeable)) {
      throw new IllegalArgumentException(
          isMergeable()
              ? "cannot merge: both must be filters of one kind, got " + named(into, other)
              : label + " filters cannot be merged; add the elements of one to the other");
    }
    @SuppressWarnings("unchecked") // both filters are of one class, which merges with itself
    MergeableFilter<Object> target = (MergeableFilter<Object>) mergeable;
    target.merge(other);
  }

  @Override
  public void subtract(StorableFilter<?> from, StorableFilter<?> other) {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(other, "other");
    if (subtraction == null || !areMine(from, other)) {
      throw new IllegalArgumentException(
          "cannot subtract: both must be counting, blocked counting or dynamic cuckoo filters of one"
              + " kind, got "
              + named(from, other));
    }
    subtraction.accept(cast(from), cast(other));
  }

  @Override
  public void intersect(StorableFilter<?> into, StorableFilter<?> other) {
    Objects.requireNonNull(into, "into");
    Objects.requireNonNull(other, "other");
    if (intersection == null || !areMine(into, other)) {
      throw new IllegalArgumentException(
          "cannot intersect: both must be filters of bits of one kind, got " + named(into, other));
    }
    intersection.accept(cast(into), cast(other));
  }

  private static String named(StorableFilter<?> filter, StorableFilter<?> other) {
    return filter.getClass().getSimpleName() + " and " + other.getClass().getSimpleName();
  }

  private boolean areMine(StorableFilter<?> filter, StorableFilter<?> other) {
    return filterClass.isInstance(filter) && filterClass.isInstance(other);
  }

  @Override
  public boolean isConvertibleTo(FilterKind to) {
    return Objects.requireNonNull(to, "to").filterClass() == target;
  }

  @Override
  @SuppressWarnings("unchecked") // a filter is converted to one of the same elements
  public <T> Optional<StorableFilter<T>> convert(StorableFilter<T> filter, FilterKind to) {
    Objects.requireNonNull(filter, "filter");
    return isConvertibleTo(to)
        ? Optional.of((StorableFilter<T>) Objects.requireNonNull(conversion).apply(cast(filter)))
        : Optional.empty();
  }

  @SuppressWarnings("unchecked") // F is the filter class with any type of elements
  private F cast(StorableFilter<?> filter) {
    return (F) filterClass.cast(filter);
  }

  @Override
  public String toString() {
    return label;
  }
}
