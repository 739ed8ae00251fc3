package io.bloomkit.interop.guava;

import io.bloomkit.hash.StrategyIdentity;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The equivalent of one of Guava's {@code Funnels}. A funnel determines the bytes that are hashed
 * for an element. Guava's funnel writes the same bytes, so a {@link GuavaBloomFilter} uses the same
 * bits as Guava.
 *
 * <p>For a Guava funnel that you wrote yourself, use {@link #byteArrays()}. The elements of the
 * filter are then arrays of the bytes that your funnel writes. Guava writes numbers in
 * little-endian order, and puts no separator between fields.
 *
 * <p>All funnels are immutable and thread-safe. Only {@link #strings} allocates when it hashes an
 * element.
 *
 * @param <T> the type of the elements
 */
public abstract sealed class GuavaFunnel<T> {

  private static final GuavaFunnel<CharSequence> UNENCODED_CHARS = new UnencodedChars();
  private static final GuavaFunnel<byte[]> BYTE_ARRAYS = new ByteArrays("byteArrays");
  private static final GuavaFunnel<byte[]> UTF8_BYTES =
      new ByteArrays(strings(StandardCharsets.UTF_8).toString());
  private static final GuavaFunnel<Long> LONGS = new Longs();
  private static final GuavaFunnel<Integer> INTS = new Ints();

  private final String name;

  private GuavaFunnel(String name) {
    this.name = name;
  }

  /** Hashes an element. */
  abstract void hash(T element, Murmur3 hash);

  /**
   * Returns the equivalent of {@code Funnels.unencodedCharsFunnel()}: UTF-16 code units, each as
   * two little-endian bytes.
   */
  public static GuavaFunnel<CharSequence> unencodedChars() {
    return UNENCODED_CHARS;
  }

  /**
   * Returns the equivalent of {@code Funnels.stringFunnel(charset)}: the bytes that {@link
   * String#getBytes(Charset)} returns. Hashing allocates an array for each element.
   *
   * @throws IllegalArgumentException if the charset does not {@linkplain Charset#canEncode support
   *     encoding}
   */
  public static GuavaFunnel<CharSequence> strings(Charset charset) {
    return new Strings(charset);
  }

  /** Returns the equivalent of {@code Funnels.byteArrayFunnel()}: the bytes unchanged. */
  public static GuavaFunnel<byte[]> byteArrays() {
    return BYTE_ARRAYS;
  }

  /**
   * Returns a funnel for texts that are already encoded as UTF-8. It is {@linkplain #equals equal}
   * to {@code strings(UTF_8)}: a filter built with one of these funnels can be read and queried
   * with the other funnel. The funnel does not check whether the bytes are valid UTF-8.
   */
  public static GuavaFunnel<byte[]> utf8Bytes() {
    return UTF8_BYTES;
  }

  /** Returns the equivalent of {@code Funnels.longFunnel()}: eight little-endian bytes. */
  public static GuavaFunnel<Long> longs() {
    return LONGS;
  }

  /**
   * Returns the equivalent of {@code Funnels.integerFunnel()}: four little-endian bytes. The hash
   * of {@code 42} with this funnel differs from the hash of {@code 42L} with {@link #longs()}.
   */
  public static GuavaFunnel<Integer> ints() {
    return INTS;
  }

  /**
   * Returns the identity of this funnel in the file format of this library. The id is {@code
   * guava-} followed by {@link #toString()}, for example {@code guava-longs}.
   */
  public final StrategyIdentity identity() {
    return StrategyIdentity.ofId("guava-" + name);
  }

  /** Returns whether an object is a funnel with the same {@linkplain #toString() name}. */
  @Override
  public final boolean equals(@Nullable Object object) {
    return object instanceof GuavaFunnel<?> other && name.equals(other.name);
  }

  @Override
  public final int hashCode() {
    return name.hashCode();
  }

  /**
   * Returns the name of this funnel, with its charset if it has one, for example {@code longs} or
   * {@code strings(UTF-8)}. The name of {@link #utf8Bytes} is also {@code strings(UTF-8)}.
   */
  @Override
  public final String toString() {
    return name;
  }

  private static final class UnencodedChars extends GuavaFunnel<CharSequence> {

    UnencodedChars() {
      super("unencodedChars");
    }

    @Override
    void hash(CharSequence element, Murmur3 hash) {
      hash.hashChars(element);
    }
  }

  private static final class Strings extends GuavaFunnel<CharSequence> {

    private final Charset charset;

    Strings(Charset charset) {
      super("strings(" + Objects.requireNonNull(charset, "charset").name() + ")");
      if (!charset.canEncode()) {
        throw new IllegalArgumentException(
            "charset must be one that can encode, but " + charset.name() + " only decodes");
      }
      this.charset = charset;
    }

    @Override
    void hash(CharSequence element, Murmur3 hash) {
      hash.hashBytes(element.toString().getBytes(charset));
    }
  }

  private static final class ByteArrays extends GuavaFunnel<byte[]> {

    ByteArrays(String name) {
      super(name);
    }

    @Override
    void hash(byte[] element, Murmur3 hash) {
      hash.hashBytes(element);
    }
  }

  private static final class Longs extends GuavaFunnel<Long> {

    Longs() {
      super("longs");
    }

    @Override
    void hash(Long element, Murmur3 hash) {
      hash.hashLong(element);
    }
  }

  private static final class Ints extends GuavaFunnel<Integer> {

    Ints() {
      super("ints");
    }

    @Override
    void hash(Integer element, Murmur3 hash) {
      hash.hashInt(element);
    }
  }
}
