package io.bloomkit.scalable.aging;

import io.bloomkit.BloomFormulas;
import io.bloomkit.LayeredFormulas;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.SectionReader;
import io.bloomkit.format.SectionRole;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
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
 * A Bloom filter that remembers a window and forgets what is older, in memory that is fixed when it
 * is made: the age-partitioned Bloom filter (A. Shtul, C. Baquero, P. Almeida, <i>Age-partitioned
 * Bloom filters</i>, 2020, arXiv 2001.03147).
 *
 * <pre>{@code
 * AgingBloomFilter<UUID> recent =
 *     AgingBloomFilter.builder(HashStrategies.uuids()).rememberingLast(1_000_000, 0.001).build();
 * if (recent.add(click)) {
 *   // not among the last million, but for one new click in a thousand that is taken for a repeat
 * }
 * }</pre>
 *
 * <p>It is a ring of k + l slices of bits, from the youngest to the oldest. An addition sets one
 * bit in each of the k youngest; an element is claimed if its bits are set in k slices in a row.
 * When a generation is over, the oldest slice is cleared and becomes the youngest: all others are
 * one older. An element therefore keeps its k slices for l generations after its own, and this is
 * the window; then it loses one slice a generation.
 *
 * <p><b>What is certain.</b> An element that was added within the window is claimed, always. By
 * count, the window is at least the last N additions, repeats included. By time, it is a {@link
 * Duration} by an {@link InstantSource}; what was added is claimed until the window is over,
 * however much is added. Adding an element again refreshes its age.
 *
 * <p><b>What is likely.</b> An element that was never added is claimed with at most the probability
 * asked for at the end of a generation of distinct elements, less before. By time this holds while
 * no generation has more additions than planned, an l-th of those of the window; above that {@link
 * #expectedFpp()} rises, and nothing else happens. What has left the window by j generations, of l
 * in the window, needs luck in j slices: made for 1 % it is still claimed with probability 40 %, 16
 * %, 7 %, 3 %, 2 % after one to five generations of a thirteenth of the window, and after k = 7 as
 * rarely as one never added.
 *
 * <p><b>Cost.</b> About 21 bits an addition of the window at 1 %, 28 at 0.1 %: twice those of a
 * filter that never forgets. Adding touches k cache lines beyond those of the query; a query about
 * k for an element of the last generations, four for an absent one at 1 % and five at 0.1 %. The
 * end of a generation clears one slice, a part in k + l of the memory, in one go; by time, an
 * addition after a pause of several generations clears as many slices, at most all. No operation
 * allocates but the bulk ones that take elements, {@link #copy} and the accessors.
 *
 * <p>It is no {@link io.bloomkit.InsertableFilter}, although it has the same operations: that
 * interface promises that what was added stays, and here an addition makes the filter forget.
 *
 * <p><b>Threads.</b> For one thread, or many readers of a filter that is handed over safely and to
 * which nothing is added any more. A query changes nothing, by time neither: slices that are due to
 * be cleared are passed over until the next addition clears them.
 *
 * @param <T> the type of the elements
 */
public final class AgingBloomFilter<T> implements StorableFilter<T> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND = new AgingKind();

  private static final int BITS_PER_WORD_LOG_2 = 6;

  private final HashStrategy<? super T> strategy;
  private final StrategyIdentity strategyIdentity;
  private final AgingShape shape;

  /** Null in a filter by count. */
  private final @Nullable InstantSource clock;

  /** How long a generation takes; 0 in a filter by count. */
  private final long generationMillis;

  private final int hashes;
  private final int slices;
  private final long slicePositions;
  private final int sliceWords;

  /** Slice i of the ring takes the i-th position of an element; this is the factor to reach it. */
  private final long[] leaps;

  /**
   * The slices of the ring one after another. A slice lies in one piece, so that clearing it is one
   * pass over its own lines: with the slices interleaved an addition would touch fewer lines, but
   * every line of the filter would have to be written when a generation ends.
   */
  private final long[] words;

  /** How many bits of each slice of the ring are set. */
  private final long[] setPositions;

  /** The youngest slice; from here upwards, and round, they get older. */
  private int youngest;

  private long generation;
  private long generationAdditions;
  private long generationStart;

  private AgingBloomFilter(
      HashStrategy<? super T> strategy,
      StrategyIdentity strategyIdentity,
      AgingShape shape,
      @Nullable InstantSource clock,
      long generationMillis,
      long[] words,
      Cycle cycle) {
    this.strategy = strategy;
    this.strategyIdentity = strategyIdentity;
    this.shape = shape;
    this.clock = clock;
    this.generationMillis = generationMillis;
    this.hashes = shape.hashes();
    this.slices = shape.slices();
    this.slicePositions = shape.slicePositions();
    this.sliceWords = (int) (slicePositions >>> BITS_PER_WORD_LOG_2);
    this.leaps = new long[slices];
    this.words = words;
    this.setPositions = new long[slices];
    for (int i = 0; i < slices; i++) {
      leaps[i] = IndexDerivation.leap(i);
    }
    for (int i = 0; i < words.length; i++) {
      setPositions[i / sliceWords] += Long.bitCount(words[i]);
    }
    this.generation = cycle.generation();
    this.generationAdditions = cycle.additions();
    this.generationStart = cycle.startMillis();
    this.youngest = (int) Math.floorMod(-generation, (long) slices);
  }

  /**
   * Returns an empty filter that remembers the last additions.
   *
   * @param strategy turns elements into hashes
   * @param lastAdditions how many of the last additions are certain to be claimed, at least 1
   * @param fpp the probability that an element never added is claimed, between 0 and 1, both
   *     excluded
   * @throws IllegalArgumentException if an argument is missing or out of its range, or the filter
   *     would be larger than one array
   */
  public static <T> AgingBloomFilter<T> create(
      HashStrategy<? super T> strategy, long lastAdditions, double fpp) {
    return AgingBloomFilter.builder(strategy).rememberingLast(lastAdditions, fpp).build();
  }

  /**
   * Returns a builder, for everything that {@link #create} does not offer: windows of time above
   * all.
   *
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /**
   * Reads a filter for one writer from a stream, and not a byte more, so that several may follow
   * each other. A filter by time goes on by {@link InstantSource#system()}; {@link
   * Builder#readFrom(InputStream)} takes another clock.
   *
   * @param in needs no buffer
   * @param strategy the one that the filter was filled by: same id, same fingerprint
   * @throws FilterFormatException if what comes is damaged, cut off, no filter of this kind, or was
   *     filled by another strategy
   * @throws IOException if the stream fails
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <T> AgingBloomFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException {
    return AgingBloomFilter.builder(strategy).readFrom(in);
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
  public static <T> AgingBloomFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return AgingBloomFilter.builder(strategy).readFrom(file);
  }

  /**
   * Reads a filter for one writer from what {@link #toBytes} gave.
   *
   * @param strategy see {@link #readFrom(InputStream, HashStrategy)}
   * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was filled
   *     by another strategy
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
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
    return isClaimed(IndexDerivation.start(hash), slices - dueSlices());
  }

  private boolean isClaimed(long start, int ages) {
    return isClaimed(start, ages, hashes - 1, -1);
  }

  /**
   * Whether k consecutive slices hit, of those below an age. A slice that misses rules out every
   * run of k through it, so the next to ask is the last of the youngest run that is left: down from
   * there until a slice misses or those known to hit are met.
   *
   * @param start the state of the element
   * @param ages how many slices there are to ask
   * @param oldest the last slice of the youngest run that is possible
   * @param known down from here, all slices of that run are known to hit
   */
  private boolean isClaimed(long start, int ages, int oldest, int known) {
    while (oldest < ages) {
      int age = oldest;
      while (age > known && hits(start, age)) {
        age--;
      }
      if (age == known) {
        return true;
      }
      known = oldest;
      oldest = age + hashes;
    }
    return false;
  }

  private boolean hits(long start, int age) {
    int slice = youngest + age;
    if (slice >= slices) {
      slice -= slices;
    }
    long position = IndexDerivation.position(start * leaps[slice], slicePositions);
    return (words[wordOf(slice, position)] >>> position & 1) != 0;
  }

  /**
   * Adds an element, or refreshes its age. Time that runs backwards is treated as now: an addition
   * is never older than the one before it.
   *
   * @return true exactly if the filter did not claim the element before: false for every element
   *     within the window, true for one never added unless it was a false positive
   * @throws NullPointerException if the element is null; nothing has changed then
   */
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  /** Equivalent to {@link #add} of an element whose {@linkplain HashStrategy#hash hash} this is. */
  public boolean addHash(long hash) {
    long start = IndexDerivation.start(hash);
    if (clock == null) {
      // A generation ends with the addition after its last: the window is that of the moment
      // before.
      return generationAdditions < shape.generationAdditions()
          ? !isClaimedThenSet(start)
          : addToNewGeneration(start, 1, 0);
    }
    long now = clock.millis();
    int due = dueSlices(now);
    return due == 0 ? !isClaimedThenSet(start) : addToNewGeneration(start, due, now);
  }

  private boolean addToNewGeneration(long start, int due, long now) {
    boolean claimed = isClaimed(start, clock == null ? slices : slices - due);
    if (due == slices) {
      clearAt(now);
    } else {
      for (int i = 0; i < due; i++) {
        beginGeneration();
      }
      generationStart += due * generationMillis;
    }
    isClaimedThenSet(start);
    return !claimed;
  }

  /**
   * Sets the positions of an element and returns whether it was claimed before. The active slices
   * are asked and set in one go without a branch; the others need only be asked if one of these
   * missed, beginning with the run after the oldest miss.
   */
  private boolean isClaimedThenSet(long start) {
    int slice = youngest;
    long misses = 0; // bit i for age i
    for (int age = 0; age < hashes; age++) {
      long position = IndexDerivation.position(start * leaps[slice], slicePositions);
      int word = wordOf(slice, position);
      long before = words[word];
      words[word] = before | 1L << position;
      long missed = ~before >>> position & 1;
      setPositions[slice] += missed;
      misses |= missed << age;
      slice++;
      if (slice == slices) {
        slice = 0;
      }
    }
    generationAdditions++;
    if (misses == 0) {
      return true;
    }
    int oldestMiss = Long.SIZE - 1 - Long.numberOfLeadingZeros(misses);
    return isClaimed(start, slices, oldestMiss + hashes, hashes - 1);
  }

  /** How many slices a shift would have cleared by now: none by count. */
  private int dueSlices() {
    return clock == null ? 0 : dueSlices(clock.millis());
  }

  private int dueSlices(long now) {
    if (now <= generationStart) {
      return 0; // time that runs backwards stands still
    }
    long elapsed = now - generationStart;
    if (elapsed >= 0 && elapsed < generationMillis) {
      return 0;
    }
    // Negative after an overflow: longer than any window.
    return elapsed < 0 ? slices : (int) Math.min(slices, elapsed / generationMillis);
  }

  private void beginGeneration() {
    youngest = youngest == 0 ? slices - 1 : youngest - 1;
    int from = youngest * sliceWords;
    Arrays.fill(words, from, from + sliceWords, 0);
    setPositions[youngest] = 0;
    generation++;
    generationAdditions = 0;
  }

  /**
   * Adds many elements: equivalent to {@link #add} of one after another.
   *
   * @param elements iterated once; their hashes take some sixteen bytes each while the call lasts
   * @return how many of these additions returned true
   * @throws NullPointerException if an element is null; nothing has been added then
   */
  public long addAll(Iterable<? extends T> elements) {
    return addHashes(strategy.hashAll(elements));
  }

  /**
   * Adds many hashes: equivalent to {@link #addHash} of one after another.
   *
   * @return how many of these additions returned true
   */
  public long addHashes(long[] hashes) {
    return addHashes(hashes, 0, hashes.length);
  }

  /**
   * Adds the hashes from {@code offset} to {@code offset + length - 1}: equivalent to {@link
   * #addHash} of one after another.
   *
   * @return how many of these additions returned true
   * @throws IndexOutOfBoundsException if the range does not lie within the array
   */
  public long addHashes(long[] hashes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, hashes.length);
    long added = 0;
    for (int i = offset; i < offset + length; i++) {
      added += addHash(hashes[i]) ? 1 : 0;
    }
    return added;
  }

  /**
   * Forgets everything: afterwards the filter is as one made now, also by a clock that is behind
   * what it was.
   */
  public void clear() {
    clearAt(clock == null ? 0 : clock.millis());
  }

  private void clearAt(long start) {
    Arrays.fill(words, 0);
    Arrays.fill(setPositions, 0);
    youngest = 0;
    generation = 0;
    generationAdditions = 0;
    generationStart = start;
  }

  /**
   * Returns a filter of its own with the same contents, at the same moment of its cycle and by the
   * same clock.
   */
  public AgingBloomFilter<T> copy() {
    return new AgingBloomFilter<>(
        strategy, strategyIdentity, shape, clock, generationMillis, words.clone(), cycle());
  }

  /**
   * Returns the probability that an element which was never added is claimed now: {@link
   * LayeredFormulas#agePartitionedFpp} of the present fill of every slice. Costs some (k + l) · k
   * steps. It swings with the generations: by a tenth at 1 %, by a quarter at 10 %.
   */
  @Override
  public double expectedFpp() {
    int ages = slices - dueSlices();
    double[] fillRatios = new double[ages];
    for (int age = 0; age < ages; age++) {
      fillRatios[age] = (double) setPositions[sliceOf(age)] / slicePositions;
    }
    return LayeredFormulas.agePartitionedFpp(hashes, fillRatios);
  }

  /**
   * Returns an estimate of how many distinct elements were added in the present generation and the
   * l before it, taken from the fill of slices that share no generation: of age l, l − k, l − 2k
   * and so on. An element that was added in the generations of several of them counts in each; at
   * rates of 10 % and above, where l is at most k, there is but one.
   *
   * @return the estimate, or {@link Long#MAX_VALUE} if a slice is so full that any number would do
   */
  @Override
  public long approximateElementCount() {
    int due = dueSlices();
    double sum = 0;
    for (int age = shape.historicSlices() - due; age >= 0; age -= hashes) {
      sum += BloomFormulas.estimatedElements(setPositions[sliceOf(age)], slicePositions, 1);
    }
    return Math.round(sum);
  }

  /** Returns the bytes of all slices; they never change. */
  @Override
  public long memoryBytes() {
    return (long) words.length * Long.BYTES;
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /** Returns the numbers of slices, positions and additions. */
  public AgingShape shape() {
    return shape;
  }

  /** Returns how long a generation takes, or empty if that is counted in additions. */
  public Optional<Duration> generationDuration() {
    return clock == null ? Optional.empty() : Optional.of(Duration.ofMillis(generationMillis));
  }

  /**
   * Returns how long an element is certain to be claimed: l generations, at least what was asked
   * for; empty if that is counted in additions, {@link AgingShape#windowAdditions()}.
   */
  public Optional<Duration> window() {
    return generationDuration().map(duration -> duration.multipliedBy(shape.historicSlices()));
  }

  /**
   * Returns where in its cycle this filter is. Generations that have passed by time and in which
   * nothing was added are not in it yet.
   */
  public Cycle cycle() {
    return new Cycle(generation, generationAdditions, generationStart);
  }

  /**
   * Returns how many positions of a slice are set.
   *
   * @param age 0 for the youngest, up to k + l − 1; as of the {@link #cycle()}
   * @throws IndexOutOfBoundsException if there is no such slice
   */
  public long setPositions(int age) {
    return setPositions[sliceOf(Objects.checkIndex(age, slices))];
  }

  /**
   * Returns a copy of all bits. Slice i of the ring begins at element i · s / 64, and bit p of it
   * is bit p mod 64 of the element p div 64 from there; in generation j the youngest slice is that
   * of i = −j mod (k + l), and the next one up, and round, is one generation older. An element's
   * position in slice i is its i-th, from 0, by {@link IndexDerivation}. {@link
   * Builder#buildFrom(long[], Cycle)} makes a filter of it again.
   */
  public long[] toLongArray() {
    return words.clone();
  }

  @Override
  public FilterContents contents() {
    return FilterContents.of(
            KIND.variant(),
            strategyIdentity,
            hashes,
            shape.historicSlices(),
            slicePositions,
            shape.generationAdditions(),
            generationMillis,
            generation,
            generationAdditions,
            generationStart)
        .section(SectionRole.WORDS, words)
        .build();
  }

  /**
   * Returns whether an object is an ageing filter with the same strategy, shape and length of a
   * generation, the same bits, and at the same moment of its cycle: two that will answer alike
   * whatever is added. Their clocks are not compared. Costs a pass over all bits.
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof AgingBloomFilter<?> other
        && strategyIdentity.equals(other.strategyIdentity)
        && shape.equals(other.shape)
        && generationMillis == other.generationMillis
        && cycle().equals(other.cycle())
        && Arrays.equals(words, other.words);
  }

  /** Returns a hash code of the contents: it changes with them and costs a pass over all bits. */
  @Override
  public int hashCode() {
    return 31 * Objects.hash(strategyIdentity, shape, generationMillis, cycle())
        + Arrays.hashCode(words);
  }

  /** Returns window, shape, present false-positive probability and strategy, for logs. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "AgingBloomFilter[window=%s, hashes=%d, slices=%d, slicePositions=%d, generation=%d,"
            + " expectedFpp=%.3g, strategy=%s]",
        window().map(Duration::toString).orElse(shape.windowAdditions() + " additions"),
        hashes,
        slices,
        slicePositions,
        generation,
        expectedFpp(),
        strategyIdentity.id());
  }

  /** Says what is impossible about the bits at this moment of the cycle. */
  private Optional<String> fault() {
    return AgingFile.fault(shape, clock == null, cycle(), this::setPositions);
  }

  private long hashOf(T element) {
    return strategy.hash(Objects.requireNonNull(element, "element"));
  }

  private int sliceOf(int age) {
    int slice = youngest + age;
    return slice < slices ? slice : slice - slices;
  }

  private int wordOf(int slice, long position) {
    return slice * sliceWords + (int) (position >>> BITS_PER_WORD_LOG_2);
  }

  /**
   * A moment in the life of an ageing filter.
   *
   * @param generation how many generations were over, from 0 to 2<sup>62</sup>; by time, counted
   *     anew after a pause in which everything was forgotten
   * @param additions how many additions the present generation has had, from 0 to 2<sup>62</sup>;
   *     repeats included
   * @param startMillis by time, when the present generation began, in milliseconds of the clock; by
   *     count 0
   */
  public record Cycle(long generation, long additions, long startMillis) {

    /** So large that no filter counts beyond what a long holds, whatever it was restored from. */
    static final long MAX_COUNT = 1L << 62;

    /**
     * Checks a moment.
     *
     * @throws IllegalArgumentException if a number is out of its range
     */
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
   * Builds ageing filters. Say what they remember by {@link #rememberingLast(long, double)}, {@link
   * #rememberingLast(Duration, long, double)} or a {@link #shape(AgingShape)}; the last call
   * counts.
   *
   * @param <S> the type that the strategy takes; the filters may be of a subtype
   */
  public static final class Builder<S> {

    private final HashStrategy<S> strategy;
    private final StrategyIdentity strategyIdentity;
    private @Nullable AgingShape shape;
    private long generationMillis;
    private InstantSource clock = InstantSource.system();

    private Builder(HashStrategy<S> strategy) {
      this.strategyIdentity = StrategyIdentity.of(strategy);
      this.strategy = strategy;
    }

    /**
     * Remembers the last additions, repeats included; sizes the filter by {@link
     * AgingShape#of(long, double)}.
     *
     * @param additions how many of the last additions are certain to be claimed, at least 1
     * @param fpp the probability that an element never added is claimed, between 0 and 1, both
     *     excluded
     * @return this builder
     * @throws IllegalArgumentException if an argument is out of its range, or the filter would be
     *     larger than one array
     */
    public Builder<S> rememberingLast(long additions, double fpp) {
      return shape(AgingShape.of(additions, fpp));
    }

    /**
     * Remembers the additions of a stretch of time; sizes the filter by {@link
     * AgingShape#of(Duration, long, double)}.
     *
     * @param window how long an addition is certain to be claimed, more than 0; counted in
     *     milliseconds, rounded up
     * @param expectedAdditions how many additions such a stretch has at most, spread evenly, at
     *     least 1; with more, or with bursts, the rate rises, nothing else happens
     * @param fpp the probability that an element never added is claimed, between 0 and 1, both
     *     excluded
     * @return this builder
     * @throws IllegalArgumentException if an argument is out of its range, or the filter would be
     *     larger than one array
     */
    public Builder<S> rememberingLast(Duration window, long expectedAdditions, double fpp) {
      AgingShape sized = AgingShape.of(window, expectedAdditions, fpp);
      shape = sized;
      generationMillis =
          AgingShape.generationMillis(
              AgingShape.millisOf(window, "window"), sized.historicSlices());
      return this;
    }

    /**
     * Sets the shape of a filter by count.
     *
     * @return this builder
     */
    public Builder<S> shape(AgingShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      generationMillis = 0;
      return this;
    }

    /**
     * Sets the shape of a filter by time and how long a generation takes.
     *
     * @param generation more than 0; counted in milliseconds, rounded up
     * @return this builder
     * @throws IllegalArgumentException if the length is out of its range
     */
    public Builder<S> shape(AgingShape shape, Duration generation) {
      Objects.requireNonNull(shape, "shape");
      generationMillis = AgingShape.millisOf(generation, "generation");
      this.shape = shape;
      return this;
    }

    /**
     * Sets what tells the time to a filter by time; {@link InstantSource#system()} by default. It
     * is asked once an operation, for milliseconds. While it is behind the start of the present
     * generation, time stands still for the filter and nothing is forgotten. So an addition while
     * the clock is far ahead forgets what the clock says is too old, and when the clock is set
     * right the rate rises until it is there again, or the filter is {@linkplain
     * AgingBloomFilter#clear cleared}.
     *
     * @return this builder
     */
    public Builder<S> clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    /**
     * Returns the {@linkplain AgingBloomFilter#memoryBytes bytes} of the filter that {@link #build}
     * would make, without making it.
     *
     * @throws IllegalStateException if no size was given
     */
    public long memoryBytes() {
      return (long) wordCount(requireShape()) * Long.BYTES;
    }

    /**
     * Returns an empty filter; by time, its first generation begins now.
     *
     * @throws IllegalStateException if no size was given
     */
    public <T extends S> AgingBloomFilter<T> build() {
      AgingShape size = requireShape();
      long start = generationMillis == 0 ? 0 : clock.millis();
      return filter(size, generationMillis, new long[wordCount(size)], new Cycle(0, 0, start));
    }

    /**
     * Returns a filter with given contents, such as {@link AgingBloomFilter#toLongArray} and {@link
     * AgingBloomFilter#cycle} give.
     *
     * @param words the bits, copied
     * @param cycle where in its cycle the filter was
     * @throws IllegalArgumentException if the number of words is not that of the shape, the cycle
     *     is not one of such a filter, or the bits are not ones that so many additions can have set
     * @throws IllegalStateException if no size was given
     */
    public <T extends S> AgingBloomFilter<T> buildFrom(long[] words, Cycle cycle) {
      AgingShape size = requireShape();
      Objects.requireNonNull(words, "words");
      Objects.requireNonNull(cycle, "cycle");
      if (words.length != wordCount(size)) {
        throw new IllegalArgumentException(
            "words must have "
                + wordCount(size)
                + " elements for "
                + size
                + " but has "
                + words.length);
      }
      boolean byCount = generationMillis == 0;
      if (byCount && (cycle.additions() > size.generationAdditions() || cycle.startMillis() != 0)) {
        throw new IllegalArgumentException(
            "cycle must have at most "
                + size.generationAdditions()
                + " additions and start at 0 in a filter by count but is "
                + cycle);
      }
      AgingBloomFilter<T> filter = filter(size, generationMillis, words.clone(), cycle);
      filter
          .fault()
          .ifPresent(
              fault -> {
                throw new IllegalArgumentException("words must fit " + cycle + ": " + fault);
              });
      return filter;
    }

    /**
     * Reads a filter from a stream, and not a byte more. One by time goes on by the {@link #clock}
     * of this builder. If a size was given, it must be that of the filter.
     *
     * @param in needs no buffer
     * @throws FilterFormatException if what comes is damaged, cut off, no filter of this kind, or
     *     was filled by another strategy
     * @throws IOException if the stream fails
     */
    public <T extends S> AgingBloomFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /**
     * Reads a filter from a file that holds nothing else; see {@link #readFrom(InputStream)}.
     *
     * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was
     *     filled by another strategy
     * @throws IOException if the file cannot be read
     */
    public <T extends S> AgingBloomFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /**
     * Reads a filter from what {@link AgingBloomFilter#toBytes} gave; see {@link
     * #readFrom(InputStream)}.
     *
     * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was
     *     filled by another strategy
     */
    public <T extends S> AgingBloomFilter<T> fromBytes(byte[] bytes) throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    <T extends S> AgingBloomFilter<T> read(FilterReader reader) throws IOException {
      reader.require(KIND.variant(), strategyIdentity, 8);
      AgingShape size = AgingFile.readShape(reader);
      long millis = AgingFile.readGenerationMillis(reader);
      if (shape != null && !(shape.equals(size) && generationMillis == millis)) {
        throw reader.wrongField(
            0,
            String.format(
                Locale.ROOT,
                "the filter must have %s and generations of %d ms (0: by count) but has %s and %d",
                shape,
                generationMillis,
                size,
                millis));
      }
      Cycle cycle = AgingFile.readCycle(reader, size, millis);
      SectionReader section = reader.section(SectionRole.WORDS, wordCount(size));
      long[] words = new long[wordCount(size)]; // as large as was received
      section.readInto(words, 0, words.length);
      AgingBloomFilter<T> filter = filter(size, millis, words, cycle);
      Optional<String> fault = filter.fault();
      if (fault.isPresent()) {
        throw reader.wrongSection(fault.get());
      }
      return filter;
    }

    private <T extends S> AgingBloomFilter<T> filter(
        AgingShape size, long millis, long[] words, Cycle cycle) {
      InstantSource source = millis == 0 ? null : clock;
      return new AgingBloomFilter<>(strategy, strategyIdentity, size, source, millis, words, cycle);
    }

    private AgingShape requireShape() {
      if (shape == null) {
        throw new IllegalStateException(
            "the filter has no size: call rememberingLast(...) or shape(...) first");
      }
      return shape;
    }

    private static int wordCount(AgingShape shape) {
      return (int) (shape.positions() >>> BITS_PER_WORD_LOG_2);
    }
  }
}
