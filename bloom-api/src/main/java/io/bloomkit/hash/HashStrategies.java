package io.bloomkit.hash;

import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Ready-made {@linkplain HashStrategy hash strategies}.
 *
 * <p>{@link #longs()} and {@link #ints()} mix the bits of a number with a few instructions.
 *
 * <p>Most other strategies have two parts. An <i>encoding</i> turns an element into bytes, for
 * example a text into its UTF-8 bytes. A <i>bytes hash</i> turns these bytes into 64 bits: XXH3-64,
 * unless another bytes hash is given. A program in another language can compute the same hashes by
 * the same encoding and bytes hash. Examples:
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
 * <p>All strategies of this class are thread-safe. Their functions never change between releases.
 *
 * <p><b>Allocation.</b> Hashing allocates nothing, except:
 *
 * <ul>
 *   <li>{@link #murmur3} allocates a small result object;
 *   <li>{@link #utf8()} may copy texts of more than 2<sup>18</sup> characters;
 *   <li>{@link BytesHashStrategy#hashBytes(ByteBuffer)} may copy direct and read-only buffers, and
 *       may allocate a view of a buffer.
 * </ul>
 *
 * <p>Each thread that encodes elements keeps an array for the encoded bytes. The array grows with
 * the largest element that the thread has encoded, up to 768 KiB.
 *
 * <p><b>Hostile input.</b> An adversary who knows the strategy can choose elements that collide.
 * Only a strategy based on {@link #sipHash24} with a secret key prevents this.
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
   * Returns the strategy over {@code long} numbers that mixes their 64 bits by P. Evensen's rrmxmx
   * (2018):
   *
   * <pre>{@code
   * x ^= Long.rotateRight(x, 49) ^ Long.rotateRight(x, 24);
   * x *= 0x9fb21c651e98df25L;
   * x ^= x >>> 28;
   * x *= 0x9fb21c651e98df25L;
   * return x ^ x >>> 28;
   * }</pre>
   *
   * <p>Different numbers have different hashes; the hash of 0 is 0. The function is easy to invert.
   * For numbers that an adversary chooses, use {@link #longs(BytesHashStrategy)} with {@link
   * #sipHash24} instead.
   */
  public static LongHashStrategy longs() {
    return Rrmxmx.LONGS;
  }

  /**
   * Returns a strategy over {@code long} numbers: a bytes hash of their eight little-endian bytes.
   *
   * @throws NullPointerException if the argument is null
   */
  public static LongHashStrategy longs(BytesHashStrategy bytesHash) {
    return bytesHash == BYTES ? Xxh3.LONGS : new BytesLongHashStrategy(bytesHash);
  }

  /**
   * Returns the strategy over {@code int} numbers. The hash of a number equals {@code
   * longs().hashLong(number)}, which hashes the number without boxing. Filters of {@code ints()}
   * and filters of {@link #longs()} are incompatible, because the ids of the strategies differ.
   */
  public static HashStrategy<Integer> ints() {
    return Rrmxmx.INTS;
  }

  /**
   * Returns the strategy over UUIDs: XXH3-64 of sixteen bytes. The first eight bytes are the most
   * significant 64 bits in little-endian order, the last eight bytes are the least significant 64
   * bits in little-endian order.
   */
  public static HashStrategy<UUID> uuids() {
    return Xxh3.UUIDS;
  }

  /**
   * Returns a strategy over UUIDs: a bytes hash of the same sixteen bytes as in {@link #uuids()}.
   *
   * @throws NullPointerException if the argument is null
   */
  public static HashStrategy<UUID> uuids(BytesHashStrategy bytesHash) {
    return new BytesUuidHashStrategy(bytesHash);
  }

  /**
   * Returns the strategy over texts as UTF-16: XXH3-64 of their {@code char} values, each as two
   * little-endian bytes. Unlike {@link #utf8()}, this strategy distinguishes different unpaired
   * surrogates.
   */
  public static HashStrategy<CharSequence> chars() {
    return Xxh3.CHARS;
  }

  /** Equivalent to {@link #utf8(BytesHashStrategy)} with {@link #bytes()}. */
  public static HashStrategy<CharSequence> utf8() {
    return UTF_8;
  }

  /**
   * Returns a strategy over texts: a bytes hash of their UTF-8 bytes. The bytes are those of {@code
   * String.getBytes(UTF_8)}, which encodes an unpaired surrogate as a question mark.
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
   * Returns a strategy over buffers. An element is the bytes from the position of a buffer to its
   * limit, hashed by {@link BytesHashStrategy#hashBytes(ByteBuffer)}.
   *
   * <p>A buffer and an array with the same bytes have the same hash. The id and the fingerprint are
   * those of the bytes hash. So the file of a filter of byte arrays can be read as a filter of
   * buffers, and vice versa.
   *
   * @throws NullPointerException if the argument is null
   */
  public static HashStrategy<ByteBuffer> byteBuffers(BytesHashStrategy bytesHash) {
    return new BufferHashStrategy(bytesHash);
  }

  /**
   * Returns a strategy over bytes: the first eight bytes of their MD5 digest (RFC 1321),
   * little-endian. An adversary can choose elements that collide.
   */
  public static BytesHashStrategy md5() {
    return MD5;
  }

  /**
   * Returns a strategy over bytes: the first eight bytes of their SHA-384 digest (FIPS 180-4),
   * little-endian. Much slower than {@link #bytes()}, but no protection against an adversary:
   * collisions of 64 bits can be found by search.
   */
  public static BytesHashStrategy sha384() {
    return SHA_384;
  }

  /**
   * Returns a strategy over bytes: the first 64 bits of Murmur3 (x64, 128 bits).
   *
   * <p>This strategy is weak on elements of eight bytes that differ only in the last three bytes:
   * some bits of their hashes are correlated. {@link #bytes()} does not have this weakness.
   *
   * @param salt the seed of Murmur3, part of the id
   */
  public static BytesHashStrategy murmur3(int salt) {
    return new HasherBytesHashStrategy(
        "murmur3(0x" + Integer.toHexString(salt) + ")", Hashing.murmur3_128(salt));
  }

  /**
   * Returns a strategy over bytes whose hashes cannot be predicted without the key: SipHash-2-4
   * (J.-P. Aumasson, D. Bernstein, <i>SipHash: a fast short-input PRF</i>, 2012).
   *
   * <p>Neither {@link HashStrategy#id()} nor {@code toString()} contains the key. The fingerprint
   * depends on the key, so filters with different keys are incompatible. The fingerprint does not
   * reveal a randomly generated key.
   *
   * @param key sixteen secret bytes; copied
   * @throws IllegalArgumentException if the key does not have sixteen bytes
   * @throws NullPointerException if the key is null
   */
  public static BytesHashStrategy sipHash24(byte[] key) {
    return new SipHash24(key);
  }

  /**
   * Returns a strategy that mixes each hash of another strategy with a seed. Filters with different
   * seeds store an element at unrelated positions.
   *
   * <p>Two elements with equal hashes by {@code strategy} also have equal hashes with every seed.
   * The seed is part of the id, so it is not a secret.
   *
   * @throws NullPointerException if the strategy is null
   */
  public static <T> HashStrategy<T> seeded(HashStrategy<T> strategy, long seed) {
    return new Seeded.OfAny<>(strategy, seed);
  }

  /** Equivalent to {@link #seeded(HashStrategy, long)}; the result also hashes unboxed longs. */
  public static LongHashStrategy seeded(LongHashStrategy strategy, long seed) {
    return new Seeded.OfLongs(strategy, seed);
  }

  /**
   * Equivalent to {@link #seeded(HashStrategy, long)}; the result also hashes buffers and ranges of
   * arrays.
   */
  public static BytesHashStrategy seeded(BytesHashStrategy strategy, long seed) {
    return new Seeded.OfBytes(strategy, seed);
  }

  /**
   * Returns a builder of a strategy over elements with several fields:
   *
   * <pre>{@code
   * HashStrategy<Click> clicks =
   *     HashStrategies.<Click>composite()
   *         .field("user", Click::user, HashStrategies.utf8())
   *         .longField("second", Click::second)
   *         .build(new Click("alice", 7)); // a probe, which tells swapped functions apart
   * }</pre>
   */
  public static <T> CompositeBuilder<T> composite() {
    return new CompositeBuilder<>();
  }
}
