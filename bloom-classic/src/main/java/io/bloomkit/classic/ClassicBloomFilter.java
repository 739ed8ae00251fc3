package io.bloomkit.classic;

import io.bloomkit.BloomFormulas;
import io.bloomkit.HashStrategy;
import io.bloomkit.IndexDerivation;
import io.bloomkit.InsertableFilter;
import io.bloomkit.Shape;
import io.bloomkit.StrategyIdentity;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The classic Bloom filter: m bits, of which an element sets k (B. Bloom, <i>Space/time trade-offs
 * in hash coding with allowable errors</i>, 1970).
 *
 * <p>It takes the fewest bits of all filters that merge, 9.6 an element at 1 % and 4.8 more for
 * every tenth of the rate; nothing can be removed from it. Adding touches k cache lines, asking for
 * an element that is there k, for one that is not two or three.
 *
 * <pre>{@code
 * ClassicBloomFilter<String> seen =
 *     ClassicBloomFilter.create(HashStrategies.utf8(), 1_000_000, 0.01);
 * }</pre>
 *
 * <p><b>Threads.</b> For one thread, or many readers of a filter that is handed over safely and no
 * longer changed. Built {@linkplain Builder#concurrent() concurrent}, {@code add} and the queries
 * may be called by any number of threads and take no lock. Then (1) a query answers true if an
 * addition of the element happened before it; (2) of several threads that first add an element at
 * the same time at least one gets true, unless it is then a false positive, and several may; (3)
 * when all is quiet the bits are those of some order of the same additions. Merging, intersecting,
 * clearing, copying, comparing and reading all bits need a moment without writers, whom they must
 * happen after.
 *
 * @param <T> the type of the elements
 */
public final class ClassicBloomFilter<T> implements InsertableFilter<T> {

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int BITS_PER_WORD_LOG_2 = 6;

  /** The longest array that every virtual machine can make. */
  private static final int MAX_WORDS = Integer.MAX_VALUE - 8;

  private final HashStrategy<? super T> strategy;
  private final StrategyIdentity strategyIdentity;
  private final Shape shape;
  private final long positions;
  private final int hashes;

  /** Bit p of the filter is bit p mod 64 of word p div 64; bits from m on are zero. */
  private final long[] words;

  /** Counts of a concurrent filter; null in others, which have plain fields. */
  private final @Nullable SharedCounts sharedCounts;

  private long setPositions;
  private long additions;
  private volatile boolean elementCountKnown = true;

  private ClassicBloomFilter(
      HashStrategy<? super T> strategy,
      StrategyIdentity strategyIdentity,
      Shape shape,
      boolean concurrent,
      long[] words) {
    this.strategy = strategy;
    this.strategyIdentity = strategyIdentity;
    this.shape = shape;
    this.positions = shape.positions();
    this.hashes = shape.hashes();
    this.words = words;
    this.sharedCounts = concurrent ? new SharedCounts(new LongAdder(), new LongAdder()) : null;
  }

  /**
   * Returns an empty filter for a number of elements and a false-positive probability; its shape is
   * {@link Shape#of}.
   *
   * @param strategy turns elements into hashes
   * @param expectedInsertions the number of distinct elements planned for, at least 1; with more
   *     the rate rises, nothing else happens
   * @param fpp the probability that an element never added is claimed, between 0 and 1, both
   *     excluded
   * @throws IllegalArgumentException if an argument is missing or out of its range, or the filter
   *     would be larger than one array
   */
  public static <T> ClassicBloomFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return ClassicBloomFilter.builder(strategy).expecting(expectedInsertions, fpp).build();
  }

  /**
   * Returns a builder, for everything that {@link #create} does not offer.
   *
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return sharedCounts == null ? isClaimed(hash) : isClaimedShared(hash);
  }

  private boolean isClaimed(long hash) {
    long state = IndexDerivation.start(hash);
    int left = hashes;
    if ((left & 1) != 0) {
      long position = IndexDerivation.position(state, positions);
      if ((words[wordOf(position)] >>> position & 1) == 0) {
        return false;
      }
      state = IndexDerivation.next(state);
    }
    // Two bits a branch: a mispredicted branch costs more than a second load (docs/performance.md).
    for (left &= ~1; left > 0; left -= 2) {
      long position = IndexDerivation.position(state, positions);
      state = IndexDerivation.next(state);
      long position2 = IndexDerivation.position(state, positions);
      state = IndexDerivation.next(state);
      long both = words[wordOf(position)] >>> position & words[wordOf(position2)] >>> position2;
      if ((both & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  private boolean isClaimedShared(long hash) {
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < hashes; i++) {
      long position = IndexDerivation.position(state, positions);
      // Acquire: who sees a bit also sees what its setter saw, so later queries do not go back on
      // it.
      if (((long) WORDS.getAcquire(words, wordOf(position)) >>> position & 1) == 0) {
        return false;
      }
      state = IndexDerivation.next(state);
    }
    return true;
  }

  @Override
  public boolean add(T element) {
    return addHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean addHash(long hash) {
    return sharedCounts == null ? addPlain(hash) : addShared(hash, sharedCounts);
  }

  private boolean addPlain(long hash) {
    long state = IndexDerivation.start(hash);
    int newlySet = 0;
    for (int i = 0; i < hashes; i++) {
      long position = IndexDerivation.position(state, positions);
      int word = wordOf(position);
      long before = words[word];
      words[word] = before | 1L << position; // asking first would cost a branch and gain nothing
      newlySet += (int) (~before >>> position) & 1;
      state = IndexDerivation.next(state);
    }
    setPositions += newlySet;
    additions++;
    return newlySet != 0;
  }

  private boolean addShared(long hash, SharedCounts counts) {
    long state = IndexDerivation.start(hash);
    int newlySet = 0;
    for (int i = 0; i < hashes; i++) {
      long position = IndexDerivation.position(state, positions);
      int word = wordOf(position);
      long bit = 1L << position;
      // A bit that is set is left alone, so that repeats do not take the line from other threads.
      if (((long) WORDS.getAcquire(words, word) & bit) == 0
          && ((long) WORDS.getAndBitwiseOr(words, word, bit) & bit) == 0) {
        newlySet++;
      }
      state = IndexDerivation.next(state);
    }
    if (newlySet != 0) {
      counts.setPositions.add(newlySet);
    }
    counts.additions.increment();
    return newlySet != 0;
  }

  @Override
  public void clear() {
    Arrays.fill(words, 0);
    elementCountKnown = true;
    setCounts(0, 0);
  }

  /**
   * Returns whether another filter puts every element at the same positions, so that the two can be
   * merged: same strategy id, same fingerprint, same shape.
   */
  public boolean isCompatible(ClassicBloomFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return strategyIdentity.equals(other.strategyIdentity) && shape.equals(other.shape);
  }

  /**
   * Adds all elements of another filter: afterwards this one claims what either claimed, and equals
   * the filter to which the elements of both were added. A filter may be merged with itself.
   *
   * @throws IllegalArgumentException if the other is not {@linkplain #isCompatible compatible}
   */
  public void merge(ClassicBloomFilter<? extends T> other) {
    requireCompatible(other, "merge");
    OptionalLong elements = elementCount();
    OptionalLong otherElements = other.elementCount();
    for (int i = 0; i < words.length; i++) {
      words[i] |= other.words[i];
    }
    long sum = elements.orElse(0) + otherElements.orElse(0);
    elementCountKnown = elements.isPresent() && otherElements.isPresent() && sum >= 0;
    setCounts(countBits(words), sum);
  }

  /**
   * Keeps only what another filter claims too. What both filters held stays; the false-positive
   * probability is at most that of either, but above that of a filter made of the common elements.
   * How many elements are left is unknown.
   *
   * @throws IllegalArgumentException if the other is not {@linkplain #isCompatible compatible}
   */
  public void intersect(ClassicBloomFilter<? extends T> other) {
    requireCompatible(other, "intersect");
    for (int i = 0; i < words.length; i++) {
      words[i] &= other.words[i];
    }
    elementCountKnown = false;
    setCounts(countBits(words), 0);
  }

  /** Returns a filter of its own with the same contents, as concurrent as this one. */
  public ClassicBloomFilter<T> copy() {
    ClassicBloomFilter<T> copy =
        new ClassicBloomFilter<>(
            strategy, strategyIdentity, shape, sharedCounts != null, words.clone());
    copy.elementCountKnown = elementCountKnown;
    copy.setCounts(setPositions(), additions());
    return copy;
  }

  /** Returns (X/m)<sup>k</sup> for the X bits that are set now; costs nothing. */
  @Override
  public double expectedFpp() {
    return BloomFormulas.fppAtFill(setPositions(), positions, hashes);
  }

  @Override
  public long approximateElementCount() {
    return Math.round(BloomFormulas.estimatedElements(setPositions(), positions, hashes));
  }

  /**
   * Returns how often something was added since the filter was made or cleared, repeats included;
   * merging adds up.
   *
   * @return the count, or empty if it is unknown: after an intersection, above 2<sup>63</sup> − 1,
   *     or if made {@linkplain Builder#buildFrom(long[]) from bits} without it
   */
  public OptionalLong elementCount() {
    long count = additions();
    return elementCountKnown && count >= 0 ? OptionalLong.of(count) : OptionalLong.empty();
  }

  @Override
  public long memoryBytes() {
    return (long) words.length * Long.BYTES;
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  /** Returns the number of bits and of hashes. */
  public Shape shape() {
    return shape;
  }

  /** Returns how many bits are set: X. */
  public long setPositions() {
    return sharedCounts == null ? setPositions : sharedCounts.setPositions.sum();
  }

  /**
   * Returns whether a bit is set.
   *
   * @param position from 0 to m − 1
   * @throws IndexOutOfBoundsException if there is no such position
   */
  public boolean isSet(long position) {
    Objects.checkIndex(position, positions);
    return ((long) WORDS.getAcquire(words, wordOf(position)) >>> position & 1) != 0;
  }

  /**
   * Returns a copy of all bits: bit p of the filter is bit p mod 64 of element p div 64. {@link
   * Builder#buildFrom(long[])} makes a filter of them again.
   */
  public long[] toLongArray() {
    return words.clone();
  }

  /**
   * Returns whether an object is a classic filter with the same strategy, shape and bits. How often
   * elements were added does not count, nor whether a filter is concurrent. Costs a pass over all
   * bits.
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof ClassicBloomFilter<?> other
        && isCompatible(other)
        && Arrays.equals(words, other.words);
  }

  /** Returns a hash code of the contents: it changes with them and costs a pass over all bits. */
  @Override
  public int hashCode() {
    return 31 * Objects.hash(strategyIdentity, shape) + Arrays.hashCode(words);
  }

  /** Returns shape, fill, present false-positive probability and strategy, for logs. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "ClassicBloomFilter[positions=%d, hashes=%d, set=%d, expectedFpp=%.3g, strategy=%s]",
        positions,
        hashes,
        setPositions(),
        expectedFpp(),
        strategyIdentity.id());
  }

  private static int wordOf(long position) {
    return (int) (position >>> BITS_PER_WORD_LOG_2);
  }

  private static long countBits(long[] words) {
    long bits = 0;
    for (long word : words) {
      bits += Long.bitCount(word);
    }
    return bits;
  }

  private long additions() {
    return sharedCounts == null ? additions : sharedCounts.additions.sum();
  }

  private void setCounts(long newSetPositions, long newAdditions) {
    if (sharedCounts == null) {
      setPositions = newSetPositions;
      additions = newAdditions;
    } else {
      sharedCounts.setPositions.reset();
      sharedCounts.setPositions.add(newSetPositions);
      sharedCounts.additions.reset();
      sharedCounts.additions.add(newAdditions);
    }
  }

  private void requireCompatible(ClassicBloomFilter<?> other, String operation) {
    if (!isCompatible(other)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "cannot %s: this filter has %s and %s, other has %s and %s",
              operation,
              shape,
              strategyIdentity,
              other.shape,
              other.strategyIdentity));
    }
  }

  private record SharedCounts(LongAdder setPositions, LongAdder additions) {}

  /**
   * Builds classic filters. Say how large by {@link #expecting} or {@link #shape}; the later call
   * counts.
   *
   * @param <S> the type that the strategy takes; the filters may be of a subtype
   */
  public static final class Builder<S> {

    private final HashStrategy<S> strategy;
    private final StrategyIdentity strategyIdentity;
    private @Nullable Shape shape;
    private boolean concurrent;

    private Builder(HashStrategy<S> strategy) {
      this.strategyIdentity = StrategyIdentity.of(strategy);
      this.strategy = strategy;
    }

    /**
     * Sizes the filter by {@link Shape#of}.
     *
     * @param expectedInsertions the number of distinct elements planned for, at least 1
     * @param fpp between 0 and 1, both excluded
     * @return this builder
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public Builder<S> expecting(long expectedInsertions, double fpp) {
      return shape(Shape.of(expectedInsertions, fpp));
    }

    /**
     * Sets the number of bits and of hashes.
     *
     * @return this builder
     * @throws IllegalArgumentException if the filter would be larger than one array
     */
    public Builder<S> shape(Shape shape) {
      Objects.requireNonNull(shape, "shape");
      long most = (long) MAX_WORDS << BITS_PER_WORD_LOG_2;
      if (shape.positions() > most) {
        throw new IllegalArgumentException(
            "shape must have at most " + most + " positions, what an array holds, but is " + shape);
      }
      this.shape = shape;
      return this;
    }

    /**
     * Lets any number of threads add and ask at once; see the class comment.
     *
     * @return this builder
     */
    public Builder<S> concurrent() {
      concurrent = true;
      return this;
    }

    /**
     * Returns an empty filter.
     *
     * @throws IllegalStateException if no size was given
     */
    public <T extends S> ClassicBloomFilter<T> build() {
      Shape size = requireShape();
      return filter(size, new long[wordCount(size)]);
    }

    /**
     * Returns a filter with given bits, such as {@link ClassicBloomFilter#toLongArray} gives; its
     * element count is unknown.
     *
     * @param words the bits, copied
     * @throws IllegalArgumentException if their number is not that of the shape, or bits beyond the
     *     last position are set
     * @throws IllegalStateException if no size was given
     */
    public <T extends S> ClassicBloomFilter<T> buildFrom(long[] words) {
      Shape size = requireShape();
      int needed = wordCount(size);
      if (words.length != needed) {
        throw new IllegalArgumentException(
            "words must have " + needed + " elements for " + size + " but has " + words.length);
      }
      long unused = (long) needed * Long.SIZE - size.positions();
      if (unused > 0 && words[needed - 1] >>> (Long.SIZE - unused) != 0) {
        throw new IllegalArgumentException("words has bits beyond the last position of " + size);
      }
      ClassicBloomFilter<T> filter = filter(size, words.clone());
      filter.elementCountKnown = false;
      filter.setCounts(countBits(filter.words), 0);
      return filter;
    }

    /**
     * Returns a filter with given bits and element count.
     *
     * @param words see {@link #buildFrom(long[])}
     * @param elementCount at least 0
     * @throws IllegalArgumentException if the element count is negative, or as {@link
     *     #buildFrom(long[])}
     * @throws IllegalStateException if no size was given
     */
    public <T extends S> ClassicBloomFilter<T> buildFrom(long[] words, long elementCount) {
      if (elementCount < 0) {
        throw new IllegalArgumentException(
            "elementCount must be at least 0 but is " + elementCount);
      }
      ClassicBloomFilter<T> filter = buildFrom(words);
      filter.elementCountKnown = true;
      filter.setCounts(filter.setPositions(), elementCount);
      return filter;
    }

    private <T extends S> ClassicBloomFilter<T> filter(Shape size, long[] words) {
      return new ClassicBloomFilter<>(strategy, strategyIdentity, size, concurrent, words);
    }

    private Shape requireShape() {
      if (shape == null) {
        throw new IllegalStateException(
            "the filter has no size: call expecting(insertions, fpp) or shape(...) first");
      }
      return shape;
    }

    private static int wordCount(Shape shape) {
      return (int) ((shape.positions() + Long.SIZE - 1) / Long.SIZE);
    }
  }
}
