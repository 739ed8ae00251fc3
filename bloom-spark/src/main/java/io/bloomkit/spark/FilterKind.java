package io.bloomkit.spark;

import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kinds of filters that merge, and can therefore be built by many machines. */
enum FilterKind {
  /** {@link ClassicBloomFilter}. */
  CLASSIC(ClassicBloomFilter.KIND.variant()) {
    @Override
    <T> InsertableFilter<T> create(HashStrategy<? super T> strategy, long expected, double fpp) {
      return ClassicBloomFilter.create(strategy, expected, fpp);
    }

    @Override
    <T> InsertableFilter<T> read(byte[] bytes, HashStrategy<? super T> strategy)
        throws FilterFormatException {
      return ClassicBloomFilter.fromBytes(bytes, strategy);
    }

    @Override
    long memoryBytes(long expected, double fpp) {
      return ClassicBloomFilter.builder(ANY).expecting(expected, fpp).memoryBytes();
    }
  },

  /** {@link BlockedBloomFilter}. */
  BLOCKED(BlockedBloomFilter.KIND.variant()) {
    @Override
    <T> InsertableFilter<T> create(HashStrategy<? super T> strategy, long expected, double fpp) {
      return BlockedBloomFilter.create(strategy, expected, fpp);
    }

    @Override
    <T> InsertableFilter<T> read(byte[] bytes, HashStrategy<? super T> strategy)
        throws FilterFormatException {
      return BlockedBloomFilter.fromBytes(bytes, strategy);
    }

    @Override
    long memoryBytes(long expected, double fpp) {
      return BlockedBloomFilter.builder(ANY).expecting(expected, fpp).memoryBytes();
    }
  },

  /** {@link CountingBloomFilter}. */
  COUNTING(CountingBloomFilter.KIND.variant()) {
    @Override
    <T> InsertableFilter<T> create(HashStrategy<? super T> strategy, long expected, double fpp) {
      return CountingBloomFilter.create(strategy, expected, fpp);
    }

    @Override
    <T> InsertableFilter<T> read(byte[] bytes, HashStrategy<? super T> strategy)
        throws FilterFormatException {
      return CountingBloomFilter.fromBytes(bytes, strategy);
    }

    @Override
    long memoryBytes(long expected, double fpp) {
      return CountingBloomFilter.builder(ANY).expecting(expected, fpp).memoryBytes();
    }
  },

  /** {@link BlockedCountingBloomFilter}. */
  BLOCKED_COUNTING(BlockedCountingBloomFilter.KIND.variant()) {
    @Override
    <T> InsertableFilter<T> create(HashStrategy<? super T> strategy, long expected, double fpp) {
      return BlockedCountingBloomFilter.create(strategy, expected, fpp);
    }

    @Override
    <T> InsertableFilter<T> read(byte[] bytes, HashStrategy<? super T> strategy)
        throws FilterFormatException {
      return BlockedCountingBloomFilter.fromBytes(bytes, strategy);
    }

    @Override
    long memoryBytes(long expected, double fpp) {
      return BlockedCountingBloomFilter.builder(ANY).expecting(expected, fpp).memoryBytes();
    }
  };

  /** The size of a filter does not depend on its strategy. */
  private static final HashStrategy<byte[]> ANY = HashStrategies.bytes();

  private final int code;

  FilterKind(FilterVariant variant) {
    this.code = variant.code();
  }

  /** Returns an empty filter, which is also a {@link io.bloomkit.format.StorableFilter}. */
  abstract <T> InsertableFilter<T> create(
      HashStrategy<? super T> strategy, long expected, double fpp);

  /** Reads what was written of a filter of this kind. */
  abstract <T> InsertableFilter<T> read(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException;

  /** Returns the bytes that an empty filter takes, without making it. */
  abstract long memoryBytes(long expected, double fpp);

  /** Returns the name of this kind in SQL, such as "blocked counting". */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /**
   * Returns the kind of a name in SQL.
   *
   * @throws IllegalArgumentException if there is none
   */
  static FilterKind labelled(String label) {
    return Arrays.stream(values())
        .filter(kind -> kind.label().equals(label))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the kind must be one of " + labels() + " but is '" + label + "'"));
  }

  /** Returns all names in SQL, as error messages show them. */
  static String labels() {
    return Arrays.stream(values())
        .map(kind -> "'" + kind.label() + "'")
        .collect(Collectors.joining(", "));
  }

  /** Returns the kind that is written as a variant. */
  static Optional<FilterKind> of(FilterVariant variant) {
    return Arrays.stream(values()).filter(kind -> kind.code == variant.code()).findAny();
  }
}
