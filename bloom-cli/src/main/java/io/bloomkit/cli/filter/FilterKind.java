package io.bloomkit.cli.filter;

import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.classic.guava.GuavaBloomFilters;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.counting.CuckooFilter;
import io.bloomkit.counting.CuckooSize;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.scalable.ScalableBloomFilter;
import io.bloomkit.scalable.ScalableCountingBloomFilter;
import io.bloomkit.scalable.aging.AgingBloomFilter;
import io.bloomkit.scalable.aging.AgingShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What a file of a filter may hold, and what only one kind of filter can do. */
enum FilterKind {
  CLASSIC(ClassicBloomFilter.KIND.variant()) {
    @Override
    <T> StorableFilter<T> create(HashStrategy<T> strategy, long items, double fpp) {
      return ClassicBloomFilter.<T>create(strategy, items, fpp);
    }

    @Override
    <T> StorableFilter<T> read(Path file, HashStrategy<T> strategy) throws IOException {
      return ClassicBloomFilter.<T>readFrom(file, strategy);
    }

    @Override
    <T> void merge(StorableFilter<T> filter, StorableFilter<T> other) {
      ((ClassicBloomFilter<T>) filter).merge((ClassicBloomFilter<T>) other);
    }

    @Override
    Map<String, @Nullable Object> shape(StorableFilter<?> filter) {
      ClassicBloomFilter<?> classic = (ClassicBloomFilter<?>) filter;
      return FilterShape.flat(
          classic.shape().positions(), classic.shape().hashes(), classic.setPositions());
    }

    @Override
    double fppAt(StorableFilter<?> filter, long elements) {
      return ((ClassicBloomFilter<?>) filter).shape().fpp(elements);
    }
  },
  BLOCKED(BlockedBloomFilter.KIND.variant()) {
    @Override
    <T> StorableFilter<T> create(HashStrategy<T> strategy, long items, double fpp) {
      return BlockedBloomFilter.<T>create(strategy, items, fpp);
    }

    @Override
    <T> StorableFilter<T> read(Path file, HashStrategy<T> strategy) throws IOException {
      return BlockedBloomFilter.<T>readFrom(file, strategy);
    }

    @Override
    <T> void merge(StorableFilter<T> filter, StorableFilter<T> other) {
      ((BlockedBloomFilter<T>) filter).merge((BlockedBloomFilter<T>) other);
    }

    @Override
    Map<String, @Nullable Object> shape(StorableFilter<?> filter) {
      BlockedBloomFilter<?> blocked = (BlockedBloomFilter<?>) filter;
      return FilterShape.blocked(
          blocked.shape().blocks(),
          blocked.shape().positions(),
          blocked.shape().hashes(),
          blocked.setPositions());
    }

    @Override
    double fppAt(StorableFilter<?> filter, long elements) {
      return ((BlockedBloomFilter<?>) filter).shape().fpp(elements);
    }
  },
  COUNTING(CountingBloomFilter.KIND.variant()) {
    @Override
    <T> StorableFilter<T> create(HashStrategy<T> strategy, long items, double fpp) {
      return CountingBloomFilter.<T>create(strategy, items, fpp);
    }

    @Override
    <T> StorableFilter<T> read(Path file, HashStrategy<T> strategy) throws IOException {
      return CountingBloomFilter.<T>readFrom(file, strategy);
    }

    @Override
    <T> void merge(StorableFilter<T> filter, StorableFilter<T> other) {
      ((CountingBloomFilter<T>) filter).merge((CountingBloomFilter<T>) other);
    }

    @Override
    <T> StorableFilter<T> convert(StorableFilter<T> filter, FilterKind to) {
      return to == CLASSIC
          ? ((CountingBloomFilter<T>) filter).toClassic()
          : super.convert(filter, to);
    }

    @Override
    Map<String, @Nullable Object> shape(StorableFilter<?> filter) {
      CountingBloomFilter<?> counting = (CountingBloomFilter<?>) filter;
      return FilterShape.flat(
          counting.shape().positions(), counting.shape().hashes(), counting.nonZeroCounters());
    }

    @Override
    double fppAt(StorableFilter<?> filter, long elements) {
      return ((CountingBloomFilter<?>) filter).shape().fpp(elements);
    }
  },
  BLOCKED_COUNTING(BlockedCountingBloomFilter.KIND.variant()) {
    @Override
    <T> StorableFilter<T> create(HashStrategy<T> strategy, long items, double fpp) {
      return BlockedCountingBloomFilter.<T>create(strategy, items, fpp);
    }

    @Override
    <T> StorableFilter<T> read(Path file, HashStrategy<T> strategy) throws IOException {
      return BlockedCountingBloomFilter.<T>readFrom(file, strategy);
    }

    @Override
    <T> void merge(StorableFilter<T> filter, StorableFilter<T> other) {
      ((BlockedCountingBloomFilter<T>) filter).merge((BlockedCountingBloomFilter<T>) other);
    }

    @Override
    <T> StorableFilter<T> convert(StorableFilter<T> filter, FilterKind to) {
      return to == BLOCKED
          ? ((BlockedCountingBloomFilter<T>) filter).toBlocked()
          : super.convert(filter, to);
    }

    @Override
    Map<String, @Nullable Object> shape(StorableFilter<?> filter) {
      BlockedCountingBloomFilter<?> counting = (BlockedCountingBloomFilter<?>) filter;
      return FilterShape.blocked(
          counting.shape().blocks(),
          counting.shape().positions(),
          counting.shape().hashes(),
          counting.nonZeroCounters());
    }

    @Override
    double fppAt(StorableFilter<?> filter, long elements) {
      return ((BlockedCountingBloomFilter<?>) filter).shape().fpp(elements);
    }
  },
  CUCKOO(CuckooFilter.KIND.variant()) {
    @Override
    <T> StorableFilter<T> create(HashStrategy<T> strategy, long items, double fpp) {
      return CuckooFilter.<T>create(strategy, items, fpp);
    }

    @Override
    <T> StorableFilter<T> read(Path file, HashStrategy<T> strategy) throws IOException {
      return CuckooFilter.<T>readFrom(file, strategy);
    }

    @Override
    Map<String, @Nullable Object> shape(StorableFilter<?> filter) {
      CuckooFilter<?> cuckoo = (CuckooFilter<?>) filter;
      double places = (double) cuckoo.buckets() * PLACES_A_BUCKET;
      return FilterShape.buckets(
          cuckoo.buckets(),
          cuckoo.fingerprintBits(),
          cuckoo.capacity(),
          cuckoo.distinctFingerprints() / places);
    }

    @Override
    double fppAt(StorableFilter<?> filter, long elements) {
      CuckooSize shape = ((CuckooFilter<?>) filter).shape();
      return elements > shape.capacity() ? Double.NaN : shape.fpp(elements);
    }
  },
  SCALABLE(ScalableBloomFilter.KIND.variant()) {
    @Override
    <T> StorableFilter<T> create(HashStrategy<T> strategy, long items, double fpp) {
      return ScalableBloomFilter.<T>create(strategy, items, fpp);
    }

    @Override
    <T> StorableFilter<T> read(Path file, HashStrategy<T> strategy) throws IOException {
      return ScalableBloomFilter.<T>readFrom(file, strategy);
    }

    @Override
    Map<String, @Nullable Object> shape(StorableFilter<?> filter) {
      return FilterShape.layered(((ScalableBloomFilter<?>) filter).state());
    }
  },
  SCALABLE_COUNTING(ScalableCountingBloomFilter.KIND.variant()) {
    @Override
    <T> StorableFilter<T> create(HashStrategy<T> strategy, long items, double fpp) {
      return ScalableCountingBloomFilter.<T>create(strategy, items, fpp);
    }

    @Override
    <T> StorableFilter<T> read(Path file, HashStrategy<T> strategy) throws IOException {
      return ScalableCountingBloomFilter.<T>readFrom(file, strategy);
    }

    @Override
    Map<String, @Nullable Object> shape(StorableFilter<?> filter) {
      return FilterShape.layered(((ScalableCountingBloomFilter<?>) filter).state());
    }
  },
  AGING(AgingBloomFilter.KIND.variant()) {
    @Override
    <T> StorableFilter<T> create(HashStrategy<T> strategy, long items, double fpp) {
      return AgingBloomFilter.builder(strategy).rememberingLast(items, fpp).<T>build();
    }

    @Override
    <T> StorableFilter<T> read(Path file, HashStrategy<T> strategy) throws IOException {
      return AgingBloomFilter.<T>readFrom(file, strategy);
    }

    @Override
    boolean addHash(StorableFilter<?> filter, long hash) {
      return ((AgingBloomFilter<?>) filter).addHash(hash);
    }

    @Override
    Map<String, @Nullable Object> shape(StorableFilter<?> filter) {
      AgingBloomFilter<?> aging = (AgingBloomFilter<?>) filter;
      AgingShape shape = aging.shape();
      long set = 0;
      for (int age = 0; age < shape.slices(); age++) {
        set += aging.setPositions(age);
      }
      return FilterShape.layered(shape.slices(), shape.positions(), shape.hashes(), set);
    }
  },
  /** A filter of Guava, in this library's format. */
  BLOOMKIT_GUAVA(GuavaBloomFilters.VARIANT),

