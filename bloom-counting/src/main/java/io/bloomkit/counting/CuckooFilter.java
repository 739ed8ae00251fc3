package io.bloomkit.counting;

import io.bloomkit.DeletableFilter;
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
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The compact filter that can forget: a table of short fingerprints in place of counters (B. Fan,
 * D. Andersen, M. Kaminsky, M. Mitzenmacher, <i>Cuckoo filter: practically better than Bloom</i>,
 * 2014). At 1 % it takes 10.5 bits an element, where a {@link CountingBloomFilter} takes 38.
 *
 * <p>A fingerprint stands in one of two buckets of four places, both of which follow from the hash
 * and either of which follows from the other and the fingerprint. Where both are full, another
 * fingerprint is kicked to its other bucket, and so on. A query compares four fingerprints at once
 * and touches two cache lines.
 *
 * <pre>{@code
 * CuckooFilter<String> sessions = CuckooFilter.create(HashStrategies.utf8(), 1_000_000, 0.01);
 * sessions.add("alice");
 * sessions.remove("alice");
 * }</pre>
 *
 * <p><b>It has a capacity.</b> Up to the number of distinct elements it was made for, adding never
 * fails, whatever the hashes: a fingerprint for which no chain of 500 kicks finds a place goes to a
 * stash, which is mostly empty. Beyond, {@link #add} of an element that is not claimed throws, and
 * nothing has changed. So the rate asked for is never exceeded. If the number is not known, take a
 * filter that grows or one whose rate rises.
 *
 * <p><b>It is a multiset.</b> Up to two copies of a fingerprint stand in its buckets and any number
 * more in a table aside, where each distinct one takes sixteen bytes or more; they are given back
 * first. After any additions and matching removals it answers and counts as the filter that only
 * ever saw what is left. Which of its two buckets a fingerprint stands in depends on the order in
 * which elements came: that is no part of the contents, so filters are not compared by {@code
 * equals}.
 *
 * <p><b>Remove only what was added.</b> Removing an absent element changes nothing, unless it is a
 * false positive, and {@link #expectedFpp} is the probability of that: then the one element whose
 * fingerprint it shares loses an occurrence and may be denied. No filter of this kind can tell.
 *
 * <p><b>When to choose another.</b> If nothing is ever removed, a {@link
 * io.bloomkit.classic.ClassicBloomFilter} takes 9.6 bits at 1 % and any number of elements. Cuckoo
 * filters cannot be merged: the union of two is mostly beyond the capacity of either; {@link
 * CountingBloomFilter} merges, subtracts, takes any number of elements and is for many threads.
 *
 * <p><b>Threads.</b> For a single writer, and no readers while it writes: an element on its way to
 * its other bucket would be denied for a moment. Many threads may read a filter that is handed over
 * safely and no longer changed. There is no concurrent form.
 *
 * @param <T> the type of the elements
 */
public final class CuckooFilter<T> implements DeletableFilter<T>, StorableFilter<T> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND = new CuckooKind();

  private final HashStrategy<? super T> strategy;
  private final StrategyIdentity strategyIdentity;
  private final FingerprintMultiset fingerprints;

  private CuckooFilter(
      HashStrategy<? super T> strategy,
      StrategyIdentity strategyIdentity,
      FingerprintMultiset fingerprints) {
    this.strategy = strategy;
    this.strategyIdentity = strategyIdentity;
    this.fingerprints = fingerprints;
  }

  /**
   * Returns an empty filter for a number of elements and a false-positive probability. Its
   * fingerprints are the shortest that keep the rate, of an even number of bits from 8 to 32: 8 for
   * 3 %, 10 for 1 %, 12 for 0.2 %, 16 for 0.012 %, and 5 % more for places that stay free.
   *
   * @param strategy turns elements into hashes
   * @param expectedInsertions the number of distinct elements that it takes at any one time, at
   *     least 1; more are refused
   * @param fpp the probability that an element never added is claimed, between 0 and 1, both
   *     excluded, and not below 1.8·10<sup>-9</sup>, the rate of 32 bits; at the full capacity it
   *     is this or less
   * @throws IllegalArgumentException if an argument is missing or out of its range, or the filter
   *     would be larger than one array, 2 GiB
   */
  public static <T> CuckooFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return CuckooFilter.builder(strategy).expecting(expectedInsertions, fpp).build();
  }

  /**
   * Returns a builder, which says the same as {@link #create} step by step.
   *
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /**
   * Reads a filter from a stream, and not a byte more, so that several may follow each other.
   *
   * @param in needs no buffer
   * @param strategy the one that the filter was filled by: same id, same fingerprint
   * @throws FilterFormatException if what comes is damaged, cut off, no filter of this kind, or was
   *     filled by another strategy
   * @throws IOException if the stream fails
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <T> CuckooFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException {
    return CuckooFilter.builder(strategy).readFrom(in);
  }

  /**
   * Reads a filter from a file that holds nothing else.
   *
   * @param strategy see {@link #readFrom(InputStream, HashStrategy)}
   * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was filled
   *     by another strategy
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <T> CuckooFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return CuckooFilter.builder(strategy).readFrom(file);
  }

  /**
   * Reads a filter from what {@link #toBytes} gave.
   *
   * @param strategy see {@link #readFrom(InputStream, HashStrategy)}
   * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was filled
   *     by another strategy
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
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
   * {@inheritDoc} Costs at most 500 kicks, and nearly always none or a few.
   *
   * @throws IllegalStateException if the element is not claimed and the filter is full; nothing has
   *     changed then
   */
  @Override
  public boolean add(T element) {
    return addHash(hashOf(element));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the hash is not claimed and the filter is full; nothing has
   *     changed then
   */
  @Override
  public boolean addHash(long hash) {
    return fingerprints.add(hash);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if they do not all fit; none has been added then
   */
  @Override
  public long addHashes(long[] hashes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, hashes.length);
    long added = 0;
    int next = offset;
    try {
      for (; next < offset + length; next++) {
        added += addHash(hashes[next]) ? 1 : 0;
      }
    } catch (IllegalStateException full) {
      while (next-- > offset) {
        removeHash(hashes[next]);
      }
      throw full;
    }
    return added;
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
   * Returns how often an element was added and not removed, and more if others share its
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
  public void clear() {
    fingerprints.clear();
  }

  /** Returns a filter of its own with the same contents. */
  public CuckooFilter<T> copy() {
    return new CuckooFilter<>(strategy, strategyIdentity, fingerprints.copy());
  }

  /**
   * Returns whether another filter answers and counts as this one once it holds the same: same
   * strategy id, same fingerprint of the strategy, same number of buckets and of fingerprint bits.
   */
  public boolean isCompatible(CuckooFilter<?> other) {
    return strategyIdentity.equals(other.strategyIdentity)
        && buckets() == other.buckets()
        && fingerprintBits() == other.fingerprintBits();
  }

  @Override
  public FilterContents contents() {
    FilterContents.Builder contents =
        FilterContents.of(
                KIND.variant(), strategyIdentity, capacity(), buckets(), fingerprintBits())
            .elementCount(elementCount(), fingerprints.size(), fingerprints.size());
    return fingerprints.addTo(contents).build();
  }

  /**
   * Returns the share of all pairs of a bucket and a fingerprint that are claimed now: with D
   * distinct fingerprints held, each claimed from its two buckets, 2D / (b · (2<sup>f</sup> − 1)).
   * It is exact given the state, and costs nothing.
   */
  @Override
  public double expectedFpp() {
    return fingerprints.shareOfClaimedPairs();
  }

  /**
   * Returns an estimate of how many distinct elements there are: the distinct fingerprints, and
   * those elements that are likely to share one.
   */
  @Override
  public long approximateElementCount() {
    long distinct = fingerprints.distinct();
    if (distinct == 0) {
      return 0;
    }
    // Each addition so far met a share of claimed pairs that rose evenly from 0 to this one, which
    // is never above 8/255: four fingerprints a bucket, of 255 at least, claim two pairs each.
    double share = expectedFpp();
    return Math.round(distinct * -StrictMath.log1p(-share) / share);
  }

  /** Returns how many occurrences of elements are in the filter: additions less removals. */
  public OptionalLong elementCount() {
    return OptionalLong.of(fingerprints.size());
  }

  /**
   * Returns the size of the table: {@link #capacity}, {@link #buckets} and {@link #fingerprintBits}
   * as one value, which also computes the false-positive probability at any number of elements. It
   * never changes, and a filter that is read from a file has the size of the one that was written.
   */
  public CuckooSize shape() {
    return new CuckooSize(capacity(), buckets(), fingerprintBits());
  }

  /**
   * Returns how many distinct elements the filter takes. Of those that it holds, two that share
   * their fingerprint and buckets count as one.
   */
  public long capacity() {
    return fingerprints.capacity();
  }

  /** Returns the number of buckets, each with room for four fingerprints: b. */
  public int buckets() {
    return fingerprints.buckets();
  }

  /** Returns how many of the {@link #capacity} are taken. */
  public long distinctFingerprints() {
    return fingerprints.distinct();
  }

  /** Returns how many fingerprints found no place and stand in the stash: mostly none. */
  public int stashed() {
    return fingerprints.stashed();
  }

  /** Returns the number of bits in a fingerprint: f. */
  public int fingerprintBits() {
    return fingerprints.width();
  }

  /**
   * {@inheritDoc} Those are the buckets and, estimated from their entries, the stash and the table
   * of further copies.
   */
  @Override
  public long memoryBytes() {
    return fingerprints.memoryBytes();
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
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

  /**
   * Builds cuckoo filters.
   *
   * @param <S> the type that the strategy takes; the filters may be of a subtype
   */
  public static final class Builder<S> {

    private final HashStrategy<S> strategy;
    private final StrategyIdentity strategyIdentity;
    private @Nullable CuckooSize size;

    private Builder(HashStrategy<S> strategy) {
      this.strategyIdentity = StrategyIdentity.of(strategy);
      this.strategy = strategy;
    }

    /**
     * Sizes the filter by {@link CuckooSize#of}. The later call counts.
     *
     * @param expectedInsertions the number of distinct elements that it takes, at least 1
     * @param fpp between 0 and 1, both excluded, and not below 1.8·10<sup>-9</sup>
     * @return this builder
     * @throws IllegalArgumentException if an argument is out of its range, or the filter would be
     *     larger than one array
     */
    public Builder<S> expecting(long expectedInsertions, double fpp) {
      size = CuckooSize.of(expectedInsertions, fpp);
      return this;
    }

    /**
     * Returns the {@linkplain CuckooFilter#memoryBytes bytes} of the filter that {@link #build}
     * would make, without making it.
     *
     * @throws IllegalStateException if no size was given
     */
    public long memoryBytes() {
      return requireSize().memoryBytes();
    }

    /**
     * Returns an empty filter.
     *
     * @throws IllegalStateException if no size was given
     */
    public <T extends S> CuckooFilter<T> build() {
      return new CuckooFilter<>(strategy, strategyIdentity, new FingerprintMultiset(requireSize()));
    }

    /**
     * Reads a filter from a stream, and not a byte more. If a size was given, it must be that of
     * the filter.
     *
     * @param in needs no buffer
     * @throws FilterFormatException if what comes is damaged, cut off, no filter of this kind, or
     *     was filled by another strategy
     * @throws IOException if the stream fails
     */
    public <T extends S> CuckooFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /**
     * Reads a filter from a file that holds nothing else; see {@link #readFrom(InputStream)}.
     *
     * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was
     *     filled by another strategy
     * @throws IOException if the file cannot be read
     */
    public <T extends S> CuckooFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /**
     * Reads a filter from what {@link CuckooFilter#toBytes} gave; see {@link
     * #readFrom(InputStream)}.
     *
     * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was
     *     filled by another strategy
     */
    public <T extends S> CuckooFilter<T> fromBytes(byte[] bytes) throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    <T extends S> CuckooFilter<T> read(FilterReader reader) throws IOException {
      reader.require(KIND.variant(), strategyIdentity, 3);
      CuckooSize read = CuckooSize.read(reader);
      if (size != null && !size.equals(read)) {
        throw reader.wrongField(0, "the filter must have " + size + " but has " + read);
      }
      FingerprintMultiset fingerprints = FingerprintMultiset.read(reader, read);
      reader.requireElementCount(reader.elementCount(), fingerprints.size(), fingerprints.size());
      return new CuckooFilter<>(strategy, strategyIdentity, fingerprints);
    }

    private CuckooSize requireSize() {
      if (size == null) {
        throw new IllegalStateException(
            "the filter has no size: call expecting(insertions, fpp) first");
      }
      return size;
    }
  }
}
