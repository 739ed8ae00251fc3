package io.bloomkit.classic;

import io.bloomkit.BlockedFormulas;
import io.bloomkit.BlockedShape;
import io.bloomkit.FilterEstimate;
import io.bloomkit.MergeableFilter;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterReader;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.Prefetch;
import io.bloomkit.internal.WordArrays;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A Bloom filter that touches one cache line per operation: all bits of an element lie in one block
 * of 512 bits (F. Putze, P. Sanders, J. Singler, <i>Cache-, hash- and space-efficient Bloom
 * filters</i>, 2007).
 *
 * <p>Within the block an element takes two of the eight words and a few bits in each: two loads and
 * two masks, without a branch, answer a query. {@link BlockedShape} explains the bits and their
 * cost: 10.1 bits per element at 1 %, where a {@link ClassicBloomFilter} takes 9.6, and 16.5
 * against 14.4 at 0.1 %.
 *
 * <pre>{@code
 * BlockedBloomFilter<String> seen =
 *     BlockedBloomFilter.create(HashStrategies.utf8(), 1_000_000, 0.01);
 * }</pre>
 *
 * <p><b>When to choose another.</b> Below 0.1 %, or where every bit counts, as in a download to a
 * phone, a {@link ClassicBloomFilter} is smaller: by a quarter at 0.01 %. For removal choose a
 * filter of the counting module; its blocked one converts to a filter of this class.
 *
 * <p><b>Threads.</b> Single-writer: requires external synchronization, or safe publication to
 * readers and no further change. Built {@linkplain Builder#concurrent() concurrent}, {@code add}
 * and the queries are thread-safe and lock-free: (1) a query returns true if an insertion of the
 * element happened before it; (2) if several threads race to insert an element first, at least one
 * of them gets true, unless it is a false positive by then, and several may; (3) once all writers
 * are done, the bits are those of some sequential order of the same insertions. Merging,
 * intersecting, clearing, copying, comparing and reading all bits must not run concurrently with
 * writers; a happens-before edge from earlier writes is required.
 *
 * @param <T> the type of the elements
 */
public final class BlockedBloomFilter<T> extends BitFilter<T>
    implements MergeableFilter<BlockedBloomFilter<? extends T>> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND = new BlockedKind();

  /** Loading and work alternate; larger batches gain little (docs/lab/performance.md). */
  static final int BATCH = 128;

  private final BlockedShape shape;
  private final BlockedProbe probe;
  private final long wordsOfBlocks;
  private final int middle;
  private final int masks;

  /** Whether all elements take the same mask in both words. */
  private final boolean sameMask;

  /** Whether {@link BlockedBits#contains} and {@link BlockedBits#add} are for this filter. */
  private final boolean plain;

  BlockedBloomFilter(BitState<? super T, BlockedShape> state) {
    super(state);
    this.shape = state.size();
    this.probe = BlockedProbe.of(shape);
    this.wordsOfBlocks = probe.words();
    this.middle = BlockedBits.middle(wordsOfBlocks);
    this.masks = probe.masks();
    this.sameMask = probe.hasSameMask();
    this.plain = sharedAdditions == null && sameMask;
  }

  /**
   * Returns an empty filter of the size {@link BlockedShape#ofBits}.
   *
   * @param expectedInsertions number of distinct elements planned for, at least 1; beyond it the
   *     false-positive rate rises
   * @param fpp false-positive probability at that number, in (0, 1)
   * @throws IllegalArgumentException as {@link Builder#expecting}
   */
  public static <T> BlockedBloomFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return BlockedBloomFilter.builder(strategy).expecting(expectedInsertions, fpp).build();
  }

  /** Returns a builder. Throws {@link NullPointerException} if the strategy is null. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a single-writer filter; see {@link Builder#readFrom(InputStream)}. */
  public static <T> BlockedBloomFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException {
    return BlockedBloomFilter.builder(strategy).readFrom(in);
  }

  /** Reads a single-writer filter; see {@link Builder#readFrom(Path)}. */
  public static <T> BlockedBloomFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return BlockedBloomFilter.builder(strategy).readFrom(file);
  }

  /** Reads a single-writer filter; see {@link Builder#fromBytes(byte[])}. */
  public static <T> BlockedBloomFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    return BlockedBloomFilter.builder(strategy).fromBytes(bytes);
  }

  /**
   * Opens a file that {@link #writeMappableTo} wrote, or any without gap coding, and throws as
   * {@link MappedFilter} describes. The filter may be larger than an array.
   */
  public static <T> MappedFilter<T> openMapped(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return MappedBlockedFilter.open(file, strategy);
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return plain
        ? BlockedBits.contains(words, wordsOfBlocks, middle, masks, hash)
        : isPositive(hash);
  }

  private boolean isPositive(long hash) {
    if (sharedAdditions == null) {
      return BlockedBits.containsAny(words, probe, hash);
    }
    return sameMask
        ? BlockedBits.containsShared(words, wordsOfBlocks, middle, masks, hash)
        : BlockedBits.containsAnyShared(words, probe, hash);
  }

  @Override
  public int mightContainHashes(long[] hashes, int offset, int length, boolean[] answers) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.requireNonNull(answers, "answers");
    Objects.checkFromIndexSize(offset, length, Math.min(hashes.length, answers.length));
    int positives = 0;
    int end = offset + length;
    for (int from = offset; from < end; from += Math.min(BATCH, end - from)) {
      int to = from + Math.min(BATCH, end - from);
      Prefetch.keep(readAhead(hashes, from, to));
      for (int i = from; i < to; i++) {
        boolean answer = mightContainHash(hashes[i]);
        answers[i] = answer;
        positives += answer ? 1 : 0;
      }
    }
    return positives;
  }

  @Override
  public boolean add(T element) {
    return addHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean addHash(long hash) {
    count(1);
    return insert(hash);
  }

  @Override
  boolean insert(long hash) {
    return plain ? BlockedBits.add(words, wordsOfBlocks, middle, masks, hash) : insertOther(hash);
  }

  private boolean insertOther(long hash) {
    if (sharedAdditions == null) {
      return BlockedBits.addAny(words, probe, hash);
    }
    return sameMask
        ? BlockedBits.addShared(words, wordsOfBlocks, middle, masks, hash)
        : BlockedBits.addAnyShared(words, probe, hash);
  }

  @Override
  int batch() {
    return BATCH;
  }

  @Override
  long readAhead(long[] hashes, int from, int to) {
    return BlockedBits.readAhead(words, probe, hashes, from, to);
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
   * Adds all elements of another filter: afterwards this filter equals the one into which the
   * elements of both were inserted. A filter may be merged with itself.
   *
   * @throws IllegalArgumentException if the other is not {@linkplain #isCompatible compatible}
   */
  @Override
  public void merge(BlockedBloomFilter<? extends T> other) {
    mergeBits(other);
  }

  /**
   * Keeps only the bits that another filter has too. Elements of both filters stay positive; the
   * false-positive probability is at most that of either, but above that of a filter of the common
   * elements. The element count becomes unknown.
   *
   * @throws IllegalArgumentException if the other is not {@linkplain #isCompatible compatible}
   */
  public void intersect(BlockedBloomFilter<? extends T> other) {
    intersectBits(other);
  }

  /** Returns an independent filter with the same contents, concurrent if this one is. */
  @Override
  public BlockedBloomFilter<T> copy() {
    return new BlockedBloomFilter<>(copyOfState(shape));
  }

  @Override
  public FilterContents contents() {
    return BlockedFormat.INSTANCE.contents(this, shape);
  }

  /**
   * Returns the mean, over all blocks and pairs of words, of the probability that the bits of an
   * absent element are set; the global fill ratio to the power of k would be too low. Costs a pass
   * over all bits, a few milliseconds for ten million elements, plus up to a millisecond.
   */
  @Override
  public double expectedFpp() {
    return estimate(Integer.MAX_VALUE).fpp().value();
  }

  @Override
  public FilterEstimate estimate(int lines) {
    return FilterEstimate.ofBlocks(
        shape, probe.blocksPerLine(), word -> BlockedBits.setPositions(words, probe, word), lines);
  }

  /** {@inheritDoc} Costs a pass over all bits. */
  @Override
  public long approximateElementCount() {
    return Math.round(
        BlockedFormulas.estimatedElements(
            setPositions(), shape.blocks(), shape.positionsPerBlock(), shape.hashes()));
  }

  /** Returns the number of blocks, of bits per block, and of hashes. */
  public BlockedShape shape() {
    return shape;
  }

  /** Returns shape, element count and strategy, for logs and debuggers. In constant time. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "BlockedBloomFilter[blocks=%d, positionsPerBlock=%d, hashes=%d, elements=%s, strategy=%s]",
        shape.blocks(),
        shape.positionsPerBlock(),
        shape.hashes(),
        elementsText(),
        strategyIdentity.id());
  }

  /**
   * Builds filters of the size given last; readers need no size. Not thread-safe.
   *
   * @param <S> the type that the strategy takes; the filters may be of a subtype
   */
  public static final class Builder<S> extends BitFilterBuilder<S, BlockedShape, Builder<S>> {

    private Builder(HashStrategy<S> strategy) {
      super(strategy, BlockedFormat.INSTANCE);
    }

    /** Returns an empty filter. Throws {@link IllegalStateException} if no size was given. */
    public <T extends S> BlockedBloomFilter<T> build() {
      return new BlockedBloomFilter<>(empty());
    }

    /**
     * Returns a filter with a copy of the bits of {@link #toLongArray}, without an element count.
     *
     * @throws IllegalArgumentException if they are not those of a filter of this size
     */
    public <T extends S> BlockedBloomFilter<T> buildFrom(long[] words) {
      return new BlockedBloomFilter<>(of(words, OptionalLong.empty()));
    }

    /** As {@link #buildFrom(long[])}, with an element count, which must be at least 0. */
    public <T extends S> BlockedBloomFilter<T> buildFrom(long[] words, long elementCount) {
      return new BlockedBloomFilter<>(of(words, OptionalLong.of(elementCount)));
    }

    /**
     * Reads a filter from a stream and no byte beyond it. The stream needs no buffering.
     *
     * @throws FilterFormatException if damaged, truncated, or of another kind, strategy or size
     * @throws IOException if the stream fails
     */
    public <T extends S> BlockedBloomFilter<T> readFrom(InputStream in) throws IOException {
      return new BlockedBloomFilter<>(FilterReader.readFrom(in, this::stateIn));
    }

    /** Reads a filter from a file that holds nothing else, as {@link #readFrom(InputStream)}. */
    public <T extends S> BlockedBloomFilter<T> readFrom(Path file) throws IOException {
      return new BlockedBloomFilter<>(FilterReader.readFrom(file, this::stateIn));
    }

    /** Reads what {@link #toBytes} returned, as {@link #readFrom(InputStream)}. */
    public <T extends S> BlockedBloomFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return new BlockedBloomFilter<>(FilterReader.fromBytes(bytes, this::stateIn));
    }

    /** Reads the next section, for filters composed of others; requires a size. */
    public <T extends S> BlockedBloomFilter<T> readSection(
        FilterReader reader, OptionalLong elementCount) throws IOException {
      return new BlockedBloomFilter<>(stateOfSection(reader, elementCount));
    }
  }
}