  /** A filter of Guava, in Guava's own bytes. */
  GUAVA;

  private static final int PLACES_A_BUCKET = 4;

  /** The code in the file, 0 if it is no file of this library. */
  private final int code;

  FilterKind(FilterVariant variant) {
    this.code = variant.code();
  }

  FilterKind() {
    this.code = 0;
  }

  /** Returns the kind of the code in a file, or null if this command knows none. */
  static @Nullable FilterKind of(FilterVariant variant) {
    return Stream.of(values()).filter(kind -> kind.code == variant.code()).findAny().orElse(null);
  }

  /**
   * Returns whether it has the bits of a filter of Guava, in whatever format: its files are opened
   * as {@link GuavaLineFilter}, and it has none of the operations on storable filters.
   */
  boolean isGuava() {
    return this == GUAVA || this == BLOOMKIT_GUAVA;
  }

  /** Returns the names of those from which lines can be removed, for error messages. */
  static String deletable() {
    return Stream.of(values())
        .filter(FilterKind::isDeletable)
        .map(FilterKind::toString)
        .collect(Collectors.joining(" or "));
  }

  /** Returns whether lines can be removed from it. */
  boolean isDeletable() {
    return name().endsWith("COUNTING") || this == CUCKOO;
  }

  /** Returns whether it needs no number of lines to begin with. */
  boolean isGrowing() {
    return name().startsWith("SCALABLE");
  }

