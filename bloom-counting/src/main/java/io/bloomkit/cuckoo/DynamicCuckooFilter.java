package io.bloomkit.cuckoo;

import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
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
import io.bloomkit.internal.filter.MergeKey;
import io.bloomkit.internal.filter.TypedKind;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.Variant;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter that grows, shrinks, deletes and counts: a multiset of fingerprints in cuckoo tables.
 *
 * <pre>{@code
 * DynamicCuckooFilter<String> sessions =
 *     DynamicCuckooFilter.create(HashStrategies.utf8(), 10_000_000, 0.01);
 * sessions.add("alice");
 * sessions.remove("alice");
 * }</pre>
 *
 * <p><b>Memory.</b> The memory grows and shrinks with the number of elements, one table at a time;
 * no insertion or removal copies the whole filter. At a false-positive rate of 1 %, the filter
 * takes 11 bits per element if it holds the planned number, and 17 to 18 if it holds a 64th of that
 * number; {@link DynamicCuckooShape#memoryBytes} computes the memory for other numbers. A filter
 * that shrinks takes up to twice that, or three times if elements are removed in the order of their
 * hashes. There is no method that trims it, since further additions would need the room again;
 * reading the filter from its bytes gives a trimmed one, and {@link #clear} frees the last table. A
 * {@link io.bloomkit.counting.CountingBloomFilter} takes 38. A file at a rate of 1 % and the
 * planned number has about 8 bits per element.
 *
 * <p><b>Fingerprints.</b> The filter stores only the fingerprint of each element, about hash · F /
 * 2<sup>64</sup>. The number F of possible fingerprints is about {@link #create maxElements / fpp}.
 * Two elements share a fingerprint with probability 1/F, and the filter then treats them as one.
 * Apart from that, counts are exact. As long as only elements in the filter are removed, the filter
 * equals one to which only the remaining elements were added. If an element was added c times, its
 * fingerprint takes one table entry, plus one for each 1 in the binary representation of c − 1.
 *
 * <p><b>The false-positive rate</b> is the number of distinct fingerprints in the filter divided by
 * F. With more elements than planned, insertions still succeed, but the rate rises in proportion;
 * see {@link #isOverfull}.
 *
 * <p><b>Remove only what was added.</b> With probability {@link #expectedFpp}, an absent element is
 * a false positive. Removing it then removes an occurrence of an element with the same fingerprint;
 * that element may become a false negative. Removing any other absent element returns false.
 *
 * <p><b>Hostile input.</b> If an adversary may choose elements, use a keyed strategy such as {@link
 * io.bloomkit.hash.HashStrategies#sipHash24}. Otherwise, many hashes with equal first bits can
 * quadruple the memory, and can make one operation move up to 2<sup>20</sup> fingerprints.
 *
 * <p><b>Threads.</b> A filter is thread-safe: it accepts insertions, removals, counts and queries
 * from any number of threads, and operations on one element are linearizable. Insertions, removals
 * and {@link #count} lock the table of the element. A query takes this lock only if updates of the
 * table interfere with eight reads in a row. Copying, comparing, writing to a file, {@link
 * #forEachFingerprint} and being the argument of {@code merge} and {@code subtract} may run at any
 * time. They work on a copy with every update that happened before the call, and each other one as
 * a whole or not at all; the copy takes the lock of one table at a time. {@link #clear} may run at
 * any time, too. Merging into the filter and subtracting from it must not run concurrently with
 * writers; a happens-before edge from earlier writes is required.
 *
 * <p>Every method except {@code equals} throws {@link NullPointerException} if an argument is null.
 *
 * @param <T> the type of the elements
 */
@SuppressWarnings("exports") // FilterContents is not for users
public final class DynamicCuckooFilter<T>
    implements DeletableFilter<T>,
        MergeableFilter<DynamicCuckooFilter<?>>,
        StorableFilter<T>,
        FilterContents.Source,
        PrefersLargeBatches {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND =
      new TypedKind<DynamicCuckooFilter<Object>>(
              Variant.DYNAMIC_CUCKOO,
              "dynamic-cuckoo",
              DynamicCuckooFilter.class,
              Set.of(
                  FilterKind.Trait.CONCURRENT,
                  FilterKind.Trait.COMPARABLE,
                  FilterKind.Trait.ELASTIC),
              TablesLayout::planned,
              filter ->
                  TablesLayout.of(
                      filter.shape(), filter.memoryBytes(), filter.distinctFingerprints()),
              DynamicCuckooFilter::create,
              DynamicCuckooFilter::read)
          .subtracting(DynamicCuckooFilter::subtract);

  private final HashStrategy<? super T> strategy;
  private final StrategyIdentity strategyIdentity;
  private final DynamicCuckooShape size;
  private final Optional<FilterPlan> plan;
  private final DynamicFingerprints fingerprints;

  private DynamicCuckooFilter(
      HashStrategy<? super T> strategy,
      StrategyIdentity strategyIdentity,
      DynamicCuckooShape size,
      Optional<FilterPlan> plan,
      DynamicFingerprints fingerprints) {
    this.strategy = strategy;
    this.strategyIdentity = strategyIdentity;
    this.size = size;
    this.plan = plan;
    this.fingerprints = fingerprints;
  }

  /**
   * Returns an empty filter of the size that {@link DynamicCuckooShape#of} computes.
   *
   * @param maxElements the number of distinct elements at which the false-positive rate reaches
   *     {@code fpp}, at least 0; if unknown, choose a large number (see <b>Memory</b>). 0, for an
   *     empty set, is planned as 1.
   * @param fpp the false-positive rate with that number of elements, in (0, 1)
   * @throws IllegalArgumentException as for {@link DynamicCuckooShape#of}
   */
  public static <T> DynamicCuckooFilter<T> create(
      HashStrategy<? super T> strategy, long maxElements, double fpp) {
    return DynamicCuckooFilter.builder(strategy).expecting(maxElements, fpp).build();
  }

  /** Returns a builder, for options that {@code create} does not have. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a filter by {@link Builder#readFrom(InputStream)}. */
  public static <T> DynamicCuckooFilter<T> readFrom(
      InputStream in, HashStrategy<? super T> strategy) throws IOException {
    return DynamicCuckooFilter.builder(strategy).readFrom(in);
  }

  /** Reads a filter by {@link Builder#readFrom(Path)}. */
  public static <T> DynamicCuckooFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return DynamicCuckooFilter.builder(strategy).readFrom(file);
  }

  /** Reads a filter by {@link Builder#fromBytes(byte[])}. */
  public static <T> DynamicCuckooFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    return DynamicCuckooFilter.builder(strategy).fromBytes(bytes);
  }

  private static <T> DynamicCuckooFilter<T> read(
      FilterReader reader, HashStrategy<? super T> strategy) throws IOException {
    return DynamicCuckooFilter.builder(strategy).read(reader);
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(hashOf(element));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return fingerprints.containsHash(hash);
  }

  /**
   * {@inheritDoc} If the table of the element is full, a larger table or two tables replace it.
   *
   * @throws IllegalStateException if the {@link #elementCount} is 2<sup>62</sup>; nothing is
   *     changed
   */
  @Override
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  @Override
  public boolean addHash(long hash) {
    return fingerprints.addHash(hash);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the {@link #elementCount} would be above 2<sup>62</sup>;
   *     nothing is changed
   */
  @Override
  public boolean addHash(long hash, long copies) {
    Arguments.checkAtLeast(1, copies, "copies");
    return fingerprints.addHash(hash, copies);
  }

  /**
   * {@inheritDoc}
   *
   * <p>A large batch is added in bulk: at least 4096 hashes, and a sixth of the number of distinct
   * fingerprints. Tables are then replaced by new ones that are filled at once, which is several
   * times as fast in an empty filter. Tables that get few of the hashes are kept: those that hold
   * more than twice as many, and those that were {@linkplain Builder#allocated allocated} and have
   * room for 256 times as many. During the call, it takes 8 bytes of memory per hash, at most 128
   * MiB or one byte per hash, or {@link Builder#maxScratchBytes}. If memory is scarce, it takes
   * less, down to a quarter of a byte per hash; with still less, the hashes are added one by one.
   *
   * <p>Other threads may query, add and remove meanwhile, and may see a part of the batch. A query
   * of an element that was there before stays positive.
   *
   * @throws IllegalStateException if the {@link #elementCount} would be above 2<sup>62</sup>;
   *     nothing is added
   * @throws OutOfMemoryError if a table cannot be allocated; the hashes that were added are removed
   *     again, as far as memory allows
   */
  @Override
  public long addHashes(long[] hashes, int offset, int length, boolean @Nullable [] wasNew) {
    Arguments.checkBatch(hashes, offset, length, wasNew);
    return fingerprints.addHashes(hashes, offset, length, wasNew);
  }

  @Override
  public boolean remove(T element) {
    return removeHash(hashOf(element));
  }

  @Override
  public boolean removeHash(long hash) {
    return fingerprints.removeHash(hash);
  }

  @Override
  public boolean removeHash(long hash, long copies) {
    Arguments.checkAtLeast(1, copies, "copies");
    return fingerprints.removeHash(hash, copies);
  }

  /**
   * {@inheritDoc}
   *
   * <p>A large batch is removed in bulk: at least 4096 hashes, and a 64th of the number of distinct
   * fingerprints. Each table is then replaced once, by one without the removed fingerprints, unless
   * it has room for 256 times as many. This takes the memory that {@link #addHashes} takes, plus a
   * byte per hash.
   *
   * <p>Other threads may query, add and remove meanwhile, and may see a part of the batch removed.
   *
   * @throws OutOfMemoryError if memory runs out; the hashes that were removed are added again, as
   *     far as memory allows
   */
  @Override
  public long removeHashes(long[] hashes, int offset, int length, boolean @Nullable [] wasRemoved) {
    Arguments.checkBatch(hashes, offset, length, wasRemoved);
    return fingerprints.removeHashes(hashes, offset, length, wasRemoved);
  }

  /** Returns true. */
  @Override
  public boolean isConcurrent() {
    return true;
  }

  /** {@inheritDoc} Elements with the same fingerprint are counted together. */
  @Override
  public long count(T element) {
    return countHash(hashOf(element));
  }

  @Override
  public long countHash(long hash) {
    return fingerprints.countHash(hash);
  }

  /**
   * Removes all elements that were added before the call, table by table. Other threads may add and
   * remove elements meanwhile. The call may remove an element that is added during it, and also one
   * that is added later if a batch of another thread has that element, runs during the call, and
   * fails.
   *
   * @throws OutOfMemoryError if memory runs out; the tables before are cleared then
   */
  @Override
  public void clear() {
    fingerprints.clear();
  }

  /** Returns whether another filter has the same class, the same strategy and the same F. */
  @Override
  public boolean isCompatible(MembershipFilter<?> other) {
    return Objects.requireNonNull(other, "other") instanceof DynamicCuckooFilter<?> filter
        && mergeKey().equals(filter.mergeKey());
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the other filter is incompatible, or the {@link
   *     #elementCount} would be above 2<sup>62</sup>; nothing is changed
   */
  @Override
  public void merge(DynamicCuckooFilter<?> other) {
    requireCompatible(other, "merge");
    fingerprints.merge(other.fingerprints);
  }

  /**
   * Removes all elements of another filter. Throws {@link IllegalArgumentException} and changes
   * nothing if that filter is incompatible, or has more copies of an element than this filter.
   */
  public void subtract(DynamicCuckooFilter<?> other) {
    requireCompatible(other, "subtract");
    if (!fingerprints.subtract(other.fingerprints)) {
      throw new IllegalArgumentException(
          "cannot subtract: other holds an element more often than this filter; subtract only what"
              + " was added to this filter");
    }
  }

  private void requireCompatible(DynamicCuckooFilter<?> other, String operation) {
    mergeKey()
        .requireEqual(
            Objects.requireNonNull(other, "other").mergeKey(), operation, plan(), other.plan());
  }

  private MergeKey mergeKey() {
    return new MergeKey(size.fingerprints() + " possible fingerprints", strategyIdentity);
  }

  /** Returns an independent copy. */
  @Override
  public DynamicCuckooFilter<T> copy() {
    return new DynamicCuckooFilter<>(strategy, strategyIdentity, size, plan, fingerprints.copy());
  }

  /** Visits each fingerprint of a snapshot of this filter once, in ascending order. */
  public void forEachFingerprint(FingerprintVisitor visitor) {
    fingerprints.forEach(Objects.requireNonNull(visitor, "visitor"));
  }

  /** Not for users: see {@link StorableFilter} for writing a filter. */
  @Override
  public FilterContents contents() {
    return DynamicCuckooFile.contents(strategyIdentity, size, plan, fingerprints);
  }

  /** {@inheritDoc} The value is {@link #distinctFingerprints} / F. Takes constant time. */
  @Override
  public double expectedFpp() {
    return (double) fingerprints.distinct() / size.fingerprints();
  }

  /** {@inheritDoc} Takes constant time. */
  @Override
  public long approximateElementCount() {
    return size.elements(fingerprints.distinct());
  }

  /**
   * {@inheritDoc} In this class, all values are exact and take constant time. The fill ratio is the
   * number of distinct fingerprints divided by the planned number of elements, and may exceed 1.
   */
  @Override
  public FilterEstimate estimate(int lines) {
    return FilterEstimate.ofWhole(
        this, (double) fingerprints.distinct() / size.maxElements(), lines);
  }

  /** {@inheritDoc} In this class, the result is never empty. */
  @Override
  public OptionalLong elementCount() {
    return OptionalLong.of(fingerprints.total());
  }

  /** Returns the number of distinct fingerprints in this filter. Takes constant time. */
  public long distinctFingerprints() {
    return fingerprints.distinct();
  }

  @Override
  public Optional<FilterPlan> plan() {
    return plan;
  }

  /** Returns how many more distinct fingerprints the planned rate allows, at least 0. */
  public long headroom() {
    return Math.max(0, size.maxElements() - fingerprints.distinct());
  }

  /** Returns the planned number of elements and the number of possible fingerprints F. */
  public DynamicCuckooShape shape() {
    return size;
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

  /** Returns whether an object has the same class, strategy, size and contents. Costs a pass. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof DynamicCuckooFilter<?> filter
            && strategyIdentity.equals(filter.strategyIdentity)
            && size.equals(filter.size)
            && fingerprints.holdsTheSameAs(filter.fingerprints));
  }

  /** Returns a hash code of the contents, which changes with them. Costs a pass. */
  @Override
  public int hashCode() {
    return Objects.hash(strategyIdentity, size, fingerprints.contentsHashCode());
  }

  /** Returns size, contents, expected false-positive rate and strategy, for logs. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "DynamicCuckooFilter[maxElements=%d, netInsertions=%d, distinct=%d, expectedFpp=%.3g,"
            + " strategy=%s]",
        size.maxElements(),
        fingerprints.total(),
        distinctFingerprints(),
        expectedFpp(),
        strategyIdentity.id());
  }

  private long hashOf(T element) {
    return strategy.hash(Objects.requireNonNull(element, "element"));
  }

  /** Builds filters of elements of type S or a subtype. */
  public static final class Builder<S> implements FilterBuilder.OfDeletable<S> {

    private final BuilderOptions<S, DynamicCuckooShape, Builder<S>> options;
    private long secret = TableSizes.SECRET;
    private boolean isAllocated;
    private long scratchBytes = BulkUpdate.DEFAULT_SCRATCH_BYTES;

    private Builder(HashStrategy<S> strategy) {
      this.options = new BuilderOptions<>(this, strategy, "expecting(maxElements, fpp)");
    }

    /**
     * Sizes the filter as {@link DynamicCuckooFilter#create}, and throws as it. Replaces an earlier
     * size. Returns this builder.
     */
    public Builder<S> expecting(long maxElements, double fpp) {
      long elements = Arguments.atLeastOne(maxElements, "maxElements");
      return options.setSize(DynamicCuckooShape.of(elements, fpp), new FilterPlan(elements, fpp));
    }

    /**
     * Makes {@link #build} allocate all tables for the planned number of elements, so insertions do
     * not wait for growth. Returns this builder.
     *
     * <p>An empty filter of a million elements at a rate of 1 % then takes 10.9 bits per planned
     * element, and 11.1 bits once it is full, 2 % more than without this option. The memory does
     * not shrink below that of the empty filter, and copies take as much. It grows if there are
     * more elements than planned. Contents, files and equality do not depend on this option. A
     * filter that is read is not affected: its tables fit its contents.
     */
    public Builder<S> allocated() {
      isAllocated = true;
      return this;
    }

    /**
     * Limits the memory that {@code addHashes} and {@code removeHashes} take to sort a large batch.
     * Returns this builder.
     *
     * <p>The default is 8 bytes per hash, at most the larger of 128 MiB and one byte per hash. With
     * less, the hashes are sorted in several passes, each of which reads all of them; with less
     * than a quarter of a byte per hash, they are added or removed one by one. Copies keep the
     * limit. A filter that is read has the default.
     *
     * @param bytes at least 0; with 0, all are added and removed one by one
     * @throws IllegalArgumentException if {@code bytes} is negative
     */
    public Builder<S> maxScratchBytes(long bytes) {
      Arguments.checkAtLeast(0, bytes, "bytes");
      scratchBytes = bytes;
      return this;
    }

    /** Chooses the second buckets, for tests. */
    Builder<S> secret(long value) {
      secret = value;
      return this;
    }

    /**
     * Returns an empty filter.
     *
     * @throws IllegalStateException if no size was set
     * @throws IllegalArgumentException if the filter is to be {@link #allocated} and has more than
     *     2<sup>24</sup> tables, of about 10,000 elements each
     * @throws OutOfMemoryError if the filter is to be {@link #allocated} and the heap has no room;
     *     the message states the bytes
     */
    @Override
    public <T extends S> DynamicCuckooFilter<T> build() {
      return empty(options.requireSize(), options.plan(), isAllocated, scratchBytes);
    }

    private <T extends S> DynamicCuckooFilter<T> empty(
        DynamicCuckooShape made,
        Optional<FilterPlan> madeFor,
        boolean withTables,
        long mostScratchBytes) {
      return new DynamicCuckooFilter<>(
          options.strategy(),
          options.strategyIdentity(),
          made,
          madeFor,
          new DynamicFingerprints(
              new TableSizes(made.space(), made.maxElements(), secret, withTables, 0),
              mostScratchBytes));
    }

    /** Reads a filter from a stream, as {@link FilterBuilder} describes. */
    @Override
    public <T extends S> DynamicCuckooFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /** Reads a filter from a file with no other contents; see {@link #readFrom(InputStream)}. */
    public <T extends S> DynamicCuckooFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /** Reads a filter from bytes that contain nothing else; see {@link #readFrom(InputStream)}. */
    public <T extends S> DynamicCuckooFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    <T extends S> DynamicCuckooFilter<T> read(FilterReader reader) throws IOException {
      reader.require(KIND.code(), options.strategyIdentity(), DynamicCuckooFile.FIELDS);
      DynamicCuckooShape read = options.requireSame(reader, DynamicCuckooFile.readSize(reader));
      reader.requirePlanFor(read.maxElements());
      DynamicCuckooFilter<T> filter =
          empty(read, reader.plan(), false, BulkUpdate.DEFAULT_SCRATCH_BYTES);
      DynamicCuckooFile.readInto(reader, read, filter.fingerprints);
      return filter;
    }
  }
}
