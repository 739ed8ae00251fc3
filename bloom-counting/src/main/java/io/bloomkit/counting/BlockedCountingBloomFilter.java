package io.bloomkit.counting;

import io.bloomkit.BlockedFormulas;
import io.bloomkit.BlockedShape;
import io.bloomkit.MergeableFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterReader;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.BlockedIndexDerivation;
import io.bloomkit.internal.WordArrays;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A filter that can forget and touches one cache line an operation: all counters of an element lie
 * in one block of 128 counters of four bits.
 *
 * <p>Within the block an element takes two of the eight words and a few counters in each (L. Fan et
 * al., <i>Summary cache</i>, 2000, for the counters; F. Putze, P. Sanders, J. Singler, <i>Cache-,
 * hash- and space-efficient Bloom filters</i>, 2007, for the blocks). The counters of a word are
 * tested, raised and lowered together, by one addition; {@link BlockedShape} says how many there
 * are and what that costs: 49 bits an element at 1 %, where a {@link CountingBloomFilter} takes 38.
 *
 * <p>Counting is exact. Each distinct position of an element counts once, and counters go on beyond
 * fifteen in a table aside, so the filter is a multiset: after any additions and matching removals
 * it equals, bit for bit, the filter that only ever saw what is left. An element is claimed exactly
 * if all its counters are above zero, and exactly then {@link #remove} succeeds.
 *
 * <pre>{@code
 * BlockedCountingBloomFilter<String> sessions =
 *     BlockedCountingBloomFilter.create(HashStrategies.utf8(), 1_000_000, 0.01);
 * sessions.add("alice");
 * sessions.remove("alice");
 * }</pre>
 *
 * <p><b>Remove only what was added.</b> Removing an absent element changes nothing, unless it is a
 * false positive, which at 1 % one absent element in a hundred is: its removal takes counts from
 * others, and these may then be denied. No counting filter can tell.
 *
 * <p><b>When to choose another.</b> Below 1 % blocks of counters cost much memory: at 0.1 % 98 bits
 * an element against 58 of a {@link CountingBloomFilter}, which also knows its fill and its {@link
 * #expectedFpp} at no cost. Least memory of all, 10.5 bits at 1 %, takes a {@link CuckooFilter},
 * for one thread and a fixed number of elements. If the set is only read elsewhere, send {@link
 * #toBlocked()}: the same answers in a quarter of the bytes.
 *
 * <p><b>Threads.</b> For one thread, or many readers of a filter that is handed over safely and no
 * longer changed. Built {@linkplain Builder#concurrent() concurrent}, elements may be added,
 * removed and asked for by any number of threads. Additions and queries take no lock while counters
 * stay below fifteen; removals of elements of one block exclude each other, those of different
 * blocks hardly ever. The promise, provided that every removal has an addition of its own that
 * happened before it: (1) if the additions of an element that happened before a query outnumber its
 * removals that have begun, the query answers true; (2) of several threads that first add an
 * element at the same time at least one gets true, unless each of its positions was held by other
 * elements at some moment meanwhile, and several may; (3) when all is quiet the contents are those
 * of some order of the same operations; (4) a removal that returns false was never visible. An
 * element is not added or removed in one instant: others may see one of its words before the other.
 * What is said of the fill while others write is approximate. Merging, subtracting, clearing,
 * copying, comparing and converting need a moment without writers, whom they must happen after.
 *
 * @param <T> the type of the elements
 */
public final class BlockedCountingBloomFilter<T> extends CounterFilter<T>
    implements MergeableFilter<BlockedCountingBloomFilter<? extends T>> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND = new BlockedCountingKind();

  /** What an array holds. */
  private static final long MOST_COUNTERS =
      CounterArray.MAX_COUNTERS - (long) WordArrays.BLOCK_PADDING * CounterWord.COUNTERS;

  /** Enough that two threads seldom meet, and small beside any filter that many threads use. */
  private static final int MOST_STRIPES = 1024;

  /** Reading ahead and working take turns; more hashes a turn gain little (docs/performance.md). */
  private static final int BATCH = 128;

  private final BlockedShape shape;
  private final long wordsOfBlocks;
  private final int hashesPerWord;

  /** The monitors of removals, by block; null unless the filter is concurrent. */
  private final Object @Nullable [] stripes;

  private BlockedCountingBloomFilter(
      HashStrategy<? super T> strategy,
      StrategyIdentity strategyIdentity,
      BlockedShape shape,
      boolean concurrent,
      CounterArray counters) {
    super(strategy, strategyIdentity, concurrent, counters);
    this.shape = shape;
    this.wordsOfBlocks = shape.blocks() * BlockedShape.WORDS_PER_BLOCK;
    this.hashesPerWord = shape.hashes() / 2;
    this.stripes = concurrent ? stripes(shape.blocks()) : null;
  }

  private static Object[] stripes(long blocks) {
    Object[] stripes = new Object[(int) Math.min(MOST_STRIPES, Long.highestOneBit(blocks))];
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new Object();
    }
    return stripes;
  }

  /**
   * Returns an empty filter for a number of elements and a false-positive probability; its shape is
   * {@link BlockedShape#ofCounters}.
   *
   * @param strategy turns elements into hashes
   * @param expectedInsertions the number of distinct elements planned for at any one time, at least
   *     1; with more the rate rises, nothing else happens
   * @param fpp the probability that an element never added is claimed, between 0 and 1, both
   *     excluded
   * @throws IllegalArgumentException if an argument is missing or out of its range, or the filter
   *     would be larger than one array
   */
  public static <T> BlockedCountingBloomFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return BlockedCountingBloomFilter.builder(strategy).expecting(expectedInsertions, fpp).build();
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
  public static <T> BlockedCountingBloomFilter<T> readFrom(
      InputStream in, HashStrategy<? super T> strategy) throws IOException {
    return BlockedCountingBloomFilter.builder(strategy).readFrom(in);
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
  public static <T> BlockedCountingBloomFilter<T> readFrom(
      Path file, HashStrategy<? super T> strategy) throws IOException {
    return BlockedCountingBloomFilter.builder(strategy).readFrom(file);
  }

  /**
   * Reads a filter for one writer from what {@link #toBytes} gave.
   *
   * @param strategy see {@link #readFrom(InputStream, HashStrategy)}
   * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was filled
   *     by another strategy
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <T> BlockedCountingBloomFilter<T> fromBytes(
      byte[] bytes, HashStrategy<? super T> strategy) throws FilterFormatException {
    return BlockedCountingBloomFilter.builder(strategy).fromBytes(bytes);
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(hashOf(element));
  }

  @Override
  public boolean mightContainHash(long hash) {
    long zeros =
        stripes == null
            ? counters.zeros(first(hash), firstMask(hash))
                | counters.zeros(second(hash), secondMask(hash))
            : counters.zerosShared(first(hash), firstMask(hash))
                | counters.zerosShared(second(hash), secondMask(hash));
    return zeros == 0;
  }

  @Override
  public int mightContainHashes(long[] hashes, int offset, int length, boolean[] answers) {
    Objects.checkFromIndexSize(offset, length, Math.min(hashes.length, answers.length));
    int claimed = 0;
    int end = offset + length;
    for (int from = offset; from < end; from += Math.min(BATCH, end - from)) {
      int to = from + Math.min(BATCH, end - from);
      fetch(hashes, from, to);
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
    return addHash(hashOf(element));
  }

  @Override
  public boolean addHash(long hash) {
    long zeros;
    if (sharedElements == null) {
      zeros =
          counters.incrementAll(first(hash), firstMask(hash))
              | counters.incrementAll(second(hash), secondMask(hash));
      elements++;
    } else {
      zeros =
          counters.incrementAllShared(first(hash), firstMask(hash))
              | counters.incrementAllShared(second(hash), secondMask(hash));
      sharedElements.increment();
    }
    return zeros != 0;
  }

  @Override
  public boolean remove(T element) {
    return removeHash(hashOf(element));
  }

  @Override
  public boolean removeHash(long hash) {
    if (stripes != null) {
      return removeShared(first(hash), firstMask(hash), second(hash), secondMask(hash));
    }
    if (!counters.decrementIfNonZero(
        first(hash), firstMask(hash), second(hash), secondMask(hash))) {
      return false;
    }
    elements--;
    return true;
  }

  private boolean removeShared(int first, long firstMask, int second, long secondMask) {
    Object[] locks = Objects.requireNonNull(stripes);
    int block = (first - WordArrays.BLOCK_PADDING) / BlockedShape.WORDS_PER_BLOCK;
    // Only removals make counters less and those of a block exclude each other, so a claim that is
    // seen here lasts until all counters are taken: no counter is ever taken and given back.
    synchronized (locks[block & (locks.length - 1)]) {
      long zeros =
          counters.zerosShared(first, firstMask) | counters.zerosShared(second, secondMask);
      if (zeros != 0) {
        return false;
      }
      counters.decrementAllShared(first, firstMask);
      counters.decrementAllShared(second, secondMask);
    }
    Objects.requireNonNull(sharedElements).decrement();
    return true;
  }

  @Override
  int batch() {
    return BATCH;
  }

  @Override
  long read(long[] hashes, int from, int to) {
    long all = 0;
    for (int i = from; i < to; i++) {
      all ^= counters.word(first(hashes[i])); // the second lies in the same line
    }
    return all;
  }

  /**
   * Returns the smallest counter of an element: how often it was added and not removed, and more if
   * others share all its positions.
   *
   * @throws NullPointerException if the element is null
   */
  @Override
  public long count(T element) {
    return countHash(hashOf(element));
  }

  @Override
  public long countHash(long hash) {
    return stripes == null
        ? Math.min(
            counters.least(first(hash), firstMask(hash)),
            counters.least(second(hash), secondMask(hash)))
        : Math.min(
            counters.leastShared(first(hash), firstMask(hash)),
            counters.leastShared(second(hash), secondMask(hash)));
  }

  private int first(long hash) {
    return WordArrays.BLOCK_PADDING + (int) BlockedIndexDerivation.firstWord(hash, wordsOfBlocks);
  }

  private long firstMask(long hash) {
    return BlockedIndexDerivation.counters(BlockedIndexDerivation.firstState(hash), hashesPerWord);
  }

  private int second(long hash) {
    return WordArrays.BLOCK_PADDING + (int) BlockedIndexDerivation.secondWord(hash, wordsOfBlocks);
  }

  private long secondMask(long hash) {
    return BlockedIndexDerivation.counters(BlockedIndexDerivation.secondState(hash), hashesPerWord);
  }

  @Override
  BlockedShape size() {
    return shape;
  }

  @Override
  int padding() {
    return WordArrays.BLOCK_PADDING * CounterWord.COUNTERS;
  }

  @Override
  void countersChanged() {}

  /**
   * Adds everything that another filter holds, as often as it holds it: afterwards this one equals
   * the filter to which the elements of both were added. A filter may be merged with itself.
   *
   * @throws IllegalArgumentException if the other is not {@linkplain #isCompatible compatible}, or
   *     a counter would exceed 2<sup>62</sup>; nothing has changed then
   */
  @Override
  public void merge(BlockedCountingBloomFilter<? extends T> other) {
    mergeCounters(other);
  }

  /**
   * Removes everything that another filter holds, as often as it holds it: afterwards this one
   * equals the filter to which only the rest was added.
   *
   * @throws IllegalArgumentException if the other is not {@linkplain #isCompatible compatible}, or
   *     holds what this one does not, so that a counter would fall below zero; nothing has changed
   *     then
   */
  public void subtract(BlockedCountingBloomFilter<? extends T> other) {
    subtractCounters(other);
  }

  /** Returns a filter of its own with the same contents, as concurrent as this one. */
  @Override
  public BlockedCountingBloomFilter<T> copy() {
    BlockedCountingBloomFilter<T> copy =
        new BlockedCountingBloomFilter<>(
            strategy, strategyIdentity, shape, stripes != null, counters.copy());
    copy.copyElementCount(this);
    return copy;
  }

  /**
   * Returns a filter of bits that answers every query as this one does now, in a quarter of the
   * memory: the same positions, a bit for each counter that is not zero. It is as concurrent as
   * this one.
   */
  public BlockedBloomFilter<T> toBlocked() {
    BlockedBloomFilter.Builder<? super T> builder =
        BlockedBloomFilter.builder(strategy).shape(shape);
    if (stripes != null) {
      builder.concurrent();
    }
    OptionalLong count = elementCount();
    long[] bits = counters.toBits(WordArrays.BLOCK_PADDING);
    return count.isPresent() ? builder.buildFrom(bits, count.getAsLong()) : builder.buildFrom(bits);
  }

  @Override
  public FilterContents contents() {
    return contents(KIND.variant(), shape.hashes(), shape.blocks(), shape.hashes());
  }

  /**
   * Returns the mean over all blocks and pairs of words of the probability that an absent element
   * finds no counter of its own at zero; not the global fill to the power of k, which would be too
   * low. Costs a pass over all counters, some ten milliseconds for ten million elements.
   */
  @Override
  public double expectedFpp() {
    BlockedFormulas.FppOfState sum = new BlockedFormulas.FppOfState(shape);
    for (int word = 0; word < wordsOfBlocks; word++) {
      sum.addWord(counters.countNonZero(WordArrays.BLOCK_PADDING + word));
    }
    return sum.fpp();
  }

  /** {@inheritDoc} Costs a pass over all counters. */
  @Override
  public long approximateElementCount() {
    return Math.round(
        BlockedFormulas.estimatedElements(
            nonZeroCounters(), shape.blocks(), shape.positionsPerBlock(), shape.hashes()));
  }

  /** Returns the number of blocks, of counters in each, and of hashes. */
  public BlockedShape shape() {
    return shape;
  }

  /** Returns how many counters are above zero: X. Costs a pass over all counters. */
  public long nonZeroCounters() {
    return counters.countNonZero();
  }

  /**
   * Returns the value of a counter.
   *
   * @param position from 0 to m − 1; block b has those from 128 · b on
   * @throws IndexOutOfBoundsException if there is no such position
   */
  public long counter(long position) {
    Objects.checkIndex(position, shape.positions());
    return counters.getShared(padding() + position);
  }

  /**
   * Returns shape, present false-positive probability and strategy, for logs. Costs a pass over all
   * counters.
   */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "BlockedCountingBloomFilter[blocks=%d, hashes=%d, expectedFpp=%.3g, strategy=%s]",
        shape.blocks(),
        shape.hashes(),
        expectedFpp(),
        strategyIdentity.id());
  }

  /**
   * Builds blocked counting filters. Say how large by {@link #expecting} or {@link #shape}; the
   * later call counts.
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
     * Sizes the filter by {@link BlockedShape#ofCounters}.
     *
     * @param expectedInsertions the number of distinct elements planned for at any one time, at
     *     least 1
     * @param fpp between 0 and 1, both excluded
     * @return this builder
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public Builder<S> expecting(long expectedInsertions, double fpp) {
      return shape(BlockedShape.ofCounters(expectedInsertions, fpp));
    }

    /**
     * Sets the number of blocks and of hashes.
     *
     * @return this builder
     * @throws IllegalArgumentException if it is not a shape of counters, {@link
     *     BlockedShape#COUNTERS_PER_BLOCK} in each block, or the filter would be larger than one
     *     array
     */
    public Builder<S> shape(BlockedShape shape) {
      Objects.requireNonNull(shape, "shape");
      if (shape.positionsPerBlock() != BlockedShape.COUNTERS_PER_BLOCK) {
        throw new IllegalArgumentException(
            "shape must have "
                + BlockedShape.COUNTERS_PER_BLOCK
                + " counters in a block, as BlockedShape.ofCounters gives, but is "
                + shape);
      }
      if (shape.positions() > MOST_COUNTERS) {
        throw new IllegalArgumentException(
            "shape must have at most "
                + MOST_COUNTERS
                + " positions, the counters that an array holds, but is "
                + shape);
      }
      this.shape = shape;
      return this;
    }

    /**
     * Lets any number of threads add, remove and ask at once; see the class comment.
     *
     * @return this builder
     */
    public Builder<S> concurrent() {
      concurrent = true;
      return this;
    }

    /**
     * Returns the {@linkplain BlockedCountingBloomFilter#memoryBytes bytes} of the filter that
     * {@link #build} would make, without making it.
     *
     * @throws IllegalStateException if no size was given
     */
    public long memoryBytes() {
      return CounterArray.memoryBytes(counterCount(requireShape()));
    }

    /**
     * Returns an empty filter.
     *
     * @throws IllegalStateException if no size was given
     */
    public <T extends S> BlockedCountingBloomFilter<T> build() {
      BlockedShape size = requireShape();
      return new BlockedCountingBloomFilter<>(
          strategy, strategyIdentity, size, concurrent, new CounterArray(counterCount(size)));
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
    public <T extends S> BlockedCountingBloomFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /**
     * Reads a filter from a file that holds nothing else; see {@link #readFrom(InputStream)}.
     *
     * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was
     *     filled by another strategy
     * @throws IOException if the file cannot be read
     */
    public <T extends S> BlockedCountingBloomFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /**
     * Reads a filter from what {@link BlockedCountingBloomFilter#toBytes} gave; see {@link
     * #readFrom(InputStream)}.
     *
     * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was
     *     filled by another strategy
     */
    public <T extends S> BlockedCountingBloomFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    <T extends S> BlockedCountingBloomFilter<T> read(FilterReader reader) throws IOException {
      reader.require(KIND.variant(), strategyIdentity, 2);
      long hashes = reader.field(1, "hashes", 2, BlockedShape.MAX_HASHES);
      if (hashes % 2 != 0) {
        throw reader.wrongField(1, "hashes must be even but is " + hashes);
      }
      long mostBlocks = MOST_COUNTERS / BlockedShape.COUNTERS_PER_BLOCK;
      BlockedShape size =
          new BlockedShape(
              reader.field(0, "blocks", 1, mostBlocks),
              BlockedShape.COUNTERS_PER_BLOCK,
              (int) hashes);
      if (shape != null && !shape.equals(size)) {
        throw reader.wrongField(0, "the filter must have " + shape + " but has " + size);
      }
      return readSections(size, reader, reader.elementCount());
    }

    /**
     * Reads the counters of a filter from the next two sections: for authors of filters that are
     * made of others.
     *
     * @param elementCount how many elements the file says it holds
     * @throws IllegalStateException if no size was given
     * @throws FilterFormatException if the sections do not hold a filter of this size
     * @throws IOException if the stream fails
     */
    public <T extends S> BlockedCountingBloomFilter<T> readSections(
        FilterReader reader, OptionalLong elementCount) throws IOException {
      return readSections(requireShape(), reader, elementCount);
    }

    private <T extends S> BlockedCountingBloomFilter<T> readSections(
        BlockedShape size, FilterReader reader, OptionalLong elementCount) throws IOException {
      BlockedCountingBloomFilter<T> filter =
          new BlockedCountingBloomFilter<>(
              strategy,
              strategyIdentity,
              size,
              concurrent,
              CounterFile.read(reader, WordArrays.BLOCK_PADDING, size.positions()));
      filter.setElementsAsRead(reader, elementCount, size.hashes());
      return filter;
    }

    private BlockedShape requireShape() {
      if (shape == null) {
        throw new IllegalStateException(
            "the filter has no size: call expecting(insertions, fpp) or shape(...) first");
      }
      return shape;
    }

    private static long counterCount(BlockedShape shape) {
      return (long) WordArrays.BLOCK_PADDING * CounterWord.COUNTERS + shape.positions();
    }
  }
}
