package io.bloomkit.formattests;

import io.bloomkit.internal.format.FilterHeader;
import io.bloomkit.internal.format.FilterSection;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** Derives forged files from a valid one: each has a change and correct checksums. */
final class ForgedFile {

  /** Numbers at the limits of sizes, counts and indexes. */
  private static final long[] NUMBERS = {
    0,
    1,
    2,
    3,
    15,
    63,
    64,
    1000,
    1001,
    65_535,
    1 << 20,
    Integer.MAX_VALUE - 8L,
    Integer.MAX_VALUE,
    1L << 31,
    1L << 32,
    1L << 33,
    1L << 34,
    (1L << 34) + 1,
    1L << 37,
    (1L << 37) + 1,
    1L << 40,
    1L << 58,
    1L << 60,
    1L << 61,
    1L << 62,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    -1,
    -2,
    -8,
    -64
  };

  private static final int CHECKSUM_BYTES = 4;
  private static final int SECTION_COUNT_OFFSET = 22;
  private static final int ID_LENGTH_OFFSET = 24;
  private static final int ELEMENT_COUNT_OFFSET = 40;
  private static final int ENTRY_BYTES = 24;
  private static final int PLAN_BYTES = 16;

  private final byte[] good;
  private final FilterHeader header;

  ForgedFile(byte[] good) throws IOException {
    this.good = good;
    this.header = FilterHeader.readFrom(new ByteArrayInputStream(good));
  }

  /** Returns all files with one flipped bit in the header, except those of its checksum. */
  Stream<byte[]> headersWithABitFlipped() {
    return IntStream.range(0, (header.headerBytes() - CHECKSUM_BYTES) * Byte.SIZE)
        .mapToObj(bit -> withHeaderChecksum(withBitFlipped(good, bit)));
  }

  /** Returns files with another number in the header, from the element count on. */
  Stream<byte[]> headersWithAnotherNumber() {
    int end = entries() + header.sections().size() * ENTRY_BYTES;
    return IntStream.iterate(ELEMENT_COUNT_OFFSET, offset -> offset < end, o -> o + Long.BYTES)
        .boxed()
        .flatMap(offset -> LongStream.of(NUMBERS).mapToObj(number -> withNumbers(offset, number)));
  }

  /** Returns files whose header declares a section of many words, in any coding. */
  Stream<byte[]> headersOfHugeSections() {
    return IntStream.range(0, header.sections().size())
        .boxed()
        .flatMap(
            section ->
                LongStream.of(NUMBERS)
                    .boxed()
                    .flatMap(wordCount -> headersOfHugeSection(entry(section) + 8, wordCount)));
  }

  private Stream<byte[]> headersOfHugeSection(int offset, long wordCount) {
    return LongStream.of(wordCount * 8, (wordCount * 8 + 13) / 14, wordCount * 8 / 14, wordCount)
        .mapToObj(stored -> withNumbers(offset, wordCount, stored));
  }

  /** Returns a file whose header declares more sections than follow. */
  byte[] headerOfManySections() {
    byte[] bytes = good.clone();
    int added = FilterHeader.MAX_SECTIONS - header.sections().size();
    littleEndian(bytes).putInt(12, header.headerBytes() + added * ENTRY_BYTES);
    littleEndian(bytes).putShort(SECTION_COUNT_OFFSET, (short) FilterHeader.MAX_SECTIONS);
    return bytes;
  }

  /** Returns files with the header entries of two sections exchanged. */
  Stream<byte[]> sectionsInAnotherOrder() {
    List<byte[]> forged = new ArrayList<>();
    for (int a = 0; a < header.sections().size(); a++) {
      for (int b = 0; b < a; b++) {
        byte[] bytes = good.clone();
        System.arraycopy(good, entry(a), bytes, entry(b), ENTRY_BYTES);
        System.arraycopy(good, entry(b), bytes, entry(a), ENTRY_BYTES);
        if (!Arrays.equals(good, bytes)) { // two empty sections have equal entries
          forged.add(withHeaderChecksum(bytes));
        }
      }
    }
    return forged.stream();
  }

  /** Returns files without one section, and files with the header entry of a section repeated. */
  Stream<byte[]> otherNumbersOfSections() {
    List<byte[]> forged = new ArrayList<>();
    for (int dropped = 0; dropped < header.sections().size(); dropped++) {
      forged.add(withEntries(dropped, 0));
      forged.add(withEntries(dropped, 2));
    }
    return forged.stream();
  }

