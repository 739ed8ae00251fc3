package io.bloomkit.scalable.aging;

import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterPlan;
import io.bloomkit.LayeredFormulas;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.IndexDerivation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter of fixed size that remembers a window and forgets older elements. Source: A.
 * Shtul, C. Baquero, P. Almeida, <i>Age-partitioned Bloom filters</i>, 2020, arXiv 2001.03147.
 *
 * <pre>{@code
 * AgingBloomFilter<UUID> recent =
 *     AgingBloomFilter.builder(HashStrategies.uuids()).rememberingLast(1_000_000, 0.001).build();
 * if (recent.add(click)) {
 *   // not among the last million; of such clicks, one in a thousand does not get here
 * }
 * }</pre>
 *
 * <p>A filter <i>by count</i> remembers at least the last N additions, repeats included. A filter
 * <i>by time</i> remembers every addition for a {@link Duration}. In both, the query of an element
 * that was added within this window is positive. Adding an element again refreshes its age.
 *
 * <p><b>Slices and generations.</b> The filter has k + l slices of bits, from the youngest to the
 * oldest, where k is the number of hashes ({@link AgingShape}). An addition sets one bit in each of
 * the k youngest slices. A query is positive if the bits of the element are set in k consecutive
 * slices. A generation ends after a number of additions, or after a time. The oldest slice is then
 * cleared and becomes the youngest. So an element keeps all its bits for l generations after its
 * own, which is the window. Then it loses one bit per generation, and is positive only by chance.
 * After k of these generations it is positive as rarely as an element that was never added.
 *
 * <p><b>False-positive rate.</b> The rate is at most the planned one. In a filter by time, this
 * holds as long as no generation has more additions than an l-th of the planned ones; with more,
 * {@link #expectedFpp()} rises.
 *
 * <p><b>Clock.</b> A filter by time reads its clock once per operation, in milliseconds. If the
 * clock goes backwards, no generation ends until it reaches the end of the present one again. If it
 * goes forward by mistake, the next addition ends generations, so elements are forgotten. After it
 * was set back, no generation ends until it catches up, so the rate rises. {@link #clear} ends
 * this.
 *
 * <p><b>Cost.</b> The filter takes 21 bits per addition of the window at 1 %, and 28 at 0.1 %. An
 * operation reads up to k + l slices, one cache line in each. The addition that ends a generation
 * clears one slice; in a filter by time, it clears one for each generation that has passed.
 *
 * <p>This class does not implement {@link io.bloomkit.InsertableFilter}, because such a filter does
 * not forget elements by itself.
 *
 * <p><b>Threads.</b> A filter built without {@code concurrent()} requires external synchronization;
 * several threads may query it while no thread adds. In a filter built {@linkplain
 * Builder#concurrent() concurrent}, additions and queries are thread-safe. Queries take no lock.
 * Additions take a lock only to end a generation.
 *
 * <ol>
 *   <li>A query is positive if an addition of the element happened before it and is within the
 *       window when the query ends. The age of the addition counts from its start. By count, this
 *       means that fewer than N other additions have begun that did not happen before it. By time,
 *       it means that no operation has read a time that is later by more than the window.
 *   <li>Of several threads that add the same absent element at the same time, at least one gets
 *       true, unless the element is a false positive. Several may get true. An addition of an
 *       element that is within the window throughout the call returns false.
 *   <li>When all additions have ended, the contents are those of some sequential order of the
 *       additions. So the bound on the false-positive rate holds.
 * </ol>
 *
 * <p>{@link #clear}, {@link #copy}, {@link #toLongArray}, comparing and writing to a file must not
 * run concurrently with writers; a happens-before edge from earlier writes is required. If threads
 * read different times from the clock, the latest counts. A concurrent filter allocates a new slice
 * instead of clearing one. In a concurrent filter, {@link #expectedFpp}, {@link
 * #approximateElementCount} and {@link #setPositions} cost a pass over the bits.
 *
 * <p>Methods except {@code equals} throw {@link NullPointerException} if an argument is null.
 *
 * @param <T> the type of the elements
 */
public final class AgingBloomFilter<T> implements StorableFilter<T> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND = new AgingKind();

  private final HashStrategy<? super T> strategy;
  private final StrategyIdentity strategyIdentity;
  private final Optional<FilterPlan> plan;
  private final AgingSlices slices;

  AgingBloomFilter(
      HashStrategy<? super T> strategy, Optional<FilterPlan> plan, AgingSlices slices) {
    this.strategy = strategy;
    this.plan = plan;
    this.strategyIdentity = StrategyIdentity.of(strategy);
    this.slices = slices;
  }

  /** Equivalent to {@code builder(strategy).rememberingLast(lastAdditions, fpp).build()}. */
  public static <T> AgingBloomFilter<T> create(
      HashStrategy<? super T> strategy, long lastAdditions, double fpp) {
    return AgingBloomFilter.builder(strategy).rememberingLast(lastAdditions, fpp).build();
  }

  /** Returns a builder, for options that {@code create} does not have. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a filter that is not concurrent from a stream; see the package comment. */
  public static <T> AgingBloomFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException {
    return AgingBloomFilter.builder(strategy).readFrom(in);
  }

  /** Reads a filter that is not concurrent from a file; see the package comment. */
  public static <T> AgingBloomFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return AgingBloomFilter.builder(strategy).readFrom(file);
  }

  /** Reads a filter that is not concurrent from an array; see the package comment. */
  public static <T> AgingBloomFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    return AgingBloomFilter.builder(strategy).fromBytes(bytes);
  }

  /**
   * Returns true if the element was added within the window. May return true by chance if it was
   * added earlier or never.
   *
   * @throws NullPointerException if the element is null
   */
  @Override
  public boolean mightContain(T element) {
    return mightContainHash(hashOf(element));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return slices.contains(IndexDerivation.start(hash));
  }

  /**
   * Adds an element, or refreshes its age.
   *
   * @return true exactly if a query of the element would have been negative before. So it is false
   *     for every element within the window, and true for an element that was never added, unless
   *     it was a false positive.
   * @throws NullPointerException if the element is null; nothing is changed
   */
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  /** Equivalent to {@link #add} of an element whose {@linkplain HashStrategy#hash hash} this is. */
  public boolean addHash(long hash) {
    return slices.add(IndexDerivation.start(hash));
  }

  /** Equivalent to {@link #add} of an unboxed long; throws as {@link LongHashStrategy#hashLong}. */
  public boolean addLong(long element) {
    return addHash(LongHashStrategy.hashLong(strategy, element));
  }

  /**
   * Adds many elements, one after another, after all of them have been hashed.
   *
   * @return the number of these additions that returned true
   * @throws NullPointerException if an element is null; nothing is added
   */
  public long addAll(Iterable<? extends T> elements) {
    return addHashes(strategy.hashAll(elements));
  }

  /** Equivalent to {@link #addHashes(long[], int, int)} of the whole array. */
  public long addHashes(long[] hashes) {
    Objects.requireNonNull(hashes, "hashes");
    return addHashes(hashes, 0, hashes.length);
  }

  /**
   * Adds the hashes from {@code offset} to {@code offset + length - 1}, one after another.
   *
   * @return the number of these additions that returned true
   * @throws IndexOutOfBoundsException if the range does not lie within the array
   */
  public long addHashes(long[] hashes, int offset, int length) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromIndexSize(offset, length, hashes.length);
    long added = 0;
    for (int i = offset; i < offset + length; i++) {
      added += addHash(hashes[i]) ? 1 : 0;
    }
    return added;
  }

  /** Forgets everything. The filter is then as if it were created now. */
  public void clear() {
    slices.clear();
  }

  /** Returns an independent filter with the same contents and clock, concurrent if this one is. */
  public AgingBloomFilter<T> copy() {
    return new AgingBloomFilter<>(strategy, plan, slices.copy());
  }

  /**
   * Returns the probability that the query of an element that was never added is positive now. This
   * is {@link LayeredFormulas#agePartitionedFpp} of the fill ratios of the slices. Unless the
   * filter is concurrent, it reads no slice.
   */
  @Override
  public double expectedFpp() {
    return slices.fpp();
  }

  @Override
  public FilterEstimate estimate(int lines) {
    return slices.estimate(lines);
  }

  /**
   * Returns an estimate of the number of distinct elements that were added in the present
   * generation and the l before it. An element that was added in several generations may count more
   * than once.
   *
   * @return the estimate, or {@link Long#MAX_VALUE} if a slice is too full for one
   */
  @Override
  public long approximateElementCount() {
    return slices.estimatedElements();
  }

  /** {@inheritDoc} Its number is the planned number of additions per window, repeats included. */
  @Override
  public Optional<FilterPlan> plan() {
    return plan;
  }

  /** Returns the number of bytes of the slices, which never changes. */
  @Override
  public long memoryBytes() {
    return (long) AgingSlices.wordCount(shape()) * Long.BYTES;
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /** Returns the shape. */
  public AgingShape shape() {
    return slices.shape;
  }

  /** Returns the length of a generation of a filter by time; empty if it is one by count. */
  public Optional<Duration> generationDuration() {
    return slices.pace.duration();
  }

  /**
   * Returns the window of a filter by time, l generations, which is at least the planned window.
   * Empty if it is a filter by count; see {@link AgingShape#windowAdditions()}.
   */
  public Optional<Duration> window() {
    return generationDuration().map(duration -> duration.multipliedBy(shape().historicSlices()));
  }

  /** Returns the present generation; in a filter by time, that of the last addition. */
  public Cycle cycle() {
    return slices.cycle();
  }

  /**
   * Returns the number of set positions of a slice.
   *
   * @param age from 0 for the youngest slice to k + l − 1 for the oldest, as of {@link #cycle()}
   * @throws IndexOutOfBoundsException if there is no such slice
   */
  public long setPositions(int age) {
    return slices.setPositions(Objects.checkIndex(age, shape().slices()));
  }

  /**
   * Returns a copy of all bits, for {@link Builder#buildFrom(long[], Cycle) Builder.buildFrom}; see
   * docs/format.md.
   */
  public long[] toLongArray() {
    return slices.words().clone();
  }

  @Override
  public FilterContents contents() {
    return AgingFile.contents(strategyIdentity, plan, slices);
  }

  /**
   * Returns whether an object is an aging filter with the same strategy id and fingerprint, shape,
   * length of a generation, bits and {@link #cycle()}. Costs a pass over all bits.
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof AgingBloomFilter<?> other
        && strategyIdentity.equals(other.strategyIdentity)
        && shape().equals(other.shape())
        && slices.pace.millis() == other.slices.pace.millis()
        && cycle().equals(other.cycle())
        && Arrays.equals(slices.words(), other.slices.words());
  }

  /** Returns a hash code of the contents, which changes with them. Costs a pass over all bits. */
  @Override
  public int hashCode() {
    return 31 * Objects.hash(strategyIdentity, shape(), slices.pace.millis(), cycle())
        + Arrays.hashCode(slices.words());
  }

  /** Returns window, shape, generation and strategy, for logs. Reads no contents. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "AgingBloomFilter[window=%s, %s, generation=%d, strategy=%s]",
        window().map(Duration::toString).orElse(shape().windowAdditions() + " additions"),
        shape(),
        cycle().generation(),
        strategyIdentity.id());
  }

  private long hashOf(T element) {
    return strategy.hash(Objects.requireNonNull(element, "element"));
  }

  /**
   * The present generation of an aging filter.
   *
   * @param generation the number of generations that have ended, from 0 to 2<sup>62</sup>. A filter
   *     by time begins again at 0 after a pause in which everything was forgotten.
   * @param additions the number of additions in the present generation, repeats included, from 0 to
   *     2<sup>62</sup>
   * @param startMillis the start of the present generation in milliseconds of the clock; 0 in a
   *     filter by count
   */
  public record Cycle(long generation, long additions, long startMillis) {

    /** So large that no filter counts beyond what a long holds, whatever it was restored from. */
    static final long MAX_COUNT = 1L << 62;

    /** Creates a cycle. Throws {@link IllegalArgumentException} if a number is out of its range. */
    public Cycle {
      requireCount(generation, "generation");
      requireCount(additions, "additions");
    }

    private static void requireCount(long value, String name) {
      if (value < 0 || value > MAX_COUNT) {
        throw new IllegalArgumentException(
            name + " must be in [0, " + MAX_COUNT + "], got " + value);
      }
    }
  }

  /**
   * Builds aging filters of the size that was set last.
   *
   * @param <S> the type that the strategy hashes; the elements may be of a subtype
   */
  public static final class Builder<S> extends AgingFilterBuilder<S> {

    private Builder(HashStrategy<S> strategy) {
      super(strategy);
    }
  }
}
