package io.bloomkit.classic.guava;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.classic.interop.InteropFormat;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.internal.format.FilterHeader;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.SectionReader;
import io.bloomkit.internal.format.SectionRole;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

/**
 * Creates and reads Bloom filters that behave like Guava's. {@link #readFrom} and {@link
 * #fromBytes} accept two formats, which differ in their first byte; {@link #openMapped} accepts
 * only Guava's format. Guava's {@code BloomFilter.writeTo} and {@link
 * GuavaBloomFilter#writeTo(OutputStream)} write Guava's format. To write this library's format, use
 * {@link GuavaBloomFilter#contents()}.
 *
 * <p><b>You must know the funnel.</b> Guava's bytes do not name the funnel. With another funnel or
 * charset, or with longs in place of ints, reading succeeds, but queries of nearly all stored
 * elements are negative. No check can detect this. Before you rely on a filter, query some elements
 * that must be in it.
 *
 * <p><b>Guava's format.</b> The bytes are Guava's strategy (one byte, 0 for {@code
 * MURMUR128_MITZ_32} or 1 for {@code MURMUR128_MITZ_64}), the number of hashes (one byte, 1 to
 * 255), the number of words (an int), and the 64-bit words. Position p is bit p mod 64 of word ⌊p /
 * 64⌋. All numbers are big-endian. Reading checks the header. There is no checksum, so a flipped
 * bit is not detected. While reading, memory is at most 64 KiB plus nine times the bytes received
 * so far. A Guava filter that was written by Java serialization is refused.
 *
 * <p><b>This library's format</b> (docs/format.md) has checksums and names the funnel. Reading
 * refuses damaged bytes, and refuses a funnel that differs from the named funnel. While reading,
 * memory is at most 64 KiB plus 16 times the bytes received so far.
 */
public final class GuavaBloomFilters {

  /** The code of a Guava filter in this library's file format. */
  public static final int CODE = 9;

  static final int HEADER_BYTES = 6;

  static final InteropFormat FORMAT =
      new InteropFormat("a Guava BloomFilter", ByteOrder.BIG_ENDIAN, 0);

  /** The number of fields in this library's format. */
  private static final int FIELDS = 3;

  private static final int MOST_HASHES = 255;
  private static final int HASHES_AT = 1;
  private static final int WORD_COUNT_AT = 2;
  private static final byte JAVA_SERIALIZATION = (byte) 0xac;

