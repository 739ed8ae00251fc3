package io.bloomkit.internal.format;

import io.bloomkit.FilterFormatException;
import io.bloomkit.internal.Crc32c;
import io.bloomkit.internal.LittleEndian;
import io.bloomkit.internal.LongSegment;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.OptionalInt;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/**
 * The memory-mapped, read-only words of a section of a file; see {@link MappedFile#section}.
 *
 * <p>Thread-safe. The garbage collector unmaps the file after this object has become unreachable;
 * there is no method to unmap it earlier.
 *
 * <p>If the file is truncated while it is mapped, a thread that reads words may get an {@link
 * InternalError}, at the read or at some later point of its execution.
 */
public final class MappedWords {

  /** The largest number of bytes in whole words that a buffer holds. */
  private static final long MAX_BUFFER_BYTES = Integer.MAX_VALUE / Long.BYTES * Long.BYTES;

  /**
   * The largest power of two for the length of a part, so that shifts split an index into part and
   * offset.
   */
  private static final int PART_BYTES_LOG_2 = 30;

  // Constants, because a query computes several addresses at once and needs the registers.
  private static final int PART_SHIFT = PART_BYTES_LOG_2 - 3;
  private static final int PART_MASK = (1 << PART_SHIFT) - 1;

  /**
   * Number of bytes read per step of a pass over all words, so that the garbage collector never
   * waits long.
   */
  private static final int SLICE_BYTES = 1 << 20;

  private final FilterSection section;
  private final long wordCount;
  private final OptionalInt checksum;
  private final LongBuffer[] parts;
  private final ByteBuffer[] bytes;

  /** The only part, or null if there are several. Saves loading the part from an array. */
  private final @Nullable LongBuffer singlePart;

  /**
   * All words as one {@link LongSegment}, if there are several parts and Java supports it;
   * otherwise null.
   */
  private final @Nullable Object segment;

  /**
   * Creates words from mapped buffers.
   *
   * @param checksum the stored checksum of the words, if there is one
   * @param bytes one buffer, or parts of 1 GiB each except the last
   * @param segment the same bytes mapped by {@link LongSegment}, or null
   */
  MappedWords(
      FilterSection section, OptionalInt checksum, ByteBuffer[] bytes, @Nullable Object segment) {
    this.section = section;
    this.wordCount = section.wordCount();
    this.segment = segment;
    this.checksum = checksum;
    this.bytes = bytes;
    this.parts = new LongBuffer[bytes.length];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = bytes[i].order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    }
    this.singlePart = parts.length == 1 ? parts[0] : null;
  }

  static MappedWords map(FileChannel channel, FilterSection section) throws IOException {
    byte[] checksum = new byte[FilterSection.CHECKSUM_BYTES];
    channel.position(section.checksumOffset());
    new ReceivedBytes(Channels.newInputStream(channel))
        .read(checksum, 0, checksum.length, "a checksum");
    return map(channel, section, OptionalInt.of(LittleEndian.getInt(checksum, 0)));
  }

  /**
   * Maps little-endian 64-bit words of a file that is not in Bloomkit's format. The words have no
   * checksum, so {@link #verify()} only counts their set bits. The channel may be closed
   * afterwards.
   *
   * @param offset the number of bytes that precede the words in the file
   * @throws IOException if the file cannot be mapped, for example because the file ends before the
   *     last word
   */
  public static MappedWords map(FileChannel channel, long offset, long wordCount)
      throws IOException {
    long bytes = wordCount * Long.BYTES;
    return map(
        channel,
        new FilterSection(SectionRole.WORDS, false, 0, wordCount, offset, bytes),
        OptionalInt.empty());
  }

  private static MappedWords map(FileChannel channel, FilterSection section, OptionalInt checksum)
      throws IOException {
    long stored = section.storedBytes();
    long partBytes = stored <= MAX_BUFFER_BYTES ? MAX_BUFFER_BYTES : 1L << PART_BYTES_LOG_2;
    ByteBuffer[] bytes = new ByteBuffer[(int) ((stored + partBytes - 1) / partBytes)];
    for (int i = 0; i < bytes.length; i++) {
      long from = i * partBytes;
      long length = Math.min(partBytes, stored - from);
      bytes[i] = channel.map(FileChannel.MapMode.READ_ONLY, section.offset() + from, length);
    }
    Object segment = bytes.length > 1 ? LongSegment.map(channel, section.offset(), stored) : null;
    return new MappedWords(section, checksum, bytes, segment);
  }

  public long size() {
    return wordCount;
  }

  /**
   * Returns a word. Costs a disk read if the page of the word is not in memory.
   *
   * @param index from 0 to {@link #size} − 1; any other index returns an arbitrary word or throws
   *     {@link IndexOutOfBoundsException}
   */
  public long get(long index) {
    if (singlePart != null) {
      return singlePart.get((int) index);
    }
    if (segment != null) {
      return LongSegment.get(segment, index);
    }
    return parts[(int) (index >>> PART_SHIFT)].get((int) index & PART_MASK);
  }

  /**
   * Reads all words and checks their checksum, if they have one.
   *
   * @return the number of set bits
   * @throws FilterFormatException if the checksum does not match
   */
  public long verify() throws FilterFormatException {
    Checksum crc = Crc32c.create();
    long setBits = 0;
    for (int i = 0; i < parts.length; i++) {
      int length = bytes[i].capacity();
      for (int remaining = length; remaining > 0; remaining -= Math.min(SLICE_BYTES, remaining)) {
        ByteBuffer slice = slice(bytes[i], length - remaining, Math.min(SLICE_BYTES, remaining));
        setBits += countBits(slice.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer());
        Crc32c.update(crc, slice);
      }
    }
    if (checksum.isPresent()) {
      section.requireChecksum(checksum.getAsInt(), (int) crc.getValue());
    }
    return setBits;
  }

  /** The same as {@code ByteBuffer.slice(int, int)}, which Android lacks before API level 34. */
  private static ByteBuffer slice(ByteBuffer bytes, int offset, int length) {
    Buffer range = bytes.duplicate(); // ByteBuffer overrides these methods since Java 9
    range.limit(offset + length).position(offset);
    return ((ByteBuffer) range).slice();
  }

  /** Returns the number of set bits. Reads all words. */
  public long countBits() {
    long setBits = 0;
    for (LongBuffer part : parts) {
      setBits += countBits(part);
    }
    return setBits;
  }

  private static long countBits(LongBuffer words) {
    long setBits = 0;
    int count = words.capacity();
    for (int i = 0; i < count; i++) {
      setBits += Long.bitCount(words.get(i));
    }
    return setBits;
  }

  /** Returns an exception about invalid words. The caller throws it. */
  public FilterFormatException wrong(String fault) {
    return new FilterFormatException(section.offset(), "section " + section.role() + ": " + fault);
  }
}
