package io.bloomkit.interop.spark;

import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import java.util.Locale;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * The type of the elements of a {@link SparkBloomFilter}: there is one type for each of the methods
 * {@code putLong}, {@code putString} and {@code putBinary} of Spark's {@code BloomFilter}.
 *
 * <p>The 64-bit hash of an element consists of two 32-bit MurmurHash3 values. The upper half is
 * computed with the seed of the filter. The lower half is computed with the upper half as the seed.
 *
 * <p>Immutable and thread-safe.
 *
 * @param <T> the type of the elements
 */
public final class SparkType<T> {

  private static final SparkType<Long> LONGS = new SparkType<>("longs", SparkType::longStrategy);

  private static final SparkType<byte[]> BINARY = new SparkType<>("binary", Bytes::new);

  private static final SparkType<CharSequence> STRINGS =
      new SparkType<>("strings", seed -> HashStrategies.utf8(new Bytes(seed)));

  private final String name;
  private final IntFunction<HashStrategy<T>> strategies;

  private SparkType(String name, IntFunction<HashStrategy<T>> strategies) {
    this.name = name;
    this.strategies = strategies;
  }

  /**
   * Returns the type of {@code putLong}, for columns of {@code BIGINT} and of shorter integers,
   * which Spark widens to 64 bits.
   */
  public static SparkType<Long> longs() {
    return LONGS;
  }

  /** Returns the type of {@code putString}: texts, hashed as their UTF-8 bytes. */
  public static SparkType<CharSequence> strings() {
    return STRINGS;
  }

  /**
   * Returns the type of {@code putBinary}: byte arrays. An array has the same hash as a text of
   * {@link #strings()} with the same UTF-8 bytes.
   */
  public static SparkType<byte[]> binary() {
    return BINARY;
  }

  /**
   * Returns the hash strategy of elements of this type.
   *
   * @param seed the {@linkplain SparkBloomFilter#seed seed} of the filter; the seed is 0 in {@link
   *     SparkVersion#V1}
   */
  public HashStrategy<T> strategy(int seed) {
    return strategies.apply(seed);
  }

  /** Returns the name of this type: {@code longs}, {@code strings} or {@code binary}. */
  @Override
  public String toString() {
    return name;
  }

  private static String id(String type, int seed) {
    return String.format(Locale.ROOT, "spark-%s(%d)", type, seed);
  }

  private static LongHashStrategy longStrategy(int seed) {
    return LongHashStrategy.of(
        id("longs", seed),
        element -> {
          int first = Murmur3.hashLong(element, seed);
          return joined(first, Murmur3.hashLong(element, first));
        },
        0,
        1,
        -1);
  }

  private static long joined(int first, int second) {
    return (long) first << Integer.SIZE | (second & 0xffffffffL);
  }

  private record Bytes(int seed) implements BytesHashStrategy {

    @Override
    public long hashBytes(byte[] bytes, int offset, int length) {
      Objects.checkFromIndexSize(offset, length, bytes.length);
      int first = Murmur3.hashBytes(bytes, offset, length, seed);
      return joined(first, Murmur3.hashBytes(bytes, offset, length, first));
    }

    @Override
    public String id() {
      return SparkType.id("binary", seed);
    }

    @Override
    public String toString() {
      return id();
    }
  }
}
