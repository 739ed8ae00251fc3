package io.bloomkit.classic.parquet;

import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterSample;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.bloomkit.MergeableFilter;
import io.bloomkit.classic.foreign.ForeignFormat;
import io.bloomkit.classic.foreign.MergeKey;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.AtomicFile;
import io.bloomkit.internal.WordArrays;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A split-block Bloom filter of Apache Parquet: answers, bits and bytes are those of the format's
 * specification ({@code BloomFilter.md} of parquet-format). A Parquet file has one for each
 * selected column of a row group; a negative answer lets a reader skip the row group.
 *
 * <pre>{@code
 * ParquetBloomFilter<Long> ids =
 *     ParquetBloomFilter.readFrom(in, ParquetStrategies.int64()); // at bloom_filter_offset
 * if (!ids.mightContain(42L)) {
 *   // skip the row group
 * }
 * }</pre>
 *
 * <p><b>The type of the column must be known.</b> The bytes do not name it. With the strategy of
 * another type, reading succeeds, but queries of nearly all stored values are negative. There is no
 * checksum, so a flipped bit is not detected.
 *
 * <p><b>When to choose another.</b> For sets that no reader of Parquet uses: a {@link
 * io.bloomkit.classic.BlockedBloomFilter} also touches one cache line per operation and requires
 * 10.08 bits per element at 1 %; this layout requires 10.53.
 *
 * <p>An operation touches half a cache line and allocates nothing, unless the {@linkplain
 * ParquetStrategies strategy} does.
 *
 * <p><b>Threads.</b> Any number of threads may query a filter that no thread changes. Everything
 * else requires external synchronization.
 *
 * @param <T> the type of the values
 */
