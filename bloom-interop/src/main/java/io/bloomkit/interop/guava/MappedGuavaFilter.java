package io.bloomkit.interop.guava;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterFormatException;
import io.bloomkit.internal.format.FileErrors;
import io.bloomkit.internal.format.MappedWords;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A memory-mapped, read-only filter in Guava's format. The operating system loads the pages that
 * queries touch, and keeps them in memory while there is room. All processes that map the file
 * share these pages.
 *
 * <pre>{@code
 * try (MappedGuavaFilter<Long> seen =
 *     GuavaBloomFilter.openMapped(file, GuavaFunnel.longs())) {
 *   seen.mightContain(42L);
 * }
 * }</pre>
 *
 * <p>Opening checks the header and the length of the file. Guava's format has no checksum, so
 * damaged bits are not detected: queries may then return wrong answers, including false negatives.
 *
 * <p><b>The file.</b> Do not change the file while it is open. {@code MappedFilter} of {@code
 * bloom-classic} describes what happens otherwise, and when the mapping is released.
 *
 * <p><b>Threads.</b> Thread-safe. Any thread may call {@link #close}; queries in other threads may
 * still succeed for a short time afterwards.
 *
 * <p><b>Cost.</b> A query allocates nothing, unless the {@linkplain GuavaFunnel funnel} does.
 *
 * @param <T> the type of the elements
 */
public final class MappedGuavaFilter<T> implements Closeable {

  private static final int BITS_PER_WORD_LOG_2 = 6;

  /** Guava's words are big-endian, but mapped words are read as little-endian. */
  private static final int REVERSED_BYTES = Long.SIZE - Byte.SIZE;

  private final GuavaFunnel<? super T> funnel;
  private final GuavaStrategy strategy;
  private final int hashes;
  private final long positions;
  private final Path file;

  /**
   * Null once the filter is closed. Read opaquely: the compiler may move a plain read out of a loop
   * of queries, which then never notices that the filter is closed; a volatile read would slow each
   * query.
   */
  private final AtomicReference<@Nullable MappedWords> words;

  private MappedGuavaFilter(
      GuavaFunnel<? super T> funnel, GuavaFormat.Header header, MappedWords words, Path file) {
    this.funnel = funnel;
    this.strategy = header.strategy();
    this.hashes = header.hashes();
    this.positions = (long) header.wordCount() << BITS_PER_WORD_LOG_2;
    this.words = new AtomicReference<>(words);
    this.file = file;
  }

  static <T> MappedGuavaFilter<T> open(Path file, GuavaFunnel<? super T> funnel)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      GuavaFormat.Header header =
          GuavaFormat.readHeader(Channels.newInputStream(channel), Integer.MAX_VALUE);
      long expected = GuavaFormat.HEADER_BYTES + (long) header.wordCount() * Long.BYTES;
      if (channel.size() != expected) {
        throw new FilterFormatException(
            Math.min(channel.size(), expected),
            "the file has "
                + channel.size()
                + " bytes but its header says that it has "
                + expected);
      }
      MappedWords words = MappedWords.map(channel, GuavaFormat.HEADER_BYTES, header.wordCount());
      return new MappedGuavaFilter<>(funnel, header, words, file);
    } catch (IOException e) {
      throw FileErrors.naming(file, e);
    }
  }

  /** Returns the words, or throws if this filter is closed. */
  private MappedWords words() {
    MappedWords now = words.getOpaque();
    if (now == null) {
      throw new IllegalStateException("the filter in " + file + " is closed");
    }
    return now;
  }

  /**
   * Returns whether this filter may contain an element. The answer equals Guava's. False means that
   * the element is certainly absent. For an absent element, the result is true with the probability
   * {@link #expectedFpp()}.
   *
   * @throws NullPointerException if the element is null
   * @throws IllegalStateException if this filter is closed
   */
  public boolean mightContain(T element) {
    Objects.requireNonNull(element, "element");
    MappedWords mapped = words();
    Murmur3 hash = Murmur3.ofThisThread();
    funnel.hash(element, hash);
    long state = strategy.start(hash);
    long step = strategy.step(hash);
    for (int i = 0; i < hashes; i++) {
      long position = strategy.position(state, positions);
      long word = mapped.get(position >>> BITS_PER_WORD_LOG_2);
      if ((word >>> (position ^ REVERSED_BYTES) & 1) == 0) {
        return false;
      }
      state += step;
    }
    return true;
  }

  /**
   * Returns the false-positive probability (X/m)<sup>k</sup>, where X is the number of set bits, m
   * the number of bits and k the number of hashes. Reads the whole file.
   *
   * @throws IllegalStateException if this filter is closed
   */
  public double expectedFpp() {
    return BloomFormulas.fppAtFill(setPositions(), positions, hashes);
  }

  /**
   * Estimates the false-positive rate, the fill ratio and the number of distinct elements from a
   * sample of the file; see {@link io.bloomkit.MembershipFilter#estimate(int)}.
   *
   * @param lines the largest number of cache lines of 64 bytes to read, at least 1
   * @throws IllegalArgumentException if {@code lines} is less than 1
   * @throws IllegalStateException if this filter is closed
   */
  public FilterEstimate estimate(int lines) {
    MappedWords mapped = words();
    return FilterEstimate.ofFlat(
        positions, hashes, Long.SIZE, word -> Long.bitCount(mapped.get(word)), lines);
  }

  /**
   * Returns an estimate of the number of distinct elements in this filter; see {@link
   * GuavaBloomFilter#approximateElementCount}. Reads the whole file.
   *
   * @return the estimate, or {@link Long#MAX_VALUE} if every bit is set
   * @throws IllegalStateException if this filter is closed
   */
  public long approximateElementCount() {
    return Math.round(BloomFormulas.estimatedElements(setPositions(), positions, hashes));
  }

  /** Returns m, the number of bits, a multiple of 64. */
  public long positions() {
    return positions;
  }

  /** Returns k, the number of hashes, from 1 to 255. */
  public int hashes() {
    return hashes;
  }

  /**
   * Returns the number of set bits. Reads the whole file.
   *
   * @throws IllegalStateException if this filter is closed
   */
  public long setPositions() {
    return words().countBits();
  }

  /**
   * Returns the number of mapped bytes, which are off-heap.
   *
   * @throws IllegalStateException if this filter is closed
   */
  public long memoryBytes() {
    return words().size() * Long.BYTES;
  }

  /**
   * Closes this filter. Afterwards {@link #mightContain}, {@link #expectedFpp}, {@link #estimate},
   * {@link #approximateElementCount}, {@link #setPositions} and {@link #memoryBytes} throw {@link
   * IllegalStateException}. Closing again does nothing.
   */
  @Override
  public void close() {
    words.setOpaque(null);
  }

  /** Returns size, Guava strategy, funnel and file, for logs and debuggers. Takes constant time. */
  @Override
  public String toString() {
    return "MappedGuavaFilter[positions="
        + positions
        + ", hashes="
        + hashes
        + ", strategy="
        + strategy
        + ", funnel="
        + funnel
        + ", file="
        + file
        + "]";
  }
}
