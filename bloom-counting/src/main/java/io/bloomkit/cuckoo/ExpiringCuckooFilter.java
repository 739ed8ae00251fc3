package io.bloomkit.cuckoo;

import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.bloomkit.MergeableFilter;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.PrefersLargeBatches;
import io.bloomkit.internal.filter.BuilderOptions;
import io.bloomkit.internal.filter.TypedKind;
import io.bloomkit.internal.format.ExpiringUpdates;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.Variant;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter that forgets each element after its time to live, or after a number of insertions: a set
 * of fingerprints with expiry times in cuckoo tables.
 *
 * <pre>{@code
 * ExpiringCuckooFilter<String> seen =
 *     ExpiringCuckooFilter.create(HashStrategies.utf8(), 10_000_000, 0.01, Duration.ofHours(1));
 * if (seen.add(messageId)) {
 *   // not seen within the last hour; up to 1 % of new messages are missed
 * }
 * }</pre>
 *
 * <p><b>Time to live.</b> The query of an element is positive for the time to live after its
 * addition. Time is divided into epochs of a fifteenth of the filter's time to live, rounded up to
 * milliseconds, and an element expires at the end of an epoch: less than two epochs after its time
 * to live, and at most one if the time to live is a multiple of fifteen milliseconds. Adding an
 * element again defers its expiry if it would otherwise expire earlier. An addition never moves an
 * expiry back, since another element may have the same fingerprint.
 *
 * <p><b>A window of insertions.</b> With {@link Builder#window}, an element is forgotten after a
 * number of insertions instead of a time. Each addition is an insertion, also that of an element
 * that is present; removals and merges are none. The query of an element is positive if the element
 * is among the last {@code window} insertions. An epoch is a fifteenth of the window, rounded up.
 * An element is forgotten at most one epoch later if the window is a multiple of fifteen, and less
 * than two epochs later otherwise. The number of planned elements is that of distinct elements in
 * the window. The filter reads no clock.
 *
 * <p><b>Memory.</b> Each live element takes one table entry, however often it was added. Tables
 * grow and shrink one at a time with the number of live elements. At a false-positive rate of 1 %
 * and the planned number of elements per time to live, the filter takes 16 bits per element. An
 * update removes the expired elements of its table first. After 64 updates of a table, one more
 * table is swept, so memory follows the traffic; {@link #expire} sweeps all tables at once. After
 * more traffic than planned, the filter takes up to a tenth more than before.
 *
 * <p><b>The false-positive rate</b> is the number of live fingerprints divided by F, the number of
 * possible fingerprints: about planned elements · 16/15 / fpp, or more if the window is short and
 * no multiple of fifteen. Expired elements do not count, even if their entries still exist. With
 * more elements than planned, insertions still succeed, but the rate rises in proportion; see
 * {@link #isOverfull}. Two elements share a fingerprint with probability 1/F, and the filter then
 * treats them as one.
 *
 * <p><b>Clock.</b> An addition or removal reads the clock once, in milliseconds; a query reads it
 * if it finds the fingerprint. Bulk operations read it once, which makes them faster. The present
 * epoch never goes back: if the clock is set back, the filter's time stands still until the clock
 * reaches it again, so elements live longer. If the clock is set forward by mistake, elements
 * expire too early; {@link #clear} restarts the filter at the time of the clock. For times that are
 * in the data, build and read it with a clock that stands still, {@code
 * InstantSource.fixed(Instant.MIN)}, and use {@link #advanceTo}. If the clock throws, the operation
 * throws the same exception and changes nothing.
 *
 * <p><b>Remove only what was added.</b> With probability {@link #expectedFpp}, an absent element is
 * a false positive. Removing it then removes the element with the same fingerprint. The same
 * happens, with probability 1/F per pair, if two live elements share a fingerprint and one of them
 * is removed.
 *
 * <p><b>Hostile input.</b> If an adversary may choose elements, use a keyed strategy; see {@link
 * DynamicCuckooFilter}.
 *
 * <p><b>Threads.</b> A filter is thread-safe if its clock is: it accepts additions, removals and
 * queries from any number of threads. Additions and removals lock the table of the element. A query
 * takes this lock only if updates of the table interfere with eight reads in a row. Guarantees,
 * provided no element is removed that shares its fingerprint:
 *
 * <ol>
 *   <li>A query returns true if an addition of the element with time to live d happened before the
 *       query, no removal of the element or {@code clear} began after that addition, and no
 *       operation has read a time later than t + d from the clock, where t is the time at which the
 *       addition began. In a window of insertions, instead of a time: and fewer than {@code window}
 *       other additions began before the query ended, not counting those that happened before the
 *       addition.
 *   <li>Of several threads that add the same absent element at the same time, exactly one {@code
 *       add} returns true, unless the element expires or is removed meanwhile.
 * </ol>
 *
 * <p><b>Deltas</b> are between the contents at the time of the call, and elements expire in a base
 * too. So keep the base as the bytes of its file, and read it by a builder whose clock stands
 * still, for {@code Delta.between} as for {@code apply}; docs/forgetting.md has an example.
 *
 * <p>Copying, comparing, writing to a file and being the argument of {@code merge} may run at any
 * time. They work on a copy with every update that happened before the call, and each other one as
 * a whole or not at all. {@link #merge} into the filter and {@link #clear} must not run
 * concurrently with other uses; a happens-before edge from earlier writes is required.
 *
 * <p>Every method except {@code equals} throws {@link NullPointerException} if an argument is null.
 *
 * <p>Source: B. Fan et al., <i>Cuckoo filter: practically better than Bloom</i>, CoNEXT 2014, for
 * the tables; see the package comment. The expiry times are our own design.
 *
 * @param <T> the type of the elements
 */
@SuppressWarnings("exports") // FilterContents and ExpiringUpdates are not for users
public final class ExpiringCuckooFilter<T>
    implements InsertableFilter<T>,
        MergeableFilter<ExpiringCuckooFilter<?>>,
        StorableFilter<T>,
        FilterContents.Source,
        ExpiringUpdates.Source,
        PrefersLargeBatches {

  /**
   * Describes this kind of filter to tools that work with every kind. Filters that it creates have
   * a time to live of one hour and read the system's clock.
   */
  public static final FilterKind KIND =
      new TypedKind<ExpiringCuckooFilter<Object>>(
          Variant.EXPIRING_CUCKOO,
          "expiring-cuckoo",
          ExpiringCuckooFilter.class,
          Set.of(
              FilterKind.Trait.CONCURRENT,
              FilterKind.Trait.COMPARABLE,
              FilterKind.Trait.ELASTIC,
              FilterKind.Trait.EXPIRING),
          ExpiringCuckooFilter::planned,
          ExpiringCuckooFilter::layout,
          ExpiringCuckooFilter::createOfKind,
          ExpiringCuckooFilter::read);

  private static final Duration TIME_TO_LIVE_OF_KIND = Duration.ofHours(1);

  private final HashStrategy<? super T> strategy;
  private final StrategyIdentity strategyIdentity;
  private final ExpiringSize size;
  private final Optional<FilterPlan> plan;
  private final ExpiringFingerprints fingerprints;

  private ExpiringCuckooFilter(
      HashStrategy<? super T> strategy,
      StrategyIdentity strategyIdentity,
      ExpiringSize size,
      Optional<FilterPlan> plan,
      ExpiringFingerprints fingerprints) {
    this.strategy = strategy;
    this.strategyIdentity = strategyIdentity;
    this.size = size;
    this.plan = plan;
    this.fingerprints = fingerprints;
  }

  /**
   * Returns an empty filter that reads the system's clock.
   *
   * @param expected the number of distinct elements that are added per time to live, at least 0; 0
   *     is planned as 1. If there are more, the filter takes more memory and the false-positive
   *     rate is higher.
   * @param fpp the false-positive rate with that number of elements, in (0, 1)
   * @param timeToLive how long elements are remembered after they were added, above 0 and at most
   *     2<sup>60</sup> milliseconds; rounded up to milliseconds
   * @throws IllegalArgumentException if an argument is out of its range, or {@code expected / fpp}
   *     is above 2<sup>55</sup>
   */
  public static <T> ExpiringCuckooFilter<T> create(
      HashStrategy<? super T> strategy, long expected, double fpp, Duration timeToLive) {
    return ExpiringCuckooFilter.builder(strategy)
        .expecting(expected, fpp)
        .expireAfterAdd(timeToLive)
        .build();
  }

  private static <T> ExpiringCuckooFilter<T> createOfKind(
      HashStrategy<? super T> strategy, long expected, double fpp) {
    return create(strategy, expected, fpp, TIME_TO_LIVE_OF_KIND);
  }

  /** Returns a builder, for options that {@code create} does not have. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a filter by {@link Builder#readFrom(InputStream)}, with the system's clock. */
  public static <T> ExpiringCuckooFilter<T> readFrom(
      InputStream in, HashStrategy<? super T> strategy) throws IOException {
    return ExpiringCuckooFilter.builder(strategy).readFrom(in);
  }

  /** Reads a filter by {@link Builder#readFrom(Path)}, with the system's clock. */
  public static <T> ExpiringCuckooFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return ExpiringCuckooFilter.builder(strategy).readFrom(file);
  }

  /** Reads a filter by {@link Builder#fromBytes(byte[])}, with the system's clock. */
  public static <T> ExpiringCuckooFilter<T> fromBytes(
      byte[] bytes, HashStrategy<? super T> strategy) throws FilterFormatException {
    return ExpiringCuckooFilter.builder(strategy).fromBytes(bytes);
  }

  private static <T> ExpiringCuckooFilter<T> read(
      FilterReader reader, HashStrategy<? super T> strategy) throws IOException {
    return ExpiringCuckooFilter.builder(strategy).read(reader);
  }

  private static TablesLayout planned(long expected, double fpp) {
    ExpiringSize size = ExpiringSize.of(expected, fpp, TIME_TO_LIVE_OF_KIND.toMillis(), false);
    return TablesLayout.planned(
        size.unexpiring(), size.tables(TableSizes.SECRET).memoryBytes(expected));
  }

  private TablesLayout layout() {
    return TablesLayout.of(size.unexpiring(), memoryBytes(), liveFingerprints());
  }

  /**
   * Returns whether an element may have been added within its time to live: always true if it was,
   * and possibly true by chance if it was not.
   */
  @Override
  public boolean mightContain(T element) {
    return mightContainHash(hashOf(element));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return fingerprints.containsHash(hash);
  }

  /** {@inheritDoc} In this class, reads the clock once. */
  @Override
  public int mightContainHashes(long[] hashes, int offset, int length, boolean[] answers) {
    Arguments.checkQuery(hashes, offset, length, answers);
    return fingerprints.containsAll(hashes, offset, length, answers);
  }

  /**
   * Adds an element for the filter's {@linkplain #timeToLive time to live} or {@linkplain #window
   * window}, or defers its expiry.
   *
   * @return true exactly if a query of the element would have been negative before
   * @throws OutOfMemoryError if a larger table cannot be allocated; no element is lost then
   */
  @Override
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  /**
   * Adds an element for a given time to live, or defers its expiry to then. If the element would
   * expire later anyway, its expiry remains.
   *
   * @param timeToLive above 0 and at most the filter's {@linkplain #timeToLive time to live};
   *     rounded up to epochs
   * @return true exactly if a query of the element would have been negative before
   * @throws IllegalArgumentException if the time to live is out of its range; nothing is changed
   * @throws IllegalStateException if the window is of insertions; nothing is changed
   */
  public boolean add(T element, Duration timeToLive) {
    return addHash(hashOf(element), timeToLive);
  }

  /** Equivalent to {@link #add} of an element with a given {@linkplain HashStrategy#hash hash}. */
  @Override
  public boolean addHash(long hash) {
    return fingerprints.addHash(hash, size.epochs(size.window()));
  }

  /** Equivalent to {@link #add(Object, Duration)} of an element with a given hash. */
  public boolean addHash(long hash, Duration timeToLive) {
    long millis = ExpiringSize.millisOf(timeToLive);
    requireTime("an addition with a time to live");
    if (millis > size.window()) {
      throw new IllegalArgumentException(
          "timeToLive must be at most that of the filter, "
              + Duration.ofMillis(size.window())
              + ", got "
              + timeToLive);
    }
    return fingerprints.addHash(hash, size.epochs(millis));
  }

  /**
   * {@inheritDoc}
   *
   * <p>In this class, reads the clock once, so all times to live begin with the call, and the
   * answers are as of the time that was read. Of a batch of at least 4096 hashes, and a thousandth
   * of the number of fingerprints, each table is changed at once. During the call, that takes 9
   * bytes of memory per hash.
   *
   * @throws OutOfMemoryError if memory runs out; the elements that were absent are removed again,
   *     and others may live longer
   */
  @Override
  public long addHashes(long[] hashes, int offset, int length, boolean @Nullable [] wasNew) {
    Arguments.checkBatch(hashes, offset, length, wasNew);
    return fingerprints.addHashes(hashes, offset, length, size.epochs(size.window()), wasNew);
  }

  /**
   * Removes an element, however often it was added.
   *
   * @return true exactly if a query of the element would have been positive before
   */
  public boolean remove(T element) {
    return removeHash(hashOf(element));
  }

  /** Equivalent to {@link #remove} of an element with a given hash. */
  public boolean removeHash(long hash) {
    return fingerprints.removeHash(hash);
  }

  /**
   * Returns how long queries of an element remain positive if it is not added again: the time from
   * that of the clock, or from that of this filter if the clock was set back, to the end of an
   * epoch, in milliseconds; {@link Duration#ZERO} if a query would be negative.
   *
   * @throws IllegalStateException if the window is of insertions
   */
  public Duration expiresIn(T element) {
    return hashExpiresIn(hashOf(element));
  }

  /** Equivalent to {@link #expiresIn} of an element with a given hash. */
  public Duration hashExpiresIn(long hash) {
    requireTime("expiresIn");
    return Duration.ofMillis(fingerprints.remaining(hash));
  }

  /**
   * Removes the entries of expired elements from all tables, so they take no memory. No result of
   * other methods but {@link #memoryBytes} depends on it. Costs a pass over the tables, about a
   * nanosecond per entry; may run concurrently with all methods that are thread-safe.
   */
  public void expire() {
    fingerprints.sweepAll();
  }

  /**
   * Sets the time of this filter to an instant, unless its time is later already, and whatever the
   * clock says. Elements that have expired by then are forgotten.
   *
   * @throws IllegalStateException if the window is of insertions
   */
  public void advanceTo(Instant instant) {
    requireTime("advanceTo").advanceTo(Objects.requireNonNull(instant, "instant"));
  }

  /**
   * Returns the time of this filter: the beginning of its present epoch. It is at most an epoch
   * before the latest time of its clock, of {@link #advanceTo}, or of the filter that was read,
   * since the last {@link #clear}.
   *
   * @throws IllegalStateException if the window is of insertions
   */
  public Instant time() {
    TimeClock clock = requireTime("time");
    return Instant.ofEpochMilli(clock.now() * clock.epochLength);
  }

  private TimeClock requireTime(String operation) {
    if (fingerprints.clock instanceof TimeClock clock) {
      return clock;
    }
    throw new IllegalStateException(
        operation
            + " needs a filter built with expireAfterAdd(...), but the window of this one is "
            + size.window()
            + " insertions");
  }

  /** Returns true. */
  @Override
  public boolean isConcurrent() {
    return true;
  }

  /** Forgets all elements. Afterwards the filter is like a filter that is created now. */
  @Override
  public void clear() {
    fingerprints.clear();
  }

  /**
   * Returns whether another filter has the same class, strategy, F and epoch length, and both have
   * a window of time or both one of insertions.
   */
  @Override
  public boolean isCompatible(MembershipFilter<?> other) {
    return Objects.requireNonNull(other, "other") instanceof ExpiringCuckooFilter<?> filter
        && strategyIdentity.equals(filter.strategyIdentity)
        && size.fingerprints() == filter.size.fingerprints()
        && size.isOfInsertions() == filter.size.isOfInsertions()
        && size.epochLength() == filter.size.epochLength();
  }

  /**
   * Adds all live elements of another filter, with their expiry times. If an element is in both
   * filters, the later time remains. If the time of the other filter is later, it becomes that of
   * this filter.
   *
   * <p>With windows of insertions, ages remain: each element expires after at least as many further
   * insertions as without the merge, and less than an epoch more. The insertions of the other
   * filter are not counted, unless this filter has had none.
   *
   * @throws IllegalArgumentException if the other filter is incompatible; nothing is changed
   */
  @Override
  public void merge(ExpiringCuckooFilter<?> other) {
    mergeAll(List.of(Objects.requireNonNull(other, "other")));
  }

  /**
   * Does the same as {@link #merge} with one filter after another. It is faster, because it copies
   * the tables of this filter once.
   *
   * @throws IllegalArgumentException if one of the filters is incompatible; nothing is changed
   */
  public void mergeAll(List<? extends ExpiringCuckooFilter<?>> others) {
    Objects.requireNonNull(others, "others");
    List<ExpiringFingerprints> added = new ArrayList<>();
    for (ExpiringCuckooFilter<?> other : others) {
      if (!isCompatible(other)) {
        throw new IllegalArgumentException(
            "cannot merge: this is "
                + this
                + ", other is "
                + other
                + "; build both with the same strategy, expected number, rate and time to live");
      }
      added.add(other.fingerprints);
    }
    fingerprints.merge(added);
  }

  /** Returns an independent copy with the same clock and time. */
  @Override
  public ExpiringCuckooFilter<T> copy() {
    return new ExpiringCuckooFilter<>(strategy, strategyIdentity, size, plan, fingerprints.copy());
  }

  /** Not for users: see {@link StorableFilter} for writing a filter. */
  @Override
  public FilterContents contents() {
    return contentsOf(fingerprints.snapshot());
  }

  private FilterContents contentsOf(ExpiringFingerprints.Snapshot snapshot) {
    return ExpiringCuckooFile.contents(strategyIdentity, size, plan, snapshot);
  }

  /** Not for users: updates at other times than that of the clock. */
  @Override
  public ExpiringUpdates updates() {
    return new UpdatesAtEpochs();
  }

  private final class UpdatesAtEpochs implements ExpiringUpdates {

    private final int epochs = size.epochs(size.window());

    @Override
    public boolean isOfTime() {
      return !size.isOfInsertions();
    }

    @Override
    public long epoch() {
      return fingerprints.clock.now();
    }

    @Override
    public long fingerprintOf(long hash) {
      return fingerprints.chunks().sizes.space.fingerprintOf(hash);
    }

    @Override
    public boolean addHash(long hash, long epoch) {
      return fingerprints.addHashAt(hash, epoch, epochs);
    }

    @Override
    public boolean removeHash(long hash, long epoch) {
      return fingerprints.removeHashAt(hash, epoch);
    }

    @Override
    public void clear() {
      if (isOfTime()) {
        fingerprints.clearAtPresentTime();
      } else {
        fingerprints.clear();
      }
    }

    @Override
    public FilterContents contents() {
      return contentsOf(fingerprints.latestSnapshot());
    }
  }

  /**
   * {@inheritDoc} The value is {@link #liveFingerprints} / F. Costs a pass over the tables, about a
   * nanosecond per entry.
   */
  @Override
  public double expectedFpp() {
    return (double) liveFingerprints() / size.fingerprints();
  }

  /** {@inheritDoc} Counts live elements. Costs as much as {@link #liveFingerprints}. */
  @Override
  public long approximateElementCount() {
    return size.unexpiring().elements(liveFingerprints());
  }

  /**
   * {@inheritDoc} In this class, all values are exact; they cost as much as {@link
   * #liveFingerprints}. The fill ratio is the number of live fingerprints divided by the largest
   * number that is planned, and may exceed 1.
   */
  @Override
  public FilterEstimate estimate(int lines) {
    return FilterEstimate.ofWhole(this, (double) liveFingerprints() / size.maxLive(), lines);
  }

  /**
   * Returns the number of distinct fingerprints that are alive. It is exact if no other thread
   * changes the filter meanwhile. Costs a pass over the tables, about a nanosecond per entry.
   */
  public long liveFingerprints() {
    return fingerprints.live();
  }

  /**
   * {@inheritDoc} The planned number counts the distinct elements that are added per time to live.
   */
  @Override
  public Optional<FilterPlan> plan() {
    return plan;
  }

  /**
   * {@inheritDoc} In this class, takes constant time while the tables have at most as many entries
   * as fingerprints are {@linkplain #headroom planned}; otherwise costs as much as {@link
   * #liveFingerprints}.
   */
  @Override
  public boolean isOverfull() {
    return fingerprints.stored() > size.maxLive() && StorableFilter.super.isOverfull();
  }

  /**
   * Returns how many more distinct fingerprints can be alive as planned, at least 0. Planned
   * elements that are added evenly have at most 16/15 times their number per time to live alive at
   * once, or more if the window is short. Costs as much as {@link #liveFingerprints}.
   */
  public long headroom() {
    return Math.max(0, size.maxLive() - liveFingerprints());
  }

  /**
   * Returns the time to live of elements that are added without one, which is the longest; empty if
   * the window is of insertions.
   */
  public Optional<Duration> timeToLive() {
    return size.isOfInsertions() ? Optional.empty() : Optional.of(Duration.ofMillis(size.window()));
  }

  /**
   * Returns the number of insertions after which an element may be forgotten; empty if elements
   * have a {@linkplain #timeToLive time to live}.
   */
  public OptionalLong window() {
    return size.isOfInsertions() ? OptionalLong.of(size.window()) : OptionalLong.empty();
  }

  /** Returns the number of entries in the tables, for tests. */
  long entries() {
    return fingerprints.stored();
  }

  /** Returns the number F of possible fingerprints. */
  public long possibleFingerprints() {
    return size.fingerprints();
  }

  /** {@inheritDoc} Costs a pass over the tables, but not over their contents. */
  @Override
  public long memoryBytes() {
    return fingerprints.memoryBytes();
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /**
   * Returns whether an object has the same class, strategy and size, and the same live fingerprints
   * with the same expiry times. Compares at the later one of the two filters' times; windows of
   * insertions are equal only after equally many insertions. Costs a pass.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof ExpiringCuckooFilter<?> filter
            && strategyIdentity.equals(filter.strategyIdentity)
            && size.equals(filter.size)
            && fingerprints.holdsTheSameAs(filter.fingerprints));
  }

  /** Returns a hash code of strategy and size, which do not change with time. */
  @Override
  public int hashCode() {
    return Objects.hash(strategyIdentity, size);
  }

  /** Returns size, window, number of entries and strategy, for logs. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "ExpiringCuckooFilter[expected=%d, fpp=%.3g, %s, entries=%d, strategy=%s]",
        size.expected(),
        size.fpp(),
        size.isOfInsertions()
            ? "window=" + size.window() + " insertions"
            : "timeToLive=" + Duration.ofMillis(size.window()),
        fingerprints.stored(),
        strategyIdentity.id());
  }

  private long hashOf(T element) {
    return strategy.hash(Objects.requireNonNull(element, "element"));
  }

  /** Builds filters of elements of type S or a subtype. */
  public static final class Builder<S> implements FilterBuilder.OfDeletable<S> {

    private final BuilderOptions<S, ExpiringSize, Builder<S>> options;

    /** The arguments of {@link #expecting}; the number is 0 if it was not called. */
    private long expected;

    private double fpp;

    /** The argument of {@link #expireAfterAdd} or {@link #window}; 0 if none was called. */
    private long window;

    private boolean isOfInsertions;
    private @Nullable InstantSource clock;
    private long secret = TableSizes.SECRET;

    private Builder(HashStrategy<S> strategy) {
      this.options =
          new BuilderOptions<>(
              this,
              strategy,
              "expecting(elements, fpp), and expireAfterAdd(timeToLive) or window(insertions),");
    }

    /**
     * Sizes the filter for a number of distinct elements per time to live or window and a
     * false-positive rate; see {@link ExpiringCuckooFilter#create}. Replaces an earlier size.
     * Returns this builder.
     */
    public Builder<S> expecting(long expected, double fpp) {
      return sized(Arguments.atLeastOne(expected, "expected"), fpp, window, isOfInsertions);
    }

    /**
     * Sets the time to live of elements that are added without one, which is the longest; see
     * {@link ExpiringCuckooFilter#create}. Returns this builder.
     *
     * @throws IllegalStateException if {@link #window} was called
     */
    public Builder<S> expireAfterAdd(Duration timeToLive) {
      return sized(expected, fpp, ExpiringSize.millisOf(timeToLive), false);
    }

    /**
     * Makes the filter remember the elements of the last {@code insertions} insertions, from 1 to
     * 2<sup>60</sup>. Returns this builder.
     *
     * @throws IllegalStateException if {@link #expireAfterAdd} was called
     */
    public Builder<S> window(long insertions) {
      Arguments.checkAtLeast(1, insertions, "window");
      if (insertions > ExpiringSize.MAX_WINDOW) {
        throw new IllegalArgumentException(
            "window must be at most 2^60 insertions, got " + insertions);
      }
      return sized(expected, fpp, insertions, true);
    }

    private Builder<S> sized(long elements, double rate, long length, boolean ofInsertions) {
      if (window > 0 && ofInsertions != isOfInsertions) {
        throw new IllegalStateException(
            "a filter has one window: call expireAfterAdd(...) or window(...), not both");
      }
      if (elements > 0) {
        ExpiringSize size = ExpiringSize.of(elements, rate, Math.max(1, length), ofInsertions);
        if (length > 0) {
          options.setSize(size, new FilterPlan(elements, rate));
        }
      }
      expected = elements;
      fpp = rate;
      window = length;
      isOfInsertions = ofInsertions;
      return this;
    }

    /**
     * Sets the clock, {@link InstantSource#system()} by default. Returns this builder. For times
     * that are in the data, use {@code InstantSource.fixed(Instant.MIN)}, also to read a file, and
     * {@link #advanceTo}. The same, called by a timer, saves the cost of the clock, which is most
     * of that of a query. A filter with a {@link #window} that is read from a file does not use it.
     */
    public Builder<S> clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    private InstantSource clock() {
      return clock == null ? InstantSource.system() : clock;
    }

    /** Chooses the second buckets, for tests. */
    Builder<S> secret(long value) {
      secret = value;
      return this;
    }

    /**
     * Returns an empty filter.
     *
     * @throws IllegalStateException if {@link #expecting} was not called, or neither {@link
     *     #expireAfterAdd} nor {@link #window}; or if a filter with a window has a {@link #clock}
     */
    @Override
    public <T extends S> ExpiringCuckooFilter<T> build() {
      ExpiringSize size = options.requireSize();
      if (size.isOfInsertions() && clock != null) {
        throw new IllegalStateException(
            "a window of insertions has no clock: call clock(...) or window(...), not both");
      }
      return empty(
          size,
          options.plan(),
          size.isOfInsertions()
              ? new InsertionClock(size.epochLength(), 0)
              : new TimeClock(clock(), size.epochLength()));
    }

    private <T extends S> ExpiringCuckooFilter<T> empty(
        ExpiringSize size, Optional<FilterPlan> plan, EpochClock epochs) {
      return new ExpiringCuckooFilter<>(
          options.strategy(),
          options.strategyIdentity(),
          size,
          plan,
          new ExpiringFingerprints(size.tables(secret), epochs));
    }

    /**
     * Reads a filter from a stream, as {@link FilterBuilder} describes. It continues with the clock
     * of this builder, so the elements age while they are in the file. If the clock is behind the
     * time of the file, the filter has the time of the file. A filter with a window of insertions
     * goes on with the number of insertions in the file.
     *
     * @throws IllegalStateException if {@link #expecting} was called without {@link
     *     #expireAfterAdd} or {@link #window}, or one of these without {@code expecting}
     */
    @Override
    public <T extends S> ExpiringCuckooFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /** Reads a filter from a file with no other contents; see {@link #readFrom(InputStream)}. */
    public <T extends S> ExpiringCuckooFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /** Reads a filter from bytes that contain nothing else; see {@link #readFrom(InputStream)}. */
    public <T extends S> ExpiringCuckooFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    <T extends S> ExpiringCuckooFilter<T> read(FilterReader reader) throws IOException {
      if (expected > 0 || window > 0) {
        options.requireSize();
      }
      reader.require(KIND.code(), options.strategyIdentity(), ExpiringCuckooFile.FIELDS);
      ExpiringSize size = options.requireSame(reader, ExpiringCuckooFile.readSize(reader));
      reader.requirePlanFor(size.expected());
      EpochClock epochs = ExpiringCuckooFile.readClock(reader, size, clock());
      ExpiringCuckooFilter<T> filter = empty(size, reader.plan(), epochs);
      ExpiringCuckooFile.readInto(reader, size, filter.fingerprints);
      return filter;
    }
  }
}
