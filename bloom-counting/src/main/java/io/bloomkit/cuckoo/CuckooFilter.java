package io.bloomkit.cuckoo;

import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.filter.BuilderOptions;
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
 * A compact filter of fixed capacity from which elements can be removed. It stores a short
 * fingerprint of each element (B. Fan, D. Andersen, M. Kaminsky, M. Mitzenmacher, <i>Cuckoo filter:
 * practically better than Bloom</i>, 2014). At a false-positive rate of 1 %, it takes 10.5 bits per
 * element; a {@link io.bloomkit.counting.CountingBloomFilter} takes 38.
 *
 * <p>The hash of an element determines its fingerprint and two buckets, each with slots for four
 * fingerprints. The fingerprint is stored in one of the two buckets. If both are full, the new
 * fingerprint replaces a stored one, and the replaced fingerprint moves to its other bucket. This
 * is repeated until a free slot is found.
 *
 * <pre>{@code
 * CuckooFilter<String> sessions = CuckooFilter.create(HashStrategies.utf8(), 1_000_000, 0.01);
 * sessions.add("alice");
 * sessions.remove("alice");
 * }</pre>
 *
 * <p><b>Capacity.</b> An insertion succeeds if the filter holds fewer distinct elements than its
 * {@link #capacity}. A fingerprint for which no slot is found is stored in the stash, a usually
 * empty side table. Fingerprints are distinct if their bits or buckets differ. Once the number of
 * distinct fingerprints reaches the capacity, {@link #add} of an element whose query is negative
 * throws {@link IllegalStateException} and changes nothing. That limits the false-positive rate.
 *
 * <p><b>Copies.</b> An element may be added any number of times. The buckets hold up to two copies
 * of a fingerprint; a second one enters only while the number of occupied slots is below the
 * capacity. Another side table counts all other copies and takes at least 16 bytes for each
 * fingerprint in it. With many repeated elements, a {@link DynamicCuckooFilter} takes less memory.
 * As long as only elements in the filter are removed, the filter equals one to which only the
 * remaining elements were added.
 *
 * <p><b>Remove only what was added.</b> The filter cannot recognize a false positive. If you remove
 * one, an element with the same fingerprint and buckets loses an occurrence and may become a false
 * negative. Removing any other absent element returns false and changes nothing.
 *
 * <p><b>When to choose another filter.</b> A {@link io.bloomkit.classic.ClassicBloomFilter} takes
 * 9.6 bits per element at 1 % and never refuses an element, but elements cannot be removed. For an
 * unknown number of elements, or to merge or subtract filters, use a {@link DynamicCuckooFilter}.
 *
 * <p>Every method except {@code equals} throws {@link NullPointerException} if an argument is null.
 *
 * <p><b>Threads.</b> The filter is single-writer: it requires external synchronization, but several
 * threads may query it while no thread writes. To share a filter with writers, use a {@link
 * DynamicCuckooFilter}, which is always thread-safe.
 *
 * @param <T> the type of the elements
 */
@SuppressWarnings("exports") // FilterContents is not for users
public final class CuckooFilter<T>
    implements DeletableFilter<T>, StorableFilter<T>, FilterContents.Source {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND =
      new TypedKind<CuckooFilter<Object>>(
          Variant.CUCKOO,
          "cuckoo",
          CuckooFilter.class,
          Set.of(FilterKind.Trait.COMPARABLE),
          (n, fpp) -> BucketsLayout.of(CuckooShape.of(n, fpp)),
          filter ->
              BucketsLayout.of(filter.shape(), filter.memoryBytes(), filter.distinctFingerprints()),
          CuckooFilter::create,
          CuckooFilter::read);

  private final HashStrategy<? super T> strategy;
  private final StrategyIdentity strategyIdentity;
  private final Optional<FilterPlan> plan;
  private final CuckooFingerprints fingerprints;

  private CuckooFilter(
      HashStrategy<? super T> strategy,
      StrategyIdentity strategyIdentity,
      Optional<FilterPlan> plan,
      CuckooFingerprints fingerprints) {
    this.strategy = strategy;
    this.strategyIdentity = strategyIdentity;
    this.plan = plan;
    this.fingerprints = fingerprints;
  }

  /**
   * Returns an empty filter of the size that {@link CuckooShape#of} computes.
   *
   * @param expectedInsertions the largest number of distinct elements in the filter at any one
   *     time, at least 0; it becomes the {@link #capacity}. 0, for an empty set, is planned as 1.
   * @param fpp the largest accepted false-positive rate with that number of elements, in (0, 1)
   * @throws IllegalArgumentException as for {@link CuckooShape#of}
   */
  public static <T> CuckooFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return CuckooFilter.builder(strategy).expecting(expectedInsertions, fpp).build();
  }

  /** Returns a builder, for options that {@code create} does not have. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a filter by {@link Builder#readFrom(InputStream)}. */
  public static <T> CuckooFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException {
    return CuckooFilter.builder(strategy).readFrom(in);
  }

  /** Reads a filter by {@link Builder#readFrom(Path)}. */
  public static <T> CuckooFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return CuckooFilter.builder(strategy).readFrom(file);
  }

  /** Reads a filter by {@link Builder#fromBytes(byte[])}. */
  public static <T> CuckooFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    return CuckooFilter.builder(strategy).fromBytes(bytes);
  }

  private static <T> CuckooFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy)
      throws IOException {
    return CuckooFilter.builder(strategy).read(reader);
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
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the query of the element is negative and there are already
   *     {@link #capacity} distinct fingerprints; nothing is changed
   */
  @Override
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  /** {@inheritDoc} Throws {@link IllegalStateException} if {@link #add} does. */
  @Override
  public boolean addHash(long hash) {
    return fingerprints.addHash(hash);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if {@link #add} throws, or the {@link #elementCount} would be
   *     above 2<sup>62</sup>; nothing is changed
   */
  @Override
  public boolean addHash(long hash, long copies) {
    Arguments.checkAtLeast(1, copies, "copies");
    return fingerprints.addHash(hash, copies);
  }

  /** {@inheritDoc} If not all hashes fit, throws {@link IllegalStateException} and adds none. */
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
   * Returns the number of insertions of an element minus the number of its removals. Occurrences of
   * other elements with the same fingerprint and buckets are also counted.
   *
   * @throws NullPointerException if the element is null
   */
  @Override
  public long count(T element) {
    return countHash(hashOf(element));
  }

  @Override
  public long countHash(long hash) {
    return fingerprints.countHash(hash);
  }

  @Override
  public void clear() {
    fingerprints.clear();
  }

  /** Returns an independent copy. */
  public CuckooFilter<T> copy() {
    return new CuckooFilter<>(strategy, strategyIdentity, plan, fingerprints.copy());
  }

  /**
   * Returns whether another filter has the same strategy id, {@linkplain HashStrategy#fingerprint
   * strategy fingerprint}, number of buckets and number of bits per fingerprint. Two such filters
   * with the same elements give the same answers.
   */
  public boolean isCompatible(CuckooFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return strategyIdentity.equals(other.strategyIdentity)
        && fingerprints.table.buckets() == other.fingerprints.table.buckets()
        && fingerprints.table.width() == other.fingerprints.table.width();
  }

  /** Not for users: see {@link StorableFilter} for writing a filter. */
  @Override
  public FilterContents contents() {
    return FingerprintFile.contents(strategyIdentity, plan, fingerprints);
  }

  /**
   * {@inheritDoc}
   *
   * <p>With b buckets, a hash selects one of b · (2<sup>f</sup> − 1) pairs: a bucket and a
   * fingerprint of f bits. The value is the fraction of pairs whose query is positive, about 2D /
   * (b · (2<sup>f</sup> − 1)) with D distinct fingerprints. Takes constant time.
   */
  @Override
  public double expectedFpp() {
    return fingerprints.shareOfPositivePairs();
  }

  /**
   * {@inheritDoc}
   *
   * <p>The value is the number of distinct fingerprints plus the expected number of elements that
   * share the fingerprint and buckets of an earlier element. Takes constant time.
   */
  @Override
  public long approximateElementCount() {
    return CuckooShape.elements(fingerprints.distinct(), expectedFpp());
  }

  /**
   * {@inheritDoc} In this class, all values are exact and take constant time. The fill ratio is the
   * number of distinct fingerprints divided by the number of slots.
   */
  @Override
  public FilterEstimate estimate(int lines) {
    double slots = (double) fingerprints.table.buckets() * FingerprintTable.SLOTS;
    return FilterEstimate.ofWhole(this, fingerprints.distinct() / slots, lines);
  }

  /** {@inheritDoc} In this class, the result is never empty. */
  @Override
  public OptionalLong elementCount() {
    return OptionalLong.of(fingerprints.size());
  }

  @Override
  public Optional<FilterPlan> plan() {
    return plan;
  }

  /** Returns the size: the capacity, the number of buckets and the width of the fingerprints. */
  public CuckooShape shape() {
    FingerprintTable table = fingerprints.table;
    return new CuckooShape(capacity(), table.buckets(), table.width());
  }

  /** Returns the planned number of elements, also the limit of {@link #distinctFingerprints}. */
  public long capacity() {
    return fingerprints.capacity;
  }

  /** Returns the number of distinct fingerprints, at most {@link #capacity}. */
  public long distinctFingerprints() {
    return fingerprints.distinct();
  }

  /** Returns the number of fingerprints in the stash; usually 0. */
  public int stashed() {
    return fingerprints.stashed();
  }

  /** {@inheritDoc} The sizes of the stash and of the side table of copies are estimates. */
  @Override
  public long memoryBytes() {
    return fingerprints.memoryBytes();
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /**
   * Returns whether an object is a cuckoo filter with the same strategy id, strategy fingerprint,
   * size and contents, whatever their {@linkplain #plan plans}. Costs a pass over both filters.
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return this == object
        || (object instanceof CuckooFilter<?> other
            && strategyIdentity.equals(other.strategyIdentity)
            && fingerprints.equals(other.fingerprints));
  }

  /** Returns a hash code that changes with the contents. Costs a pass over the filter. */
  @Override
  public int hashCode() {
    return Objects.hash(strategyIdentity, shape(), fingerprints);
  }

  /** Returns size, numbers of fingerprints, expected false-positive rate and strategy, for logs. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "CuckooFilter[capacity=%d, buckets=%d, fingerprintBits=%d, distinct=%d, stashed=%d,"
            + " expectedFpp=%.3g, strategy=%s]",
        capacity(),
        fingerprints.table.buckets(),
        fingerprints.table.width(),
        distinctFingerprints(),
        stashed(),
        expectedFpp(),
        strategyIdentity.id());
  }

  private long hashOf(T element) {
    return strategy.hash(Objects.requireNonNull(element, "element"));
  }

  /** Builds filters of elements of type S or a subtype. */
  public static final class Builder<S> implements FilterBuilder.OfDeletable<S> {

    private final BuilderOptions<S, CuckooShape, Builder<S>> options;

    private Builder(HashStrategy<S> strategy) {
      this.options = new BuilderOptions<>(this, strategy, "expecting(insertions, fpp)");
    }

    /** Sizes the filter as {@link CuckooFilter#create}, and throws as it. Returns this builder. */
    public Builder<S> expecting(long expectedInsertions, double fpp) {
      long elements = Arguments.atLeastOne(expectedInsertions, "expectedInsertions");
      return options.setSize(CuckooShape.of(elements, fpp), new FilterPlan(elements, fpp));
    }

    /** Returns the number of bytes that the empty filter will occupy. Requires a size. */
    public long memoryBytes() {
      return options.requireSize().memoryBytes();
    }

    /** Returns an empty filter. Throws {@link IllegalStateException} if no size was set. */
    @Override
    public <T extends S> CuckooFilter<T> build() {
      return filter(options.plan(), new CuckooFingerprints(options.requireSize()));
    }

    /** Reads a filter from a stream, as {@link FilterBuilder} describes. */
    @Override
    public <T extends S> CuckooFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /** Reads a filter from a file with no other contents; see {@link #readFrom(InputStream)}. */
    public <T extends S> CuckooFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /** Reads a filter from bytes that contain nothing else; see {@link #readFrom(InputStream)}. */
    public <T extends S> CuckooFilter<T> fromBytes(byte[] bytes) throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    <T extends S> CuckooFilter<T> read(FilterReader reader) throws IOException {
      reader.require(KIND.code(), options.strategyIdentity(), FingerprintFile.FIELDS);
      CuckooShape read = options.requireSame(reader, FingerprintFile.readSize(reader));
      reader.requirePlanFor(read.capacity());
      CuckooFingerprints fingerprints = FingerprintFile.read(reader, read);
      reader.requireElementCount(reader.elementCount(), fingerprints.size(), fingerprints.size());
      return filter(reader.plan(), fingerprints);
    }

    private <T extends S> CuckooFilter<T> filter(
        Optional<FilterPlan> plan, CuckooFingerprints fingerprints) {
      return new CuckooFilter<>(options.strategy(), options.strategyIdentity(), plan, fingerprints);
    }
  }
}
