package io.bloomkit.counting;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterFormatException;
import io.bloomkit.MergeableFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.BlockedIndexDerivation;
import io.bloomkit.internal.Prefetch;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.internal.filter.BlockedLimit;
import io.bloomkit.internal.filter.FilterState;
import io.bloomkit.internal.filter.TypedKind;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.Variant;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A counting Bloom filter that touches one cache line per operation. All counters of an element lie
 * in one block, which has 128 counters of four bits. Sources: L. Fan et al., <i>Summary cache</i>,
 * 2000, for the counters; F. Putze, P. Sanders, J. Singler, <i>Cache-, hash- and space-efficient
 * Bloom filters</i>, 2007, for the blocks. {@link BlockedShape} describes how the counters of an
 * element are chosen.
 *
 * <pre>{@code
 * BlockedCountingBloomFilter<String> sessions =
 *     BlockedCountingBloomFilter.create(HashStrategies.utf8(), 1_000_000, 0.01);
 * sessions.add("alice");
 * sessions.remove("alice");
 * }</pre>
 *
 * <p><b>When to choose another filter.</b> This filter takes 47 bits per element at a
 * false-positive rate of 1 % and 91 bits at 0.1 %. A {@link CountingBloomFilter} takes 38 bits at 1
 * % and 58 bits at 0.1 %. A {@link io.bloomkit.cuckoo.CuckooFilter} takes 10.5 bits at 1 % but has
 * a fixed capacity. To send the set to readers that only query it, use {@link #toBlocked()}.
 *
 * <p><b>Exact counts, removal, threads, null.</b> See {@link CounterFilter}. Insertions, removals
 * and queries are thread-safe if {@link Builder#concurrent()} was called.
 *
 * @param <T> the type of the elements
 */
public final class BlockedCountingBloomFilter<T> extends CounterFilter<T>
    implements MergeableFilter<BlockedCountingBloomFilter<?>> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND =
      new TypedKind<BlockedCountingBloomFilter<Object>>(
              Variant.BLOCKED_COUNTING,
              "blocked-counting",
              BlockedCountingBloomFilter.class,
              Set.of(FilterKind.Trait.CONCURRENT, FilterKind.Trait.COMPARABLE),
              (n, fpp) ->
                  BlockedCountingBloomFilter.builder(HashStrategies.bytes())
                      .expecting(n, fpp)
                      .layout(),
              CounterFilter::layout,
              BlockedCountingBloomFilter::create,
              BlockedCountingBloomFilter::read)
          .subtracting(BlockedCountingBloomFilter::subtract)
          .converting(BlockedBloomFilter.class, BlockedCountingBloomFilter::toBlocked);

  /** Hashes whose counters are read ahead. Larger batches gain little. */
  private static final int BATCH = 128;

  private final BlockedShape shape;
  private final long wordCount;
  private final int middle;

  /** Where the masks of this number of hashes begin: {@link BlockedIndexDerivation#maskTable}. */
  private final int masks;

  /** The monitors of removals of a concurrent filter; {@code null} otherwise. */
  private final Object @Nullable [] stripes;

  BlockedCountingBloomFilter(FilterState<T> state, BlockedShape shape, CounterArray counters) {
    this(
        state,
        shape,
        counters,
        state.elements().isConcurrent() ? BlockedCounters.stripes(shape.blocks()) : new Object[0]);
  }

  private BlockedCountingBloomFilter(
      FilterState<T> state, BlockedShape shape, CounterArray counters, Object[] monitors) {
    super(state, counters, monitors);
    this.shape = shape;
    this.wordCount = shape.blocks() * BlockedShape.WORDS_PER_BLOCK;
    this.middle = BlockedIndexDerivation.middle(wordCount);
    this.masks = BlockedIndexDerivation.maskTable(shape.hashes() / 2);
    this.stripes = isConcurrent() ? monitors : null;
  }

  /**
   * Returns an empty filter of the shape that {@link BlockedShape#ofCounters} computes.
   *
   * @param expectedInsertions the largest number of distinct elements in the filter at any one
   *     time, at least 0; 0, for an empty set, is planned as 1. With more elements, the
   *     false-positive rate exceeds {@code fpp}.
   * @param fpp the false-positive rate with that number of elements, in (0, 1)
   * @throws IllegalArgumentException if an argument is out of its range, or the filter would be
   *     larger than one array (16 GiB), or than 2<sup>16</sup> counters and eight times a flat
   *     filter for the same plan
   */
  public static <T> BlockedCountingBloomFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return BlockedCountingBloomFilter.builder(strategy).expecting(expectedInsertions, fpp).build();
  }

  /** Returns a builder, for options that {@code create} does not have. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a filter by {@link Builder#readFrom(InputStream)}; the result is not concurrent. */
  public static <T> BlockedCountingBloomFilter<T> readFrom(
      InputStream in, HashStrategy<? super T> strategy) throws IOException {
    return BlockedCountingBloomFilter.builder(strategy).readFrom(in);
  }

  /** Reads a filter by {@link Builder#readFrom(Path)}; the result is not concurrent. */
  public static <T> BlockedCountingBloomFilter<T> readFrom(
      Path file, HashStrategy<? super T> strategy) throws IOException {
    return BlockedCountingBloomFilter.builder(strategy).readFrom(file);
  }

  /** Reads a filter by {@link Builder#fromBytes(byte[])}; the result is not concurrent. */
  public static <T> BlockedCountingBloomFilter<T> fromBytes(
      byte[] bytes, HashStrategy<? super T> strategy) throws FilterFormatException {
    return BlockedCountingBloomFilter.builder(strategy).fromBytes(bytes);
  }

  private static <T> BlockedCountingBloomFilter<T> read(
      FilterReader reader, HashStrategy<? super T> strategy) throws IOException {
    return (BlockedCountingBloomFilter<T>)
        BlockedCountingBloomFilter.builder(strategy).<T>read(reader);
  }

  // Here and not in the base class: otherwise, List.of(flat, blocked) does not compile.
  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(hashOf(element));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return stripes == null
        ? BlockedCounters.contains(counters, wordCount, middle, masks, hash)
        : BlockedCounters.containsShared(counters, wordCount, middle, masks, hash);
  }

  @Override
  public int mightContainHashes(long[] hashes, int offset, int length, boolean[] answers) {
    Arguments.checkQuery(hashes, offset, length, answers);
    int positive = 0;
    int end = offset + length;
    for (int from = offset; from < end; from += Math.min(BATCH, end - from)) {
      int to = from + Math.min(BATCH, end - from);
      Prefetch.keep(readAhead(hashes, from, to));
      for (int i = from; i < to; i++) {
        boolean answer = mightContainHash(hashes[i]);
        answers[i] = answer;
        positive += answer ? 1 : 0;
      }
    }
    return positive;
  }

  @Override
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  @Override
  public boolean addHash(long hash) {
    if (stripes == null) {
      boolean added = BlockedCounters.increment(counters, wordCount, middle, masks, hash);
      elements.addPlain(1);
      return added;
    }
    awaitOpenGate();
    elements.add(1); // before the counters, as SnapshotGate requires
    try {
      return BlockedCounters.incrementShared(counters, wordCount, middle, masks, hash, stripes);
    } catch (Throwable e) { // a full stack as well
      elements.add(-1);
      throw e;
    }
  }

  @Override
  public boolean remove(T element) {
    return removeHash(hashOf(element));
  }

  @Override
  public boolean removeHash(long hash) {
    if (stripes == null) {
      boolean removed = BlockedCounters.decrement(counters, wordCount, middle, masks, hash);
      if (removed) {
        elements.addPlain(-1);
      }
      return removed;
    }
    return removeShared(hash, stripes);
  }

  private boolean removeShared(long hash, Object[] monitors) {
    while (true) {
      synchronized (BlockedCounters.stripe(monitors, hash, wordCount, middle)) {
        if (!gate().isClosed()) {
          if (!BlockedCounters.decrementLocked(counters, wordCount, middle, masks, hash)) {
            return false;
          }
          elements.add(-1);
          return true;
        }
      }
      awaitOpenGate();
    }
  }

  @Override
  boolean addToCounters(long hash, long copies) {
    return BlockedCounters.addShared(
        counters, wordCount, middle, masks, hash, copies, removalLock(hash));
  }

  @Override
  boolean subtractFromCounters(long hash, long copies) {
    return BlockedCounters.subtractLocked(counters, wordCount, middle, masks, hash, copies);
  }

  @Override
  Object removalLock(long hash) {
    return stripes == null ? counters : BlockedCounters.stripe(stripes, hash, wordCount, middle);
  }

  @Override
  int batch() {
    return BATCH;
  }

  @Override
  long readAhead(long[] hashes, int from, int to) {
    long all = 0;
    for (int i = from; i < to; i++) {
      all ^= BlockedCounters.readAhead(counters, wordCount, middle, hashes[i]);
    }
    return all;
  }

  @Override
  public long countHash(long hash) {
    return stripes == null
        ? BlockedCounters.min(counters, wordCount, middle, masks, hash)
        : BlockedCounters.minShared(counters, wordCount, middle, masks, hash);
  }

  /**
   * Adds the elements of another filter, each as often as that filter contains it. This filter then
   * equals a filter to which the elements of both filters were added. A filter may be merged with
   * itself.
   *
   * @throws IllegalArgumentException if the filters are not {@linkplain #isCompatible compatible},
   *     or a counter, including its part in the {@linkplain CounterFilter side table}, would exceed
   *     2<sup>62</sup>; nothing is changed
   */
  @Override
  public void merge(BlockedCountingBloomFilter<?> other) {
    mergeCounters(other);
  }

  /**
   * Removes the elements of another filter, each as often as that filter contains it. If this
   * filter contained all these elements, it then equals a filter to which only the remaining
   * elements were added.
   *
   * @throws IllegalArgumentException if the filters are not {@linkplain #isCompatible compatible},
   *     or a counter would fall below zero; nothing is changed
   */
  public void subtract(BlockedCountingBloomFilter<?> other) {
    subtractCounters(other);
  }

  /**
   * Returns an independent filter with the same contents, concurrent if this filter is. It contains
   * every update that happened before the call, and other updates as a whole or not at all.
   */
  @Override
  public BlockedCountingBloomFilter<T> copy() {
    return (BlockedCountingBloomFilter<T>) copyOfThis();
  }

  /**
   * Returns an independent filter with one bit per counter, a quarter of the size. It answers
   * queries as this filter does now, and is concurrent if this filter is. Reads all counters.
   */
  public BlockedBloomFilter<T> toBlocked() {
    BlockedBloomFilter.Builder<? super T> builder =
        BlockedBloomFilter.builder(strategy).shape(shape);
    if (stripes != null) {
      builder.concurrent();
    }
    plan().ifPresent(builder::plan);
    SnapshotGate.Snapshot now = snapshot();
    OptionalLong count = now.elementCount();
    long[] bits = now.counters().toBits(WordArrays.BLOCK_PADDING);
    return count.isPresent() ? builder.buildFrom(bits, count.getAsLong()) : builder.buildFrom(bits);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The value is the mean of the false-positive rates of all blocks. It is higher than the rate
   * of a {@link CountingBloomFilter} with the same fill ratio and number of hashes. It is as exact
   * as {@link BlockedBloomFilter#expectedFpp}. Costs a pass over all counters.
   */
  @Override
  public double expectedFpp() {
    return estimate(Integer.MAX_VALUE).fpp().value();
  }

  @Override
  public FilterEstimate estimate(int lines) {
    return FilterEstimate.ofBlocks(
        shape, 1, word -> counters.countNonZero(WordArrays.BLOCK_PADDING + (int) word), lines);
  }

  /** Returns the shape: the number of blocks, of counters per block and of hashes. */
  @Override
  public BlockedShape shape() {
    return shape;
  }

  /** Returns shape, element count and strategy, for logs. Takes constant time. */
  @Override
  public String toString() {
    return state.toString(
        "BlockedCountingBloomFilter", "blocks=" + shape.blocks() + ", hashes=" + shape.hashes());
  }

  /**
   * Builds filters of elements of type S or a subtype, sized by {@link BlockedShape#ofCounters}.
   */
  public static final class Builder<S> extends CounterFilterBuilder<S, Builder<S>> {

    private Builder(HashStrategy<S> strategy) {
      super(strategy);
    }

    @Override
    BlockedShape shapeFor(long expectedInsertions, double fpp) {
      return BlockedLimit.require(
          BlockedShape.ofCounters(expectedInsertions, fpp),
          expectedInsertions,
          fpp,
          "CountingBloomFilter");
    }

    @Override
    BlockedShape readShape(FilterReader reader, StrategyIdentity strategy)
        throws FilterFormatException {
      return CounterFile.readBlocked(reader, strategy);
    }

    /**
     * Sets the number of counters and the number of hashes directly. Replaces an earlier shape.
     *
     * @return this builder
     * @throws IllegalArgumentException if the shape does not have 128 positions per block, or the
     *     filter would be larger than one array (16 GiB)
     * @throws IllegalStateException if {@link #expecting} was called
     */
    public Builder<S> shape(BlockedShape shape) {
      return setShape(shape);
    }

    @Override
    public <T extends S> BlockedCountingBloomFilter<T> build() {
      return (BlockedCountingBloomFilter<T>) super.<T>build();
    }

    @Override
    public <T extends S> BlockedCountingBloomFilter<T> readFrom(InputStream in) throws IOException {
      return (BlockedCountingBloomFilter<T>) super.<T>readFrom(in);
    }

    @Override
    public <T extends S> BlockedCountingBloomFilter<T> readFrom(Path file) throws IOException {
      return (BlockedCountingBloomFilter<T>) super.<T>readFrom(file);
    }

    @Override
    public <T extends S> BlockedCountingBloomFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return (BlockedCountingBloomFilter<T>) super.<T>fromBytes(bytes);
    }
  }
}
