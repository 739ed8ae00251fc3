package io.bloomkit.internal.format;

import io.bloomkit.FilterFormatException;
import io.bloomkit.internal.GapCoding;
import io.bloomkit.internal.LittleEndian;
import java.util.Locale;

/**
 * The location and coding of one section of a filter's file; see docs/format.md.
 *
 * @param role the role of the section
 * @param gapCoded true if the section stores the gaps between set bits or between ascending
 *     numbers; false if it stores its words uncoded, as eight little-endian bytes each
 * @param riceParameter the parameter of the Rice code: the number of low bits of each gap that are
 *     stored uncoded; 0 if the section is not gap-coded
 * @param wordCount the number of 64-bit words after decoding
 * @param offset the index of the first byte of the section, counted from the beginning of the
 *     filter; a multiple of {@link FilterHeader#ALIGNMENT}
 * @param storedBytes the number of bytes of the section in the file, excluding the four-byte
 *     checksum that follows them
 */
public record FilterSection(
    SectionRole role,
    boolean gapCoded,
    int riceParameter,
    long wordCount,
    long offset,
    long storedBytes) {

  /** The length in bytes of the entry of a section in a header. */
  static final int ENTRY_BYTES = 24;

  /** The length in bytes of the checksum that follows a section. */
  static final int CHECKSUM_BYTES = Integer.BYTES;

  /** More words than any filter has, yet sums of such lengths do not overflow. */
  static final long MAX_WORDS = 1L << 34;

  /**
   * Reads the entry of a section from a header.
   *
   * @param bytes part of a header, from its byte {@code from} on
   * @param at the index in {@code bytes} where the entry begins
   * @param previousEnd the end of the header or of the section before
   */
  static FilterSection parse(byte[] bytes, int from, int at, long previousEnd)
      throws FilterFormatException {
    int offset = from + at;
    int code = LittleEndian.getShort(bytes, at);
    SectionRole role = SectionRole.ofCode(code);
    if (role == null) {
      throw new FilterFormatException(offset, "there is no section of role " + code);
    }
    int coding = bytes[at + 2];
    if (!role.mayHaveCoding(coding)) {
      throw new FilterFormatException(
          offset + 2, "a section of role " + role + " cannot have coding " + (coding & 0xff));
    }
    int riceParameter = bytes[at + 3];
    if (riceParameter < 0
        || riceParameter > (coding == SectionRole.RAW ? 0 : role.maxRiceParameter())) {
      throw new FilterFormatException(
          offset + 3, "coding " + coding + " cannot have the parameter " + (riceParameter & 0xff));
    }
    if (LittleEndian.getInt(bytes, at + 4) != 0) {
      throw new FilterFormatException(offset + 4, "four reserved bytes must be 0 but are not");
    }
    long wordCount = LittleEndian.getLong(bytes, at + 8);
    if (wordCount < 0 || wordCount > MAX_WORDS) {
      throw new FilterFormatException(
          offset + 8,
          "a section has at most "
              + MAX_WORDS
              + " words but here "
              + Long.toUnsignedString(wordCount));
    }
    long stored = LittleEndian.getLong(bytes, at + 16);
    long raw = wordCount * Long.BYTES;
    long min = coding == SectionRole.RAW ? raw : GapCoding.minStoredBytes(wordCount);
    if (stored < min || stored > raw) {
      throw new FilterFormatException(
          offset + 16,
          String.format(
              Locale.ROOT,
              "%d words of coding %d take %d to %d bytes but here %s",
              wordCount,
              coding,
              min,
              raw,
              Long.toUnsignedString(stored)));
    }
    return new FilterSection(
        role,
        coding != SectionRole.RAW,
        riceParameter,
        wordCount,
        FilterHeader.align(previousEnd),
        stored);
  }

  /** Writes the entry of this section into a header. */
  void writeEntry(byte[] bytes, int at) {
    LittleEndian.putShort(bytes, at, role.code());
    bytes[at + 2] = (byte) coding();
    bytes[at + 3] = (byte) riceParameter;
    LittleEndian.putLong(bytes, at + 8, wordCount);
    LittleEndian.putLong(bytes, at + 16, storedBytes);
  }

  /**
   * Returns the index of the first byte of the checksum, counted from the beginning of the filter.
   * The checksum is a CRC32C of the stored bytes.
   */
  public long checksumOffset() {
    return offset + storedBytes;
  }

  /** Checks that the stored checksum is that of the stored bytes. */
  void requireChecksum(int stored, int computed) throws FilterFormatException {
    if (stored != computed) {
      throw new FilterFormatException(
          checksumOffset(),
          String.format(
              Locale.ROOT,
              "the section %s from byte %d is damaged: its checksum is 0x%08x but 0x%08x is stored",
              role,
              offset,
              computed,
              stored));
    }
  }

  /** Returns the code of the coding in files. */
  int coding() {
    return gapCoded ? role.gapCoding() : SectionRole.RAW;
  }

  long end() {
    return checksumOffset() + CHECKSUM_BYTES;
  }
}
