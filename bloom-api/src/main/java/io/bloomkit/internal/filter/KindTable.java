package io.bloomkit.internal.filter;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A kind of filter as a table of its names and operations. The class of the filters has the table
 * as a constant; the methods that return the table are called only while it is created.
 *
 * @param <F> the class of the filters, with any type of elements
 */
public final class KindTable<F extends StorableFilter<?>> implements FilterKind {

  /** {@link FilterKind#layout}. */
  @FunctionalInterface
  public interface Planner {
    /** Returns the layout of a filter of a plan. */
    FilterLayout layout(long expectedInsertions, double fpp);
  }

  /** {@link FilterKind#create}. */
  @FunctionalInterface
  public interface Creator {
    /** Returns an empty filter. */
    <T> StorableFilter<T> create(
        HashStrategy<? super T> strategy, long expectedInsertions, double fpp);
  }

  /** {@link FilterKind#read}. */
  @FunctionalInterface
  public interface Reader {
    /** Reads a filter. */
    <T> StorableFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy)
        throws IOException;
  }

  /** {@link FilterKind#addHash}, for a filter that is no {@link io.bloomkit.InsertableFilter}. */
  @FunctionalInterface
  public interface Adder<F> {
    /** Adds a hash. Returns whether its element was certainly absent before. */
    boolean addHash(F filter, long hash);
  }

  private final FilterVariant variant;
  private final String label;
  private final Class<?> filterClass;
  private final Set<Trait> traits;
  private final Planner planner;
  private final Function<F, FilterLayout> layouts;
  private final Creator creator;
  private final Reader reader;
  private @Nullable Adder<F> adder;
  private @Nullable BiConsumer<F, F> subtraction;
  private @Nullable BiConsumer<F, F> intersection;
  private @Nullable Class<?> target;
  private @Nullable Function<F, ? extends StorableFilter<?>> conversion;

  /** Creates a table without the optional operations. */
  public KindTable(
      int code,
      String label,
      Class<?> filterClass,
      Set<Trait> traits,
      Planner planner,
      Function<F, FilterLayout> layouts,
      Creator creator,
      Reader reader) {
    this.variant = new FilterVariant(code, filterClass.getSimpleName());
    this.label = label;
    this.filterClass = filterClass;
    this.traits = traits;
    this.planner = planner;
    this.layouts = layouts;
    this.creator = creator;
    this.reader = reader;
  }

  /** Sets how hashes are added to a filter that is no insertable one. Returns this table. */
  public KindTable<F> adding(Adder<F> add) {
    adder = add;
    return this;
  }

  /** Makes {@link #subtract} possible. Returns this table. */
  public KindTable<F> subtracting(BiConsumer<F, F> subtract) {
    subtraction = subtract;
    return this;
  }

  /** Makes {@link #intersect} possible. Returns this table. */
  public KindTable<F> intersecting(BiConsumer<F, F> intersect) {
    intersection = intersect;
    return this;
  }

  /** Makes filters convertible to those of a class. Returns this table. */
  public KindTable<F> converting(Class<?> to, Function<F, ? extends StorableFilter<?>> convert) {
    target = to;
    conversion = convert;
    return this;
  }

  @Override
  public FilterVariant variant() {
    return variant;
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
  public <T> StorableFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy)
      throws IOException {
    return this.reader.read(Objects.requireNonNull(reader, "reader"), strategy);
  }

  @Override
  public boolean addHash(StorableFilter<?> filter, long hash) {
    return adder == null
        ? FilterKind.super.addHash(filter, hash)
        : adder.addHash(cast(Objects.requireNonNull(filter, "filter")), hash);
  }

  @Override
  public <T> void subtract(StorableFilter<T> from, StorableFilter<? extends T> other) {
    if (subtraction != null && filterClass.isInstance(from) && filterClass.isInstance(other)) {
      subtraction.accept(cast(from), cast(other));
    } else {
      FilterKind.super.subtract(from, other);
    }
  }

  @Override
  public <T> void intersect(StorableFilter<T> into, StorableFilter<? extends T> other) {
    if (intersection != null && filterClass.isInstance(into) && filterClass.isInstance(other)) {
      intersection.accept(cast(into), cast(other));
    } else {
      FilterKind.super.intersect(into, other);
    }
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
