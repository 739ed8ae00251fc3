package io.bloomkit.hash;

import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Ready-made {@linkplain HashStrategy hash strategies}.
 *
 * <p>A number that is its own 64 bits needs only a mixer: {@link #longs()} and {@link #ints()}.
 *
 * <p>All others have two parts. An <i>encoding</i> turns an element into bytes: UTF-8 for a text,
 * eight little-endian bytes for a number. A <i>bytes hash</i> turns these into 64 bits: XXH3-64
 * unless another is given. So a program in any language with XXH3 can compute the same hashes, and
 * any encoding can be combined with any bytes hash:
 *
 * <pre>{@code
 * HashStrategies.longs()                                 // number, mixed
 * HashStrategies.longs(HashStrategies.bytes())           // number, XXH3-64
 * HashStrategies.utf8()                                  // text, XXH3-64
 * HashStrategies.utf8(HashStrategies.md5())              // text, 64 bits of its MD5
 * HashStrategies.utf8(HashStrategies.sipHash24(key))     // text from strangers
 * HashStrategies.byteBuffers()                           // bytes in a buffer, XXH3-64
 * HashStrategies.utf8().on("email", User::email)         // user, by a field
 * HashStrategies.seeded(HashStrategies.utf8(), 42)       // another 64 bits for the same text
 * }</pre>
 *
 * <p>All of them are thread-safe and allocate nothing, with two exceptions: {@link #murmur3}
 * allocates a few bytes, and those over UTF-8 may allocate for texts above 2<sup>18</sup>
 * characters. None is ever changed: a better one gets a new name and id.
 *
 * <p><b>Hostile input.</b> With knowledge of the strategy, an adversary can choose elements that
 * collide. Only a strategy over {@link #sipHash24} with a secret key prevents that.
 */
public final class HashStrategies {

  private static final BytesHashStrategy BYTES =
      new HasherBytesHashStrategy("xxh3", Hashing.xxh3_64());
  private static final HashStrategy<CharSequence> UTF_8 = new Utf8HashStrategy(BYTES);
  private static final HashStrategy<ByteBuffer> BYTE_BUFFERS = new BufferHashStrategy(BYTES);
  private static final BytesHashStrategy MD5 = new DigestBytesHashStrategy("md5", "MD5");
  private static final BytesHashStrategy SHA_384 = new DigestBytesHashStrategy("sha384", "SHA-384");

  private HashStrategies() {}

  /**
   * Returns the strategy over long numbers: their 64 bits, mixed by P. Evensen's rrmxmx (2018):
   *
   * <pre>{@code
   * x ^= Long.rotateRight(x, 49) ^ Long.rotateRight(x, 24);
   * x *= 0x9fb21c651e98df25L;
   * x ^= x >>> 28;
   * x *= 0x9fb21c651e98df25L;
   * return x ^ x >>> 28;
   * }</pre>
   *
   * <p>Different numbers have different hashes, and 0 has the hash 0. The function is public and
   * can be inverted, so it is not for numbers that an adversary chooses: use {@link
   * #longs(BytesHashStrategy)} over {@link #sipHash24} for those.
   */
  public static LongHashStrategy longs() {
    return Rrmxmx.LONGS;
  }

  /**
   * Returns a strategy over long numbers: a bytes hash of their eight little-endian bytes, XXH3-64
   * over {@link #bytes()}.
   *
   * @throws NullPointerException if the argument is null
   */
  public static LongHashStrategy longs(BytesHashStrategy bytesHash) {
    return bytesHash == BYTES ? Xxh3.LONGS : new BytesLongHashStrategy(bytesHash);
  }

  /**
   * Returns the strategy over int numbers. The hash of a number is that of the same number in
   * {@link #longs()}, where it need not be boxed.
   */
  public static HashStrategy<Integer> ints() {
    return Rrmxmx.INTS;
  }

  /**
   * Returns the strategy over UUIDs: XXH3-64 of the most significant, then the least significant 64
   * bits, each as eight little-endian bytes.
   */
  public static HashStrategy<UUID> uuids() {
    return Xxh3.UUIDS;
  }

  /**
   * Returns a strategy over UUIDs: a bytes hash of the sixteen bytes that {@link #uuids()} takes.
   *
   * @throws NullPointerException if the argument is null
   */
  public static HashStrategy<UUID> uuids(BytesHashStrategy bytesHash) {
    return new BytesUuidHashStrategy(bytesHash);
  }

  /**
   * Returns the strategy over texts without an encoding: XXH3-64 of their UTF-16 code units, each
   * as two little-endian bytes. Any sequence of {@code char} values has its own hash. On Java 17 to
   * 23 a {@code String} of ASCII alone is usually hashed faster by {@link #utf8()}.
   */
  public static HashStrategy<CharSequence> chars() {
    return Xxh3.CHARS;
  }

  /** Equivalent to {@link #utf8(BytesHashStrategy)} with {@link #bytes()}. */
  public static HashStrategy<CharSequence> utf8() {
    return UTF_8;
  }

  /**
   * Returns a strategy over texts: a bytes hash of their UTF-8 bytes. The hash of a text is that of
   * {@code text.getBytes(UTF_8)}, including unpaired surrogates, which become question marks.
   *
   * @throws NullPointerException if the argument is null
   */
  public static HashStrategy<CharSequence> utf8(BytesHashStrategy bytesHash) {
    return new Utf8HashStrategy(bytesHash);
  }

  /** Returns the strategy over bytes: XXH3-64. */
  public static BytesHashStrategy bytes() {
    return BYTES;
  }

  /** Equivalent to {@link #byteBuffers(BytesHashStrategy)} with {@link #bytes()}. */
  public static HashStrategy<ByteBuffer> byteBuffers() {
    return BYTE_BUFFERS;
  }

  /**
   * Returns a strategy over buffers, by {@link BytesHashStrategy#hashBytes(ByteBuffer)}: an element
   * is the bytes from the position to the limit. A range of an array is an element as {@code
   * ByteBuffer.wrap(array, offset, length)}.
   *
   * <p>Buffers and arrays of the same bytes are the same element: id and fingerprint are those of
   * the bytes hash, so a filter that was written with arrays as its elements can be read with
   * buffers, and the other way round.
   *
   * @throws NullPointerException if the argument is null
   */
  public static HashStrategy<ByteBuffer> byteBuffers(BytesHashStrategy bytesHash) {
    return new BufferHashStrategy(bytesHash);
  }

  /**
   * Returns a strategy over bytes: the first eight bytes of their MD5 digest (RFC 1321),
   * little-endian. MD5 is not collision-resistant.
   */
  public static BytesHashStrategy md5() {
    return MD5;
  }

  /**
   * Returns a strategy over bytes: the first eight bytes of their SHA-384 digest (FIPS 180-4),
   * little-endian. Much slower than {@link #bytes()}, and not collision-resistant either:
   * collisions of 64 bits can be found by search.
   */
  public static BytesHashStrategy sha384() {
    return SHA_384;
  }

  /**
   * Returns a strategy over bytes: the first 64 bits of Murmur3 (x64, 128 bits) with a salt.
   *
   * <p>It is weak on keys of eight bytes that differ in their last three only: two bits of the hash
   * agree in 55 % of them. {@link #bytes()} does not have this weakness.
   *
   * @param salt the seed of the function; different numbers give different functions
   */
  public static BytesHashStrategy murmur3(int salt) {
    return new HasherBytesHashStrategy(
        "murmur3(0x" + Integer.toHexString(salt) + ")", Hashing.murmur3_128(salt));
  }

  /**
   * Returns a strategy over bytes whose hashes cannot be predicted without the key: SipHash-2-4
   * (J.-P. Aumasson, D. Bernstein, <i>SipHash: a fast short-input PRF</i>, 2012).
   *
   * <p>The key is in neither {@link HashStrategy#id()} nor {@code toString()}; the fingerprint
   * differs for different keys, and does not reveal a random key.
   *
   * @param key sixteen secret bytes, copied
   * @throws IllegalArgumentException if there are not sixteen
   */
  public static BytesHashStrategy sipHash24(byte[] key) {
    return new SipHash24(key);
  }

  /**
   * Returns a strategy that mixes the hashes of another one with a seed: filters with different
   * seeds put an element at unrelated positions.
   *
   * <p>The mixing is one-to-one, so elements with equal hashes have equal hashes under every seed.
   * The seed is part of the id; it is not a secret key.
   *
   * @throws NullPointerException if the strategy is null
   */
  public static <T> HashStrategy<T> seeded(HashStrategy<T> strategy, long seed) {
    return new Seeded.OfAny<>(strategy, seed);
  }

  /** Equivalent to {@link #seeded(HashStrategy, long)}; the result also takes unboxed longs. */
  public static LongHashStrategy seeded(LongHashStrategy strategy, long seed) {
    return new Seeded.OfLongs(strategy, seed);
  }

  /** Equivalent to {@link #seeded(HashStrategy, long)}; the result also takes parts of arrays. */
  public static BytesHashStrategy seeded(BytesHashStrategy strategy, long seed) {
    return new Seeded.OfBytes(strategy, seed);
  }

  /**
   * Returns a builder for elements with several fields:
   *
   * <pre>{@code
   * HashStrategy<Click> clicks =
   *     HashStrategies.<Click>composite()
   *         .field("user", Click::user, HashStrategies.utf8())
   *         .longField("second", Click::second)
   *         .build();
   * }</pre>
   */
  public static <T> CompositeBuilder<T> composite() {
    return new CompositeBuilder<>();
  }
}
