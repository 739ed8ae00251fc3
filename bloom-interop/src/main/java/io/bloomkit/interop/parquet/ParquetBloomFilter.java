package io.bloomkit.interop.parquet;

import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterFormatException;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.bloomkit.MergeableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.internal.filter.MergeKey;
import io.bloomkit.interop.InteropFilter;
import io.bloomkit.interop.internal.InteropFormat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A split-block Bloom filter of Apache Parquet. Its answers, bits and bytes follow the
 * specification ({@code BloomFilter.md} of parquet-format). A Parquet file may have such a filter
 * for each column of each row group. If a query is negative, a reader can skip the row group.
 *
 * <pre>{@code
 * ParquetBloomFilter<Long> ids =
 *     ParquetBloomFilter.readFrom(in, ParquetStrategies.int64()); // at bloom_filter_offset
 * if (!ids.mightContain(42L)) {
 *   // skip the row group
 * }
 * }</pre>
 *
 * <p><b>You must know the type of the column.</b> The bytes do not name the type. With the strategy
 * of another type, reading succeeds, but queries of nearly all stored values are negative. There is
 * no checksum, so a flipped bit is not detected.
 *
 * <p><b>When to choose another filter.</b> If no Parquet reader uses the filter, choose a {@code
 * BlockedBloomFilter}. It also touches one cache line per operation, and takes 10.1 bits per
 * element at a false-positive rate of 1 %; a Parquet filter takes 10.5 bits.
 *
 * <p><b>Cost.</b> An operation touches one cache line. An operation on one element allocates
 * nothing, unless the {@linkplain ParquetStrategies strategy} does.
 *
 * <p><b>Threads.</b> Single-writer: access from several threads requires external synchronization,
 * unless the filter is safely published and not changed afterwards.
 *
 * @param <T> the type of the values
 */
