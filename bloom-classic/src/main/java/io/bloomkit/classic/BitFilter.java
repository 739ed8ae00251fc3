package io.bloomkit.classic;

import io.bloomkit.FilterPlan;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The base class of filters of bits. The positions of an element are the indexes of the bits that
 * the element sets. The subclasses derive the positions from the hash of the element. This class
 * implements all operations that do not depend on the positions, such as the element count, file
 * output, merging and equality.
 *
 * @param <T> the type of the elements
 */
public abstract sealed class BitFilter<T> implements InsertableFilter<T>, StorableFilter<T>
    permits ClassicBloomFilter, BlockedBloomFilter {

  final HashStrategy<? super T> strategy;
  final StrategyIdentity strategyIdentity;
  final long[] words;

  /** Insertion count of a concurrent filter; null otherwise. */
  final @Nullable LongAdder sharedAdditions;

  private Optional<FilterPlan> plan;
  long additions;
  private volatile boolean elementCountKnown = true;

  BitFilter(BitState<? super T, ?> state) {
    this.strategy = state.strategy();
    this.strategyIdentity = state.identity();
    this.words = state.words();
    this.plan = state.plan();
    this.sharedAdditions = state.concurrent() ? new LongAdder() : null;
    setAdditions(state.elementCount());
  }

  /** Returns the size, which together with the strategy determines the bits of an element. */
  abstract Record size();

  /** Returns the number of words at the beginning of the array that are not part of the filter. */
  abstract int padding();

  /** Sets the bits of a hash without counting the insertion. Returns whether any bit was unset. */
  abstract boolean insert(long hash);

  /**
   * Adds the hashes at the indexes from {@code offset} to {@code offset + length - 1}: equivalent
   * to {@link #addHash} of each hash in turn.
   *
   * @return the number of additions that returned true
   * @throws IndexOutOfBoundsException if the range does not lie within the array
   */
  @Override
  public long addHashes(long[] hashes, int offset, int length) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromIndexSize(offset, length, hashes.length);
    count(length);
    return insertAll(hashes, offset, offset + length);
  }

  /**
   * Inserts a range of hashes without counting them. Returns the number of those that set a bit.
   */
  long insertAll(long[] hashes, int from, int to) {
    long added = 0;
    for (int i = from; i < to; i++) {
      added += insert(hashes[i]) ? 1 : 0;
    }
    return added;
  }

  /**
   * Counts insertions. Called before the bits are set, so no thread sees bits of an uncounted
   * insertion.
   */
  final void count(int insertions) {
    if (sharedAdditions == null) {
      additions += insertions;
    } else {
      sharedAdditions.add(insertions);
    }
  }

  @Override
  public boolean isConcurrent() {
    return sharedAdditions != null;
  }

  @Override
  public void clear() {
    Arrays.fill(words, 0);
    setAdditions(OptionalLong.of(0));
  }

  /**
   * Returns the number of insertions since the filter was created or cleared. Repeated insertions
   * of an element also count. Merging adds the counts of both filters. Takes constant time.
   *
   * @return the count, or empty if it is unknown: after an intersection, in a filter built from
   *     bits without a count, after merging or reading a filter whose count is unknown, or if the
   *     count exceeds 2<sup>63</sup> − 1
   */
  @Override
  public OptionalLong elementCount() {
    long count = sharedAdditions == null ? additions : sharedAdditions.sum();
    return elementCountKnown && count >= 0 ? OptionalLong.of(count) : OptionalLong.empty();
  }

  /** Returns the element count as text for {@code toString()}. */
  final String elementsText() {
    OptionalLong count = elementCount();
    return count.isPresent() ? Long.toString(count.getAsLong()) : "unknown";
  }

  /** Sets the element count; empty if it is unknown. */
  private void setAdditions(OptionalLong count) {
    elementCountKnown = count.isPresent();
    if (sharedAdditions == null) {
      additions = count.orElse(0);
    } else {
      sharedAdditions.reset();
      sharedAdditions.add(count.orElse(0));
    }
  }

  @Override
  public Optional<FilterPlan> plan() {
    return plan;
  }

  @Override
  public long memoryBytes() {
    return (long) words.length * Long.BYTES;
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /**
   * Returns a copy of all bits. Position p of the filter is bit p mod 64 of the word at index ⌊p /
   * 64⌋; bit 0 is the lowest bit. {@link ClassicBloomFilter.Builder#buildFrom(long[])} and {@link
   * BlockedBloomFilter.Builder#buildFrom(long[])} create a filter from such an array.
   */
  public long[] toLongArray() {
    return Arrays.copyOfRange(words, padding(), words.length);
  }

  /**
   * Writes this filter to a file that can be memory-mapped by {@link ClassicBloomFilter#openMapped}
   * or, for a blocked filter, {@link BlockedBloomFilter#openMapped}. Works like {@link
   * #writeTo(Path)}, except that the bits are never compressed: the file is as large as the bits
   * plus a header. The {@code readFrom} methods can also read the file onto the heap.
   *
   * @throws IOException as for {@link #writeTo(Path)}
   * @throws IllegalStateException if a concurrent change is detected; an existing file is then
   *     unchanged
   */
  public void writeMappableTo(Path file) throws IOException {
    contents().uncoded().writeTo(file);
  }

  /** Returns an independent state with the same contents. */
  final <Z extends Record> BitState<T, Z> copyOfState(Z size) {
    return new BitState<>(
        strategy,
        strategyIdentity,
        size,
        plan,
        sharedAdditions != null,
        words.clone(),
        elementCount());
  }

  /**
   * Returns whether this filter can be merged and intersected with another filter. Both filters
   * must have the same class, the same strategy (id and {@linkplain HashStrategy#fingerprint
   * fingerprint}) and the same shape. The shape is the number of bits, the number of hashes and, in
   * a blocked filter, the number of bits per block. Such filters use the same positions for each
   * element.
   */
  public boolean isCompatible(MembershipFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return other instanceof BitFilter<?> filter && getClass() == filter.getClass() && fits(filter);
  }

  private boolean fits(BitFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return strategyIdentity.equals(other.strategyIdentity) && size().equals(other.size());
  }

  final void mergeBits(BitFilter<?> other) {
    requireFits(other, "merge");
    OptionalLong mine = elementCount();
    OptionalLong theirs = other.elementCount();
    for (int i = 0; i < words.length; i++) {
      words[i] |= other.words[i];
    }
    long sum = mine.orElse(0) + theirs.orElse(0);
    plan = FilterPlan.ofMerged(plan, other.plan);
    setAdditions(
        mine.isPresent() && theirs.isPresent() && sum >= 0
            ? OptionalLong.of(sum)
            : OptionalLong.empty());
  }

  final void intersectBits(BitFilter<?> other) {
    requireFits(other, "intersect");
    for (int i = 0; i < words.length; i++) {
      words[i] &= other.words[i];
    }
    plan = FilterPlan.ofMerged(plan, other.plan);
    setAdditions(OptionalLong.empty());
  }

  private void requireFits(BitFilter<?> other, String operation) {
    if (!fits(other)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "cannot %s: this filter has %s and %s, other has %s and %s",
              operation,
              size(),
              strategyIdentity,
              other.size(),
              other.strategyIdentity));
    }
  }

  /** Returns the number of set bits. The cost is a pass over all bits. */
  public final long setPositions() {
    return countBits(words);
  }

  static long countBits(long[] words) {
    long bits = 0;
    for (long word : words) {
      bits += Long.bitCount(word);
    }
    return bits;
  }

  /**
   * Returns whether an object is a filter of the same class with the same strategy (id and
   * fingerprint), shape and bits. The element count, the plan and whether a filter is concurrent
   * are ignored. The cost is a pass over all bits.
   */
  @Override
  public final boolean equals(@Nullable Object object) {
    return object instanceof BitFilter<?> other
        && getClass() == other.getClass()
        && fits(other)
        && Arrays.equals(words, other.words);
  }

  /** Returns a hash code that changes with the bits. The cost is a pass over all bits. */
  @Override
  public final int hashCode() {
    return Objects.hash(strategyIdentity, size(), Arrays.hashCode(words));
  }
}
