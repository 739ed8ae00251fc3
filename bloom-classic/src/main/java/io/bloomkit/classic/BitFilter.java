package io.bloomkit.classic;

import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.format.SectionReader;
import io.bloomkit.format.SectionRole;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Prefetch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What filters of bits share: how often was added, all bits as an array, and equality of contents.
 * Which bits an element takes is what sets them apart.
 *
 * @param <T> the type of the elements
 */
public abstract sealed class BitFilter<T> implements InsertableFilter<T>, StorableFilter<T>
    permits ClassicBloomFilter, BlockedBloomFilter {

  final HashStrategy<? super T> strategy;
  final StrategyIdentity strategyIdentity;
  final long[] words;

  /** How often was added to a concurrent filter; null in others, which have a plain field. */
  final @Nullable LongAdder sharedAdditions;

  long additions;
  private volatile boolean elementCountKnown = true;

  BitFilter(
      HashStrategy<? super T> strategy,
      StrategyIdentity strategyIdentity,
      boolean concurrent,
      long[] words) {
    this.strategy = strategy;
    this.strategyIdentity = strategyIdentity;
    this.words = words;
    this.sharedAdditions = concurrent ? new LongAdder() : null;
  }

  /** The size, which with the strategy says where the bits of an element lie. */
  abstract Record size();

  /** How many words at the beginning of the array are not part of the filter. */
  abstract int padding();

  /** How many hashes the batch forms take at once. */
  abstract int batch();

  /** Loads words of some hashes for {@link Prefetch#keep}, if that pays; returns a mix of them. */
  abstract long load(long[] hashes, int from, int to);

  @Override
  public long addHashes(long[] hashes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, hashes.length);
    long added = 0;
    int batch = batch();
    int end = offset + length;
    for (int from = offset; from < end; from += Math.min(batch, end - from)) {
      int to = from + Math.min(batch, end - from);
      Prefetch.keep(load(hashes, from, to));
      for (int i = from; i < to; i++) {
        added += addHash(hashes[i]) ? 1 : 0;
      }
    }
    return added;
  }

  @Override
  public void clear() {
    Arrays.fill(words, 0);
    setAdditions(OptionalLong.of(0));
  }

  /**
   * Returns how often something was added since the filter was made or cleared, repeats included;
   * merging adds up.
   *
   * @return the count, or empty if it is unknown: after an intersection, above 2<sup>63</sup> − 1,
   *     or if made from bits without it
   */
  public OptionalLong elementCount() {
    long count = sharedAdditions == null ? additions : sharedAdditions.sum();
    return elementCountKnown && count >= 0 ? OptionalLong.of(count) : OptionalLong.empty();
  }

  /** Sets how often was added; empty if that is unknown. */
  final void setAdditions(OptionalLong count) {
    elementCountKnown = count.isPresent();
    if (sharedAdditions == null) {
      additions = count.orElse(0);
    } else {
      sharedAdditions.reset();
      sharedAdditions.add(count.orElse(0));
    }
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
   * Returns a copy of all bits: bit p of the filter is bit p mod 64 of element p div 64. The
   * builder's {@code buildFrom} makes a filter of them again.
   */
  public long[] toLongArray() {
    return Arrays.copyOfRange(words, padding(), words.length);
  }

  /**
   * Writes this filter to a file that {@code openMapped} opens: as {@link #writeTo(Path)}, but
   * never coded, so that it takes its bits even if nearly all of them are zero. {@code readFrom}
   * reads it like any other.
   *
   * @throws IOException if the file cannot be written; an old one is then as it was
   * @throws IllegalStateException if the filter is seen to change meanwhile; an old file is then as
   *     it was
   */
  public void writeMappableTo(Path file) throws IOException {
    contents().uncoded().writeTo(file);
  }

  /** What is written of this filter, whose elements take so many bits each. */
  final FilterContents contents(FilterVariant variant, int hashes, long... fields) {
    long bits = setPositions();
    return FilterContents.of(variant, strategyIdentity, fields)
        .elementCount(elementCount(), leastElements(bits, hashes), mostElements(bits))
        .section(SectionRole.WORDS, words, padding(), words.length - padding())
        .build();
  }

  /** Reads the bits of this filter, which is new and whose elements take so many bits each. */
  final void readBits(
      SectionReader section, FilterReader reader, OptionalLong elementCount, int hashes)
      throws IOException {
    section.readInto(words, padding(), words.length - padding());
    long bits = setPositions();
    reader.requireElementCount(elementCount, leastElements(bits, hashes), mostElements(bits));
    setAdditions(elementCount);
  }

  static long leastElements(long bits, int hashes) {
    return (bits + hashes - 1) / hashes;
  }

  static long mostElements(long bits) {
    return bits == 0 ? 0 : Long.MAX_VALUE;
  }

  /**
   * Returns whether another filter puts every element at the same positions, so that the two can be
   * merged: same class, same strategy id and fingerprint, same shape.
   */
  public boolean isCompatible(MembershipFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return other instanceof BitFilter<?> filter && getClass() == filter.getClass() && fits(filter);
  }

  final boolean fits(BitFilter<?> other) {
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

  /** Returns how many bits are set: X. Costs a pass over all bits. */
  public final long setPositions() {
    long bits = 0;
    for (long word : words) {
      bits += Long.bitCount(word);
    }
    return bits;
  }

  /**
   * Returns whether an object is a filter of this class with the same strategy, shape and bits. How
   * often elements were added does not count, nor whether a filter is concurrent. Costs a pass over
   * all bits.
   */
  @Override
  public final boolean equals(@Nullable Object object) {
    return object instanceof BitFilter<?> other
        && getClass() == other.getClass()
        && fits(other)
        && Arrays.equals(words, other.words);
  }

  /** Returns a hash code of the contents: it changes with them and costs a pass over all bits. */
  @Override
  public final int hashCode() {
    return Objects.hash(strategyIdentity, size(), Arrays.hashCode(words));
  }
}
