package io.bloomkit.interop.guava;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterHeader;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.SectionRole;
import io.bloomkit.interop.InteropFilter;
import io.bloomkit.interop.internal.InteropFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that behaves like Guava's {@code BloomFilter}: same answers, same bits, same
 * bytes. This class reads the bytes that Guava writes, and Guava reads the bytes that this class
 * writes, so a filter can move between both libraries without a rebuild. {@link
 * #writeBloomkitTo(Path)} converts the filter to this library's file format without loss.
 *
 * <pre>{@code
 * GuavaBloomFilter<String> seen =
 *     GuavaBloomFilter.readFrom(in, GuavaFunnel.strings(StandardCharsets.UTF_8));
 * }</pre>
 *
 * <p><b>You must know the funnel.</b> Guava's bytes do not name the funnel. With another funnel or
 * charset, or with longs in place of ints, reading succeeds, but queries of nearly all stored
 * elements are negative. No check can detect this. Before you rely on a filter, query some elements
 * that must be in it.
 *
 * <p><b>Guava's format.</b> {@link #readFrom} and {@link #fromBytes} accept this format and this
 * library's, which differ in their first byte; {@link #openMapped} accepts only Guava's. The bytes
 * are Guava's strategy (one byte, 0 for {@code MURMUR128_MITZ_32} or 1 for {@code
 * MURMUR128_MITZ_64}), the number of hashes (one byte, 1 to 255), the number of words (an int), and
 * the 64-bit words. Position p is bit p mod 64 of word ⌊p / 64⌋. All numbers are big-endian.
 * Reading checks the header. There is no checksum, so a flipped bit is not detected. While reading,
 * memory is at most 64 KiB plus nine times the bytes received so far. A Guava filter that was
 * written by Java serialization is refused.
 *
 * <p><b>This library's format</b> (docs/format.md) has checksums and names the funnel. Reading
 * refuses damaged bytes, and refuses a funnel that differs from the named funnel. While reading,
 * memory is at most 64 KiB plus 16 times the bytes received so far.
 *
 * <p><b>No filter interface.</b> Guava derives positions from a hash of up to 128 bits; the other
 * filters of this library use 64-bit hashes. Therefore this class takes no {@link
 * io.bloomkit.hash.HashStrategy}, and does not implement {@link io.bloomkit.MembershipFilter}. A
 * Guava filter cannot be converted to a {@code ClassicBloomFilter}. The only interface of this
 * class is {@link Predicate}.
 *
 * <p><b>When to choose another filter.</b> For a new set, always choose another class. With Guava's
 * double hashing, the false-positive rate is higher than planned: up to about fpp + 1/m in a filter
 * of m ≥ 1,000 bits, where fpp is the planned rate. In a smaller filter, the rate may be higher
 * still. An operation costs up to one division per hash. Guava's format has no checksum.
 *
 * <p><b>Moving to another filter.</b> Guava's filter is thread-safe, and so is this class. Other
 * filters of this library are thread-safe only if they are built {@code concurrent()}. To replace a
 * Guava filter that several threads share, build a concurrent filter:
 *
 * <pre>{@code
 * ClassicBloomFilter<String> next =
 *     ClassicBloomFilter.builder(HashStrategies.utf8())
 *         .expecting(1_000_000, 0.01)
 *         .concurrent()
 *         .build();
 * }</pre>
 *
 * <p><b>Cost.</b> An operation touches up to one cache line per hash. A negative query touches
 * about two lines on average if half of the bits are set. A query allocates nothing, unless the
 * {@linkplain GuavaFunnel funnel} does.
 *
 * <p><b>Threads.</b> {@code add}, {@code merge} and the queries are thread-safe and lock-free, as
 * in Guava:
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
 * <p>Copying, comparing and writing may run at any time; the copy or file includes every element
 * whose insertion happened before the call.
 *
 * @param <T> the type of the elements
 */
