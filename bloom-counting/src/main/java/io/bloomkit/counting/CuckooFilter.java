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
 * A compact filter from which elements can be removed: a table of short fingerprints in place of
 * counters (B. Fan, D. Andersen, M. Kaminsky, M. Mitzenmacher, <i>Cuckoo filter: practically better
 * than Bloom</i>, 2014). At 1 % it takes 10.5 bits per element, a {@link CountingBloomFilter} 38.
 *
 * <p>A fingerprint has two buckets of four slots. Both follow from the hash, and each follows from
 * the other and the fingerprint. Where both are full, another fingerprint is moved (kicked) to its
 * other bucket, and so on. A query compares four fingerprints at once and touches two cache lines.
 *
 * <pre>{@code
 * CuckooFilter<String> sessions = CuckooFilter.create(HashStrategies.utf8(), 1_000_000, 0.01);
 * sessions.add("alice");
 * sessions.remove("alice");
 * }</pre>
 *
 * <p><b>It has a capacity.</b> Up to the number of distinct elements it was made for, insertion
 * never fails, whatever the hashes: a fingerprint for which no chain of 500 kicks finds a slot goes
 * to a stash, which is usually empty. Beyond that number, {@link #add} of an element that is not
 * positive throws and changes nothing, so the false-positive rate is never exceeded.
 *
 * <p><b>It is a multiset.</b> Up to two copies of a fingerprint lie in its buckets and any number
 * more in a side table, where each distinct one takes at least 16 bytes; those are removed first.
 * After any insertions and matching removals the filter equals one to which only the remaining
 * elements were added: the bucket of a fingerprint is not part of the contents.
 *
 * <p><b>Remove only what was added.</b> Removing an absent element changes nothing, unless it is a
 * false positive, with probability {@link #expectedFpp}: then the element whose fingerprint it
 * shares loses an occurrence and may become a false negative. The filter cannot recognize one.
 *
 * <p><b>When to choose another.</b> If nothing is ever removed, a {@link
 * io.bloomkit.classic.ClassicBloomFilter} takes 9.6 bits at 1 % and any number of elements. Cuckoo
 * filters cannot be merged: the union of two mostly exceeds the capacity of either. {@link
 * CountingBloomFilter} merges, subtracts and takes any number of elements.
 *
 * <p><b>Threads.</b> Single-writer, with no concurrent readers, unless built {@linkplain
 * Builder#concurrent() concurrent}. Then any number of threads may add, remove, count and query,
 * and operations on one element are linearizable: of several first additions exactly one returns
 * true, and a removal that returns false, or an addition that throws because the filter is full,
 * was never visible. Updates and {@link #count} exclude each other. A query takes no lock; if its
 * buckets change during eight reads, or more than sixteen fingerprints are in the stash, it waits
 * at the lock like an update. {@link #equals} and {@link #contents} must not run concurrently with
 * writers. Other threads may see what a refused {@link #addHashes} added until it is removed again.
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
   * Returns an empty filter of size {@link CuckooSize#of}: fingerprints of 8 bits for 3 %, 10 for 1
   * %, 12 for 0.2 %, 16 for 0.012 %, and 5 % more slots than elements.
   *
   * @param expectedInsertions the number of distinct elements that it takes at any one time, at
   *     least 1; further ones are refused
   * @param fpp the probability that an element never added is positive, in (0, 1) and not below
   *     1.8·10<sup>-9</sup>, the rate of 32 bits; an upper bound at the full capacity
   * @throws IllegalArgumentException if an argument is out of its range, or the filter would be
   *     larger than one array, 2 GiB
   */
  public static <T> CuckooFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return CuckooFilter.builder(strategy).expecting(expectedInsertions, fpp).build();
  }

  /** Returns a builder, which also makes concurrent filters. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a filter from a stream; see {@link io.bloomkit.counting}. */
  public static <T> CuckooFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException {
    return CuckooFilter.builder(strategy).readFrom(in);
  }

  /** Reads a filter from a file; see {@link io.bloomkit.counting}. */
  public static <T> CuckooFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return CuckooFilter.builder(strategy).readFrom(file);
  }

  /** Reads a filter from an array; see {@link io.bloomkit.counting}. */
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
   * {@inheritDoc} Costs at most 500 kicks, nearly always none or a few.
   *
   * @throws IllegalStateException if the element is not positive and the filter is full; nothing
   *     has changed then
   */
  @Override
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  /** {@inheritDoc} Throws an {@link IllegalStateException} as {@link #add}. */
  @Override
  public boolean addHash(long hash) {
    return fingerprints.add(hash);
  }

  /** {@inheritDoc} Throws an {@link IllegalStateException} if not all fit; none is added then. */
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
   * Returns insertions minus removals of an element, or more if other elements share its
   * fingerprint and buckets.
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
   * Returns whether two filters with the same elements give the same answers and counts: same
   * strategy id and fingerprint, same number of buckets and of fingerprint bits.
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
   * Returns the share of all pairs of a bucket and a fingerprint that are positive: with D distinct
   * fingerprints in two buckets each, 2D / (b · (2<sup>f</sup> − 1)). It is exact given the state,
   * in constant time.
   */
  @Override
  public double expectedFpp() {
    return fingerprints.shareOfPositivePairs();
  }

  /**
   * Returns the estimated number of distinct elements: the distinct fingerprints, plus the expected
   * number of elements that share one. In constant time.
   */
  @Override
  public long approximateElementCount() {
    return CuckooSize.elements(fingerprints.distinct(), expectedFpp());
  }

  /** Returns the number of elements, repeats included: insertions minus removals. */
  @Override
  public OptionalLong elementCount() {
    return OptionalLong.of(fingerprints.size());
  }

  @Override
  public Optional<FilterPlan> plan() {
    return plan;
  }

  /** Returns the size, which computes the false-positive probability at any number of elements. */
  public CuckooSize shape() {
    return new CuckooSize(capacity(), buckets(), fingerprintBits());
  }

  /** Returns the maximum of distinct elements; elements with equal fingerprints count as one. */
  public long capacity() {
    return fingerprints.capacity();
  }

  /** Returns the number of buckets, each with room for four fingerprints: b. */
  public int buckets() {
    return fingerprints.buckets();
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
    return fingerprints.width();
  }

  /** {@inheritDoc} They include the buckets and an estimate of stash and further copies. */
  @Override
  public long memoryBytes() {
    return fingerprints.memoryBytes();
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /** Returns whether the contents are equal, see {@link io.bloomkit.MembershipFilter}. */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof CuckooFilter<?> other
        && strategyIdentity.equals(other.strategyIdentity)
        && fingerprints.equals(other.fingerprints);
  }

  /** Returns a hash code of the contents, which changes with them. */
  @Override
  public int hashCode() {
    return Objects.hash(strategyIdentity, shape(), fingerprints);
  }

  /** Returns size, fill, present false-positive probability and strategy, for logs. */
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

  /** Builds cuckoo filters of S or a subtype. */
  public static final class Builder<S> {

    private final BuilderOptions<S, CuckooSize, Builder<S>> options;

    private Builder(HashStrategy<S> strategy) {
      this.options = new BuilderOptions<>(this, strategy, "expecting(insertions, fpp)");
    }

    /** Sizes the filter, and throws, as {@link CuckooSize#of}. Returns this builder. */
    public Builder<S> expecting(long expectedInsertions, double fpp) {
      return options.setSize(
          CuckooSize.of(expectedInsertions, fpp), new FilterPlan(expectedInsertions, fpp));
    }

    /** Makes the filter thread-safe; returns this builder. See {@link CuckooFilter}. */
    public Builder<S> concurrent() {
      return options.setConcurrent();
    }

    /** Returns the {@linkplain CuckooFilter#memoryBytes bytes} of the filter; requires a size. */
    public long memoryBytes() {
      return FingerprintTable.memoryBytes(options.requireSize(), options.isConcurrent());
    }

    /** Returns an empty filter; throws an {@link IllegalStateException} if no size was given. */
    public <T extends S> CuckooFilter<T> build() {
      return filter(
          options.plan(), new FingerprintMultiset(options.requireSize(), options.isConcurrent()));
    }

    /** Reads a filter from a stream; see {@link io.bloomkit.counting}. */
    public <T extends S> CuckooFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /** Reads a filter from a file, as {@link #readFrom(InputStream)}. */
    public <T extends S> CuckooFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /** Reads a filter from an array, as {@link #readFrom(InputStream)}. */
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
