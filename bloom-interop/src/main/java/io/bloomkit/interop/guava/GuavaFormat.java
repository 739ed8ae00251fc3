package io.bloomkit.interop.guava;

import io.bloomkit.FilterFormatException;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.internal.format.FilterHeader;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.SectionReader;
import io.bloomkit.internal.format.SectionRole;
import io.bloomkit.interop.internal.InteropFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads and writes Guava's bytes, and the sections of a Guava filter in this library's format. */
final class GuavaFormat {

  static final int HEADER_BYTES = 6;

  static final InteropFormat FORMAT =
      new InteropFormat("a Guava BloomFilter", ByteOrder.BIG_ENDIAN, 0);

  /** The number of fields in this library's format. */
  private static final int FIELDS = 3;

  static final int MAX_HASHES = 255;
  private static final int HASHES_AT = 1;
  private static final int WORD_COUNT_AT = 2;
  private static final byte JAVA_SERIALIZATION = (byte) 0xac;

  private GuavaFormat() {}

  static <T> GuavaBloomFilter<T> readStored(FilterReader reader, GuavaFunnel<? super T> funnel)
      throws IOException {
    reader.require(GuavaBloomFilter.CODE, funnel.identity(), FIELDS);
    reader.requireNoPlan();
    long positions =
        reader.field(0, "positions", Long.SIZE, (long) WordArrays.MAX_LENGTH * Long.SIZE);
    if (positions % Long.SIZE != 0) {
      throw reader.wrongField(0, "positions must be a multiple of 64, got " + positions);
    }
    int hashes = (int) reader.field(1, "hashes", 1, MAX_HASHES);
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
    long[] words = WordArrays.allocate(count); // as large as was received
    section.readInto(words, 0, count);
    return new GuavaBloomFilter<>(funnel, strategy(strategy), hashes, words);
  }

  static <T> GuavaBloomFilter<T> readGuava(InputStream in, GuavaFunnel<? super T> funnel)
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

  private static GuavaStrategy strategy(byte code) throws FilterFormatException {
    for (GuavaStrategy strategy : GuavaStrategy.values()) {
      if (strategy.code() == code) {
        return strategy;
      }
    }
    if (code == FilterHeader.FIRST_BYTE) { // readFrom accepts it
      throw new FilterFormatException(
          0,
          "a file in Bloomkit's format cannot be mapped as Guava's: read it by"
              + " GuavaBloomFilter.readFrom, or convert it by bloom convert --to guava");
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
