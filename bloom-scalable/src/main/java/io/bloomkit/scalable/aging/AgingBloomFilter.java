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
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that remembers a window and forgets older elements, in memory that is fixed when
 * it is made: the age-partitioned Bloom filter (A. Shtul, C. Baquero, P. Almeida,
 * <i>Age-partitioned Bloom filters</i>, 2020, arXiv 2001.03147).
 *
 * <pre>{@code
 * AgingBloomFilter<UUID> recent =
 *     AgingBloomFilter.builder(HashStrategies.uuids()).rememberingLast(1_000_000, 0.001).build();
 * if (recent.add(click)) {
 *   // not among the last million; of such clicks, one in a thousand does not get here
 * }
 * }</pre>
 *
 * <p>It is a ring of k + l slices of bits, from the youngest to the oldest. An addition sets one
 * bit in each of the k youngest; a query is positive if the element's bits are set in k consecutive
 * slices. At the end of a generation the oldest slice is cleared and becomes the youngest, and all
 * others age by one. An element therefore keeps its k slices for l generations after its own, which
 * is the window; then it loses one slice per generation.
 *
 * <p><b>Certain.</b> A query of an element that was added within the window is positive, always. By
 * count, the window is at least the last N additions, repeats included. By time, it is a {@link
 * Duration} by an {@link InstantSource}, however many additions there are. Adding an element again
 * refreshes its age.
 *
 * <p><b>Likely.</b> The false-positive rate is at most the given probability at the end of a
 * generation of distinct elements, and lower before. By time this holds while no generation has
 * more additions than planned, an l-th of those of the window; above that {@link #expectedFpp()}
 * rises, and nothing else happens. An element that left the window j generations ago needs a false
 * positive in j slices: in a filter made for 1 % (l = 13) its query is still positive with
 * probability 40 %, 16 %, 7 %, 3 %, 2 % after one to five generations, and after k = 7 as rarely as
 * that of an element never added.
 *
 * <p><b>Clock.</b> A filter by time reads its clock once per operation, in milliseconds. While the
 * clock is behind the start of the present generation, time stands still for the filter and nothing
 * is forgotten. So an addition while the clock is far ahead forgets what the clock says is too old,
 * and when the clock is set right the rate rises until it is there again, or the filter is
 * {@linkplain #clear cleared}.
 *
 * <p><b>Cost.</b> About 21 bits per addition of the window at 1 %, 28 at 0.1 %: twice those of a
 * filter that never forgets. An addition touches k cache lines beyond those of the query; a query
 * about k for an element of the last generations, four for an absent one at 1 % and five at 0.1 %.
 * The end of a generation clears one slice of k + l at once; by time, an addition after a pause of
 * several generations clears as many slices, at most all. Only the bulk operations that take
 * elements, {@link #copy} and the accessors allocate.
 *
 * <p>It is no {@link io.bloomkit.InsertableFilter}, although it has the same operations: that
 * interface promises that elements stay, and here an addition makes the filter forget.
 *
 * <p><b>Threads.</b> Queries may run concurrently with each other, and must not run concurrently
 * with writers; a happens-before edge from earlier writes is required. A query changes nothing:
 * slices that are due to be cleared by time are passed over until the next addition clears them.
 * Built {@linkplain Builder#concurrent() concurrent}, additions and queries are thread-safe.
 * Queries take no lock. Neither do additions, except that the first one after the end of a
 * generation begins the next under a lock, for which only other additions that come then wait.
 *
 * <ol>
 *   <li>A query is positive if an addition of the element happened before it and the window has not
 *       passed. By count: fewer than N other additions that did not happen before that one have
 *       begun when the query ends. By time: no operation has read a time that is later than that
 *       addition's by more than the window. A generation that ends meanwhile makes no difference.
 *       The age of an element counts from the start of its addition: if the window passes while the
 *       addition runs, the element may be gone when it returns.
 *   <li>Of several threads that race to add an absent element, at least one gets true, unless it is
 *       a false positive by then, and several may. An addition of an element that is within the
 *       window throughout the call returns false.
 *   <li>A generation ends exactly once, whichever threads find it over; by count it has exactly its
 *       g additions. Once all writers are done, bits and cycle are those of a single-writer filter
 *       to which the same additions were made in some order that respects happens-before. So the
 *       false-positive rate has the bound above.
 * </ol>
 *
 * <p>{@link #clear}, {@link #copy}, comparing, writing and reading all bits must not run
 * concurrently with writers; a happens-before edge from earlier writes is required. The clock of a
 * concurrent filter by time must be thread-safe; if threads read different times, the latest
 * counts. A concurrent filter allocates a new slice at the end of a generation instead of clearing
 * the oldest, and after a pause as many as it would clear; the old ones are garbage once no
 * operation uses them. Writing, reading and comparing one copies its bits, and {@link
 * #expectedFpp}, {@link #approximateElementCount} and {@link #setPositions} cost a pass over them.
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

  /** Returns an empty filter that remembers the last additions: see {@link AgingShape#of}. */
  public static <T> AgingBloomFilter<T> create(
      HashStrategy<? super T> strategy, long lastAdditions, double fpp) {
    return AgingBloomFilter.builder(strategy).rememberingLast(lastAdditions, fpp).build();
  }

  /** Returns a builder; throws {@link NullPointerException} if the strategy is null. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a single-writer filter from a stream; see {@link Builder#readFrom(InputStream)}. */
  public static <T> AgingBloomFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException {
    return AgingBloomFilter.builder(strategy).readFrom(in);
  }

  /** Reads a single-writer filter from a file; see {@link Builder#readFrom(InputStream)}. */
  public static <T> AgingBloomFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return AgingBloomFilter.builder(strategy).readFrom(file);
  }

  /** Reads a single-writer filter from bytes; see {@link Builder#readFrom(InputStream)}. */
  public static <T> AgingBloomFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    return AgingBloomFilter.builder(strategy).fromBytes(bytes);
  }

  /**
   * Returns true if the element was added within the window, and with the probabilities of the
   * class comment if it was added before or never.
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
   * Adds an element, or refreshes its age. If the clock runs backwards, the addition counts as made
   * at the time of the one before it.
   *
   * @return true exactly if a query of the element was negative before: false for every element
   *     within the window, true for one never added unless it was a false positive
   * @throws NullPointerException if the element is null; nothing has changed then
   */
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  /** Equivalent to {@link #add} of an element whose {@linkplain HashStrategy#hash hash} this is. */
  public boolean addHash(long hash) {
    return slices.add(IndexDerivation.start(hash));
  }

  /** Equivalent to {@link #add} of a long, unboxed; see {@link LongHashStrategy#hashLong}. */
  public boolean addLong(long element) {
    return addHash(LongHashStrategy.hashLong(strategy, element));
  }

  /**
   * Adds many elements, one after another; the hashes take some sixteen bytes each meanwhile.
   *
   * @return the number of these additions that returned true
   * @throws NullPointerException if an element is null; nothing has been added then
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

  /** Forgets everything: the filter is as if created now, even if its clock is behind. */
  public void clear() {
    slices.clear();
  }

  /** Returns an independent filter with the same contents, clock and form of concurrency. */
  public AgingBloomFilter<T> copy() {
    return new AgingBloomFilter<>(strategy, plan, slices.copy());
  }

  /**
   * Returns the present false-positive probability: {@link LayeredFormulas#agePartitionedFpp} of
   * the fill ratios of the slices. Costs some (k + l) · k steps. It varies within a generation: by
   * a tenth at 1 %, by a quarter at 10 %.
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
   * Returns an estimate of the distinct elements of the present generation and the l before it,
   * from the fill of slices that share no generation: of age l, l − k, l − 2k and so on. An element
   * that was added in the generations of several of them counts in each; at rates of 10 % and
   * above, where l is at most k, there is one such slice.
   *
   * @return the estimate, or {@link Long#MAX_VALUE} if a slice is too full for one
   */
  @Override
  public long approximateElementCount() {
    return slices.estimatedElements();
  }

  /** Returns the additions of a window, and the rate, that the filter was made for. */
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

  /** Returns the numbers of slices, positions and additions. */
  public AgingShape shape() {
    return slices.shape;
  }

  /** Returns the length of a generation; empty if it is counted in additions. */
  public Optional<Duration> generationDuration() {
    return slices.pace.duration();
  }

  /**
   * Returns the window: l generations, at least the planned one; empty if it is counted in
   * additions, {@link AgingShape#windowAdditions()}.
   */
  public Optional<Duration> window() {
    return generationDuration().map(duration -> duration.multipliedBy(shape().historicSlices()));
  }

  /** Returns the moment in the cycle. By time, it is that of the last addition. */
  public Cycle cycle() {
    return slices.cycle();
  }

  /**
   * Returns the number of set positions of a slice.
   *
   * @param age 0 for the youngest, up to k + l − 1; as of the {@link #cycle()}
   * @throws IndexOutOfBoundsException if there is no such slice
   */
  public long setPositions(int age) {
    return slices.setPositions(Objects.checkIndex(age, shape().slices()));
  }

  /**
   * Returns a copy of all bits, for {@link Builder#buildFrom(long[], Cycle)}; see docs/format.md.
   */
  public long[] toLongArray() {
    return slices.words().clone();
  }

  @Override
  public FilterContents contents() {
    return AgingFile.contents(strategyIdentity, plan, slices);
  }

  /**
   * Returns whether an object is an aging filter with the same strategy, shape, length of a
   * generation, bits and {@link #cycle()}: both answer alike whatever is added. Costs a pass.
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

  /** Returns a hash code of the contents: it changes with them and costs a pass over all bits. */
  @Override
  public int hashCode() {
    return 31 * Objects.hash(strategyIdentity, shape(), slices.pace.millis(), cycle())
        + Arrays.hashCode(slices.words());
  }

  /** Returns window, shape, generation and strategy, for logs and debuggers; reads no contents. */
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
   * A moment in the life of an aging filter.
   *
   * @param generation the number of generations that have ended, from 0 to 2<sup>62</sup>; by time,
   *     counted anew after a pause in which everything was forgotten
   * @param additions the additions of the present generation, repeats included, from 0 to
   *     2<sup>62</sup>
   * @param startMillis by time, the start of the present generation in milliseconds of the clock;
   *     by count 0
   */
  public record Cycle(long generation, long additions, long startMillis) {

    /** So large that no filter counts beyond what a long holds, whatever it was restored from. */
    static final long MAX_COUNT = 1L << 62;

    /** Throws {@link IllegalArgumentException} if a number is out of its range. */
    public Cycle {
      requireCount(generation, "generation");
      requireCount(additions, "additions");
    }

    private static void requireCount(long value, String name) {
      if (value < 0 || value > MAX_COUNT) {
        throw new IllegalArgumentException(
            name + " must lie in [0, " + MAX_COUNT + "] but is " + value);
      }
    }
  }

  /**
   * Builds aging filters of the size given last; throws {@link IllegalStateException} without one.
   *
   * @param <S> the type that the strategy takes; the filters may be of a subtype
   */
  public static final class Builder<S> extends AgingFilterBuilder<S> {

    private Builder(HashStrategy<S> strategy) {
      super(strategy);
    }
  }
}
