package io.bloomkit.interop.spark;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.bloomkit.MergeableFilter;
import io.bloomkit.Shape;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.internal.filter.MergeKey;
import io.bloomkit.interop.InteropFilter;
import io.bloomkit.interop.internal.InteropFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that behaves like {@code BloomFilter} of {@code org.apache.spark.util.sketch}, in
 * either {@linkplain SparkVersion version}: same answers, same bits, same bytes. In Spark, {@code
 * BloomFilter.writeTo} writes these bytes, and {@code bloom_filter_agg} returns them.
 *
 * <pre>{@code
 * SparkBloomFilter<Long> seen = SparkBloomFilter.readFrom(in, SparkType.longs());
 * }</pre>
 *
 * <p><b>You must know the type of the elements.</b> The bytes do not name the type. With another
 * type, reading succeeds, but queries of nearly all stored elements are negative. There is no
 * checksum, so a flipped bit is not detected.
 *
 * <p><b>Version 1 above 2<sup>31</sup> bits.</b> A filter of {@link SparkVersion#V1} uses only its
 * first 2<sup>31</sup> bits. Therefore a larger filter exceeds the planned false-positive rate. At
 * 1 %, this concerns filters for more than about 220 million elements. This class reads such
 * filters and reproduces Spark's answers and bytes. It computes {@link #expectedFpp} from the
 * usable bits, whereas Spark computes it from all bits. {@link #create} throws an exception instead
 * of creating such a large filter.
 *
 * <p><b>When to choose another filter.</b> For a filter that Spark neither writes nor reads, choose
 * another class. Spark's double hashing raises the false-positive rate above the planned rate
 * {@code fpp}: to at most about {@code fpp} + 2/m in a filter of m ≥ 1,000 bits, and higher in a
 * smaller filter. An operation costs up to one division per hash.
 *
 * <p><b>Cost.</b> An operation touches up to one cache line per hash. A negative query touches
 * about two lines on average if half of the bits are set. An operation on one element allocates
 * nothing, except that a text of more than 2<sup>18</sup> characters may be copied.
 *
 * <p><b>Threads.</b> Single-writer: access from several threads requires external synchronization,
 * unless the filter is safely published and not changed afterwards.
 *
 * @param <T> the type of the elements
 */
public final class SparkBloomFilter<T>
    implements InsertableFilter<T>, InteropFilter<T>, MergeableFilter<SparkBloomFilter<?>> {

  private static final int BITS_PER_WORD_LOG_2 = 6;

  private final HashStrategy<? super T> strategy;
  private final SparkShape shape;
  private final MergeKey mergeKey;
  private final SparkVersion version;
  private final int hashes;
  private final long[] words;
  private final long positions;

  /** Keeps the array without copying it. */
  private SparkBloomFilter(HashStrategy<? super T> strategy, SparkShape shape, long[] words) {
    this.strategy = strategy;
    this.shape = shape;
    this.mergeKey = new MergeKey(shape, StrategyIdentity.of(strategy));
    this.version = shape.version();
    this.hashes = shape.hashes();
    this.words = words;
    this.positions = shape.positions();
  }

  /**
   * Reads a filter of either version, written by Spark's {@code writeTo} or by {@link
   * #writeTo(OutputStream)}. Reads no byte beyond the filter. While reading, memory is at most 64
   * KiB plus nine times the bytes received so far.
   *
   * @param in need not be buffered; not closed
   * @param type the type of the elements; see the class comment
   * @throws FilterFormatException if the stream ends too early, or the bytes are not such a filter:
   *     the version, the number of words or the number of hashes is out of its range
   * @throws IOException if the stream fails
   */
  public static <T> SparkBloomFilter<T> readFrom(InputStream in, SparkType<? super T> type)
      throws IOException {
    Objects.requireNonNull(in, "in");
    Objects.requireNonNull(type, "type");
    SparkShape shape = SparkFormat.readHeader(in);
    long[] words = SparkFormat.readWords(in, shape);
    return new SparkBloomFilter<>(type.strategy(shape.seed()), shape, words);
  }

  /**
   * Reads a filter from a file that contains nothing else.
   *
   * @param type the type of the elements; see the class comment
   * @throws FilterFormatException as for {@link #readFrom(InputStream, SparkType)}, or if bytes
   *     follow the filter
   * @throws IOException if the file cannot be read
   */
  public static <T> SparkBloomFilter<T> readFrom(Path file, SparkType<? super T> type)
      throws IOException {
    Objects.requireNonNull(type, "type");
    return InteropFormat.readFrom(file, in -> readFrom(in, type));
  }

  /**
   * Reads a filter from bytes that contain nothing else.
   *
   * @param type the type of the elements; see the class comment
   * @throws FilterFormatException as for {@link #readFrom(InputStream, SparkType)}, or if bytes
   *     follow the filter
   */
  public static <T> SparkBloomFilter<T> fromBytes(byte[] bytes, SparkType<? super T> type)
      throws FilterFormatException {
    return InteropFormat.fromBytes(bytes, in -> readFrom(in, type));
  }

  /**
   * Returns an empty filter, to be written for Spark. Its seed is 0. Its size is {@link Shape#of
   * Shape.of(expectedInsertions, fpp)}, with the number of bits rounded up to a multiple of 64.
   *
   * @param version the version of the filter; Spark before 4.1 cannot read {@link SparkVersion#V2}
   * @param type the type of the elements
   * @param expectedInsertions the number of distinct elements planned for, at least 0; 0, for an
   *     empty set, is planned as 1
   * @param fpp the planned false-positive probability at that number, in (0, 1). Because of Spark's
   *     double hashing, the actual probability is higher: up to about {@code fpp} + 2/m in a filter
   *     of m ≥ 1,000 bits, and more in a smaller filter.
   * @throws IllegalArgumentException if an argument is out of its range, or the filter would be
   *     larger than one array (16 GiB) or, in version 1, than 2<sup>31</sup> bits
   */
  public static <T> SparkBloomFilter<T> create(
      SparkVersion version, SparkType<? super T> type, long expectedInsertions, double fpp) {
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(type, "type");
    long elements = Arguments.atLeastOne(expectedInsertions, "expectedInsertions");
    FlatShape planned = shape(version, elements, fpp);
    int wordCount = (int) (planned.positions() / Long.SIZE);
    SparkShape shape = new SparkShape(version, planned.hashes(), 0, wordCount);
    return new SparkBloomFilter<>(type.strategy(0), shape, WordArrays.allocate(wordCount));
  }

  /**
   * Returns an empty filter of a given size and seed, to be written for Spark or merged with a
   * filter of Spark. Spark's {@code bloom_filter_agg(x, n, m)} and {@code BloomFilter.create(n, m)}
   * make filters of ⌈m / 64⌉ · 64 bits, max(1, round(m / n · ln 2)) hashes and seed 0.
   *
   * @param version the version of the filter; Spark before 4.1 cannot read {@link SparkVersion#V2}
   * @param type the type of the elements
   * @param positions the number of bits, a multiple of 64
   * @param hashes the number of hashes, from 1 to the number of bits
   * @param seed the seed of the hash; 0 in version 1, which has none
   * @throws IllegalArgumentException if an argument is out of its range, or the filter would be
   *     larger than one array (16 GiB) or, in version 1, than 2<sup>31</sup> bits
   */
  public static <T> SparkBloomFilter<T> ofSize(
      SparkVersion version, SparkType<? super T> type, long positions, int hashes, int seed) {
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(type, "type");
    int wordCount = InteropFormat.wordCount(positions, maxWords(version));
    Arguments.checkRange(1, positions, hashes, "hashes");
    if (version == SparkVersion.V1 && seed != 0) {
      throw new IllegalArgumentException("version V1 has no seed: it must be 0, got " + seed);
    }
    return new SparkBloomFilter<>(
        type.strategy(seed),
        new SparkShape(version, hashes, seed, wordCount),
        WordArrays.allocate(wordCount));
  }

  private static long maxWords(SparkVersion version) {
    return Math.min(WordArrays.MAX_LENGTH, version.usedPositions(Long.MAX_VALUE) / Long.SIZE);
  }

  /**
   * Returns the layout of the filter that {@link #create(SparkVersion, SparkType, long, double)}
   * returns, without allocating the filter.
   *
   * @param version the version of the filter
   * @param expectedInsertions the number of distinct elements planned for, at least 1
   * @param fpp the false-positive probability at that number, in (0, 1)
   * @throws IllegalArgumentException as for {@link #create(SparkVersion, SparkType, long, double)}
   */
  public static FilterLayout layout(SparkVersion version, long expectedInsertions, double fpp) {
    Objects.requireNonNull(version, "version");
    FlatShape shape = shape(version, expectedInsertions, fpp);
    return FilterLayout.of(shape, shape.positions() / Byte.SIZE);
  }

  /** Returns a shape whose bits fill whole words, fit into one array and are all usable. */
  private static FlatShape shape(SparkVersion version, long expectedInsertions, double fpp) {
    FlatShape shape = Shape.of(expectedInsertions, fpp);
    long count = (shape.positions() + Long.SIZE - 1) / Long.SIZE;
    long most = maxWords(version);
    if (count > most) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "expectedInsertions=%d and fpp=%s need %d bits, more than the %d of version %s",
              expectedInsertions,
              fpp,
              count * Long.SIZE,
              most * Long.SIZE,
              version));
    }
    return new FlatShape(count * Long.SIZE, shape.hashes());
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean mightContainHash(long hash) {
    long state = version.start(hash);
    long step = version.step(hash);
    for (int i = 0; i < hashes; i++) {
      state += step;
      long position = version.position(state, positions);
      if ((words[wordOf(position)] >>> position & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean add(T element) {
    return addHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean addHash(long hash) {
    long state = version.start(hash);
    long step = version.step(hash);
    boolean added = false;
    for (int i = 0; i < hashes; i++) {
      state += step;
      long position = version.position(state, positions);
      int word = wordOf(position);
      long before = words[word];
      words[word] = before | 1L << position;
      added |= words[word] != before;
    }
    return added;
  }

  private static int wordOf(long position) {
    return (int) (position >>> BITS_PER_WORD_LOG_2);
  }

  @Override
  public void clear() {
    Arrays.fill(words, 0);
  }

  @Override
  public boolean isCompatible(MembershipFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return other instanceof SparkBloomFilter<?> filter && mergeKey.equals(filter.mergeKey);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException {@inheritDoc}
   */
  @Override
  public void merge(SparkBloomFilter<?> other) {
    mergeKey.requireEqual(
        Objects.requireNonNull(other, "other").mergeKey, "merge", plan(), other.plan());
    for (int i = 0; i < words.length; i++) {
      words[i] |= other.words[i];
    }
  }

  /**
   * Keeps only the bits that are also set in another filter, as Spark's {@code intersectInPlace}
   * does. Elements that are in both filters stay positive; other elements may be positive too, at a
   * rate of up to the lower of the two rates. {@link #approximateElementCount} is then far too
   * high, since elements of only one filter share bits with others.
   *
   * @throws IllegalArgumentException if the filters are not compatible; nothing is changed
   */
  public void intersect(SparkBloomFilter<?> other) {
    mergeKey.requireEqual(
        Objects.requireNonNull(other, "other").mergeKey, "intersect", plan(), other.plan());
    for (int i = 0; i < words.length; i++) {
      words[i] &= other.words[i];
    }
  }

  @Override
  public SparkBloomFilter<T> copy() {
    return new SparkBloomFilter<>(strategy, shape, WordArrays.copyOf(words));
  }

  /**
   * Returns the present false-positive probability (X/u)<sup>k</sup>, where X is the number of set
   * bits among the u usable bits, and k the number of hashes. Spark returns the same value, except
   * for version 1 above 2<sup>31</sup> bits. The cost is a pass over all bits.
   */
  @Override
  public double expectedFpp() {
    return BloomFormulas.fppAtFill(setPositions(), version.usedPositions(positions), hashes);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException {@inheritDoc}
   */
  @Override
  public FilterEstimate estimate(int lines) {
    return FilterEstimate.ofFlat(
        version.usedPositions(positions),
        hashes,
        Long.SIZE,
        word -> Long.bitCount(words[(int) word]),
        lines);
  }

  /**
   * {@inheritDoc} The estimate is {@link BloomFormulas#estimatedElements}, computed from the usable
   * bits. The cost is a pass over all bits.
   */
  @Override
  public long approximateElementCount() {
    return Math.round(
        BloomFormulas.estimatedElements(setPositions(), version.usedPositions(positions), hashes));
  }

  /**
   * Returns the expected false-positive probability of a filter of this size after n distinct
   * elements have been added: {@link BloomFormulas#exactFpp}, computed for the usable bits. Because
   * of Spark's double hashing, the actual rate is higher: up to about the result + 2/m in a filter
   * of m ≥ 1,000 bits, and more in a smaller filter.
   *
   * @param elements n, at least 0
   * @throws IllegalArgumentException if n is negative, n times the number of hashes is not below
   *     2<sup>63</sup>, or the filter has more than {@link FlatShape#MAX_HASHES} hashes
   */
  @Override
  public double fpp(long elements) {
    return BloomFormulas.exactFpp(elements, version.usedPositions(positions), hashes);
  }

  /** Returns the version of this filter. */
  public SparkVersion version() {
    return version;
  }

  /** Returns the seed of the hash, 0 in version 1. */
  public int seed() {
    return shape.seed();
  }

  /**
   * Returns m, the number of bits, a multiple of 64. In version 1, m may exceed 2<sup>31</sup>, the
   * largest number of usable bits.
   */
  @Override
  public long positions() {
    return positions;
  }

  /** Returns k, the number of hashes, at least 1. */
  @Override
  public int hashes() {
    return hashes;
  }

  /**
   * Returns the number of set bits. In version 1, counts only the first 2<sup>31</sup> bits,
   * because no element uses the other bits. The cost is a pass over all bits.
   */
  @Override
  public long setPositions() {
    long bits = 0;
    int end = wordOf(version.usedPositions(positions));
    for (int i = 0; i < end; i++) {
      bits += Long.bitCount(words[i]);
    }
    return bits;
  }

  @Override
  public long memoryBytes() {
    return (long) words.length * Long.BYTES;
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /**
   * Writes the bytes that Spark's {@code writeTo} writes: a header and then {@link #memoryBytes()}
   * bytes of bits. The header has 12 bytes in version 1 and 16 bytes in version 2.
   *
   * @param out need not be buffered; neither flushed nor closed
   * @throws IOException if the stream fails
   */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    SparkFormat.write(shape, words, Objects.requireNonNull(out, "out"));
  }

  @Override
  public byte[] toBytes() {
    return InteropFormat.toBytes(SparkFormat.headerBytes(version) + memoryBytes(), this::writeTo);
  }

  /**
   * Returns whether an object is a {@linkplain #isCompatible compatible} filter with the same bits.
   * The cost is a pass over all bits.
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof SparkBloomFilter<?> other
        && mergeKey.equals(other.mergeKey)
        && Arrays.equals(words, other.words);
  }

  /** Returns a hash code that changes with the bits. The cost is a pass over all bits. */
  @Override
  public int hashCode() {
    return Objects.hash(mergeKey, Arrays.hashCode(words));
  }

  /** Returns version, size and strategy, for logs and debuggers. Takes constant time. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "SparkBloomFilter[%s, strategy=%s]", shape, strategy.id());
  }
}
