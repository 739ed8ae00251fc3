package io.bloomkit.scalable.aging;

import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.LayeredFormulas;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.IndexDerivation;
import io.bloomkit.internal.filter.BuilderOptions;
import io.bloomkit.internal.filter.KindTable;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter of fixed size that remembers the elements of a sliding window and forgets older
 * ones. Source: A. Shtul, C. Baquero, P. Almeida, <i>Age-partitioned Bloom filters</i>, 2020, arXiv
 * 2001.03147.
 *
 * <pre>{@code
 * AgingBloomFilter<UUID> recent =
 *     AgingBloomFilter.builder(HashStrategies.uuids()).expecting(1_000_000, 0.001).build();
 * if (recent.add(click)) {
 *   // a click that is not among the last million; up to 0.1 % of new clicks are missed
 * }
 * }</pre>
 *
 * <p>The window of a filter <i>by count</i> is at least the last N additions; repeated additions of
 * an element also count. The window of a filter <i>by time</i> is a {@link Duration}. The query of
 * an element that was added within the window is positive. Adding an element again refreshes its
 * age.
 *
 * <p><b>Slices and generations.</b> The filter has k + l slices of bits, from the youngest to the
 * oldest, where k is the number of hashes and l sets the length of the window; see {@link
 * AgingShape}. An addition sets one bit in each of the k youngest slices. A query is positive if
 * the bits of the element are set in k consecutive slices. A generation is a fixed number of
 * additions (by count) or a fixed time (by time). At its end, the oldest slice is cleared and
 * becomes the youngest.
 *
 * <p>An element keeps all its bits for l generations after the generation of its addition; these l
 * generations are the window. Afterwards the element loses one bit per generation, and its query is
 * positive only by chance. After k more generations all its bits are lost, and the element is like
 * one that was never added.
 *
 * <p><b>False-positive rate.</b> The false-positive rate of elements that were never added is at
 * most the planned rate. In a filter by time, or with a {@linkplain Builder#window(long) window} of
 * more additions than planned, this holds while no generation has more additions of different
 * elements than 1/l of the planned additions per window. With more, {@link #expectedFpp()} may
 * exceed the planned rate.
 *
 * <p><b>Clock.</b> A filter by time reads its clock once per operation, in milliseconds. If the
 * clock is set back, no generation ends until the clock reaches the end of the present generation.
 * Until then additions accumulate, so the false-positive rate rises; {@link #clear} restarts the
 * filter at the present time. If the clock is set forward by mistake, the next addition ends the
 * generations that seem to be over, so elements are forgotten too early.
 *
 * <p><b>Cost.</b> With a window of 100,000 additions or more, the filter takes 21 bits per addition
 * of the window at a false-positive rate of 1 %, and 28 bits at 0.1 %. An operation reads one cache
 * line in each of up to k + l slices. The addition that ends a generation clears one slice. In a
 * filter by time, one addition may end several generations and clears one slice for each.
 *
 * <p>This class does not implement {@link io.bloomkit.InsertableFilter}, whose contract does not
 * allow a filter to forget elements by itself.
 *
 * <p><b>Threads.</b> Single-writer by default: access from several threads requires external
 * synchronization, unless the filter is safely published and not changed afterwards. In a filter
 * that was built {@linkplain Builder#concurrent() concurrent}, additions and queries are
 * thread-safe. Queries take no lock. Additions take a lock only to end a generation. Guarantees:
 *
 * <ol>
 *   <li>A query returns true if an addition of the element happened before the query, and the
 *       addition is within the window when the query ends. In a filter by count, an addition A is
 *       within the window until N other additions have begun, not counting those that happened
 *       before A. In a filter by time, an addition that starts at time t is within the window until
 *       an operation reads a clock time later than t + window.
 *   <li>If several threads add the same absent element at the same time, {@code add} returns true
 *       in one or several of them, or in none if the element is a false positive. An addition
 *       returns false if an earlier addition of the same element is within the window during the
 *       whole call.
 *   <li>After all additions have ended, the contents are those of some sequential order of the
 *       additions. Therefore the bound on the false-positive rate holds.
 * </ol>
 *
 * <p>A concurrent filter may be copied, compared and written to a file while other threads add
 * elements: the copy contains every element within the window whose addition happened before the
 * call. {@link #clear} and {@link #toLongArray} must not run concurrently with writers; a
 * happens-before edge from earlier writes is required. If threads read different times from the
 * clock, the latest time applies. Instead of clearing a slice, a concurrent filter allocates a new
 * one. In a concurrent filter, {@link #expectedFpp} and {@link #approximateElementCount} cost a
 * pass over all bits, and {@link #setPositions} costs a pass over one slice.
 *
 * <p>All methods except {@code equals} throw {@link NullPointerException} if an argument is null.
 *
 * @param <T> the type of the elements
 */
@SuppressWarnings("exports") // FilterContents is not for users
public final class AgingBloomFilter<T> implements StorableFilter<T>, FilterContents.Source {

  /** The descriptor of this kind of filter, for tools that work with every kind. */
  public static final FilterKind KIND =
      new KindTable<AgingBloomFilter<Object>>(
              8,
              "aging",
              AgingBloomFilter.class,
              Set.of(FilterKind.Trait.CONCURRENT, FilterKind.Trait.COMPARABLE),
              (n, fpp) -> new SlicesLayout(AgingShape.of(n, fpp)),
              AgingBloomFilter::layout,
              AgingBloomFilter::create,
              AgingBloomFilter::read)
          .adding(AgingBloomFilter::addHash);

  private static final long[] ROUND_MILLIS = {10, 100, 1_000, 60_000, 3_600_000};

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

  /** Returns a single-writer filter by count with the shape {@link AgingShape#of(long, double)}. */
  public static <T> AgingBloomFilter<T> create(
      HashStrategy<? super T> strategy, long lastAdditions, double fpp) {
    return AgingBloomFilter.builder(strategy).expecting(lastAdditions, fpp).build();
  }

  /** Returns a builder that has no size yet. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a single-writer filter; see {@link Builder#readFrom(InputStream)}. */
  public static <T> AgingBloomFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException {
    return AgingBloomFilter.builder(strategy).readFrom(in);
  }

  /** Reads a single-writer filter; see {@link Builder#readFrom(Path)}. */
  public static <T> AgingBloomFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return AgingBloomFilter.builder(strategy).readFrom(file);
  }

  /** Reads a single-writer filter; see {@link Builder#fromBytes(byte[])}. */
  public static <T> AgingBloomFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    return AgingBloomFilter.builder(strategy).fromBytes(bytes);
  }

  private static <T> AgingBloomFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy)
      throws IOException {
    return AgingBloomFilter.builder(strategy).read(reader);
  }

  private FilterLayout layout() {
    long set = 0;
    for (int age = 0; age < shape().slices(); age++) {
      set += setPositions(age);
    }
    return new SlicesLayout(shape()).withSetPositions(set);
  }

  /**
   * Returns whether an element may have been added within the window: always true if it was, and
   * possibly true by chance if it was not.
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
   * @return true if a query of the element would have been negative before. The result is false for
   *     every element that is within the window. It is true for an element that was never added,
   *     unless the element was a false positive.
   * @throws NullPointerException if the element is null; nothing is changed
   */
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  /** Equivalent to {@link #add} of an element with a given {@linkplain HashStrategy#hash hash}. */
  public boolean addHash(long hash) {
    return slices.add(IndexDerivation.start(hash));
  }

  /**
   * Equivalent to {@link #add} of a long. Throws {@link IllegalStateException} if the strategy is
   * not a {@link LongHashStrategy}.
   */
  public boolean addLong(long element) {
    return addHash(LongHashStrategy.hashLong(strategy, element));
  }

  /**
   * Adds the hashes from {@code offset} to {@code offset + length - 1}, one after another.
   *
   * @return the number of additions that returned true
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

  /** Forgets all elements. Afterwards the filter is like a filter that is created now. */
  public void clear() {
    slices.clear();
  }

  /** Returns an independent copy with the same contents and clock; concurrent if this filter is. */
  public AgingBloomFilter<T> copy() {
    return new AgingBloomFilter<>(strategy, plan, slices.copy());
  }

  /**
   * Returns the present probability that the query of an element that was never added is positive.
   * This is {@link LayeredFormulas#agePartitionedFpp} of the fill ratios of the slices. In a
   * single-writer filter, the method does not read the bits.
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
   * generation and the l generations before it. An element that was added in several generations
   * may count more than once.
   *
   * @return the estimate, or {@link Long#MAX_VALUE} if a slice is too full for an estimate
   */
  @Override
  public long approximateElementCount() {
    return slices.estimatedElements();
  }

  /** {@inheritDoc} The planned number counts additions per window, including repeated ones. */
  @Override
  public Optional<FilterPlan> plan() {
    return plan;
  }

  /** Returns the number of bytes of the slices, which is constant. */
  @Override
  public long memoryBytes() {
    return (long) AgingSlices.wordCount(shape()) * Long.BYTES;
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /** Returns the number and size of the slices, and the number of additions per generation. */
  public AgingShape shape() {
    return slices.shape;
  }

  /** Returns the duration of a generation; empty if this is a filter by count. */
  public Optional<Duration> generationDuration() {
    return slices.generations.duration();
  }

  /**
   * Returns the window of a filter by time: the duration of l generations, which is at least the
   * planned window. Empty if this is a filter by count; see {@link AgingShape#windowAdditions()}.
   */
  public Optional<Duration> window() {
    return generationDuration().map(duration -> duration.multipliedBy(shape().historicSlices()));
  }

  /** Returns the generation at the last addition; in a filter by time, it may have ended since. */
  public Cycle cycle() {
    return slices.cycle();
  }

  /**
   * Returns the number of set bits of a slice.
   *
   * @param age from 0 for the youngest slice to k + l − 1 for the oldest, as of {@link #cycle()}
   * @throws IndexOutOfBoundsException if there is no such slice
   */
  public long setPositions(int age) {
    return slices.setPositions(Objects.checkIndex(age, shape().slices()));
  }

  /**
   * Returns a copy of all bits in the order of docs/format.md. {@link Builder#buildFrom(long[],
   * Cycle) Builder.buildFrom} creates a filter from the bits and the {@link #cycle()}.
   */
  public long[] toLongArray() {
    return slices.words().clone();
  }

  /** Not for users: see {@link StorableFilter} for writing a filter. */
  @Override
  public FilterContents contents() {
    return AgingFile.contents(strategyIdentity, plan, slices.snapshot());
  }

  /**
   * Returns whether an object is an aging filter with the same strategy (id and fingerprint),
   * shape, duration of a generation, bits and {@link #cycle()}. The cost is a pass over all bits.
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return this == object
        || (object instanceof AgingBloomFilter<?> other
            && strategyIdentity.equals(other.strategyIdentity)
            && shape().equals(other.shape())
            && slices.generations.millis() == other.slices.generations.millis()
            && isSame(slices.snapshot(), other.slices.snapshot()));
  }

  private static boolean isSame(AgingSlices one, AgingSlices other) {
    return one.cycle().equals(other.cycle()) && Arrays.equals(one.words(), other.words());
  }

  /** Returns a hash code that changes with the contents. The cost is a pass over all bits. */
  @Override
  public int hashCode() {
    AgingSlices now = slices.snapshot();
    return 31 * Objects.hash(strategyIdentity, shape(), now.generations.millis(), now.cycle())
        + Arrays.hashCode(now.words());
  }

  /** Returns window, shape, generation and strategy, for logs. Takes constant time. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "AgingBloomFilter[window=%s, %s, generation=%d, strategy=%s]",
        window().map(this::planned).orElse(shape().windowAdditions() + " additions"),
        shape(),
        cycle().generation(),
        strategyIdentity.id());
  }

  /** Returns the roundest of the planned windows that lead to the same generations. */
  private String planned(Duration window) {
    long most = window.toMillis();
    long planned = most;
    for (long unit : ROUND_MILLIS) {
      if (most % unit < shape().historicSlices()) {
        planned = most - most % unit;
      }
    }
    return Duration.ofMillis(planned == 0 ? most : planned).toString();
  }

  private long hashOf(T element) {
    return strategy.hash(Objects.requireNonNull(element, "element"));
  }

  /**
   * The present generation of an aging filter.
   *
   * @param generation the number of generations that have ended, from 0 to 2<sup>62</sup>. A filter
   *     by time starts again at 0 after a pause so long that all elements were forgotten.
   * @param additions the number of additions in the present generation, from 0 to 2<sup>62</sup>;
   *     repeated additions of an element also count
   * @param startMillis the start of the present generation by the clock, in milliseconds since
   *     1970-01-01T00:00Z; 0 in a filter by count
   */
  public record Cycle(long generation, long additions, long startMillis) {

    /** The largest count to restore. No filter can count from here to the overflow of a long. */
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
   * Builds and reads filters. Not thread-safe.
   *
   * @param <S> the type that the strategy hashes; the elements of a filter may be of a subtype
   */
  public static final class Builder<S> {

    private final BuilderOptions<S, AgingShape, Builder<S>> options;

    /** The arguments of {@link #expecting}; the number is 0 if it was not called. */
    private long expectedInsertions;

    private double fpp;

    /** The window in milliseconds; 0 by count. */
    private long windowMillis;

    /** The window in insertions, if it was set; 0 otherwise. */
    private long windowInsertions;

    private long generationMillis;
    private InstantSource clock = InstantSource.system();

    private Builder(HashStrategy<S> strategy) {
      this.options =
          new BuilderOptions<>(this, strategy, "expecting(insertions, fpp) or shape(...)");
    }

    /**
     * Sets the size and the plan for a number of insertions per window and a false-positive rate;
     * see {@link AgingShape#of(long, double)}. Without {@code window(...)}, the window is the last
     * {@code insertions} insertions.
     *
     * @throws IllegalStateException if the shape was set
     */
    public Builder<S> expecting(long insertions, double fpp) {
      long elements = Arguments.atLeastOne(insertions, "insertions");
      return planned(true, elements, fpp, windowMillis, windowInsertions);
    }

    /**
     * Makes the window a duration, rounded up to milliseconds; see {@link AgingShape#of(Duration,
     * long, double)}. Replaces another window. Requires {@link #expecting}, before or afterwards.
     *
     * @throws IllegalStateException if the shape was set
     */
    public Builder<S> window(Duration window) {
      return planned(
          expectedInsertions > 0,
          expectedInsertions,
          fpp,
          AgingShape.millisOf(window, "window"),
          0);
    }

    /**
     * Makes the window the last {@code insertions} insertions, at least 1. Replaces another window.
     * Requires {@link #expecting}, before or afterwards, whose number may be smaller if elements
     * repeat: an insertion of an element that was already inserted in the present generation sets
     * no bit.
     *
     * @throws IllegalStateException if the shape was set
     */
    public Builder<S> window(long insertions) {
      Arguments.checkAtLeast(1, insertions, "window");
      return planned(expectedInsertions > 0, expectedInsertions, fpp, 0, insertions);
    }

    /** Sets the size if {@link #expecting} was called, and then the arguments. */
    private Builder<S> planned(
        boolean isSized, long insertions, double rate, long millis, long lastInsertions) {
      options.requireNoShape("expecting(...) and window(...)");
      if (isSized) {
        AgingShape size =
            millis == 0
                ? AgingShape.of(insertions, rate)
                : AgingShape.of(Duration.ofMillis(millis), insertions, rate);
        options.setSize(
            lastInsertions == 0 ? size : size.withWindow(lastInsertions),
            new FilterPlan(insertions, rate));
        generationMillis = millis == 0 ? 0 : size.generationMillis(millis);
      }
      expectedInsertions = insertions;
      fpp = rate;
      windowMillis = millis;
      windowInsertions = lastInsertions;
      return this;
    }

    /**
     * Sets the shape of a filter by count. Keeps the plan.
     *
     * @throws IllegalStateException if {@link #expecting} or {@code window} was called
     */
    public Builder<S> shape(AgingShape shape) {
      return shaped(shape, 0);
    }

    /**
     * Sets the shape of a filter by time, and the duration of a generation, which is rounded up to
     * milliseconds, from 1 to 2<sup>63</sup> − 1. Keeps the plan.
     *
     * @throws IllegalStateException if {@link #expecting} or {@code window} was called
     */
    public Builder<S> shape(AgingShape shape, Duration generation) {
      return shaped(shape, AgingShape.millisOf(generation, "generation"));
    }

    private Builder<S> shaped(AgingShape shape, long millis) {
      if (hasWindow()) {
        throw new IllegalStateException(
            "window(...) needs expecting(insertions, fpp), not shape(...)");
      }
      options.setShape(shape);
      generationMillis = millis;
      return this;
    }

    private boolean hasWindow() {
      return windowMillis != 0 || windowInsertions != 0;
    }

    /**
     * Sets the plan of a filter whose {@code shape} is set: the insertions per window and the rate.
     *
     * @throws IllegalStateException if {@link #expecting} was called, which sets the plan
     */
    public Builder<S> plan(FilterPlan plan) {
      return options.setPlan(plan);
    }

    /** Sets the clock of a filter by time, {@link InstantSource#system()} by default. */
    public Builder<S> clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    /** Makes the filter concurrent; see {@link AgingBloomFilter}. Requires a thread-safe clock. */
    public Builder<S> concurrent() {
      return options.setConcurrent();
    }

    /**
     * Returns {@link AgingBloomFilter#memoryBytes} of a filter of this size. Allocates no filter.
     */
    public long memoryBytes() {
      return (long) AgingSlices.wordCount(generations().shape) * Long.BYTES;
    }

    /** Returns an empty filter. The first generation of a filter by time begins now. */
    public <T extends S> AgingBloomFilter<T> build() {
      return filter(AgingSlices.empty(generations(), options.isConcurrent()));
    }

    /** Returns a filter with a copy of given bits and a given cycle; see the package comment. */
    public <T extends S> AgingBloomFilter<T> buildFrom(long[] words, Cycle cycle) {
      return filter(AgingFile.slicesOf(generations(), options.isConcurrent(), words, cycle));
    }

    /**
     * Reads a filter from a stream; see {@link io.bloomkit.scalable.aging}. A filter by time
     * continues with the clock of this builder.
     *
     * @throws FilterFormatException if damaged, or a filter of another kind, strategy or size
     * @throws IOException if the stream fails
     */
    public <T extends S> AgingBloomFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /** Reads a filter from a file with nothing else in it, like {@link #readFrom(InputStream)}. */
    public <T extends S> AgingBloomFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /** Reads a filter from bytes that contain nothing else, like {@link #readFrom(InputStream)}. */
    public <T extends S> AgingBloomFilter<T> fromBytes(byte[] bytes) throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    <T extends S> AgingBloomFilter<T> read(FilterReader reader) throws IOException {
      if (hasWindow()) {
        options.requireSize();
      }
      return AgingFile.read(reader, options, generationMillis, clock);
    }

    private <T extends S> AgingBloomFilter<T> filter(AgingSlices slices) {
      return new AgingBloomFilter<>(options.strategy(), options.plan(), slices);
    }

    private GenerationClock generations() {
      return new GenerationClock(options.requireSize(), clock, generationMillis);
    }
  }
}