public final class ParquetBloomFilter<T>
    implements InsertableFilter<T>, MergeableFilter<ParquetBloomFilter<T>> {

  /** Aligns each block with half a cache line. */
  static final int PADDING = WordArrays.BLOCK_PADDING;

  private final HashStrategy<? super T> strategy;
  private final ParquetShape shape;
  private final MergeKey mergeKey;
  private final int blocks;
  private final long[] words;

  /** Takes an array with padding and keeps it. */
  private ParquetBloomFilter(HashStrategy<? super T> strategy, ParquetShape shape, long[] words) {
    this.strategy = strategy;
    this.shape = shape;
    this.mergeKey = new MergeKey(shape, StrategyIdentity.of(strategy));
    this.blocks = shape.blocks();
    this.words = words;
  }

  /**
   * Returns an empty filter of the smallest size that keeps a false-positive rate: {@link
   * ParquetShape#of}.
   *
   * @param expectedDistinct the number of distinct values planned for, at least 1
   * @param fpp the false-positive probability, in (0, 1)
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public static <T> ParquetBloomFilter<T> create(
      HashStrategy<? super T> strategy, long expectedDistinct, double fpp) {
    return create(strategy, ParquetShape.of(expectedDistinct, fpp));
  }

  /** Returns an empty filter. */
  public static <T> ParquetBloomFilter<T> create(
      HashStrategy<? super T> strategy, ParquetShape shape) {
    Objects.requireNonNull(shape, "shape");
    return new ParquetBloomFilter<>(strategy, shape, ParquetHeader.FORMAT.array(wordsOf(shape)));
  }

  /**
   * Reads a header and its bitset, as they are in a Parquet file at the {@code bloom_filter_offset}
   * of a column chunk, and as {@link #writeTo(OutputStream)} writes them. Reads no byte beyond them
   * and does not close the stream. Memory is at most four times the bytes received so far plus 64
   * KiB.
   *
   * @param in should be buffered: the header is read byte by byte
   * @param strategy the one of the column's type, see the class comment
   * @throws FilterFormatException if the stream ends too early, or this is not the header of such a
   *     filter
   * @throws IOException if the stream throws it
   */
  public static <T> ParquetBloomFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException {
    Objects.requireNonNull(strategy, "strategy");
    ParquetHeader.Read header = ParquetHeader.readFrom(Objects.requireNonNull(in, "in"));
    return readWords(in, header.shape(), header.headerBytes(), strategy);
  }

  /**
   * Reads a bitset without a header, as {@link #readFrom}.
   *
   * @param shape its size
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
   * Reads a filter from bytes that hold a header, its bitset and nothing else.
   *
   * @throws FilterFormatException as {@link #readFrom}, and if bytes are left over
   */
  public static <T> ParquetBloomFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    Objects.requireNonNull(strategy, "strategy");
    return ForeignFormat.fromBytes(bytes, in -> readFrom(in, strategy));
  }

  /**
   * Returns a filter with a copy of a bitset without a header.
   *
   * @throws IllegalArgumentException if its length is not a positive multiple of 32
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

  @Override
  public void merge(ParquetBloomFilter<T> other) {
    mergeKey.requireEqual(Objects.requireNonNull(other, "other").mergeKey);
    for (int i = PADDING; i < words.length; i++) {
      words[i] |= other.words[i];
    }
  }

  @Override
  public ParquetBloomFilter<T> copy() {
    return new ParquetBloomFilter<>(strategy, shape, words.clone());
  }

  /**
   * {@inheritDoc}
   *
   * <p>It is the mean over the blocks of the product of the fill ratios of their eight words. Costs
   * a pass over all bits.
   */
  @Override
  public double expectedFpp() {
    double sum = 0;
    for (int i = PADDING; i < words.length; i += SplitBits.WORDS_PER_BLOCK) {
      sum += SplitBits.fpp(words, i);
    }
    return sum / blocks;
  }

  @Override
  public FilterEstimate estimate(int lines) {
    FilterSample sample = new FilterSample(blocks, ParquetShape.BLOCKS_PER_LINE, lines);
    sample.forEach(
        block -> {
          int at = PADDING + (int) block * SplitBits.WORDS_PER_BLOCK;
          int set = SplitBits.setPositions(words, at);
          sample.add(set, ParquetShape.BITS_PER_BLOCK, SplitBits.fpp(words, at));
        });
    FilterEstimate.Value fill = sample.fill();
    double elements = shape.estimatedElements(Math.round(fill.value() * shape.bytes() * Byte.SIZE));
    return new FilterEstimate(sample.fpp(), fill, FilterEstimate.elements(fill, elements));
  }

  /** {@inheritDoc} Costs a pass over all bits. */
  @Override
  public long approximateElementCount() {
    return Math.round(shape.estimatedElements(setPositions()));
  }

  /** Returns the number of set bits. Costs a pass over all bits. */
  public long setPositions() {
    long bits = 0;
    for (long word : words) {
      bits += Long.bitCount(word);
    }
    return bits;
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
   * Writes a header and the bitset, as they are in a Parquet file. The stream is neither flushed
   * nor closed.
   *
   * @throws IOException if the stream throws it
   */
  public void writeTo(OutputStream out) throws IOException {
    Objects.requireNonNull(out, "out").write(ParquetHeader.bytesOf(shape));
    writeBitsetTo(out);
  }

  /**
   * Writes what {@link #writeTo(OutputStream)} writes to a file by atomic replace: after a crash at
   * any moment, either the old file or the new one is complete.
   *
   * @throws IOException if the file cannot be written; an old one is then unchanged
   */
  public void writeTo(Path file) throws IOException {
    AtomicFile.write(file, this::writeTo);
  }

  /**
   * Writes the bitset without a header: {@link ParquetShape#bytes} bytes.
   *
   * @throws IOException if the stream throws it
   */
  public void writeBitsetTo(OutputStream out) throws IOException {
    Objects.requireNonNull(out, "out");
    ParquetHeader.FORMAT.writeWords(out, wordsOf(shape), i -> words[PADDING + i]);
  }

  /**
   * Returns what {@link #writeTo(OutputStream)} writes.
   *
   * @throws IllegalStateException if that is more than an array holds
   */
  public byte[] toBytes() {
    long header = ParquetHeader.bytesOf(shape).length;
    return ForeignFormat.toBytes(header + shape.bytes(), this::writeTo);
  }

  /**
   * Returns what {@link #writeBitsetTo} writes.
   *
   * @throws IllegalStateException if that is more than an array holds
   */
  public byte[] toBitset() {
    return ForeignFormat.toBytes(shape.bytes(), this::writeBitsetTo);
  }

  /**
   * Returns whether an object is a {@linkplain #isCompatible compatible} filter with the same bits.
   * Costs a pass over all bits.
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof ParquetBloomFilter<?> other
        && mergeKey.equals(other.mergeKey)
        && Arrays.equals(words, other.words);
  }

  /** Returns a hash code of the contents: it changes with them and costs a pass over all bits. */
  @Override
  public int hashCode() {
    return Objects.hash(mergeKey, Arrays.hashCode(words));
  }

  /** Returns size and strategy, for logs and debuggers. In constant time. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "ParquetBloomFilter[blocks=%d, strategy=%s]", blocks, strategy.id());
  }
}
