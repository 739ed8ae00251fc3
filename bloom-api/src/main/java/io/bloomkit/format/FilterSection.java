package io.bloomkit.format;

import java.util.Objects;

/**
 * Where in a file a part of a filter lies, and how it is coded; see docs/format.md.
 *
 * @param role what it holds
 * @param gapCoded whether it is coded by gaps, those between set bits or between ascending numbers;
 *     else its words lie there as they are, eight bytes each, the lowest byte first
 * @param riceParameter how many low bits of each gap are stored as they are; 0 unless gap-coded
 * @param words how many words of 64 bits it has once it is decoded
 * @param offset its first byte, counted from the beginning of the filter: a multiple of {@link
 *     FilterHeader#ALIGNMENT}
 * @param storedBytes how many bytes it takes in the file; its checksum stands in the next four
 */
public record FilterSection(
    SectionRole role,
    boolean gapCoded,
    int riceParameter,
    long words,
    long offset,
    long storedBytes) {

  /** The bytes of the checksum that follows a section. */
  static final int CHECKSUM_BYTES = Integer.BYTES;

  /** More words than any filter has: what fewer add up to does not overflow. */
  static final long MAX_WORDS = 1L << 34;

  /** Throws {@link NullPointerException} if there is no role. */
  public FilterSection {
    Objects.requireNonNull(role, "role");
  }

  /** Returns the first byte of the checksum, a CRC32C of the stored bytes. */
  public long checksumOffset() {
    return offset + storedBytes;
  }

  /** Returns the number of the coding in a file. */
  int coding() {
    return gapCoded ? role.gapCoding() : SectionRole.RAW;
  }

  long end() {
    return checksumOffset() + CHECKSUM_BYTES;
  }
}