  /**
   * Returns an empty filter.
   *
   * @throws IllegalArgumentException if there is no such filter
   */
  <T> StorableFilter<T> create(HashStrategy<T> strategy, long items, double fpp) {
    throw noStorableFilter();
  }

  /** Reads a filter of this kind, and refuses others. */
  <T> StorableFilter<T> read(Path file, HashStrategy<T> strategy) throws IOException {
    throw noStorableFilter();
  }

  /** Adds an element whose hash this is; returns true exactly if it was certainly absent. */
  boolean addHash(StorableFilter<?> filter, long hash) {
    return ((InsertableFilter<?>) filter).addHash(hash);
  }

  /**
   * Adds all of another filter of this kind.
   *
   * @throws IllegalArgumentException if the filters do not fit, or none of this kind do
   */
  <T> void merge(StorableFilter<T> filter, StorableFilter<T> other) {
    throw new IllegalArgumentException(
        this + " filters cannot be merged; add the lines of one to the other");
  }

  /**
   * Returns a filter of another kind that gives the same answers.
   *
   * @throws IllegalArgumentException if there is none
   */
  <T> StorableFilter<T> convert(StorableFilter<T> filter, FilterKind to) {
    throw noConversion(to);
  }

  /** Returns what refuses to make a filter of another kind from one of this kind. */
  IllegalArgumentException noConversion(FilterKind to) {
    return new IllegalArgumentException(
        this
            + " filters do not become "
            + to
            + " ones: only counting becomes classic, blocked-counting blocked, guava"
            + " bloomkit-guava, and bloomkit-guava guava; build a new filter from the elements");
  }

  /** Returns how large a filter is and how much of that is in use. */
  Map<String, @Nullable Object> shape(StorableFilter<?> filter) {
    throw noStorableFilter();
  }

  private AssertionError noStorableFilter() {
    return new AssertionError(this + " filters have no strategy of 64 bits");
  }

  /** Returns the error that a number of distinct elements would bring; NaN if that is not known. */
  double fppAt(StorableFilter<?> filter, long elements) {
    return Double.NaN;
  }

  /** Reads the names of the command line. */
  static final class Converter implements ITypeConverter<FilterKind> {

    @Override
    public FilterKind convert(String value) {
      return Stream.of(values())
          .filter(kind -> kind.toString().equals(value.toLowerCase(Locale.ROOT)))
          .findAny()
          .orElseThrow(
              () -> new TypeConversionException("'" + value + "' is none of " + List.of(values())));
    }
  }

  /** Returns its name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
