package io.bloomkit.interop.parquet;

import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.internal.Arguments;
import java.util.Objects;

/**
 * The hash strategies of Parquet's Bloom filters, one for each physical type of a column. The hash
 * of a value is the XXH64 hash, with seed 0, of its plain encoding. The length of a {@code
 * BYTE_ARRAY} is not hashed. Parquet has no Bloom filters for {@code BOOLEAN}.
 *
 * <p>Use the strategy of the physical type of the column: a query with {@link #int64} does not find
 * values that were added with {@link #int32}. A column of a logical type uses the strategy of its
 * physical type. For example, dates and times are stored as numbers, and a {@code STRING} as a
 * {@code BYTE_ARRAY} of UTF-8.
 *
 * <p>All strategies are thread-safe. Hashing allocates nothing, except that {@link #utf8} may copy
 * a text of more than 2<sup>18</sup> characters.
 */
public final class ParquetStrategies {

  /** The number of bytes of a value of the physical type {@code INT96}, 12. */
  public static final int INT96_BYTES = 12;

  private static final HashStrategy<Integer> INT32 =
      HashStrategy.of("parquet-int32", Xxh64::hashInt, 0, 1, -1);

  private static final LongHashStrategy INT64 =
      LongHashStrategy.of("parquet-int64", Xxh64::hashLong, 0, 1, -1);

  private static final HashStrategy<Float> FLOAT =
      HashStrategy.of("parquet-float", value -> Xxh64.hashInt(Float.floatToRawIntBits(value)), 1f);

  private static final HashStrategy<Double> DOUBLE =
      HashStrategy.of(
          "parquet-double", value -> Xxh64.hashLong(Double.doubleToRawLongBits(value)), 1d);

  private static final BytesHashStrategy BYTE_ARRAY = new Bytes("parquet-byte-array");

  private static final HashStrategy<CharSequence> UTF_8 = HashStrategies.utf8(BYTE_ARRAY);

  private ParquetStrategies() {}

  /** Returns the strategy of {@code INT32}. It hashes four little-endian bytes. */
  public static HashStrategy<Integer> int32() {
    return INT32;
  }

  /** Returns the strategy of {@code INT64}. It hashes eight little-endian bytes. */
  public static LongHashStrategy int64() {
    return INT64;
  }

  /**
   * Returns the strategy of {@code FLOAT}. It hashes the four little-endian bytes of {@link
   * Float#floatToRawIntBits}. Zero and negative zero have different hashes, and so do different
   * encodings of NaN.
   */
  public static HashStrategy<Float> float32() {
    return FLOAT;
  }

  /**
   * Returns the strategy of {@code DOUBLE}. It hashes the eight little-endian bytes of {@link
   * Double#doubleToRawLongBits}. Zero and negative zero have different hashes, and so do different
   * encodings of NaN.
   */
  public static HashStrategy<Double> float64() {
    return DOUBLE;
  }

  /** Returns the strategy of {@code BYTE_ARRAY}. It hashes the bytes without their length. */
  public static BytesHashStrategy byteArray() {
    return BYTE_ARRAY;
  }

  /**
   * Returns the strategy of {@code BYTE_ARRAY} for texts. It hashes the bytes that {@code
   * String.getBytes(UTF_8)} returns. The hashes are those of {@link #byteArray()} for the same
   * bytes, but the id differs, so filters with these two strategies are not compatible.
   */
  public static HashStrategy<CharSequence> utf8() {
    return UTF_8;
  }

  /**
   * Returns the strategy of {@code FIXED_LEN_BYTE_ARRAY(length)}. It hashes the bytes unchanged,
   * and throws {@link IllegalArgumentException} for a value of another length.
   *
   * @param length the number of bytes of a value, at least 1
   * @throws IllegalArgumentException if the length is less than 1
   */
  public static BytesHashStrategy fixedLenByteArray(int length) {
    Arguments.checkAtLeast(1, length, "length");
    return new FixedBytes(new Bytes("parquet-fixed-len-byte-array(" + length + ")"), length);
  }

  /**
   * Returns the strategy of the deprecated {@code INT96}. It hashes the twelve bytes as the Parquet
   * file contains them, and throws {@link IllegalArgumentException} for a value of another length.
   */
  public static BytesHashStrategy int96() {
    return new FixedBytes(new Bytes("parquet-int96"), INT96_BYTES);
  }

  private record Bytes(String id) implements BytesHashStrategy {

    @Override
    public long hashBytes(byte[] bytes, int offset, int length) {
      Objects.checkFromIndexSize(offset, length, bytes.length);
      return Xxh64.hashBytes(bytes, offset, length);
    }

    @Override
    public String toString() {
      return id;
    }
  }

  private record FixedBytes(Bytes bytes, int length) implements BytesHashStrategy {

    @Override
    public long hashBytes(byte[] value, int offset, int count) {
      if (count != length) {
        throw new IllegalArgumentException(
            "a value of " + id() + " must have " + length + " bytes, got " + count);
      }
      return bytes.hashBytes(value, offset, count);
    }

    @Override
    public String id() {
      return bytes.id();
    }

    @Override
    public String toString() {
      return id();
    }
  }
}
