package io.bloomkit.classic;

import io.bloomkit.BloomFormulas;
import io.bloomkit.MergeableFilter;
import io.bloomkit.Shape;
import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.MappedFile;
import io.bloomkit.format.SectionReader;
import io.bloomkit.format.SectionRole;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.WordArrays;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
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
 * <p><b>When to choose another.</b> Where speed counts more than six per cent of memory, a {@link
 * BlockedBloomFilter} touches one cache line an operation. To remove elements again take a filter
 * of the counting module, for a set of unknown size one of the scalable module.
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
public final class ClassicBloomFilter<T> extends BitFilter<T>
    implements MergeableFilter<ClassicBloomFilter<? extends T>> {

  /** Describes this kind of filter to tools that work with every kind. */
  public static final FilterKind KIND = new ClassicKind();

  /** Limit of an array. */
  private static final long MOST_POSITIONS = (long) WordArrays.MAX_LENGTH * Long.SIZE;

  /** Eight mebibytes: loading ahead gains nothing in a smaller filter (docs/performance.md). */
  private static final long WORTH_FETCHING = 1 << 26;

  /** At seven lines per hash already more loads than a core has under way. */
  private static final int BATCH = 32;

  private final Shape shape;
  private final long positions;
  private final int hashes;

  private ClassicBloomFilter(
      HashStrategy<? super T> strategy,
      StrategyIdentity strategyIdentity,
      Shape shape,
      boolean concurrent,
      long[] words) {
    super(strategy, strategyIdentity, concurrent, words); // bits from m on are zero
    this.shape = shape;
    this.positions = shape.positions();
    this.hashes = shape.hashes();
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

  /**
   * Reads a filter for one writer from a stream, and not a byte more, so that several may follow
   * each other. {@link Builder#readFrom(InputStream)} reads one for many threads.
   *
   * @param in needs no buffer
   * @param strategy the one that the filter was filled by: same id, same fingerprint
   * @throws FilterFormatException if what comes is damaged, cut off, no filter of this kind, or was
   *     filled by another strategy
   * @throws IOException if the stream fails
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <T> ClassicBloomFilter<T> readFrom(InputStream in, HashStrategy<? super T> strategy)
      throws IOException {
    return ClassicBloomFilter.builder(strategy).readFrom(in);
  }

  /**
   * Reads a filter for one writer from a file that holds nothing else.
   *
   * @param strategy see {@link #readFrom(InputStream, HashStrategy)}
   * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was filled
   *     by another strategy
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <T> ClassicBloomFilter<T> readFrom(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    return ClassicBloomFilter.builder(strategy).readFrom(file);
  }

  /**
   * Reads a filter for one writer from what {@link #toBytes} gave.
   *
   * @param strategy see {@link #readFrom(InputStream, HashStrategy)}
   * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was filled
   *     by another strategy
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <T> ClassicBloomFilter<T> fromBytes(byte[] bytes, HashStrategy<? super T> strategy)
      throws FilterFormatException {
    return ClassicBloomFilter.builder(strategy).fromBytes(bytes);
  }

  /**
   * Opens a file that {@link #writeMappableTo} wrote, or any whose bits stand in it as they are,
   * without reading it; {@link MappedFilter} says what that means. The filter may be larger than an
   * array.
   *
   * @param strategy see {@link #readFrom(InputStream, HashStrategy)}
   * @throws FilterFormatException if its header is damaged, says another length than the file has,
   *     or is that of no filter of this kind, or of one that was filled by another strategy; or if
   *     the bits are gap-coded
   * @throws IOException if the file cannot be read or mapped
   * @throws IllegalArgumentException if the strategy is missing (null)
   */
  public static <T> MappedFilter<T> openMapped(Path file, HashStrategy<? super T> strategy)
      throws IOException {
    StrategyIdentity identity = StrategyIdentity.of(strategy);
    return MappedFile.open(file, mapped -> openMapped(mapped, file, strategy, identity));
  }

  private static <T> MappedFilter<T> openMapped(
      MappedFile mapped, Path file, HashStrategy<? super T> strategy, StrategyIdentity identity)
      throws IOException {
    FilterReader reader = mapped.reader();
    Shape shape = readShape(reader, identity, Shape.MAX_POSITIONS);
    long words = (shape.positions() + Long.SIZE - 1) / Long.SIZE;
    return new MappedClassicFilter<>(
        strategy, shape, reader, mapped.section(SectionRole.WORDS, words), file);
  }

  private static Shape readShape(FilterReader reader, StrategyIdentity strategy, long mostPositions)
      throws FilterFormatException {
    reader.require(KIND.variant(), strategy, 2);
    return new Shape(
        reader.field(0, "positions", 1, mostPositions),
        (int) reader.field(1, "hashes", 1, Shape.MAX_HASHES));
  }

  @Override
  public boolean mightContain(T element) {
    return mightContainHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return sharedAdditions == null
        ? FlatBits.contains(words, positions, hashes, hash)
        : FlatBits.containsShared(words, positions, hashes, hash);
  }

  @Override
  public boolean add(T element) {
    return addHash(strategy.hash(Objects.requireNonNull(element, "element")));
  }

  @Override
  public boolean addHash(long hash) {
    return sharedAdditions == null ? addPlain(hash) : addShared(hash, sharedAdditions);
  }

  private boolean addPlain(long hash) {
    boolean added = FlatBits.add(words, positions, hashes, hash);
    additions++;
    return added;
  }

  private boolean addShared(long hash, LongAdder additionCount) {
    boolean added = FlatBits.addShared(words, positions, hashes, hash);
    additionCount.increment();
    return added;
  }

  @Override
  int batch() {
    return BATCH;
  }

  @Override
  long load(long[] elements, int from, int to) {
    return positions < WORTH_FETCHING
        ? 0
        : FlatBits.load(words, positions, hashes, elements, from, to);
  }

  @Override
  Shape size() {
    return shape;
  }

  @Override
  int padding() {
    return 0;
  }

  /**
   * Adds all elements of another filter: afterwards this one claims what either claimed, and equals
   * the filter to which the elements of both were added. A filter may be merged with itself.
   *
   * @throws IllegalArgumentException if the other is not {@linkplain #isCompatible compatible}
   */
  @Override
  public void merge(ClassicBloomFilter<? extends T> other) {
    mergeBits(other);
  }

  /**
   * Keeps only what another filter claims too. What both filters held stays; the false-positive
   * probability is at most that of either, but above that of a filter made of the common elements.
   * How many elements are left is unknown.
   *
   * @throws IllegalArgumentException if the other is not {@linkplain #isCompatible compatible}
   */
  public void intersect(ClassicBloomFilter<? extends T> other) {
    intersectBits(other);
  }

  /** Returns a filter of its own with the same contents, as concurrent as this one. */
  @Override
  public ClassicBloomFilter<T> copy() {
    ClassicBloomFilter<T> copy =
        new ClassicBloomFilter<>(
            strategy, strategyIdentity, shape, sharedAdditions != null, words.clone());
    copy.setAdditions(elementCount());
    return copy;
  }

  @Override
  public FilterContents contents() {
    return contents(KIND.variant(), hashes, positions, hashes);
  }

  /**
   * Returns (X/m)<sup>k</sup> for the X bits that are set now. Costs a pass over all bits, a few
   * milliseconds for ten million elements.
   */
  @Override
  public double expectedFpp() {
    return BloomFormulas.fppAtFill(setPositions(), positions, hashes);
  }

  /** {@inheritDoc} Costs a pass over all bits. */
  @Override
  public long approximateElementCount() {
    return Math.round(BloomFormulas.estimatedElements(setPositions(), positions, hashes));
  }

  /** Returns the number of bits and of hashes. */
  public Shape shape() {
    return shape;
  }

  /**
   * Returns whether a bit is set.
   *
   * @param position from 0 to m − 1
   * @throws IndexOutOfBoundsException if there is no such position
   */
  public boolean isSet(long position) {
    Objects.checkIndex(position, positions);
    return FlatBits.isSet(words, position);
  }

  /**
   * Returns shape, fill, present false-positive probability and strategy, for logs. Costs a pass
   * over all bits.
   */
  @Override
  public String toString() {
    long set = setPositions();
    return String.format(
        Locale.ROOT,
        "ClassicBloomFilter[positions=%d, hashes=%d, set=%d, expectedFpp=%.3g, strategy=%s]",
        positions,
        hashes,
        set,
        BloomFormulas.fppAtFill(set, positions, hashes),
        strategyIdentity.id());
  }

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
      if (shape.positions() > MOST_POSITIONS) {
        throw new IllegalArgumentException(
            "shape must have at most "
                + MOST_POSITIONS
                + " positions, what an array holds, but is "
                + shape);
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
     * Returns the {@linkplain ClassicBloomFilter#memoryBytes bytes} of the filter that {@link
     * #build} would make, without making it.
     *
     * @throws IllegalStateException if no size was given
     */
    public long memoryBytes() {
      return (long) wordCount(requireShape()) * Long.BYTES;
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
      if (hasBitsBeyond(words, size)) {
        throw new IllegalArgumentException("words has bits beyond the last position of " + size);
      }
      ClassicBloomFilter<T> filter = filter(size, words.clone());
      filter.setAdditions(OptionalLong.empty());
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
      filter.setAdditions(OptionalLong.of(elementCount));
      return filter;
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
    public <T extends S> ClassicBloomFilter<T> readFrom(InputStream in) throws IOException {
      return FilterReader.readFrom(in, this::<T>read);
    }

    /**
     * Reads a filter from a file that holds nothing else; see {@link #readFrom(InputStream)}.
     *
     * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was
     *     filled by another strategy
     * @throws IOException if the file cannot be read
     */
    public <T extends S> ClassicBloomFilter<T> readFrom(Path file) throws IOException {
      return FilterReader.readFrom(file, this::<T>read);
    }

    /**
     * Reads a filter from what {@link ClassicBloomFilter#toBytes} gave; see {@link
     * #readFrom(InputStream)}.
     *
     * @throws FilterFormatException if it is damaged, cut off, no filter of this kind, or was
     *     filled by another strategy
     */
    public <T extends S> ClassicBloomFilter<T> fromBytes(byte[] bytes)
        throws FilterFormatException {
      return FilterReader.fromBytes(bytes, this::<T>read);
    }

    <T extends S> ClassicBloomFilter<T> read(FilterReader reader) throws IOException {
      Shape size = readShape(reader, strategyIdentity, MOST_POSITIONS);
      if (shape != null && !shape.equals(size)) {
        throw reader.wrongField(0, "the filter must have " + shape + " but has " + size);
      }
      return readSection(size, reader, reader.elementCount());
    }

    /**
     * Reads the bits of a filter from the next section: for authors of filters that are made of
     * others.
     *
     * @param elementCount how many elements the file says it holds
     * @throws IllegalStateException if no size was given
     * @throws FilterFormatException if the section does not hold a filter of this size
     * @throws IOException if the stream fails
     */
    public <T extends S> ClassicBloomFilter<T> readSection(
        FilterReader reader, OptionalLong elementCount) throws IOException {
      return readSection(requireShape(), reader, elementCount);
    }

    private <T extends S> ClassicBloomFilter<T> readSection(
        Shape size, FilterReader reader, OptionalLong elementCount) throws IOException {
      int count = wordCount(size);
      SectionReader section = reader.section(SectionRole.WORDS, count);
      ClassicBloomFilter<T> filter = filter(size, new long[count]); // as large as was received
      filter.readBits(section, reader, elementCount, size.hashes());
      if (hasBitsBeyond(filter.words, size)) {
        throw reader.wrongSection("bits beyond the last position of " + size + " are set");
      }
      return filter;
    }

    private static boolean hasBitsBeyond(long[] words, Shape size) {
      long unused = (long) words.length * Long.SIZE - size.positions();
      return unused > 0 && words[words.length - 1] >>> (Long.SIZE - unused) != 0;
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