public final class ParquetBloomFilter<T>
    implements InsertableFilter<T>, InteropFilter<T>, MergeableFilter<ParquetBloomFilter<?>> {

  /** Aligns each block with half a cache line. */
  static final int PADDING = WordArrays.BLOCK_PADDING;

  private final HashStrategy<? super T> strategy;
  private final ParquetShape shape;
  private final MergeKey mergeKey;
  private final int blocks;
  private final long[] words;

  /** Creates a filter that keeps the array, which begins with the padding. */
  private ParquetBloomFilter(HashStrategy<? super T> strategy, ParquetShape shape, long[] words) {
    this.strategy = strategy;
    this.shape = shape;
    this.mergeKey = new MergeKey(shape.blocks() + " blocks", StrategyIdentity.of(strategy));
    this.blocks = shape.blocks();
    this.words = words;
  }

  /**
   * Returns an empty filter whose size is {@link ParquetShape#of ParquetShape.of(expectedDistinct,
   * fpp)}.
   *
   * @param strategy the {@linkplain ParquetStrategies strategy} of the physical type of the column
   * @param expectedDistinct the number of distinct values planned for, at least 0; 0, for an empty
   *     column, is planned as 1
   * @param fpp the false-positive probability at that number, in (0, 1)
   * @throws IllegalArgumentException as for {@link ParquetShape#of}
   */
  public static <T> ParquetBloomFilter<T> create(
      HashStrategy<? super T> strategy, long expectedDistinct, double fpp) {
    long elements = Arguments.atLeastOne(expectedDistinct, "expectedDistinct");
    return create(strategy, ParquetShape.of(elements, fpp));
  }

  /**
   * Returns an empty filter of a given size.
   *
   * @param strategy the {@linkplain ParquetStrategies strategy} of the physical type of the column
   * @param shape the size
   */
  public static <T> ParquetBloomFilter<T> create(
      HashStrategy<? super T> strategy, ParquetShape shape) {
    Objects.requireNonNull(shape, "shape");
    return new ParquetBloomFilter<>(strategy, shape, ParquetHeader.FORMAT.array(wordsOf(shape)));
  }

  /**
   * Reads a filter (a header and a bitset) and no byte beyond it. In a Parquet file, a filter is at
   * the {@code bloom_filter_offset} of a column chunk. {@link #writeTo(OutputStream)} writes this
   * format. While reading, memory is at most 64 KiB plus nine times the bytes received so far.
   *
   * @param in should be buffered, because the header is read byte by byte; not closed
   * @param strategy the {@linkplain ParquetStrategies strategy} of the physical type of the column
   * @throws FilterFormatException if the stream ends too early, or the header is not a valid header
   *     of a Parquet Bloom filter
   * @throws IOException if the stream fails
   */
  public static <T> ParquetBloomFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException {
    Objects.requireNonNull(strategy, "strategy");
    ParquetHeader.Read header = ParquetHeader.readFrom(Objects.requireNonNull(in, "in"));
    return readWords(in, header.shape(), header.headerBytes(), strategy);
  }

  /**
   * Reads a filter of a known length, as {@link #readFrom(InputStream, HashStrategy)} does. A wrong
   * size in the header would otherwise not be noticed, and queries of stored values would be
   * negative.
   *
   * @param in should be buffered, because the header is read byte by byte; not closed
   * @param length the number of bytes of header and bitset: the {@code bloom_filter_length} of the
   *     column chunk
   * @param strategy the {@linkplain ParquetStrategies strategy} of the physical type of the column
   * @throws FilterFormatException as for {@link #readFrom(InputStream, HashStrategy)}, or if the
   *     filter has another length
   * @throws IOException if the stream fails
   */
  public static <T> ParquetBloomFilter<T> readFrom(
      InputStream in, long length, HashStrategy<? super T> strategy) throws IOException {
    Objects.requireNonNull(strategy, "strategy");
    ParquetHeader.Read header = ParquetHeader.readFrom(Objects.requireNonNull(in, "in"));
    long announced = (long) header.headerBytes() + header.shape().bytes();
    if (announced != length) {
      throw ParquetHeader.FORMAT.malformed(
          header.headerBytes(),
          "the header announces a filter of %d bytes, but it must have %d",
          announced,
          length);
    }
    return readWords(in, header.shape(), header.headerBytes(), strategy);
  }

  /**
   * Reads a bitset without a header, and no byte beyond the bitset. Memory is limited as for {@link
   * #readFrom(InputStream, HashStrategy)}.
   *
   * @param in need not be buffered; not closed
   * @param shape the size of the filter
   * @param strategy the {@linkplain ParquetStrategies strategy} of the physical type of the column
   * @throws FilterFormatException if the stream ends too early
   * @throws IOException if the stream fails
   */
  public static <T> ParquetBloomFilter<T> readBitsetFrom(
      InputStream in, ParquetShape shape, HashStrategy<? super T> strategy) throws IOException {
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(strategy, "strategy");
    return readWords(Objects.requireNonNull(in, "in"), shape, 0, strategy);
  }

  private static <T> ParquetBloomFilter<T> readWords(
      InputStream in, ParquetShape shape, int headerBytes, HashStrategy<? super T> strategy)
      throws IOException {
    long[] words = ParquetHeader.FORMAT.readWords(in, wordsOf(shape), headerBytes);
    return new ParquetBloomFilter<>(strategy, shape, words);
  }

  /**
   * Reads a filter with its header from a file that contains nothing else.
   *
   * @param strategy the {@linkplain ParquetStrategies strategy} of the physical type of the column
   * @throws FilterFormatException as for {@link #readFrom(InputStream, HashStrategy)}, or if bytes
   *     follow the filter
   * @throws IOException if the file cannot be read
   */
  public static <T> ParquetBloomFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    Objects.requireNonNull(strategy, "strategy");
    return InteropFormat.readFrom(file, in -> readFrom(in, strategy));
  }

  /**
   * Reads a filter with its header from bytes that contain nothing else.
   *
   * @param strategy the {@linkplain ParquetStrategies strategy} of the physical type of the column
   * @throws FilterFormatException as for {@link #readFrom(InputStream, HashStrategy)}, or if bytes
   *     follow the filter
   */
  public static <T> ParquetBloomFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    Objects.requireNonNull(strategy, "strategy");
    return InteropFormat.fromBytes(bytes, in -> readFrom(in, strategy));
  }

  /**
   * Returns a filter whose bits are a copy of a bitset. The bitset has no header.
   *
   * @param strategy the {@linkplain ParquetStrategies strategy} of the physical type of the column
   * @throws IllegalArgumentException if the length of the bitset is not a positive multiple of 32
   */
  public static <T> ParquetBloomFilter<T> ofBitset(
      byte[] bitset, HashStrategy<? super T> strategy) {
    Objects.requireNonNull(strategy, "strategy");
    ParquetShape shape = ParquetShape.ofBytes(Objects.requireNonNull(bitset, "bitset").length);
    try {
      return readBitsetFrom(new ByteArrayInputStream(bitset), shape, strategy);
    } catch (IOException e) {
      throw new UncheckedIOException("an array has all its bytes", e);
    }
  }

  private static int wordsOf(ParquetShape shape) {
    return shape.blocks() * SplitBits.WORDS_PER_BLOCK;
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return SplitBits.contains(words, PADDING + SplitBits.firstWord(hash, blocks), hash);
  }

  @Override
  public boolean add(T element) {
    return addHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean addHash(long hash) {
    return SplitBits.add(words, PADDING + SplitBits.firstWord(hash, blocks), hash);
  }

  @Override
  public void clear() {
    Arrays.fill(words, 0);
  }

  @Override
  public boolean isCompatible(MembershipFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return other instanceof ParquetBloomFilter<?> filter && mergeKey.equals(filter.mergeKey);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException {@inheritDoc}
   */
  @Override
  public void merge(ParquetBloomFilter<?> other) {
    mergeKey.requireEqual(
        Objects.requireNonNull(other, "other").mergeKey, "merge", plan(), other.plan());
    for (int i = PADDING; i < words.length; i++) {
      words[i] |= other.words[i];
    }
  }

  @Override
  public ParquetBloomFilter<T> copy() {
    return new ParquetBloomFilter<>(strategy, shape, WordArrays.copyOf(words));
  }

  /**
   * {@inheritDoc}
   *
   * <p>In each block, the fill ratios of the eight 32-bit words are multiplied. The value is the
   * mean of these products over all blocks. The cost is a pass over all bits.
   */
  @Override
  public double expectedFpp() {
    double sum = 0;
    for (int i = PADDING; i < words.length; i += SplitBits.WORDS_PER_BLOCK) {
      sum += SplitBits.fpp(words, i);
    }
    return sum / blocks;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException {@inheritDoc}
   */
  @Override
  public FilterEstimate estimate(int lines) {
    return FilterEstimate.ofBlocks(
        blocks,
        ParquetShape.BLOCKS_PER_LINE,
        ParquetShape.BITS_PER_BLOCK,
        block -> SplitBits.setPositions(words, at(block)),
        block -> SplitBits.fpp(words, at(block)),
        fill -> shape.estimatedElements(Math.round(fill * shape.positions())),
        lines);
  }

  private static int at(long block) {
    return PADDING + (int) block * SplitBits.WORDS_PER_BLOCK;
  }

  /** {@inheritDoc} The cost is a pass over all bits. */
  @Override
  public long approximateElementCount() {
    return Math.round(shape.estimatedElements(setPositions()));
  }

  /** Returns the number of set bits. The cost is a pass over all bits. */
  @Override
  public long setPositions() {
    return WordArrays.countBits(words);
  }

  @Override
  public double fpp(long elements) {
    return shape.fpp(elements);
  }

  @Override
  public Map<String, Number> figures() {
    return shape.layout().withSetPositions(setPositions()).figures();
  }

  @Override
  public long positions() {
    return shape.positions();
  }

  @Override
  public int hashes() {
    return ParquetShape.HASHES;
  }

  /** Returns the size of this filter. */
  public ParquetShape shape() {
    return shape;
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
   * Writes the header and the bitset as a Parquet file contains them.
   *
   * @param out need not be buffered; neither flushed nor closed
   * @throws IOException if the stream fails
   */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    Objects.requireNonNull(out, "out").write(ParquetHeader.bytesOf(shape));
    writeBitsetTo(out);
  }

  /**
   * Writes the bitset without a header: {@link ParquetShape#bytes} bytes.
   *
   * @param out need not be buffered; neither flushed nor closed
   * @throws IOException if the stream fails
   */
  public void writeBitsetTo(OutputStream out) throws IOException {
    Objects.requireNonNull(out, "out");
    ParquetHeader.FORMAT.writeWords(out, wordsOf(shape), i -> words[PADDING + i]);
  }

  @Override
  public byte[] toBytes() {
    long header = ParquetHeader.bytesOf(shape).length;
    return InteropFormat.toBytes(header + shape.bytes(), this::writeTo);
  }

  /**
   * Returns the bytes that {@link #writeBitsetTo} writes.
   *
   * @throws IllegalStateException if the bytes do not fit into an array
   */
  public byte[] toBitset() {
    return InteropFormat.toBytes(shape.bytes(), this::writeBitsetTo);
  }

  /**
   * Returns whether an object is a {@linkplain #isCompatible compatible} filter with the same bits.
   * The cost is a pass over all bits.
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof ParquetBloomFilter<?> other
        && mergeKey.equals(other.mergeKey)
        && Arrays.equals(words, other.words);
  }

  /** Returns a hash code that changes with the bits. The cost is a pass over all bits. */
  @Override
  public int hashCode() {
    return Objects.hash(mergeKey, Arrays.hashCode(words));
  }

  /** Returns block count and strategy id, for logs and debuggers. Takes constant time. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "ParquetBloomFilter[blocks=%d, strategy=%s]", blocks, strategy.id());
  }
}
