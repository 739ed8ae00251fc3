package io.bloomkit.counting;

import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterPlan;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.builder.BuilderOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A compact filter of fixed capacity from which elements can be removed. It stores a short
 * fingerprint of each element (B. Fan, D. Andersen, M. Kaminsky, M. Mitzenmacher, <i>Cuckoo filter:
 * practically better than Bloom</i>, 2014). It takes 10.5 bits per element at 1 %, where a {@link
 * CountingBloomFilter} takes 38.
 *
 * <p>The hash of an element determines its fingerprint and two buckets, each with slots for four
 * fingerprints. The fingerprint is stored in one of the two. If both are full, an insertion moves
 * another fingerprint to its other bucket, and so on.
 *
 * <pre>{@code
 * CuckooFilter<String> sessions = CuckooFilter.create(HashStrategies.utf8(), 1_000_000, 0.01);
 * sessions.add("alice");
 * sessions.remove("alice");
 * }</pre>
 *
 * <p><b>Capacity.</b> Insertions never fail as long as the filter holds fewer distinct elements
 * than its {@link #capacity}. A fingerprint for which no slot is found goes to a stash, which is
 * usually empty. If the capacity is reached, {@link #add} of a negative element throws {@link
 * IllegalStateException} and changes nothing. So the false-positive rate is never exceeded.
 *
 * <p><b>Copies.</b> An element may be added any number of times. Two copies of a fingerprint are
 * stored in its buckets. A side table counts further ones, and takes at least 16 bytes for each
 * fingerprint in it. After insertions, and removals of inserted elements, the filter equals one to
 * which only the remaining elements were added.
 *
 * <p><b>Remove only what was added.</b> The filter cannot recognize a false positive. Its removal
 * succeeds: an element with the same fingerprint and buckets then loses one occurrence, and may
 * become a false negative. The removal of any other absent element returns false and changes
 * nothing.
 *
 * <p><b>When to choose another.</b> If no element is ever removed, a {@link
 * io.bloomkit.classic.ClassicBloomFilter} takes 9.6 bits per element at 1 % and has no capacity
 * limit. If filters are merged or subtracted, use a {@link CountingBloomFilter}.
 *
 * <p>Methods except {@code equals} throw {@link NullPointerException} if an argument is null.
 *
 * <p><b>Threads.</b> Requires external synchronization unless built {@linkplain
 * Builder#concurrent() concurrent}; several threads may query it while no thread writes. A
 * concurrent filter accepts insertions, removals, counts and queries from any number of threads,
 * and operations on one element are linearizable. So of several threads that insert the same new
 * element, exactly one gets true, unless the element is a false positive. A removal that returns
 * false, and an {@link #add} that throws, have no effect that another thread can see. Other threads
 * may see elements of an {@link #addHashes} that throws, until it throws.
 *
 * <p>Insertions, removals and {@link #count} take one lock. A query takes it only if updates
 * interfere with several reads in a row, or if more than 16 fingerprints are in the stash. {@link
 * #equals}, {@link #hashCode}, {@link #contents} and writing to a file must not run concurrently
 * with writers; a happens-before edge from earlier writes is required.
 *
 * @param <T> the type of the elements
 */
public final class CuckooFilter<T> implements DeletableFilter<T>, StorableFilter<T> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND = new CuckooKind();

  private final HashStrategy<? super T> strategy;
  private final StrategyIdentity strategyIdentity;
  private final Optional<FilterPlan> plan;
  private final FingerprintMultiset fingerprints;

  private CuckooFilter(
      HashStrategy<? super T> strategy,
      StrategyIdentity strategyIdentity,
      Optional<FilterPlan> plan,
      FingerprintMultiset fingerprints) {
    this.strategy = strategy;
    this.strategyIdentity = strategyIdentity;
    this.plan = plan;
    this.fingerprints = fingerprints;
  }

  /**
   * Returns an empty filter of size {@link CuckooSize#of}.
   *
   * @param expectedInsertions the largest number of distinct elements at any one time, at least 1;
   *     more are refused
   * @param fpp an upper bound of the false-positive rate, in (0, 1)
   * @throws IllegalArgumentException as for {@link CuckooSize#of}
   */
  public static <T> CuckooFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return CuckooFilter.builder(strategy).expecting(expectedInsertions, fpp).build();
  }

  /** Returns a builder, for options that {@code create} does not have. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a filter that is not concurrent; see {@link Builder#readFrom(InputStream)}. */
  public static <T> CuckooFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException {
    return CuckooFilter.builder(strategy).readFrom(in);
  }

  /** Reads a filter that is not concurrent; see {@link Builder#readFrom(Path)}. */
  public static <T> CuckooFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return CuckooFilter.builder(strategy).readFrom(file);
  }

  /** Reads a filter that is not concurrent; see {@link Builder#fromBytes(byte[])}. */
  public static <T> CuckooFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    return CuckooFilter.builder(strategy).fromBytes(bytes);
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(hashOf(element));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return fingerprints.contains(hash);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the element is negative and the {@link #capacity} is reached;
   *     nothing is changed
   */
  @Override
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  /** {@inheritDoc} Throws {@link IllegalStateException} as {@link #add}. */
  @Override
  public boolean addHash(long hash) {
    return fingerprints.add(hash);
  }

  /** {@inheritDoc} Throws {@link IllegalStateException} if not all fit; none is added then. */
  @Override
  public long addHashes(long[] hashes, int offset, int length) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromIndexSize(offset, length, hashes.length);
    return fingerprints.addAll(hashes, offset, length);
  }

  @Override
  public boolean remove(T element) {
    return removeHash(hashOf(element));
  }

  @Override
  public boolean removeHash(long hash) {
    return fingerprints.remove(hash);
  }

  /**
   * Returns the number of insertions of an element minus its removals, or more if other elements
   * have the same fingerprint and buckets.
   *
   * @throws NullPointerException if the element is null
   */
  @Override
  public long count(T element) {
    return countHash(hashOf(element));
  }

  @Override
  public long countHash(long hash) {
    return fingerprints.count(hash);
  }

  @Override
  public boolean isConcurrent() {
    return fingerprints.isConcurrent();
  }

  @Override
  public void clear() {
    fingerprints.clear();
  }

  /** Returns an independent copy, concurrent if this filter is. */
  public CuckooFilter<T> copy() {
    return new CuckooFilter<>(strategy, strategyIdentity, plan, fingerprints.copy());
  }

  /**
   * Returns whether another filter has the same strategy id and fingerprint, number of buckets and
   * number of fingerprint bits. Such filters with the same elements give the same answers.
   */
  public boolean isCompatible(CuckooFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return strategyIdentity.equals(other.strategyIdentity)
        && buckets() == other.buckets()
        && fingerprintBits() == other.fingerprintBits();
  }

  @Override
  public FilterContents contents() {
    return fingerprints.contents(strategyIdentity, plan);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The value is the share of all pairs of a bucket and a fingerprint that are positive, about
   * 2D / (b · (2<sup>f</sup> − 1)) for D distinct fingerprints of f bits and b buckets. Takes
   * constant time.
   */
  @Override
  public double expectedFpp() {
    return fingerprints.shareOfPositivePairs();
  }

  /**
   * {@inheritDoc}
   *
   * <p>The value is the number of distinct fingerprints, plus the expected number of elements that
   * share one. Takes constant time.
   */
  @Override
  public long approximateElementCount() {
    return CuckooSize.elements(fingerprints.distinct(), expectedFpp());
  }

  /** {@return the number of elements, repeats included: insertions minus removals; never empty} */
  @Override
  public OptionalLong elementCount() {
    return OptionalLong.of(fingerprints.size());
  }

  @Override
  public Optional<FilterPlan> plan() {
    return plan;
  }

  /** Returns the size, which computes the false-positive rate for any number of elements. */
  public CuckooSize shape() {
    return new CuckooSize(capacity(), buckets(), fingerprintBits());
  }

  /** Returns the maximum of distinct elements; elements with equal fingerprints count as one. */
  public long capacity() {
    return fingerprints.capacity;
  }

  /** Returns the number of buckets, each with room for four fingerprints: b. */
  public int buckets() {
    return fingerprints.table.buckets();
  }

  /** Returns the number of distinct fingerprints, at most {@link #capacity}. */
  public long distinctFingerprints() {
    return fingerprints.distinct();
  }

  /** Returns the number of fingerprints in the stash, usually 0. */
  public int stashed() {
    return fingerprints.stashed();
  }

  /** Returns the number of bits in a fingerprint: f. */
  public int fingerprintBits() {
    return fingerprints.table.width();
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
   * Returns whether an object is a cuckoo filter with the same strategy id and fingerprint, size
   * and contents. The plan and {@code concurrent} are ignored. Costs a pass over both filters.
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof CuckooFilter<?> other
        && strategyIdentity.equals(other.strategyIdentity)
        && fingerprints.equals(other.fingerprints);
  }

  /** Returns a hash code of the contents, which changes with them. Costs a pass over the filter. */
  @Override
  public int hashCode() {
    return Objects.hash(strategyIdentity, shape(), fingerprints);
  }

  /** Returns size, fill, present false-positive rate and strategy, for logs. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "CuckooFilter[capacity=%d, buckets=%d, fingerprintBits=%d, distinct=%d, stashed=%d,"
            + " expectedFpp=%.3g, strategy=%s]",
        capacity(),
        buckets(),
        fingerprintBits(),
        distinctFingerprints(),
        stashed(),
        expectedFpp(),
        strategyIdentity.id());
  }

  private long hashOf(T element) {
    return strategy.hash(Objects.requireNonNull(element, "element"));
  }

  /** Builds filters of elements of type S or a subtype. */
  public static final class Builder<S> {

    private final BuilderOptions<S, CuckooSize, Builder<S>> options;

    private Builder(HashStrategy<S> strategy) {
      this.options = new BuilderOptions<>(this, strategy, "expecting(insertions, fpp)");
    }

    /** Sizes the filter by {@link CuckooSize#of}, and throws as that. Returns this builder. */
    public Builder<S> expecting(long expectedInsertions, double fpp) {
      return options.setSize(
          CuckooSize.of(expectedInsertions, fpp), new FilterPlan(expectedInsertions, fpp));
    }

    /** Makes the filter concurrent; see {@link CuckooFilter}. Returns this builder. */
    public Builder<S> concurrent() {
      return options.setConcurrent();
    }

    /** Returns {@link CuckooFilter#memoryBytes} of the empty filter. Requires a size. */
    public long memoryBytes() {
      return FingerprintTable.memoryBytes(options.requireSize(), options.isConcurrent());
    }

    /** Returns an empty filter. Throws {@link IllegalStateException} if no size was given. */
    public <T extends S> CuckooFilter<T> build() {
      return filter(
          options.plan(), new FingerprintMultiset(options.requireSize(), options.isConcurrent()));
    }

    /** Reads a filter from a stream; {@link io.bloomkit.counting} has the details. */
    public <T extends S> CuckooFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /** Reads a filter from a file, like {@link #readFrom(InputStream)}. */
    public <T extends S> CuckooFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /** Reads a filter from an array, like {@link #readFrom(InputStream)}. */
    public <T extends S> CuckooFilter<T> fromBytes(byte[] bytes) throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    <T extends S> CuckooFilter<T> read(FilterReader reader) throws IOException {
      reader.require(KIND.variant(), options.strategyIdentity(), FingerprintFile.FIELDS);
      CuckooSize read = options.requireSame(reader, FingerprintFile.readSize(reader));
      reader.requirePlanFor(read.capacity());
      FingerprintMultiset fingerprints = FingerprintFile.read(reader, read, options.isConcurrent());
      reader.requireElementCount(reader.elementCount(), fingerprints.size(), fingerprints.size());
      return filter(reader.plan(), fingerprints);
    }

    private <T extends S> CuckooFilter<T> filter(
        Optional<FilterPlan> plan, FingerprintMultiset fingerprints) {
      return new CuckooFilter<>(options.strategy(), options.strategyIdentity(), plan, fingerprints);
    }
  }
}