  /** Returns a file that has the header entry of a section a number of times. */
  private byte[] withEntries(int section, int times) {
    int longest = good.length + FilterHeader.ALIGNMENT; // a further entry may move the sections
    ByteBuffer bytes = ByteBuffer.allocate(longest).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(good, 0, entry(section));
    for (int i = 0; i < times; i++) {
      bytes.put(good, entry(section), ENTRY_BYTES);
    }
    bytes.put(good, entry(section + 1), header.headerBytes() - entry(section + 1));
    int length = bytes.position();
    bytes.putInt(12, length);
    bytes.putShort(SECTION_COUNT_OFFSET, (short) (header.sections().size() - 1 + times));
    while (bytes.position() % FilterHeader.ALIGNMENT != 0) {
      bytes.put((byte) 0);
    }
    int from = (int) header.sections().get(0).offset();
    bytes.put(good, from, Math.min(good.length - from, bytes.remaining()));
    return withHeaderChecksum(bytes.array());
  }

  /** Returns all files with one flipped bit in a section. */
  Stream<byte[]> sectionsWithABitFlipped() {
    return header.sections().stream()
        .flatMap(
            section ->
                LongStream.range(0, section.storedBytes() * Byte.SIZE)
                    .map(bit -> section.offset() * Byte.SIZE + bit)
                    .mapToObj(bit -> withSectionChecksum(withBitFlipped(good, bit), section)));
  }

  /** Returns files with another number at the beginning of a section, up to 128 bytes. */
  Stream<byte[]> sectionsWithAnotherNumber() {
    return header.sections().stream().flatMap(this::withAnotherNumber);
  }

  private Stream<byte[]> withAnotherNumber(FilterSection section) {
    int numbers = (int) (Math.min(section.storedBytes(), 128) / Long.BYTES);
    return IntStream.range(0, numbers)
        .boxed()
        .flatMap(
            index ->
                LongStream.of(NUMBERS)
                    .mapToObj(
                        number -> {
                          byte[] bytes = good.clone();
                          int offset = (int) section.offset() + index * Long.BYTES;
                          littleEndian(bytes).putLong(offset, number);
                          return withSectionChecksum(bytes, section);
                        }));
  }

  /** Returns a copy of bytes with correct checksums wherever the header says that one is. */
  static byte[] withChecksums(byte[] bytes) {
    if (bytes.length < ID_LENGTH_OFFSET) {
      return bytes;
    }
    byte[] forged = withHeaderChecksum(bytes.clone());
    FilterHeader header;
    try {
      header = FilterHeader.readFrom(new ByteArrayInputStream(forged));
    } catch (IOException e) {
      return forged;
    }
    for (FilterSection section : header.sections()) {
      if (section.checksumOffset() <= forged.length - CHECKSUM_BYTES) {
        withSectionChecksum(forged, section);
      }
    }
    return forged;
  }

  private byte[] withNumbers(int offset, long... numbers) {
    byte[] bytes = good.clone();
    for (int i = 0; i < numbers.length; i++) {
      littleEndian(bytes).putLong(offset + i * Long.BYTES, numbers[i]);
    }
    return withHeaderChecksum(bytes);
  }

  static byte[] withBitFlipped(byte[] bytes, long bit) {
    byte[] flipped = bytes.clone();
    flipped[(int) (bit / Byte.SIZE)] ^= (byte) (1 << bit % Byte.SIZE);
    return flipped;
  }

  /** Corrects the checksum of the header, if the length in the header lies within the file. */
  private static byte[] withHeaderChecksum(byte[] bytes) {
    int length = littleEndian(bytes).getInt(12);
    if (length > ID_LENGTH_OFFSET && length <= bytes.length) {
      putChecksum(bytes, 0, length - CHECKSUM_BYTES);
    }
    return bytes;
  }

  private static byte[] withSectionChecksum(byte[] bytes, FilterSection section) {
    putChecksum(bytes, (int) section.offset(), (int) section.storedBytes());
    return bytes;
  }

  private static void putChecksum(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    littleEndian(bytes).putInt(offset + length, (int) crc.getValue());
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private int entries() {
    return 48 + header.fieldCount() * Long.BYTES + (header.plan().isPresent() ? PLAN_BYTES : 0);
  }

  private int entry(int section) {
    return entries() + section * ENTRY_BYTES;
  }
}
