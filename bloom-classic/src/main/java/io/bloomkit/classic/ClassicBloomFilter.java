package io.bloomkit.classic;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.FlatShape;
import io.bloomkit.MergeableFilter;
import io.bloomkit.Shape;
import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.filter.ElementCount;
import io.bloomkit.internal.filter.FilterState;
import io.bloomkit.internal.filter.TypedKind;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.Variant;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The classic Bloom filter: m bits, of which an element sets k (B. Bloom, <i>Space/time trade-offs
 * in hash coding with allowable errors</i>, 1970).
 *
 * <p>The filter takes 9.6 bits per element at a false-positive rate of 1 %. Reducing the rate by a
 * factor of ten costs another 4.8 bits per element. Filters of the same size and strategy can be
 * merged and intersected. Elements cannot be removed. An insertion or a positive query touches up
 * to k cache lines; a negative query usually touches fewer.
 *
 * <pre>{@code
 * ClassicBloomFilter<String> seen =
 *     ClassicBloomFilter.create(HashStrategies.utf8(), 1_000_000, 0.01);
 * }</pre>
 *
 * <p><b>When to choose another filter.</b> A {@link BlockedBloomFilter} touches one cache line per
 * operation and takes 5 % more memory at a false-positive rate of 1 %. To remove elements, choose a
 * filter from the module {@code bloom-counting}. For a set of unknown size, choose a {@code
 * DynamicCuckooFilter} from there.
 *
 * <p><b>Threads.</b> See {@link BitFilter}. Insertions and queries are thread-safe if {@link
 * Builder#concurrent()} was called.
 *
 * @param <T> the type of the elements
 */
public final class ClassicBloomFilter<T> extends BitFilter<T>
    implements MergeableFilter<ClassicBloomFilter<?>> {

  /** The descriptor of this kind of filter, for tools that work with every kind. */
  public static final FilterKind KIND =
      new TypedKind<ClassicBloomFilter<Object>>(
              Variant.CLASSIC,
              "classic",
              ClassicBloomFilter.class,
              Set.of(FilterKind.Trait.CONCURRENT, FilterKind.Trait.COMPARABLE),
              (n, fpp) ->
                  ClassicBloomFilter.builder(HashStrategies.bytes()).expecting(n, fpp).layout(),
              BitFilter::layout,
              ClassicBloomFilter::create,
              ClassicBloomFilter::read)
          .intersecting(ClassicBloomFilter::intersect);

  private final FlatShape shape;
  private final long positions;
  private final int hashes;

  /**
   * The element count of a concurrent filter; null otherwise. The compiler makes faster queries of
   * a null check than of a boolean.
   */
  private final @Nullable ElementCount concurrentCount;

  ClassicBloomFilter(FilterState<T> state, FlatShape shape, long[] words) {
    super(state, words);
    this.shape = shape;
    this.positions = shape.positions();
    this.hashes = shape.hashes();
    this.concurrentCount = isConcurrent() ? elements : null;
  }

  /**
   * Returns an empty single-writer filter, sized by {@link Shape#of}.
   *
   * @param expectedInsertions the number of distinct elements planned for, at least 0; 0, for an
   *     empty set, is planned as 1
   * @param fpp the false-positive probability at that number, in (0, 1)
   * @throws IllegalArgumentException as for {@link Shape#of}, or if the filter exceeds 16 GiB
   */
  public static <T> ClassicBloomFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return ClassicBloomFilter.builder(strategy).expecting(expectedInsertions, fpp).build();
  }

  /** Returns a builder that has no size yet. */
  public static <S> Builder<S> builder(HashStrategy<S> strategy) {
    return new Builder<>(strategy);
  }

  /** Reads a filter; the result is single-writer. See {@link Builder#readFrom(InputStream)}. */
  public static <T> ClassicBloomFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException {
    return ClassicBloomFilter.builder(strategy).readFrom(in);
  }

  /** Reads a filter; the result is single-writer. See {@link Builder#readFrom(Path)}. */
  public static <T> ClassicBloomFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return ClassicBloomFilter.builder(strategy).readFrom(file);
  }

  /** Reads a filter; the result is single-writer. See {@link Builder#fromBytes(byte[])}. */
  public static <T> ClassicBloomFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    return ClassicBloomFilter.builder(strategy).fromBytes(bytes);
  }

  private static <T> ClassicBloomFilter<T> read(
      FilterReader reader, HashStrategy<? super T> strategy) throws IOException {
    return (ClassicBloomFilter<T>) ClassicBloomFilter.builder(strategy).<T>read(reader);
  }

  /**
   * Not for users: reads the next section of a file as the bits of a filter of a shape. The element
   * count of the filter is unknown.
   *
   * @throws FilterFormatException if the section is damaged, or not that of a filter of this shape
   * @throws IllegalArgumentException if the filter would be larger than one array (16 GiB)
   * @throws IOException if the stream fails
   */
  @SuppressWarnings("exports") // FilterReader is not for users
  public static <T> ClassicBloomFilter<T> readSection(
      FilterReader reader, HashStrategy<? super T> strategy, FlatShape shape, boolean concurrent)
      throws IOException {
    OptionalLong elementCount = OptionalLong.empty();
    long[] words = BitsFile.readWords(reader, BitsFile.requireArray(shape), elementCount);
    return new ClassicBloomFilter<>(
        new FilterState<>(
            strategy,
            StrategyIdentity.of(strategy),
            shape,
            Optional.empty(),
            new ElementCount(concurrent, elementCount)),
        shape,
        words);
  }

  /**
   * Opens a memory-mapped, read-only filter from a file in the format of {@link #writeMappableTo}.
   * The filter may exceed one array (16 GiB). {@link MappedFilter} describes checks and exceptions.
   */
  public static <T> MappedFilter<T> openMapped(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return MappedClassicFilter.open(file, strategy);
  }

  // Here and not in the base class: otherwise, List.of(flat, blocked) does not compile.
  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return concurrentCount == null
        ? FlatBits.contains(words, positions, hashes, hash)
        : FlatBits.containsShared(words, positions, hashes, hash);
  }

  @Override
  public boolean add(T element) {
    return addHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean addHash(long hash) {
    elements.add(1); // before the bits are set, so no thread sees uncounted bits
    return insert(hash);
  }

  @Override
  boolean insert(long hash) {
    return concurrentCount == null
        ? FlatBits.add(words, positions, hashes, hash)
        : FlatBits.addShared(words, positions, hashes, hash);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException {@inheritDoc}
   */
  @Override
  public void merge(ClassicBloomFilter<?> other) {
    mergeBits(other);
  }

  /**
   * Keeps only the bits that are also set in another filter. Elements that are in both filters stay
   * positive. The false-positive probability is at most that of either filter. The element count
   * becomes unknown, and {@link #approximateElementCount} is far too high: call {@link
   * #approximateCommonElementCount} before instead.
   *
   * @throws IllegalArgumentException if the filters are not {@linkplain #isCompatible compatible};
   *     nothing is changed
   */
  public void intersect(ClassicBloomFilter<?> other) {
    intersectBits(other);
  }

  /**
   * Returns an independent filter with the same contents, concurrent if this filter is. It contains
   * every element whose insertion happened before the call.
   */
  @Override
  public ClassicBloomFilter<T> copy() {
    return (ClassicBloomFilter<T>) copyOf(this);
  }

  /**
   * Returns the present false-positive probability: (X/m)<sup>k</sup> if X of the m bits are set.
   * The cost is a pass over all bits.
   */
  @Override
  public double expectedFpp() {
    return BloomFormulas.fppAtFill(setPositions(), positions, hashes);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException {@inheritDoc}
   */
  @Override
  public FilterEstimate estimate(int lines) {
    return FilterEstimate.ofFlat(
        positions, hashes, Long.SIZE, word -> Long.bitCount(words[(int) word]), lines);
  }

  /** Returns the number of bits and the number of hashes. */
  @Override
  public FlatShape shape() {
    return shape;
  }

  /**
   * Returns whether the bit at a position is set.
   *
   * @param position from 0 to m − 1
   * @throws IndexOutOfBoundsException if the position is out of that range
   */
  public boolean isSet(long position) {
    Arguments.checkIndex(position, positions);
    return FlatBits.isSet(words, position);
  }

  /** Returns shape, element count and strategy, for logs and debuggers. Takes constant time. */
  @Override
  public String toString() {
    return state.toString("ClassicBloomFilter", "positions=" + positions + ", hashes=" + hashes);
  }

  /**
   * Builds and reads filters. Not thread-safe. The last call of {@code expecting} or {@code shape}
   * sets the size. Without a size, {@code readFrom} and {@code fromBytes} accept any size, and the
   * other methods that create a filter throw {@link IllegalStateException}.
   *
   * @param <S> the type that the strategy hashes; the elements of a filter may be of a subtype
   */
  public static final class Builder<S> extends BitFilterBuilder<S, Builder<S>> {

    private Builder(HashStrategy<S> strategy) {
      super(strategy);
    }

    @Override
    FlatShape shapeFor(long expectedInsertions, double fpp) {
      return Shape.of(expectedInsertions, fpp);
    }

    @Override
    FlatShape readShape(FilterReader reader, StrategyIdentity strategy)
        throws FilterFormatException {
      return BitsFile.readFlat(reader, strategy, BitsFile.MAX_FLAT_POSITIONS);
    }

    /**
     * Sets the size directly; {@link #plan(FilterPlan)} sets a plan beside it. Returns this
     * builder.
     *
     * @throws IllegalArgumentException if the filter would be larger than one array (16 GiB)
     * @throws IllegalStateException if {@link #expecting} was called
     */
    public Builder<S> shape(FlatShape shape) {
      return setShape(shape);
    }

    @Override
    public <T extends S> ClassicBloomFilter<T> build() {
      return (ClassicBloomFilter<T>) super.<T>build();
    }

    @Override
    public <T extends S> ClassicBloomFilter<T> buildFrom(long[] words) {
      return (ClassicBloomFilter<T>) super.<T>buildFrom(words);
    }

    @Override
    public <T extends S> ClassicBloomFilter<T> buildFrom(long[] words, long elementCount) {
      return (ClassicBloomFilter<T>) super.<T>buildFrom(words, elementCount);
    }

    @Override
    public <T extends S> ClassicBloomFilter<T> readFrom(InputStream in) throws IOException {
      return (ClassicBloomFilter<T>) super.<T>readFrom(in);
    }

    @Override
    public <T extends S> ClassicBloomFilter<T> readFrom(Path file) throws IOException {
      return (ClassicBloomFilter<T>) super.<T>readFrom(file);
    }

    @Override
    public <T extends S> ClassicBloomFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return (ClassicBloomFilter<T>) super.<T>fromBytes(bytes);
    }
  }
}
