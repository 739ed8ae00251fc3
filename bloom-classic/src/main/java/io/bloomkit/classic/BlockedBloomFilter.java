package io.bloomkit.classic;

import io.bloomkit.BlockedFormulas;
import io.bloomkit.BlockedShape;
import io.bloomkit.MergeableFilter;
import io.bloomkit.Shape;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.MappedFile;
import io.bloomkit.format.SectionReader;
import io.bloomkit.format.SectionRole;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Prefetch;
import io.bloomkit.internal.WordArrays;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that touches one cache line an operation: all bits of an element lie in one block
 * of 512 bits (F. Putze, P. Sanders, J. Singler, <i>Cache-, hash- and space-efficient Bloom
 * filters</i>, 2007).
 *
 * <p>Within the block an element takes two of the eight words and a few bits in each, so that two
 * loads and two masks, without a branch, answer a query; {@link BlockedShape} says how many and
 * what that costs: 10.2 bits an element at 1 %, where a {@link ClassicBloomFilter} takes 9.6, and
 * 16.7 against 14.4 at 0.1 %.
 *
 * <pre>{@code
 * BlockedBloomFilter<String> seen =
 *     BlockedBloomFilter.create(HashStrategies.utf8(), 1_000_000, 0.01);
 * }</pre>
 *
 * <p><b>When to choose another.</b> Below 0.1 %, or where every bit counts, as in what is sent to a
 * phone, a {@link ClassicBloomFilter} is smaller: at 0.01 % by a quarter. It also knows its fill
 * and its {@link #expectedFpp} at no cost, which here take a pass over all bits. To remove elements
 * again take a filter of the counting module; its blocked one becomes a filter of this class.
 *
 * <p><b>Threads.</b> For one thread, or many readers of a filter that is handed over safely and no
 * longer changed. Built {@linkplain Builder#concurrent() concurrent}, {@code add} and the queries
 * may be called by any number of threads and take no lock. Then (1) a query answers true if an
 * addition of the element happened before it; (2) of several threads that first add an element at
 * the same time at least one gets true, unless it is then a false positive, and several may; (3)
 * when all is quiet the bits are those of some order of the same additions. Merging, intersecting,
 * clearing, copying, comparing and reading all bits need a moment without writers, whom they must
 * happen after.
 *
 * @param <T> the type of the elements
 */
public final class BlockedBloomFilter<T> extends BitFilter<T>
    implements MergeableFilter<BlockedBloomFilter<? extends T>> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND = new BlockedKind();

  /** What an array holds. */
  private static final long MOST_POSITIONS =
      (long) (WordArrays.MAX_LENGTH - WordArrays.BLOCK_PADDING) * Long.SIZE;

  /** Reading ahead and working take turns; more hashes a turn gain little (docs/performance.md). */
  static final int BATCH = 128;

  private final BlockedShape shape;
  private final long wordsOfBlocks;
  private final int hashesPerWord;

  /** Whether a word of a block is a word of the array, and not a quarter of one. */
  private final boolean fullWords;

  private BlockedBloomFilter(
      HashStrategy<? super T> strategy,
      StrategyIdentity strategyIdentity,
      BlockedShape shape,
      boolean concurrent,
      long[] words) {
    super(strategy, strategyIdentity, concurrent, words);
    this.shape = shape;
    this.wordsOfBlocks = shape.blocks() * BlockedShape.WORDS_PER_BLOCK;
    this.hashesPerWord = shape.hashes() / 2;
    this.fullWords = shape.positionsPerWord() == Long.SIZE;
  }

  /**
   * Returns an empty filter for a number of elements and a false-positive probability; its shape is
   * {@link BlockedShape#ofBits}.
   *
   * @param strategy turns elements into hashes
   * @param expectedInsertions the number of distinct elements planned for, at least 1; with more
   *     the rate rises, nothing else happens
   * @param fpp the probability that an element never added is claimed, between 0 and 1, both
   *     excluded
   * @throws IllegalArgumentException if an argument is missing or out of its range, or the filter
   *     would be larger than one array
   */
  public static <T> BlockedBloomFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return BlockedBloomFilter.builder(strategy).expecting(expectedInsertions, fpp).build();
  }

  /**
   * Returns a builder, for everything that {@link #create} does not offer.
   *
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /**
   * Reads a filter for one writer from a stream, and not a byte more, so that several may follow
   * each other. {@link Builder#readFrom(InputStream)} reads one for many threads.
   *
   * @param in needs no buffer
   * @param strategy the one that the filter was filled by: same id, same fingerprint
   * @throws FilterFormatException if what comes is damaged, cut off, no filter of this kind, or was
   *     filled by another strategy
   * @throws IOException if the stream fails
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <T> BlockedBloomFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException {
    return BlockedBloomFilter.builder(strategy).readFrom(in);
  }

  /**
   * Reads a filter for one writer from a file that holds nothing else.
   *
   * @param strategy see {@link #readFrom(InputStream, HashStrategy)}
   * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was filled
   *     by another strategy
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <T> BlockedBloomFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return BlockedBloomFilter.builder(strategy).readFrom(file);
  }

  /**
   * Reads a filter for one writer from what {@link #toBytes} gave.
   *
   * @param strategy see {@link #readFrom(InputStream, HashStrategy)}
   * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was filled
   *     by another strategy
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <T> BlockedBloomFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    return BlockedBloomFilter.builder(strategy).fromBytes(bytes);
  }

  /**
   * Opens a file that {@link #writeMappableTo} wrote, or any whose bits stand in it as they are,
   * without reading it; {@link MappedFilter} says what that means. The filter may be larger than an
   * array.
   *
   * @param strategy see {@link #readFrom(InputStream, HashStrategy)}
   * @throws FilterFormatException if its header is damaged, says another length than the file has,
   *     or is that of no filter of this kind, or of one that was filled by another strategy; or if
   *     the bits are gap-coded
   * @throws IOException if the file cannot be read or mapped
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <T> MappedFilter<T> openMapped(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    StrategyIdentity identity = StrategyIdentity.of(strategy);
    return MappedFile.open(file, mapped -> openMapped(mapped, file, strategy, identity));
  }

  private static <T> MappedFilter<T> openMapped(
      MappedFile mapped, Path file, HashStrategy<? super T> strategy, StrategyIdentity identity)
      throws IOException {
    FilterReader reader = mapped.reader();
    BlockedShape shape = readShape(reader, identity, Shape.MAX_POSITIONS);
    return new MappedBlockedFilter<>(
        strategy,
        shape,
        reader,
        mapped.section(SectionRole.WORDS, shape.positions() / Long.SIZE),
        file);
  }

  private static BlockedShape readShape(
      FilterReader reader, StrategyIdentity strategy, long mostPositions)
      throws FilterFormatException {
    reader.require(KIND.variant(), strategy, 3);
    long positionsPerBlock =
        reader.field(
            1, "positionsPerBlock", BlockedShape.COUNTERS_PER_BLOCK, BlockedShape.BITS_PER_BLOCK);
    if (positionsPerBlock != BlockedShape.COUNTERS_PER_BLOCK
        && positionsPerBlock != BlockedShape.BITS_PER_BLOCK) {
      throw reader.wrongField(1, "there are no blocks of " + positionsPerBlock + " positions");
    }
    long hashes = reader.field(2, "hashes", 2, BlockedShape.MAX_HASHES);
    if (hashes % 2 != 0) {
      throw reader.wrongField(2, "hashes must be even but is " + hashes);
    }
    return new BlockedShape(
        reader.field(0, "blocks", 1, mostPositions / positionsPerBlock),
        (int) positionsPerBlock,
        (int) hashes);
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return sharedAdditions == null
        ? BlockedBits.contains(words, wordsOfBlocks, hashesPerWord, fullWords, hash)
        : BlockedBits.containsShared(words, wordsOfBlocks, hashesPerWord, fullWords, hash);
  }

  @Override
  public int mightContainHashes(long[] hashes, int offset, int length, boolean[] answers) {
    Objects.checkFromIndexSize(offset, length, Math.min(hashes.length, answers.length));
    int claimed = 0;
    int end = offset + length;
    for (int from = offset; from < end; from += Math.min(BATCH, end - from)) {
      int to = from + Math.min(BATCH, end - from);
      Prefetch.keep(load(hashes, from, to));
      for (int i = from; i < to; i++) {
        boolean answer = mightContainHash(hashes[i]);
        answers[i] = answer;
        claimed += answer ? 1 : 0;
      }
    }
    return claimed;
  }

  @Override
  public boolean add(T element) {
    return addHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean addHash(long hash) {
    if (sharedAdditions == null) {
      additions++;
      return BlockedBits.add(words, wordsOfBlocks, hashesPerWord, fullWords, hash);
    }
    sharedAdditions.increment();
    return BlockedBits.addShared(words, wordsOfBlocks, hashesPerWord, fullWords, hash);
  }

  @Override
  int batch() {
    return BATCH;
  }

  @Override
  long load(long[] hashes, int from, int to) {
    return BlockedBits.load(words, wordsOfBlocks, fullWords, hashes, from, to);
  }

  @Override
  BlockedShape size() {
    return shape;
  }

  @Override
  int padding() {
    return WordArrays.BLOCK_PADDING;
  }

  /**
   * Adds all elements of another filter: afterwards this one claims what either claimed, and equals
   * the filter to which the elements of both were added. A filter may be merged with itself.
   *
   * @throws IllegalArgumentException if the other is not {@linkplain #isCompatible compatible}
   */
  @Override
  public void merge(BlockedBloomFilter<? extends T> other) {
    mergeBits(other);
  }

  /**
   * Keeps only what another filter claims too. What both filters held stays; the false-positive
   * probability is at most that of either, but above that of a filter made of the common elements.
   * How many elements are left is unknown.
   *
   * @throws IllegalArgumentException if the other is not {@linkplain #isCompatible compatible}
   */
  public void intersect(BlockedBloomFilter<? extends T> other) {
    intersectBits(other);
  }

  /** Returns a filter of its own with the same contents, as concurrent as this one. */
  @Override
  public BlockedBloomFilter<T> copy() {
    BlockedBloomFilter<T> copy =
        new BlockedBloomFilter<>(
            strategy, strategyIdentity, shape, sharedAdditions != null, words.clone());
    copy.setAdditions(elementCount());
    return copy;
  }

  @Override
  public FilterContents contents() {
    return contents(
        KIND.variant(), shape.hashes(), shape.blocks(), shape.positionsPerBlock(), shape.hashes());
  }

  /**
   * Returns the mean over all blocks and pairs of words of the probability that an absent element
   * finds its bits there; not the global fill to the power of k, which would be too low. Costs a
   * pass over all bits, a few milliseconds for ten million elements.
   */
  @Override
  public double expectedFpp() {
    return BlockedBits.fpp(words, shape);
  }

  /** {@inheritDoc} Costs a pass over all bits. */
  @Override
  public long approximateElementCount() {
    return Math.round(
        BlockedFormulas.estimatedElements(
            setPositions(), shape.blocks(), shape.positionsPerBlock(), shape.hashes()));
  }

  /** Returns the number of blocks, of bits in each, and of hashes. */
  public BlockedShape shape() {
    return shape;
  }

  /**
   * Returns shape, present false-positive probability and strategy, for logs. Costs a pass over all
   * bits.
   */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "BlockedBloomFilter[blocks=%d, positionsPerBlock=%d, hashes=%d, expectedFpp=%.3g,"
            + " strategy=%s]",
        shape.blocks(),
        shape.positionsPerBlock(),
        shape.hashes(),
        expectedFpp(),
        strategyIdentity.id());
  }

  /**
   * Builds blocked filters. Say how large by {@link #expecting} or {@link #shape}; the later call
   * counts.
   *
   * @param <S> the type that the strategy takes; the filters may be of a subtype
   */
  public static final class Builder<S> {

    private final HashStrategy<S> strategy;
    private final StrategyIdentity strategyIdentity;
    private @Nullable BlockedShape shape;
    private boolean concurrent;

    private Builder(HashStrategy<S> strategy) {
      this.strategyIdentity = StrategyIdentity.of(strategy);
      this.strategy = strategy;
    }

    /**
     * Sizes the filter by {@link BlockedShape#ofBits}.
     *
     * @param expectedInsertions the number of distinct elements planned for, at least 1
     * @param fpp between 0 and 1, both excluded
     * @return this builder
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public Builder<S> expecting(long expectedInsertions, double fpp) {
      return shape(BlockedShape.ofBits(expectedInsertions, fpp));
    }

    /**
     * Sets the number of blocks, of bits in each, and of hashes. {@link BlockedShape#ofCounters}
     * makes a filter that agrees with a blocked filter of counters.
     *
     * @return this builder
     * @throws IllegalArgumentException if the filter would be larger than one array
     */
    public Builder<S> shape(BlockedShape shape) {
      Objects.requireNonNull(shape, "shape");
      if (shape.positions() > MOST_POSITIONS) {
        throw new IllegalArgumentException(
            "shape must have at most "
                + MOST_POSITIONS
                + " positions, what an array holds, but is "
                + shape);
      }
      this.shape = shape;
      return this;
    }

    /**
     * Lets any number of threads add and ask at once; see the class comment.
     *
     * @return this builder
     */
    public Builder<S> concurrent() {
      concurrent = true;
      return this;
    }

    /**
     * Returns the {@linkplain BlockedBloomFilter#memoryBytes bytes} of the filter that {@link
     * #build} would make, without making it.
     *
     * @throws IllegalStateException if no size was given
     */
    public long memoryBytes() {
      return (long) (WordArrays.BLOCK_PADDING + wordCount(requireShape())) * Long.BYTES;
    }

    /**
     * Returns an empty filter.
     *
     * @throws IllegalStateException if no size was given
     */
    public <T extends S> BlockedBloomFilter<T> build() {
      BlockedShape size = requireShape();
      return filter(size, new long[WordArrays.BLOCK_PADDING + wordCount(size)]);
    }

    /**
     * Returns a filter with given bits, such as {@link BlockedBloomFilter#toLongArray} gives; its
     * element count is unknown.
     *
     * @param words the bits, copied
     * @throws IllegalArgumentException if their number is not that of the shape
     * @throws IllegalStateException if no size was given
     */
    public <T extends S> BlockedBloomFilter<T> buildFrom(long[] words) {
      BlockedShape size = requireShape();
      int needed = wordCount(size);
      if (words.length != needed) {
        throw new IllegalArgumentException(
            "words must have " + needed + " elements for " + size + " but has " + words.length);
      }
      long[] padded = new long[WordArrays.BLOCK_PADDING + needed];
      System.arraycopy(words, 0, padded, WordArrays.BLOCK_PADDING, needed);
      BlockedBloomFilter<T> filter = filter(size, padded);
      filter.setAdditions(OptionalLong.empty());
      return filter;
    }

    /**
     * Returns a filter with given bits and element count.
     *
     * @param words see {@link #buildFrom(long[])}
     * @param elementCount at least 0
     * @throws IllegalArgumentException if the element count is negative, or as {@link
     *     #buildFrom(long[])}
     * @throws IllegalStateException if no size was given
     */
    public <T extends S> BlockedBloomFilter<T> buildFrom(long[] words, long elementCount) {
      if (elementCount < 0) {
        throw new IllegalArgumentException(
            "elementCount must be at least 0 but is " + elementCount);
      }
      BlockedBloomFilter<T> filter = buildFrom(words);
      filter.setAdditions(OptionalLong.of(elementCount));
      return filter;
    }

    /**
     * Reads a filter from a stream, and not a byte more. If a size was given, it must be that of
     * the filter.
     *
     * @param in needs no buffer
     * @throws FilterFormatException if what comes is damaged, cut off, no filter of this kind, or
     *     was filled by another strategy
     * @throws IOException if the stream fails
     */
    public <T extends S> BlockedBloomFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /**
     * Reads a filter from a file that holds nothing else; see {@link #readFrom(InputStream)}.
     *
     * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was
     *     filled by another strategy
     * @throws IOException if the file cannot be read
     */
    public <T extends S> BlockedBloomFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /**
     * Reads a filter from what {@link BlockedBloomFilter#toBytes} gave; see {@link
     * #readFrom(InputStream)}.
     *
     * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was
     *     filled by another strategy
     */
    public <T extends S> BlockedBloomFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    <T extends S> BlockedBloomFilter<T> read(FilterReader reader) throws IOException {
      BlockedShape size = readShape(reader, strategyIdentity, MOST_POSITIONS);
      if (shape != null && !shape.equals(size)) {
        throw reader.wrongField(0, "the filter must have " + shape + " but has " + size);
      }
      return readSection(size, reader, reader.elementCount());
    }

    /**
     * Reads the bits of a filter from the next section: for authors of filters that are made of
     * others.
     *
     * @param elementCount how many elements the file says it holds
     * @throws IllegalStateException if no size was given
     * @throws FilterFormatException if the section does not hold a filter of this size
     * @throws IOException if the stream fails
     */
    public <T extends S> BlockedBloomFilter<T> readSection(
        FilterReader reader, OptionalLong elementCount) throws IOException {
      return readSection(requireShape(), reader, elementCount);
    }

    private <T extends S> BlockedBloomFilter<T> readSection(
        BlockedShape size, FilterReader reader, OptionalLong elementCount) throws IOException {
      int count = wordCount(size);
      SectionReader section = reader.section(SectionRole.WORDS, count);
      // As large as was received.
      BlockedBloomFilter<T> filter = filter(size, new long[WordArrays.BLOCK_PADDING + count]);
      filter.readBits(section, reader, elementCount, size.hashes());
      return filter;
    }

    private <T extends S> BlockedBloomFilter<T> filter(BlockedShape size, long[] words) {
      return new BlockedBloomFilter<>(strategy, strategyIdentity, size, concurrent, words);
    }

    private BlockedShape requireShape() {
      if (shape == null) {
        throw new IllegalStateException(
            "the filter has no size: call expecting(insertions, fpp) or shape(...) first");
      }
      return shape;
    }

    private static int wordCount(BlockedShape shape) {
      return (int) (shape.positions() / Long.SIZE);
    }
  }
}
