package io.bloomkit.internal.format;

import io.bloomkit.FilterFormatException;
import io.bloomkit.internal.Crc32c;
import io.bloomkit.internal.GapCoding;
import io.bloomkit.internal.LittleEndian;
import java.io.IOException;
import java.util.zip.Checksum;

/**
 * Reads and decodes the words of one section of a file, one after another. Reading the last word
 * also checks the checksum. See {@link FilterReader#section}.
 *
 * <p>A section is at least 1/14 as long as its decoded words. A {@link FilterReader} returns this
 * object only after it has received this minimum length of the section. So a short malformed file
 * cannot cause a large allocation, and the caller may allocate an array for all words at once.
 *
 * <p>Not thread-safe.
 */
public final class SectionReader {

  private static final int BUFFER_BYTES = 8192;

  private final ReceivedBytes in;
  private final FilterSection section;
  private final long totalBits;
  private final Checksum crc = Crc32c.create();

  /**
   * The bytes received before the first word is read. Each part is released after it is decoded.
   */
  private final byte[][] parts;

  private int nextPart;
  private byte[] buffer = new byte[0];
  private int position;
  private int limit;

  /** Number of stored bytes still to be received. */
  private long remainingBytes;

  private long wordsRead;

  /**
   * Bits of the code that were taken from the buffer but not decoded. The next bit is the lowest.
   */
  private long bits;

  private int bitCount;

  /** Number of bytes of the code taken from the buffer so far. */
  private long codeBytes;

  /** The position of the next set bit, or the number of bits if there is none. */
  private long nextSetBit;

  SectionReader(ReceivedBytes in, FilterSection section) throws IOException {
    this.in = in;
    this.section = section;
    this.totalBits =
        section.role().isAscending() ? GapCoding.MAX_NUMBER : section.wordCount() * Long.SIZE;
    in.skipZerosTo(section.offset());
    // Whole words, for uncoded sections.
    long min = GapCoding.minStoredBytes(section.wordCount());
    long firstBytes = (min + Long.BYTES - 1) & -Long.BYTES;
    firstBytes = Math.min(firstBytes, section.storedBytes());
    this.remainingBytes = section.storedBytes() - firstBytes;
    this.parts = in.readParts(firstBytes, crc, name());
    if (section.wordCount() == 0) {
      finish();
    } else if (section.gapCoded() && !section.role().isAscending()) {
      nextSetBit = readGap(0);
    }
  }

  public long wordCount() {
    return section.wordCount();
  }

  /**
   * Returns the next word.
   *
   * @throws FilterFormatException if the section is truncated or cannot be decoded, or if this is
   *     the last word and the checksum does not match
   * @throws IllegalStateException if all words were read
   */
  public long next() throws IOException {
    if (wordsRead == section.wordCount()) {
      throw new IllegalStateException("all " + wordsRead + " words of the section were read");
    }
    long word = section.gapCoded() ? decode() : readRaw();
    wordsRead++;
    if (wordsRead == section.wordCount()) {
      finish();
    }
    return word;
  }

  /**
   * Reads words into a range of an array, as {@link #next}.
   *
   * @throws IllegalStateException if the section has fewer words left
   */
  public void readInto(long[] array, int from, int count) throws IOException {
    for (int i = from; i < from + count; i++) {
      array[i] = next();
    }
  }

  boolean isFinished() {
    return wordsRead == section.wordCount();
  }

  private long readRaw() throws IOException {
    if (position == limit) {
      fill();
    }
    long word = LittleEndian.getLong(buffer, position);
    position += Long.BYTES;
    return word;
  }

  private long decode() throws IOException {
    if (section.role().isAscending()) {
      long number = readGap(nextSetBit);
      if (number == GapCoding.MAX_NUMBER) {
        throw wrong("a number is 2^60 or more");
      }
      nextSetBit = number + 1;
      return number;
    }
    long end = (wordsRead + 1) * Long.SIZE;
    long word = 0;
    while (nextSetBit < end) {
      word |= 1L << nextSetBit;
      nextSetBit = readGap(nextSetBit + 1);
    }
    return word;
  }

  /**
   * Reads a gap, and returns the position at the end of the gap that starts at another position.
   */
  private long readGap(long from) throws IOException {
    int parameter = section.riceParameter();
    long max = (totalBits - from) >>> parameter;
    long quotient = 0;
    while (true) {
      ensureBits(1);
      int ones = Math.min(Long.numberOfTrailingZeros(~bits), bitCount);
      quotient += ones;
      if (quotient > max) {
        throw wrong("a gap leads beyond the last of " + totalBits + " bits");
      }
      if (ones < bitCount) {
        skipBits(ones + 1);
        break;
      }
      skipBits(ones);
    }
    int lower = Math.min(parameter, Integer.SIZE);
    long gap = quotient << parameter | readBits(lower) | readBits(parameter - lower) << lower;
    if (gap > totalBits - from) {
      throw wrong("a gap leads beyond the last of " + totalBits + " bits");
    }
    return from + gap;
  }

  private long readBits(int count) throws IOException {
    ensureBits(count);
    long bitsRead = bits & ~(-1L << count);
    skipBits(count);
    return bitsRead;
  }

  private void skipBits(int count) {
    bits >>>= count; // less than 64: the buffer never holds more than 47 bits
    bitCount -= count;
  }

  private void ensureBits(int count) throws IOException {
    while (bitCount < count) {
      if (codeBytes == section.storedBytes()) {
        throw wrong("the gaps end before the last of " + totalBits + " bits");
      }
      if (position == limit) {
        fill();
      }
      bits |= (buffer[position++] & 0xffL) << bitCount;
      bitCount += Byte.SIZE;
      codeBytes++;
    }
  }

  /** Checks that the rest of the code is zero, and no longer than the minimum length requires. */
  private void finishCode() throws IOException {
    long min = GapCoding.minStoredBytes(section.wordCount());
    if (section.storedBytes() > Math.max(codeBytes, min)) {
      throw wrong(
          "the gaps end after "
              + codeBytes
              + " bytes but "
              + section.storedBytes()
              + " bytes are stored");
    }
    boolean isZero = bits == 0;
    while (codeBytes < section.storedBytes()) {
      if (position == limit) {
        fill();
      }
      isZero &= buffer[position++] == 0;
      codeBytes++;
    }
    if (!isZero) {
      throw wrong("what follows the gaps must be 0 but is not");
    }
  }

  private void fill() throws IOException {
    if (nextPart < parts.length) {
      buffer = parts[nextPart];
      parts[nextPart++] = new byte[0];
      limit = buffer.length;
    } else {
      limit = (int) Math.min(remainingBytes, BUFFER_BYTES);
      if (nextPart++ == parts.length) {
        buffer = new byte[limit];
      }
      in.read(buffer, 0, limit, name());
      crc.update(buffer, 0, limit);
      remainingBytes -= limit;
    }
    position = 0;
  }

  private void finish() throws IOException {
    if (section.gapCoded()) {
      finishCode();
    }
    byte[] stored = new byte[FilterSection.CHECKSUM_BYTES];
    in.read(stored, 0, stored.length, "a checksum");
    section.requireChecksum(LittleEndian.getInt(stored, 0), (int) crc.getValue());
  }

  private String name() {
    return "section " + section.role();
  }

  private FilterFormatException wrong(String fault) {
    return new FilterFormatException(
        section.offset() + codeBytes, "section " + section.role() + ": " + fault);
  }
}