  private GuavaBloomFilters() {}

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
        ? FilterReader.readFrom(all, reader -> readStored(reader, funnel))
        : readGuava(all, funnel);
  }

  private static <T> GuavaBloomFilter<T> readStored(
      FilterReader reader, GuavaFunnel<? super T> funnel) throws IOException {
    reader.require(CODE, funnel.identity(), FIELDS);
    reader.requireNoPlan();
    long positions =
        reader.field(0, "positions", Long.SIZE, (long) WordArrays.MAX_LENGTH * Long.SIZE);
    if (positions % Long.SIZE != 0) {
      throw reader.wrongField(0, "positions must be a multiple of 64, got " + positions);
    }
    int hashes = (int) reader.field(1, "hashes", 1, MOST_HASHES);
    int last = GuavaStrategy.MURMUR128_MITZ_64.code();
    byte strategy = (byte) reader.field(2, "Guava's strategy", 0, last);
    if (reader.elementCount().isPresent()) {
      throw reader.wrongField(
          0,
          "the element count must be unknown, since Guava keeps none, got "
              + reader.elementCount().getAsLong());
    }
    int count = (int) (positions / Long.SIZE);
    SectionReader section = reader.section(SectionRole.WORDS, count);
    long[] words = new long[count]; // as large as was received
    section.readInto(words, 0, count);
    return new GuavaBloomFilter<>(funnel, strategy(strategy), hashes, words);
  }

  private static <T> GuavaBloomFilter<T> readGuava(InputStream in, GuavaFunnel<? super T> funnel)
      throws IOException {
    Header header = readHeader(in, WordArrays.MAX_LENGTH);
    long[] words = FORMAT.readWords(in, header.wordCount(), HEADER_BYTES);
    return new GuavaBloomFilter<>(funnel, header.strategy(), header.hashes(), words);
  }

  /** The header of Guava's bytes. */
  record Header(GuavaStrategy strategy, int hashes, int wordCount) {}

  static Header readHeader(InputStream in, int mostWords) throws IOException {
    byte[] header = FORMAT.readHeader(in, HEADER_BYTES, 0);
    GuavaStrategy strategy = strategy(header[0]);
    int hashes = Byte.toUnsignedInt(header[HASHES_AT]);
    if (hashes == 0) {
      throw FORMAT.malformed(HASHES_AT, "the number of hashes must be at least 1, got 0");
    }
    int wordCount = ByteBuffer.wrap(header).getInt(WORD_COUNT_AT);
    if (wordCount < 1 || wordCount > mostWords) {
      throw FORMAT.malformed(
          WORD_COUNT_AT, "the number of words must be in [1, %d], got %d", mostWords, wordCount);
    }
    return new Header(strategy, hashes, wordCount);
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
   * @throws FilterFormatException as for {@link #readFrom}, or if bytes follow the filter
   */
  public static <T> GuavaBloomFilter<T> fromBytes(byte[] bytes, GuavaFunnel<? super T> funnel)
      throws FilterFormatException {
    return InteropFormat.fromBytes(bytes, in -> readFrom(in, funnel));
  }

  /**
   * Returns an empty filter, to be written in Guava's format. The filter uses the strategy that
   * Guava has used since version 17, {@code MURMUR128_MITZ_64}. The size of the filter is {@link
   * Shape#of Shape.of(expectedInsertions, fpp)}, with the number of bits rounded up to a multiple
   * of 64. Guava itself chooses other sizes, which vary between versions.
   *
   * @param funnel the equivalent of the funnel with which Guava will read the filter
   * @param expectedInsertions the number of distinct elements planned for, at least 0
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
    int words = Math.toIntExact(shape.positions() / Long.SIZE);
    return new GuavaBloomFilter<>(
        funnel, GuavaStrategy.MURMUR128_MITZ_64, shape.hashes(), WordArrays.allocate(words));
  }

  /**
   * Returns the layout of the filter that {@link #create} returns, without allocating the filter.
   *
   * @param expectedInsertions the number of distinct elements planned for, at least 1
   * @param fpp the false-positive probability at that number, in (0, 1)
   * @throws IllegalArgumentException as for {@link #create}
   */
  public static FilterLayout layout(long expectedInsertions, double fpp) {
    FlatShape shape = shape(expectedInsertions, fpp);
    return FilterLayout.of(shape, shape.positions() / Byte.SIZE);
  }

  /** Returns a shape whose bits fill whole words and fit into one array. */
  private static FlatShape shape(long expectedInsertions, double fpp) {
    FlatShape shape = Shape.of(expectedInsertions, fpp);
    long words = (shape.positions() + Long.SIZE - 1) / Long.SIZE;
    if (words > WordArrays.MAX_LENGTH) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "expectedInsertions=%d and fpp=%s need %d words, more than an array holds",
              expectedInsertions,
              fpp,
              words));
    }
    return new FlatShape(words * Long.SIZE, shape.hashes());
  }

  private static GuavaStrategy strategy(byte code) throws FilterFormatException {
    for (GuavaStrategy strategy : GuavaStrategy.values()) {
      if (strategy.code() == code) {
        return strategy;
      }
    }
    throw FORMAT.malformed(
        0,
        "the strategy must be 0 (%s) or 1 (%s), got %d%s",
        GuavaStrategy.MURMUR128_MITZ_32,
        GuavaStrategy.MURMUR128_MITZ_64,
        code,
        code == JAVA_SERIALIZATION
            ? "; Java's serialization begins like this: write the filter by writeTo instead"
            : "");
  }

  static void write(GuavaBloomFilter<?> filter, OutputStream out) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    header.put((byte) filter.strategy().code());
    header.put((byte) filter.hashes());
    header.putInt(filter.wordCount());
    out.write(header.array());
    FORMAT.writeWords(out, filter.wordCount(), filter::word);
  }
}