@SuppressWarnings("exports") // FilterContents is not for users
public final class GuavaBloomFilter<T>
    implements InteropFilter<T>, Predicate<T>, FilterContents.Source {

  /** The code of a Guava filter in this library's file format. */
  public static final int CODE = 9;

  private static final int BITS_PER_WORD_LOG_2 = 6;

  private static final double LN_2 = Math.log(2);

  private final GuavaFunnel<? super T> funnel;
  private final GuavaStrategy strategy;
  private final int hashes;
  private final long[] words;
  private final long positions;
  private final LongAdder setPositions = new LongAdder();

  /** Creates a filter that keeps the array. The arguments are not checked. */
  GuavaBloomFilter(
      GuavaFunnel<? super T> funnel, GuavaStrategy strategy, int hashes, long[] words) {
    this.funnel = funnel;
    this.strategy = strategy;
    this.hashes = hashes;
    this.words = words;
    this.positions = (long) words.length << BITS_PER_WORD_LOG_2;
    setPositions.add(WordArrays.countBits(words));
  }

  /**
   * Reads a filter in either format, and no byte beyond the filter.
   *
   * @param in need not be buffered; not closed
   * @param funnel the funnel that filled the filter; see the class comment
   * @throws FilterFormatException if the stream ends too early, or the bytes are not such a filter;
   *     in this library's format, also if the bytes are damaged or name another funnel
   * @throws IOException if the stream fails
   */
  public static <T> GuavaBloomFilter<T> readFrom(InputStream in, GuavaFunnel<? super T> funnel)
      throws IOException {
    Objects.requireNonNull(in, "in");
    Objects.requireNonNull(funnel, "funnel");
    PushbackInputStream all = new PushbackInputStream(in);
    int first = all.read();
    if (first >= 0) {
      all.unread(first);
    }
    return (byte) first == FilterHeader.FIRST_BYTE
        ? FilterReader.readFrom(all, reader -> GuavaFormat.readStored(reader, funnel))
        : GuavaFormat.readGuava(all, funnel);
  }

  /**
   * Reads a filter in either format from a file that contains nothing else.
   *
   * @param funnel the funnel that filled the filter; see the class comment
   * @throws FilterFormatException as for {@link #readFrom(InputStream, GuavaFunnel)}, or if bytes
   *     follow the filter
   * @throws IOException if the file cannot be read
   */
  public static <T> GuavaBloomFilter<T> readFrom(Path file, GuavaFunnel<? super T> funnel)
      throws IOException {
    Objects.requireNonNull(funnel, "funnel");
    return InteropFormat.readFrom(file, in -> readFrom(in, funnel));
  }

  /**
   * Opens a file in Guava's format as a read-only, memory-mapped filter. The filter may be larger
   * than one array.
   *
   * @param funnel the funnel that filled the filter; see the class comment
   * @throws FilterFormatException if the header is not a valid header of Guava's format, or the
   *     file has another length than the header states
   * @throws IOException if the file cannot be read or mapped
   */
  public static <T> MappedGuavaFilter<T> openMapped(Path file, GuavaFunnel<? super T> funnel)
      throws IOException {
    return MappedGuavaFilter.open(
        Objects.requireNonNull(file, "file"), Objects.requireNonNull(funnel, "funnel"));
  }

  /**
   * Reads a filter in either format from bytes that contain nothing else.
   *
   * @param funnel the funnel that filled the filter; see the class comment
   * @throws FilterFormatException as for {@link #readFrom(InputStream, GuavaFunnel)}, or if bytes
   *     follow the filter
   */
  public static <T> GuavaBloomFilter<T> fromBytes(byte[] bytes, GuavaFunnel<? super T> funnel)
      throws FilterFormatException {
    return InteropFormat.fromBytes(bytes, in -> readFrom(in, funnel));
  }

  /**
   * Returns an empty filter, to be written in Guava's format. The filter uses the strategy that
   * Guava has used since version 17, {@code MURMUR128_MITZ_64}, and has the bits and hashes of the
   * filter that Guava 33.8 creates with the same numbers, so that the two can be merged. Versions
   * of Guava before 33.5 may choose another number of hashes: use {@link #newEmpty()} or {@link
   * #ofSize} for a filter to merge with an existing one.
   *
   * @param funnel the equivalent of the funnel with which Guava will read the filter
   * @param expectedInsertions the number of distinct elements planned for, at least 0; 0, for an
   *     empty set, is planned as 1
   * @param fpp the false-positive probability at that number, in (0, 1). Because of Guava's double
   *     hashing, the actual probability is higher by up to about 1/m in a filter of m ≥ 1,000 bits.
   *     In a smaller filter, the excess may be larger.
   * @throws IllegalArgumentException if an argument is out of its range, or the filter would be
   *     larger than one array (16 GiB)
   */
  public static <T> GuavaBloomFilter<T> create(
      GuavaFunnel<? super T> funnel, long expectedInsertions, double fpp) {
    Objects.requireNonNull(funnel, "funnel");
    FlatShape shape = shape(Arguments.atLeastOne(expectedInsertions, "expectedInsertions"), fpp);
    int wordCount = Math.toIntExact(shape.positions() / Long.SIZE);
    return new GuavaBloomFilter<>(
        funnel, GuavaStrategy.MURMUR128_MITZ_64, shape.hashes(), WordArrays.allocate(wordCount));
  }

  /**
   * Returns an empty filter of a given size, to be written in Guava's format.
   *
   * @param funnel the equivalent of the funnel with which Guava will read the filter
   * @param positions the number of bits, a multiple of 64
   * @param hashes the number of hashes, from 1 to 255
   * @throws IllegalArgumentException if an argument is out of its range, or the filter would be
   *     larger than one array (16 GiB)
   */
  public static <T> GuavaBloomFilter<T> ofSize(
      GuavaFunnel<? super T> funnel, long positions, int hashes) {
    Objects.requireNonNull(funnel, "funnel");
    Arguments.checkRange(1, GuavaFormat.MAX_HASHES, hashes, "hashes");
    int wordCount = InteropFormat.wordCount(positions, WordArrays.MAX_LENGTH);
    return new GuavaBloomFilter<>(
        funnel, GuavaStrategy.MURMUR128_MITZ_64, hashes, WordArrays.allocate(wordCount));
  }

  /**
   * Returns an empty filter with the funnel, Guava strategy, bits and hashes of this one, which
   * {@linkplain #merge merges} with it, here and in Guava.
   */
  public GuavaBloomFilter<T> newEmpty() {
    return new GuavaBloomFilter<>(funnel, strategy, hashes, WordArrays.allocate(words.length));
  }

  /**
   * Returns the layout of the filter that {@link #create(GuavaFunnel, long, double)} returns,
   * without allocating the filter.
   *
   * @param expectedInsertions the number of distinct elements planned for, at least 1
   * @param fpp the false-positive probability at that number, in (0, 1)
   * @throws IllegalArgumentException as for {@link #create(GuavaFunnel, long, double)}
   */
  public static FilterLayout layout(long expectedInsertions, double fpp) {
    FlatShape shape = shape(expectedInsertions, fpp);
    return FilterLayout.of(shape, shape.positions() / Byte.SIZE);
  }

  /**
   * Returns the shape of Guava 33.8: m = ⌊−n · ln p / (ln 2)²⌋ bits, rounded up to whole words, and
   * k = round(−ln p / ln 2) hashes, at least 1.
   */
  private static FlatShape shape(long expectedInsertions, double fpp) {
    Arguments.checkAtLeast(1, expectedInsertions, "expectedInsertions");
    Arguments.checkFraction(fpp, "fpp");
    double bits = -expectedInsertions * Math.log(fpp) / (LN_2 * LN_2);
    long wordCount = Math.max(1, ((long) bits + Long.SIZE - 1) / Long.SIZE);
    int hashes = Math.max(1, (int) Math.round(-Math.log(fpp) / LN_2));
    if (wordCount > WordArrays.MAX_LENGTH) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "expectedInsertions=%d and fpp=%s need %d words, more than an array holds",
              expectedInsertions,
              fpp,
              wordCount));
    }
    return new FlatShape(wordCount * Long.SIZE, hashes);
  }

  /**
   * Returns whether this filter may contain an element. The answer equals Guava's. False means that
   * the element is certainly absent. For an absent element, the result is true with the probability
   * {@link #expectedFpp()}.
   *
   * @throws NullPointerException if the element is null
   */
  @Override
  public boolean mightContain(T element) {
    Murmur3 hash = hash(element);
    long state = strategy.start(hash);
    long step = strategy.step(hash);
    for (int i = 0; i < hashes; i++) {
      long position = strategy.position(state, positions);
      // Acquire: a thread that sees a bit also sees all earlier writes of the thread that set it.
      if (((long) WordArrays.WORDS.getAcquire(words, wordOf(position)) >>> position & 1) == 0) {
        return false;
      }
      state += step;
    }
    return true;
  }

  /** Equivalent to {@link #mightContain}. */
  @Override
  public boolean test(T element) {
    return mightContain(element);
  }

  /**
   * Adds an element, as Guava's {@code put} does.
   *
   * @return true if the element was certainly absent before; false if its query was positive
   *     before. The first addition of an element returns true unless the element was a false
   *     positive.
   * @throws NullPointerException if the element is null
   */
  @Override
  public boolean add(T element) {
    Murmur3 hash = hash(element);
    long state = strategy.start(hash);
    long step = strategy.step(hash);
    int newlySet = 0;
    for (int i = 0; i < hashes; i++) {
      long position = strategy.position(state, positions);
      int word = wordOf(position);
      long bit = 1L << position;
      // Does not write a bit that is set, so a repeated insertion does not take the cache line from
      // other threads.
      if (((long) WordArrays.WORDS.getAcquire(words, word) & bit) == 0
          && ((long) WordArrays.WORDS.getAndBitwiseOr(words, word, bit) & bit) == 0) {
        newlySet++;
      }
      state += step;
    }
    if (newlySet != 0) {
      setPositions.add(newlySet);
    }
    return newlySet != 0;
  }

  private Murmur3 hash(T element) {
    Objects.requireNonNull(element, "element");
    Murmur3 hash = Murmur3.ofThisThread();
    funnel.hash(element, hash);
    return hash;
  }

  private static int wordOf(long position) {
    return (int) (position >>> BITS_PER_WORD_LOG_2);
  }

  /**
   * Returns whether this filter can be merged with another filter. Both filters must have the same
   * funnel, the same Guava strategy ({@code MURMUR128_MITZ_32} or {@code MURMUR128_MITZ_64}), the
   * same number of bits and the same number of hashes. Such filters put every element at the same
   * positions.
   */
  public boolean isCompatible(GuavaBloomFilter<?> other) {
    Objects.requireNonNull(other, "other");
    return funnel.equals(other.funnel)
        && strategy == other.strategy
        && hashes == other.hashes
        && words.length == other.words.length;
  }

  /**
   * Adds all elements of another filter, as Guava's {@code putAll} does: sets every bit that is set
   * in the other filter. A filter may be merged with itself.
   *
   * @throws IllegalArgumentException if the filters are not {@linkplain #isCompatible compatible};
   *     nothing is changed
   */
  public void merge(GuavaBloomFilter<?> other) {
    if (!isCompatible(other)) {
      throw new IllegalArgumentException(
          "cannot merge: this filter has "
              + shape()
              + ", other has "
              + other.shape()
              + "; build both with the same funnel, expected number and rate");
    }
    long newlySet = 0;
    for (int i = 0; i < words.length; i++) {
      long theirs = other.word(i);
      if (theirs != 0) {
        newlySet +=
            Long.bitCount(theirs & ~(long) WordArrays.WORDS.getAndBitwiseOr(words, i, theirs));
      }
    }
    setPositions.add(newlySet);
  }

  /** Returns an independent filter with the same contents. */
  public GuavaBloomFilter<T> copy() {
    long[] copied = WordArrays.allocate(words.length);
    for (int i = 0; i < copied.length; i++) {
      copied[i] = word(i);
    }
    return new GuavaBloomFilter<>(funnel, strategy, hashes, copied);
  }

  /**
   * Returns the present false-positive probability: (X/m)<sup>k</sup> if X of the m bits are set,
   * where k is the number of hashes. Guava's {@code expectedFpp} may differ in the last digits.
   * Takes constant time.
   */
  @Override
  public double expectedFpp() {
    return BloomFormulas.fppAtFill(setPositions(), positions, hashes);
  }

  /**
   * Returns an estimate of the number of distinct elements in this filter, computed by {@link
   * BloomFormulas#estimatedElements}. Guava's estimate is larger by a factor of about (1 + 1/(2m)),
   * where m is the number of bits. If every bit is set, Guava throws an exception. Takes constant
   * time.
   *
   * @return the estimate, or {@link Long#MAX_VALUE} if every bit is set
   */
  @Override
  public long approximateElementCount() {
    return Math.round(BloomFormulas.estimatedElements(setPositions(), positions, hashes));
  }

  /** Returns m, the number of bits, a multiple of 64. */
  @Override
  public long positions() {
    return positions;
  }

  /** Returns k, the number of hashes, from 1 to 255. */
  @Override
  public int hashes() {
    return hashes;
  }

  /** Returns the number of set bits. Takes constant time. */
  @Override
  public long setPositions() {
    return setPositions.sum();
  }

  @Override
  public long memoryBytes() {
    return (long) words.length * Long.BYTES;
  }

  /**
   * Writes the bytes that Guava's {@code writeTo} writes: a header of six bytes, and {@link
   * #memoryBytes()} bytes of bits. Guava's {@code readFrom} reads these bytes with the equivalent
   * funnel.
   *
   * @param out need not be buffered; neither flushed nor closed
   * @throws IOException if the stream fails
   */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    GuavaFormat.write(this, Objects.requireNonNull(out, "out"));
  }

  @Override
  public byte[] toBytes() {
    return InteropFormat.toBytes(GuavaFormat.HEADER_BYTES + memoryBytes(), this::writeTo);
  }

  /**
   * Writes this filter to a stream in the file format of this library. Unlike Guava's format, this
   * format has checksums, names the funnel, and takes fewer bytes if few bits are set. {@link
   * #readFrom} reads this format; Guava does not.
   *
   * @param out neither flushed nor closed; needs no buffering
   * @throws IOException if the stream fails
   */
  public void writeBloomkitTo(OutputStream out) throws IOException {
    contents().writeTo(out);
  }

  /**
   * Writes this filter to a file in the file format of this library, by atomic replace; see {@link
   * #writeBloomkitTo(OutputStream)}.
   *
   * @throws IOException as for {@link #writeTo(Path)}
   */
  public void writeBloomkitTo(Path file) throws IOException {
    contents().writeTo(file);
  }

  /** Not for users: see {@link #writeBloomkitTo(Path)}. */
  @Override
  public FilterContents contents() {
    return FilterContents.of(CODE, funnel.identity(), positions, hashes, strategy.code())
        .section(SectionRole.WORDS, copy().words)
        .build();
  }

  GuavaStrategy strategy() {
    return strategy;
  }

  int wordCount() {
    return words.length;
  }

  long word(int index) {
    return (long) WordArrays.WORDS.getAcquire(words, index);
  }

  /**
   * Returns whether an object is a {@linkplain #isCompatible compatible} filter with the same bits.
   * The cost is a pass over all bits.
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof GuavaBloomFilter<?> other
        && isCompatible(other)
        && Arrays.equals(words, other.words);
  }

  /** Returns a hash code that changes with the bits. The cost is a pass over all bits. */
  @Override
  public int hashCode() {
    return Objects.hash(funnel, strategy, hashes, Arrays.hashCode(words));
  }

  /**
   * Returns size, strategy, funnel, number of set bits and present false-positive probability, for
   * logs. Takes constant time.
   */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "GuavaBloomFilter[%s, set=%d, expectedFpp=%.3g]",
        shape(),
        setPositions(),
        expectedFpp());
  }

  private String shape() {
    return String.format(
        Locale.ROOT,
        "positions=%d, hashes=%d, strategy=%s, funnel=%s",
        positions,
        hashes,
        strategy,
        funnel);
  }
}
