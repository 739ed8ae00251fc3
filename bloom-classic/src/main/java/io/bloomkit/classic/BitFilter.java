package io.bloomkit.classic;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterPlan;
import io.bloomkit.FlatShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.bloomkit.Shape;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.internal.filter.ElementCount;
import io.bloomkit.internal.filter.FilterState;
import io.bloomkit.internal.format.FilterContents;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The base class of filters of bits. The positions of an element are the indexes of the bits that
 * the element sets. The subclasses derive the positions from the hash of the element. This class
 * implements all operations that do not depend on the positions, such as the element count, file
 * output, merging and equality.
 *
 * <p><b>Threads.</b> Single-writer by default: access from several threads requires external
 * synchronization, unless the filter is safely published and not changed afterwards. In a filter
 * that was built with {@code concurrent()}, insertions and queries are thread-safe and lock-free,
 * with these guarantees:
 *
 * <ol>
 *   <li>A query returns true if an insertion of the element happened before the query.
 *   <li>If several threads add the same new element at the same time, {@code add} returns true for
 *       at least one of them, unless insertions of other elements make the element a false
 *       positive. {@code add} may return true for several of these threads.
 *   <li>After all writers have finished, the filter equals one to which a single thread added the
 *       same elements.
 * </ol>
 *
 * <p>A concurrent filter may be copied, compared, written to a file and be the argument of {@code
 * merge} while other threads insert elements. The copy contains every element whose insertion
 * happened before the call; of other insertions, it may contain some of the bits. Merging into the
 * filter, intersecting, clearing and {@link #toLongArray} must not run concurrently with writers; a
 * happens-before edge from earlier writes is required. {@link #expectedFpp}, {@link
 * #approximateElementCount}, {@link #estimate(int)} and {@link #setPositions} may run at any time.
 * Their results may include some of the bits set by concurrent insertions.
 *
 * @param <T> the type of the elements
 */
@SuppressWarnings("exports") // FilterContents is not for users
public abstract sealed class BitFilter<T>
    implements InsertableFilter<T>, StorableFilter<T>, FilterContents.Source
    permits ClassicBloomFilter, BlockedBloomFilter {

  final FilterState<T> state;
  final HashStrategy<? super T> strategy;
  final ElementCount elements;
  final long[] words;

  BitFilter(FilterState<T> state, long[] words) {
    this.state = state;
    this.strategy = state.strategy();
    this.elements = state.elements();
    this.words = words;
  }

  /** Returns the filter of a state. The filter keeps the array. */
  static <T> BitFilter<T> of(FilterState<T> state, long[] words) {
    return state.shape() instanceof BlockedShape blocked
        ? new BlockedBloomFilter<>(state, blocked, words)
        : new ClassicBloomFilter<>(state, (FlatShape) state.shape(), words);
  }

  /** Returns the shape, which together with the strategy determines the bits of an element. */
  public abstract Shape shape();

  /** Returns a copy of a filter, as {@code copy()} of its class does. */
  static <T> BitFilter<T> copyOf(BitFilter<T> filter) {
    long[] copied = filter.snapshot();
    return of(filter.state.copy(), copied); // counts after the bits: insertions are counted first
  }

  /** Returns a copy of the words, each as it was at some moment during the call. */
  private long[] snapshot() {
    if (!isConcurrent()) {
      return WordArrays.copyOf(words);
    }
    long[] copied = WordArrays.allocate(words.length);
    for (int i = 0; i < copied.length; i++) {
      copied[i] = (long) WordArrays.WORDS.getAcquire(words, i);
    }
    return copied;
  }

  /** Sets the bits of a hash without counting the insertion. Returns whether any bit was unset. */
  abstract boolean insert(long hash);

  /**
   * {@inheritDoc}
   *
   * <p>In this class, no addition throws.
   */
  @Override
  public long addHashes(long[] hashes, int offset, int length, boolean @Nullable [] wasNew) {
    Arguments.checkBatch(hashes, offset, length, wasNew);
    elements.add(length); // before the bits are set, so no thread sees uncounted bits
    return insertAll(hashes, offset, offset + length, wasNew);
  }

  /**
   * Inserts a range of hashes without counting them. Returns the number of those that set a bit.
   */
  long insertAll(long[] hashes, int from, int to, boolean @Nullable [] wasNew) {
    long added = 0;
    for (int i = from; i < to; i++) {
      boolean isNew = insert(hashes[i]);
      added += isNew ? 1 : 0;
      if (wasNew != null) {
        wasNew[i] = isNew;
      }
    }
    return added;
  }

  @Override
  public boolean isConcurrent() {
    return elements.isConcurrent();
  }

  @Override
  public void clear() {
    Arrays.fill(words, 0);
    elements.set(OptionalLong.of(0));
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
    return elements.get();
  }

  @Override
  public Optional<FilterPlan> plan() {
    return state.plan();
  }

  @Override
  public long memoryBytes() {
    return (long) words.length * Long.BYTES;
  }

  /**
   * Returns a copy of all bits. Position p of the filter is bit p mod 64 of the word at index ⌊p /
   * 64⌋; bit 0 is the lowest bit. {@link ClassicBloomFilter.Builder#buildFrom(long[])} and {@link
   * BlockedBloomFilter.Builder#buildFrom(long[])} create a filter from such an array.
   */
  public long[] toLongArray() {
    return WordArrays.copyOfRange(words, BitsFile.padding(shape()), words.length);
  }

  /** Not for users: see {@link StorableFilter} for writing a filter. */
  @Override
  public FilterContents contents() {
    return isConcurrent() ? BitsFile.contents(state, snapshot()) : BitsFile.contents(state, words);
  }

  /**
   * Writes this filter to a file that can be memory-mapped by {@link ClassicBloomFilter#openMapped}
   * or, for a blocked filter, {@link BlockedBloomFilter#openMapped}. Works like {@link
   * #writeTo(Path)}, except that the bits are never compressed: the file is as large as the bits
   * plus a header. The {@code readFrom} methods can also read the file onto the heap.
   *
   * @throws IOException as for {@link #writeTo(Path)}
   * @throws IllegalStateException if a concurrent change of a filter that is not concurrent is
   *     detected; an existing file is then unchanged
   */
  public void writeMappableTo(Path file) throws IOException {
    contents().uncoded().writeTo(file);
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
    return other instanceof BitFilter<?> filter && state.equals(filter.state);
  }

  final void mergeBits(BitFilter<?> other) {
    state.requireEqual(Objects.requireNonNull(other, "other").state, "merge");
    for (int i = 0; i < words.length; i++) {
      words[i] |= (long) WordArrays.WORDS.getAcquire(other.words, i);
    }
    state.merge(other.state); // counts after the bits: insertions are counted first
  }

  final void intersectBits(BitFilter<?> other) {
    state.requireEqual(Objects.requireNonNull(other, "other").state, "intersect");
    for (int i = 0; i < words.length; i++) {
      words[i] &= other.words[i];
    }
    state.intersect(other.state);
  }

  /**
   * Returns an estimate of the number of distinct elements that were added to both filters: the sum
   * of their {@linkplain #approximateElementCount estimates} less that of the union. The estimate
   * of an {@linkplain ClassicBloomFilter#intersect intersection} is far too high instead, since
   * elements of only one filter share bits with others. The cost is a pass over both filters.
   *
   * @return the estimate, at least 0; {@link Long#MAX_VALUE} if the union is too full for one
   * @throws IllegalArgumentException if the filters are not {@linkplain #isCompatible compatible}
   */
  public long approximateCommonElementCount(BitFilter<?> other) {
    state.requireEqual(Objects.requireNonNull(other, "other").state, "estimate common elements");
    long here = 0;
    long there = 0;
    long union = 0;
    for (int i = 0; i < words.length; i++) {
      long word = (long) WordArrays.WORDS.getAcquire(other.words, i);
      here += Long.bitCount(words[i]);
      there += Long.bitCount(word);
      union += Long.bitCount(words[i] | word);
    }
    double inUnion = shape().estimatedElements(union);
    return Double.isInfinite(inUnion)
        ? Long.MAX_VALUE
        : Math.max(
            0,
            Math.round(
                shape().estimatedElements(here) + shape().estimatedElements(there) - inUnion));
  }

  final FilterLayout layout() {
    return FilterLayout.of(shape(), memoryBytes()).withSetPositions(setPositions());
  }

  /** {@inheritDoc} The cost is a pass over all bits. */
  @Override
  public long approximateElementCount() {
    return Math.round(shape().estimatedElements(setPositions()));
  }

  /** Returns the number of set bits. The cost is a pass over all bits. */
  public final long setPositions() {
    return WordArrays.countBits(words);
  }

  /**
   * Returns whether an object is a filter of the same class with the same strategy (id and
   * fingerprint), shape and bits. The element count, the plan and whether a filter is concurrent
   * are ignored. The cost is a pass over all bits.
   */
  @Override
  public final boolean equals(@Nullable Object object) {
    return object instanceof BitFilter<?> other
        && state.equals(other.state)
        && Arrays.equals(words, other.words);
  }

  /** Returns a hash code that changes with the bits. The cost is a pass over all bits. */
  @Override
  public final int hashCode() {
    return Objects.hash(state, Arrays.hashCode(words));
  }
}
