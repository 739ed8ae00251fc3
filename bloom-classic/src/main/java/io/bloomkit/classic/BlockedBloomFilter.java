package io.bloomkit.classic;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.MergeableFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.BlockedIndexDerivation;
import io.bloomkit.internal.Prefetch;
import io.bloomkit.internal.filter.BlockedLimit;
import io.bloomkit.internal.filter.FilterState;
import io.bloomkit.internal.filter.TypedKind;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.Variant;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that touches one cache line per operation. All bits of an element lie in one
 * block, usually of 512 bits (F. Putze, P. Sanders, J. Singler, <i>Cache-, hash- and
 * space-efficient Bloom filters</i>, 2007).
 *
 * <p>A block has eight words, usually of 64 bits. An element sets k bits: k/2 in each of two words
 * of its block. {@link BlockedShape} explains the layout. The filter takes 10.1 bits per element at
 * a false-positive rate of 1 % and 16.5 bits at 0.1 %. A {@link ClassicBloomFilter} takes 9.6 bits
 * at 1 % and 14.4 bits at 0.1 %.
 *
 * <pre>{@code
 * BlockedBloomFilter<String> seen =
 *     BlockedBloomFilter.create(HashStrategies.utf8(), 1_000_000, 0.01);
 * }</pre>
 *
 * <p><b>When to choose another filter.</b> Below a false-positive rate of 0.1 %, or if memory
 * matters more than speed, choose a {@link ClassicBloomFilter}. At 0.01 % a classic filter takes
 * 19.2 bits per element, a blocked filter 24.8 bits. To remove elements, choose a filter from the
 * module {@code bloom-counting}. For a set of unknown size, choose a {@code DynamicCuckooFilter}
 * from there.
 *
 * <p><b>Threads.</b> See {@link BitFilter}. Insertions and queries are thread-safe if {@link
 * Builder#concurrent()} was called.
 *
 * @param <T> the type of the elements
 */
public final class BlockedBloomFilter<T> extends BitFilter<T>
    implements MergeableFilter<BlockedBloomFilter<?>> {

  /** The descriptor of this kind of filter, for tools that work with every kind. */
  public static final FilterKind KIND =
      new TypedKind<BlockedBloomFilter<Object>>(
              Variant.BLOCKED,
              "blocked",
              BlockedBloomFilter.class,
              Set.of(FilterKind.Trait.CONCURRENT, FilterKind.Trait.COMPARABLE),
              (n, fpp) ->
                  BlockedBloomFilter.builder(HashStrategies.bytes()).expecting(n, fpp).layout(),
              BitFilter::layout,
              BlockedBloomFilter::create,
              BlockedBloomFilter::read)
          .intersecting(BlockedBloomFilter::intersect);

  /** Number of hashes whose words are loaded ahead; more gain little. */
  static final int BATCH = 128;

  private final BlockedShape shape;
  private final BlockedProbe probe;
  private final long blockWordCount;
  private final int middle;
  private final int maskTable;

  /** Whether {@link BlockedBits#contains} and {@link BlockedBits#add} apply to this filter. */
  private final boolean plain;

  BlockedBloomFilter(FilterState<T> state, BlockedShape shape, long[] words) {
    super(state, words);
    this.shape = shape;
    this.probe = BlockedProbe.of(shape);
    this.blockWordCount = probe.wordCount();
    this.middle = BlockedIndexDerivation.middle(blockWordCount);
    this.maskTable = probe.maskTable();
    this.plain = !isConcurrent() && probe.has64BitWords();
  }

  /**
   * Returns an empty single-writer filter, sized by {@link BlockedShape#ofBits}.
   *
   * @param expectedInsertions the number of distinct elements planned for, at least 0; 0, for an
   *     empty set, is planned as 1
   * @param fpp the false-positive probability at that number, in (0, 1)
   * @throws IllegalArgumentException as for {@link BlockedShape#ofBits}, or if the filter would
   *     exceed one array (16 GiB), or 2<sup>16</sup> bits and eight times a flat filter for the
   *     same plan
   */
  public static <T> BlockedBloomFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return BlockedBloomFilter.builder(strategy).expecting(expectedInsertions, fpp).build();
  }

  /** Returns a builder that has no size yet. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a filter; the result is single-writer. See {@link Builder#readFrom(InputStream)}. */
  public static <T> BlockedBloomFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException {
    return BlockedBloomFilter.builder(strategy).readFrom(in);
  }

  /** Reads a filter; the result is single-writer. See {@link Builder#readFrom(Path)}. */
  public static <T> BlockedBloomFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return BlockedBloomFilter.builder(strategy).readFrom(file);
  }

  /** Reads a filter; the result is single-writer. See {@link Builder#fromBytes(byte[])}. */
  public static <T> BlockedBloomFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    return BlockedBloomFilter.builder(strategy).fromBytes(bytes);
  }

  private static <T> BlockedBloomFilter<T> read(
      FilterReader reader, HashStrategy<? super T> strategy) throws IOException {
    return (BlockedBloomFilter<T>) BlockedBloomFilter.builder(strategy).<T>read(reader);
  }

  /**
   * Opens a memory-mapped, read-only filter from a file in the format of {@link #writeMappableTo}.
   * The filter may exceed one array (16 GiB). {@link MappedFilter} describes checks and exceptions.
   */
  public static <T> MappedFilter<T> openMapped(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return MappedBlockedFilter.open(file, strategy);
  }

  // Here and not in the base class: otherwise, List.of(flat, blocked) does not compile.
  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return plain
        ? BlockedBits.contains(words, blockWordCount, middle, maskTable, hash)
        : isPositive(hash);
  }

  private boolean isPositive(long hash) {
    if (!isConcurrent()) {
      return BlockedBits.containsAny(words, probe, hash);
    }
    return probe.has64BitWords()
        ? BlockedBits.containsShared(words, blockWordCount, middle, maskTable, hash)
        : BlockedBits.containsAnyShared(words, probe, hash);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IndexOutOfBoundsException {@inheritDoc}
   */
  @Override
  public int mightContainHashes(long[] hashes, int offset, int length, boolean[] answers) {
    Arguments.checkQuery(hashes, offset, length, answers);
    int positives = 0;
    int end = offset + length;
    for (int from = offset; from < end; from += Math.min(BATCH, end - from)) {
      int to = from + Math.min(BATCH, end - from);
      Prefetch.keep(BlockedBits.readAhead(words, probe, hashes, from, to));
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
    elements.add(1); // before the bits are set, so no thread sees uncounted bits
    return insert(hash);
  }

  @Override
  boolean insert(long hash) {
    return plain
        ? BlockedBits.add(words, blockWordCount, middle, maskTable, hash)
        : insertOther(hash);
  }

  private boolean insertOther(long hash) {
    if (!isConcurrent()) {
      return BlockedBits.addAny(words, probe, hash);
    }
    return probe.has64BitWords()
        ? BlockedBits.addShared(words, blockWordCount, middle, maskTable, hash)
        : BlockedBits.addAnyShared(words, probe, hash);
  }

  @Override
  long insertAll(long[] hashes, int from, int to, boolean @Nullable [] wasNew) {
    long added = 0;
    for (int start = from; start < to; start += Math.min(BATCH, to - start)) {
      int end = start + Math.min(BATCH, to - start);
      Prefetch.keep(BlockedBits.readAhead(words, probe, hashes, start, end));
      added += super.insertAll(hashes, start, end, wasNew);
    }
    return added;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException {@inheritDoc}
   */
  @Override
  public void merge(BlockedBloomFilter<?> other) {
    mergeBits(other);
  }

  /**
   * Keeps only the bits that are also set in another filter. Elements that are in both filters stay
   * positive. The false-positive probability is at most that of either filter. The element count
   * becomes unknown, and {@link #approximateElementCount} is far too high: call {@link
   * #approximateCommonElementCount} before instead.
   *
   * @throws IllegalArgumentException if the filters are not {@linkplain #isCompatible compatible};
   *     nothing is changed
   */
  public void intersect(BlockedBloomFilter<?> other) {
    intersectBits(other);
  }

  /**
   * Returns an independent filter with the same contents, concurrent if this filter is. It contains
   * every element whose insertion happened before the call.
   */
  @Override
  public BlockedBloomFilter<T> copy() {
    return (BlockedBloomFilter<T>) copyOf(this);
  }

  /**
   * Returns the present false-positive probability, approximately. On average over filters, the
   * result is within about 1 % of their rate. The rate of a single filter with the planned number
   * of elements, made for 10<sup>-4</sup> or more, is within 2 % of it from 10,000 elements on,
   * within 3 % from 1,000, 12 % from 100 and 30 % from 20. The lower the rate, the more it depends
   * on the few elements of a filter that share masks: a rate below 10<sup>-5</sup> may be a third
   * above the result, and one far below that may be a multiple of the result or zero. The cost is a
   * pass over all bits, plus up to a few milliseconds.
   */
  @Override
  public double expectedFpp() {
    return estimate(Integer.MAX_VALUE).fpp().value();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException {@inheritDoc}
   */
  @Override
  public FilterEstimate estimate(int lines) {
    return FilterEstimate.ofBlocks(
        shape, probe.blocksPerLine(), word -> BlockedBits.setPositions(words, probe, word), lines);
  }

  /** Returns the number of blocks, the number of bits per block and the number of hashes. */
  @Override
  public BlockedShape shape() {
    return shape;
  }

  /** Returns shape, element count and strategy, for logs and debuggers. Takes constant time. */
  @Override
  public String toString() {
    return state.toString(
        "BlockedBloomFilter",
        "blocks="
            + shape.blocks()
            + ", positionsPerBlock="
            + shape.positionsPerBlock()
            + ", hashes="
            + shape.hashes());
  }

  /**
   * Builds and reads filters. Not thread-safe. The last call of {@code expecting} or {@code shape}
   * sets the size. Without a size, {@code readFrom} and {@code fromBytes} accept any size, and the
   * other methods that create a filter throw {@link IllegalStateException}.
   *
   * @param <S> the type that the strategy hashes; the elements of a filter may be of a subtype
   */
  public static final class Builder<S> extends BitFilterBuilder<S, Builder<S>> {

    private Builder(HashStrategy<S> strategy) {
      super(strategy);
    }

    @Override
    BlockedShape shapeFor(long expectedInsertions, double fpp) {
      return BlockedLimit.require(
          BlockedShape.ofBits(expectedInsertions, fpp),
          expectedInsertions,
          fpp,
          "ClassicBloomFilter");
    }

    @Override
    BlockedShape readShape(FilterReader reader, StrategyIdentity strategy)
        throws FilterFormatException {
      return BitsFile.readBlocked(reader, strategy, BitsFile.MAX_BLOCKED_POSITIONS);
    }

    /**
     * Sets the size directly; {@link #plan(FilterPlan)} sets a plan beside it. A filter of a shape
     * of {@link BlockedShape#ofCounters} has the positions of a blocked counting filter of that
     * shape. Returns this builder.
     *
     * @throws IllegalArgumentException if the filter would be larger than one array (16 GiB)
     * @throws IllegalStateException if {@link #expecting} was called
     */
    public Builder<S> shape(BlockedShape shape) {
      return setShape(shape);
    }

    @Override
    public <T extends S> BlockedBloomFilter<T> build() {
      return (BlockedBloomFilter<T>) super.<T>build();
    }

    @Override
    public <T extends S> BlockedBloomFilter<T> buildFrom(long[] words) {
      return (BlockedBloomFilter<T>) super.<T>buildFrom(words);
    }

    @Override
    public <T extends S> BlockedBloomFilter<T> buildFrom(long[] words, long elementCount) {
      return (BlockedBloomFilter<T>) super.<T>buildFrom(words, elementCount);
    }

    @Override
    public <T extends S> BlockedBloomFilter<T> readFrom(InputStream in) throws IOException {
      return (BlockedBloomFilter<T>) super.<T>readFrom(in);
    }

    @Override
    public <T extends S> BlockedBloomFilter<T> readFrom(Path file) throws IOException {
      return (BlockedBloomFilter<T>) super.<T>readFrom(file);
    }

    @Override
    public <T extends S> BlockedBloomFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return (BlockedBloomFilter<T>) super.<T>fromBytes(bytes);
    }
  }
}
