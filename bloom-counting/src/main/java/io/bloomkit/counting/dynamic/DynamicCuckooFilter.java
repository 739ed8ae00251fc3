package io.bloomkit.counting.dynamic;

import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterPlan;
import io.bloomkit.MembershipFilter;
import io.bloomkit.MergeableFilter;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A filter that grows, deletes and counts: a multiset of fingerprints in small cuckoo tables. It
 * takes 11 bits per element at 1 %, a {@link io.bloomkit.counting.CountingBloomFilter} 38.
 *
 * <pre>{@code
 * DynamicCuckooFilter<String> sessions =
 *     DynamicCuckooFilter.create(HashStrategies.utf8(), 10_000_000, 0.01);
 * sessions.add("alice");
 * sessions.remove("alice");
 * }</pre>
 *
 * <p><b>It grows and shrinks.</b> An empty filter takes less than a kilobyte, whatever it is
 * planned for. A full table of at most 14,200 fingerprints is replaced by one that is a quarter
 * larger, or by two; no operation copies the whole filter. With fewer elements than planned, each
 * takes more bits: 18 at a 64th of the plan.
 *
 * <p><b>The false-positive rate</b> is the number of distinct fingerprints held, divided by F =
 * maxElements / fpp, the number of all fingerprints ({@link #expectedFpp}, exact, in constant
 * time). Past the planned elements nothing fails: the rate rises in proportion, and {@link
 * #isOverfull} returns true.
 *
 * <p><b>It is an exact multiset of fingerprints.</b> The fingerprint of an element is ⌊hash · F /
 * 2<sup>64</sup>⌋; nothing else is stored. Growth, removal and merging never change it. So after
 * any insertions and matching removals the filter equals one to which only the remaining elements
 * were added, and {@link #count} is exact up to equal fingerprints: two given elements share one
 * with probability 1 / F. The first copy of an element takes one table entry, and n further copies
 * take one entry for each one bit of n.
 *
 * <p><b>Remove only what was added.</b> Removing an absent element returns false and changes
 * nothing, unless it is a false positive (probability {@link #expectedFpp}): then an element with
 * the same fingerprint loses one occurrence and may become a false negative.
 *
 * <p><b>Chosen keys.</b> Use a keyed strategy such as {@link
 * io.bloomkit.hash.HashStrategies#sipHash24} where an attacker may choose elements. Under any
 * other, hashes chosen to share their first bits cost time, not answers: an operation then moves up
 * to 2<sup>20</sup> fingerprints, and the filter takes up to four times the memory.
 *
 * <p><b>Threads.</b> Single-writer unless built {@linkplain Builder#concurrent() concurrent}. In
 * the concurrent form any number of threads may add, remove, count and query; operations on one
 * element are linearizable. An update locks one table, or two while it joins them; {@link #count}
 * locks one. A query takes no lock; if an update of the table interferes with eight reads in a row,
 * it waits for that lock. Merging, subtracting, copying, clearing, comparing, writing and {@link
 * #forEachFingerprint} must not run concurrently with writers.
 *
 * @param <T> the type of the elements
 */
public final class DynamicCuckooFilter<T>
    implements DeletableFilter<T>,
        MergeableFilter<DynamicCuckooFilter<? extends T>>,
        StorableFilter<T> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND = new DynamicCuckooKind();

  private final HashStrategy<? super T> strategy;
  private final StrategyIdentity strategyIdentity;
  private final DynamicCuckooSize size;
  private final Optional<FilterPlan> plan;
  private final FingerprintCounts fingerprints;

  private DynamicCuckooFilter(
      HashStrategy<? super T> strategy,
      StrategyIdentity strategyIdentity,
      DynamicCuckooSize size,
      Optional<FilterPlan> plan,
      FingerprintCounts fingerprints) {
    this.strategy = strategy;
    this.strategyIdentity = strategyIdentity;
    this.size = size;
    this.plan = plan;
    this.fingerprints = fingerprints;
  }

  /**
   * Returns an empty filter of size {@link DynamicCuckooSize#of}.
   *
   * @param maxElements the number of distinct elements at which the false-positive rate is reached,
   *     at least 1; plan generously: a plan for 64 times as many costs seven more bits per element
   * @param fpp the false-positive rate at that number, in (0, 1)
   * @throws IllegalArgumentException as {@link DynamicCuckooSize#of}
   */
  public static <T> DynamicCuckooFilter<T> create(
      HashStrategy<? super T> strategy, long maxElements, double fpp) {
    return DynamicCuckooFilter.builder(strategy).expectingAtMost(maxElements, fpp).build();
  }

  /** Returns a builder, which also makes concurrent filters. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a filter from a stream; see {@link io.bloomkit.counting}. */
  public static <T> DynamicCuckooFilter<T> readFrom(
      InputStream in, HashStrategy<? super T> strategy) throws IOException {
    return DynamicCuckooFilter.builder(strategy).readFrom(in);
  }

  /** Reads a filter from a file; see {@link io.bloomkit.counting}. */
  public static <T> DynamicCuckooFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return DynamicCuckooFilter.builder(strategy).readFrom(file);
  }

  /** Reads a filter from an array; see {@link io.bloomkit.counting}. */
  public static <T> DynamicCuckooFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    return DynamicCuckooFilter.builder(strategy).fromBytes(bytes);
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(hashOf(element));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return fingerprints.contains(hash);
  }

  /** {@inheritDoc} Constant time on average; with uniform hashes, at most 14,200 moves. */
  @Override
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  @Override
  public boolean addHash(long hash) {
    return fingerprints.add(hash);
  }

  @Override
  public boolean remove(T element) {
    return removeHash(hashOf(element));
  }

  @Override
  public boolean removeHash(long hash) {
    return fingerprints.remove(hash);
  }

  @Override
  public boolean isConcurrent() {
    return fingerprints.isConcurrent();
  }

  /** {@inheritDoc} Elements that share a fingerprint are counted together. */
  @Override
  public long count(T element) {
    return countHash(hashOf(element));
  }

  @Override
  public long countHash(long hash) {
    return fingerprints.count(hash);
  }

  @Override
  public void clear() {
    fingerprints.clear();
  }

  /** Returns whether another filter can be merged with this one: same class, strategy and F. */
  @Override
  public boolean isCompatible(MembershipFilter<?> other) {
    return Objects.requireNonNull(other, "other") instanceof DynamicCuckooFilter<?> filter
        && strategyIdentity.equals(filter.strategyIdentity)
        && size.fingerprints() == filter.size.fingerprints();
  }

  @Override
  public void merge(DynamicCuckooFilter<? extends T> other) {
    requireCompatible(other, "merge");
    fingerprints.merge(other.fingerprints);
  }

  /**
   * Removes all elements of another filter. Throws {@link IllegalArgumentException} and changes
   * nothing if the other is not compatible, or if this filter does not hold all its elements.
   */
  public void subtract(DynamicCuckooFilter<? extends T> other) {
    requireCompatible(other, "subtract");
    if (!fingerprints.subtract(other.fingerprints)) {
      throw new IllegalArgumentException(
          "cannot subtract: " + other + " holds elements that " + this + " does not");
    }
  }

  private void requireCompatible(DynamicCuckooFilter<?> other, String operation) {
    if (!isCompatible(other)) {
      throw new IllegalArgumentException(
          "cannot " + operation + ": this is " + this + ", other is " + other);
    }
  }

  /** Returns an independent copy, concurrent if this filter is. */
  @Override
  public DynamicCuckooFilter<T> copy() {
    return new DynamicCuckooFilter<>(strategy, strategyIdentity, size, plan, fingerprints.copy());
  }

  /** Visits each distinct fingerprint in ascending order. Costs a pass that sorts each table. */
  public void forEachFingerprint(FingerprintVisitor visitor) {
    fingerprints.forEach(Objects.requireNonNull(visitor, "visitor"));
  }

  /** {@inheritDoc} The file takes 8 bits per distinct element at 1 %, filled as planned. */
  @Override
  public FilterContents contents() {
    return DynamicCuckooFile.contents(strategyIdentity, size, plan, fingerprints);
  }

  /** {@inheritDoc} It is exact given the state, in constant time: distinct fingerprints / F. */
  @Override
  public double expectedFpp() {
    return (double) fingerprints.distinct() / size.fingerprints();
  }

  /** {@inheritDoc} In constant time, from the number of distinct fingerprints. */
  @Override
  public long approximateElementCount() {
    return size.elements(fingerprints.distinct());
  }

  /** Returns the number of elements, repeats included: insertions minus removals. */
  @Override
  public OptionalLong elementCount() {
    return OptionalLong.of(fingerprints.total());
  }

  /** Returns the number of distinct fingerprints. In constant time. */
  public long distinctFingerprints() {
    return fingerprints.distinct();
  }

  @Override
  public Optional<FilterPlan> plan() {
    return plan;
  }

  /** Returns how many more elements fit within the planned rate, at least 0. In constant time. */
  public long headroom() {
    return Math.max(0, size.maxElements() - fingerprints.distinct());
  }

  /** Returns whether more distinct fingerprints are held than planned. In constant time. */
  @Override
  public boolean isOverfull() {
    return fingerprints.distinct() > size.maxElements();
  }

  /** Returns the planned size. */
  public DynamicCuckooSize shape() {
    return size;
  }

  /** {@inheritDoc} Reads the size of each table; there is one per 10,000 elements or so. */
  @Override
  public long memoryBytes() {
    return fingerprints.memoryBytes();
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /** Returns whether another filter has this strategy and size and the same fingerprints. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof DynamicCuckooFilter<?> filter
            && strategyIdentity.equals(filter.strategyIdentity)
            && size.equals(filter.size)
            && fingerprints.holdsTheSameAs(filter.fingerprints));
  }

  /** Returns a hash code of the contents, which changes with them. */
  @Override
  public int hashCode() {
    return Objects.hash(strategyIdentity, size, fingerprints.contentsHashCode());
  }

  /** Returns size, contents, present false-positive rate and strategy, for logs. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "DynamicCuckooFilter[maxElements=%d, fingerprints=%d, distinct=%d, expectedFpp=%.3g,"
            + " strategy=%s]",
        size.maxElements(),
        size.fingerprints(),
        distinctFingerprints(),
        expectedFpp(),
        strategyIdentity.id());
  }

  private long hashOf(T element) {
    return strategy.hash(Objects.requireNonNull(element, "element"));
  }

  /** Builds filters of S or a subtype. */
  public static final class Builder<S> {

    private final HashStrategy<S> strategy;
    private final StrategyIdentity strategyIdentity;
    private @Nullable DynamicCuckooSize size;
    private Optional<FilterPlan> plan = Optional.empty();
    private boolean isConcurrent;

    private Builder(HashStrategy<S> strategy) {
      this.strategyIdentity = StrategyIdentity.of(strategy);
      this.strategy = strategy;
    }

    /**
     * Sizes the filter by {@link DynamicCuckooSize#of}, and throws as it does; the last call takes
     * effect. Returns this builder.
     */
    public Builder<S> expectingAtMost(long maxElements, double fpp) {
      size = DynamicCuckooSize.of(maxElements, fpp);
      plan = Optional.of(new FilterPlan(maxElements, fpp));
      return this;
    }

    /** Makes the filter thread-safe. Returns this builder. */
    public Builder<S> concurrent() {
      isConcurrent = true;
      return this;
    }

    /** Returns an empty filter; throws an {@link IllegalStateException} if no size was given. */
    public <T extends S> DynamicCuckooFilter<T> build() {
      if (size == null) {
        throw new IllegalStateException(
            "the filter has no size: call expectingAtMost(maxElements, fpp) first");
      }
      return empty(size, plan);
    }

    private <T extends S> DynamicCuckooFilter<T> empty(
        DynamicCuckooSize made, Optional<FilterPlan> madeFor) {
      return new DynamicCuckooFilter<>(
          strategy,
          strategyIdentity,
          made,
          madeFor,
          new FingerprintCounts(new TableSizes(made.space(), made.maxElements()), isConcurrent));
    }

    /** Reads a filter from a stream; see {@link io.bloomkit.counting}. */
    public <T extends S> DynamicCuckooFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /** Reads a filter from a file, as {@link #readFrom(InputStream)}. */
    public <T extends S> DynamicCuckooFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /** Reads a filter from an array, as {@link #readFrom(InputStream)}. */
    public <T extends S> DynamicCuckooFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    <T extends S> DynamicCuckooFilter<T> read(FilterReader reader) throws IOException {
      reader.require(KIND.variant(), strategyIdentity, DynamicCuckooFile.FIELDS);
      DynamicCuckooSize read = DynamicCuckooFile.readSize(reader);
      if (size != null && !size.equals(read)) {
        throw reader.wrongField(0, "the filter must have " + size + " but has " + read);
      }
      reader.requirePlanFor(read.maxElements());
      DynamicCuckooFilter<T> filter = empty(read, reader.plan());
      DynamicCuckooFile.readInto(reader, read, filter.fingerprints);
      return filter;
    }
  }
}
