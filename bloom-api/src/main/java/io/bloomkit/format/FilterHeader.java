package io.bloomkit.format;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.GapCoding;
import io.bloomkit.internal.LittleEndian;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * What the first bytes of a filter's file say: what kind of filter it is, by which strategy it was
 * filled, how large it is and where its parts lie. docs/format.md specifies it byte by byte.
 *
 * <p>A header that was read had the right checksum and lengths that fit each other. What its fields
 * mean, and whether they fit, only the reader of the variant knows.
 */
public final class FilterHeader {

  /** The version of the format that this library writes. */
  public static final int VERSION = 1;

  /** The first byte of every file of this format. */
  public static final byte FIRST_BYTE = (byte) 0x89;

  /** The alignment of sections in bytes: a cache line. */
  public static final int ALIGNMENT = 64;

  /** The most fields that a variant may have. */
  public static final int MAX_FIELDS = 64;

  /** The most sections that a filter may have. */
  public static final int MAX_SECTIONS = 0xffff;

  /** In the file, an element count that is unknown. */
  private static final long UNKNOWN = -1;

  private static final byte[] MAGIC = {FIRST_BYTE, 'B', 'l', 'o', 'o', 'm', '\r', '\n'};
  private static final int VERSION_OFFSET = 8;
  static final int VARIANT_OFFSET = 10;
  private static final int LENGTH_OFFSET = 12;
  private static final int FLAGS_OFFSET = 16;
  static final int FIELDS_OFFSET = 20;
  static final int SECTIONS_OFFSET = 22;
  private static final int ID_LENGTH_OFFSET = 24;
  private static final int RESERVED_OFFSET = 26;
  static final int FINGERPRINT_OFFSET = 32;

  /** The first byte of the element count. */
  static final int ELEMENT_COUNT_OFFSET = 40;

  private static final int FIXED_BYTES = 48;
  private static final int SECTION_BYTES = 24;
  private static final int CHECKSUM_BYTES = Integer.BYTES;

  private final int variantCode;
  private final StrategyIdentity strategy;
  private final OptionalLong elementCount;
  private final long[] fields;
  private final List<FilterSection> sections;

  /** Makes a header from sections that have their places already. */
  FilterHeader(
      int variantCode,
      StrategyIdentity strategy,
      OptionalLong elementCount,
      long[] fields,
      List<FilterSection> sections) {
    this.variantCode = variantCode;
    this.strategy = strategy;
    this.elementCount = elementCount;
    this.fields = fields;
    this.sections = List.copyOf(sections);
  }

  /**
   * Reads a header and not a byte more.
   *
   * @throws FilterFormatException if it is not one
   * @throws IOException if the stream fails
   */
  public static FilterHeader readFrom(InputStream in) throws IOException {
    return readFrom(new ReceivedBytes(Objects.requireNonNull(in, "in")));
  }

  static FilterHeader readFrom(ReceivedBytes in) throws IOException {
    byte[] fixed = new byte[FIXED_BYTES];
    in.read(fixed, 0, MAGIC.length, "the mark of a filter");
    for (int i = 0; i < MAGIC.length; i++) {
      if (fixed[i] != MAGIC[i]) {
        throw new FilterFormatException(
            i,
            String.format(
                Locale.ROOT,
                "this is no filter: its mark has byte 0x%02x in place of 0x%02x",
                fixed[i],
                MAGIC[i]));
      }
    }
    in.read(fixed, VERSION_OFFSET, Short.BYTES, "the version");
    int version = LittleEndian.getShort(fixed, VERSION_OFFSET);
    if (version != VERSION) {
      throw new FilterFormatException(
          VERSION_OFFSET,
          "the filter is of version " + version + " of the format; this reads version " + VERSION);
    }
    in.read(fixed, VARIANT_OFFSET, FIXED_BYTES - VARIANT_OFFSET, "the header");
    int length = checkedLength(fixed);
    byte[] rest = in.readGrowing(length - FIXED_BYTES, "the header");
    checkChecksum(fixed, rest);
    return parse(fixed, rest);
  }

  private static int checkedLength(byte[] fixed) throws FilterFormatException {
    int idLength = LittleEndian.getShort(fixed, ID_LENGTH_OFFSET);
    if (idLength < 1 || idLength > StrategyIdentity.MAX_ID_LENGTH) {
      throw new FilterFormatException(
          ID_LENGTH_OFFSET,
          "the strategy's id must have 1 to "
              + StrategyIdentity.MAX_ID_LENGTH
              + " characters but has "
              + idLength);
    }
    int fieldCount = LittleEndian.getShort(fixed, FIELDS_OFFSET);
    if (fieldCount > MAX_FIELDS) {
      throw new FilterFormatException(
          FIELDS_OFFSET, "there are at most " + MAX_FIELDS + " fields but here " + fieldCount);
    }
    int expected = length(fieldCount, LittleEndian.getShort(fixed, SECTIONS_OFFSET), idLength);
    int length = LittleEndian.getInt(fixed, LENGTH_OFFSET);
    if (length != expected) {
      throw new FilterFormatException(
          LENGTH_OFFSET,
          "the header takes " + expected + " bytes but says " + Integer.toUnsignedString(length));
    }
    return length;
  }

  private static int length(int fieldCount, int sectionCount, int idLength) {
    return FIXED_BYTES
        + fieldCount * Long.BYTES
        + sectionCount * SECTION_BYTES
        + idLength
        + CHECKSUM_BYTES;
  }

  private static void checkChecksum(byte[] fixed, byte[] rest) throws FilterFormatException {
    int end = rest.length - CHECKSUM_BYTES;
    CRC32C crc = new CRC32C();
    crc.update(fixed);
    crc.update(rest, 0, end);
    int stored = LittleEndian.getInt(rest, end);
    if (stored != (int) crc.getValue()) {
      throw new FilterFormatException(
          FIXED_BYTES + end,
          String.format(
              Locale.ROOT,
              "the header is damaged: its checksum is 0x%08x but 0x%08x is stored",
              (int) crc.getValue(),
              stored));
    }
  }

  private static FilterHeader parse(byte[] fixed, byte[] rest) throws FilterFormatException {
    int code = LittleEndian.getShort(fixed, VARIANT_OFFSET);
    if (code == 0) {
      throw new FilterFormatException(VARIANT_OFFSET, "a variant has a code from 1 on but here 0");
    }
    requireZero(fixed, FLAGS_OFFSET, FIELDS_OFFSET);
    requireZero(fixed, RESERVED_OFFSET, FINGERPRINT_OFFSET);
    long count = LittleEndian.getLong(fixed, ELEMENT_COUNT_OFFSET);
    if (count < UNKNOWN) {
      throw new FilterFormatException(
          ELEMENT_COUNT_OFFSET, "an element count is at least 0, or -1, but is " + count);
    }
    long[] fields = new long[LittleEndian.getShort(fixed, FIELDS_OFFSET)];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = LittleEndian.getLong(rest, i * Long.BYTES);
    }
    int at = fields.length * Long.BYTES;
    int sectionCount = LittleEndian.getShort(fixed, SECTIONS_OFFSET);
    List<FilterSection> sections = new ArrayList<>(sectionCount);
    long end = FIXED_BYTES + (long) rest.length;
    for (int i = 0; i < sectionCount; i++) {
      FilterSection section = parseSection(rest, at, end);
      sections.add(section);
      end = section.end();
      at += SECTION_BYTES;
    }
    int idOffset = FIXED_BYTES + at;
    String id = new String(rest, at, rest.length - CHECKSUM_BYTES - at, US_ASCII);
    long fingerprint = LittleEndian.getLong(fixed, FINGERPRINT_OFFSET);
    return new FilterHeader(
        code,
        identity(id, fingerprint, idOffset),
        count == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(count),
        fields,
        sections);
  }

  private static StrategyIdentity identity(String id, long fingerprint, int offset)
      throws FilterFormatException {
    try {
      return new StrategyIdentity(id, fingerprint);
    } catch (IllegalArgumentException e) { // its length was checked before
      throw new FilterFormatException(
          offset, "the strategy's id must have printable ASCII characters only");
    }
  }

  private static void requireZero(byte[] bytes, int from, int to) throws FilterFormatException {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        throw new FilterFormatException(
            i, String.format(Locale.ROOT, "a reserved byte must be 0 but is 0x%02x", bytes[i]));
      }
    }
  }

  private static FilterSection parseSection(byte[] rest, int at, long previousEnd)
      throws FilterFormatException {
    int offset = FIXED_BYTES + at;
    int code = LittleEndian.getShort(rest, at);
    SectionRole role = SectionRole.ofCode(code);
    if (role == null) {
      throw new FilterFormatException(offset, "there is no section of role " + code);
    }
    int coding = rest[at + 2];
    if (!role.mayHaveCoding(coding)) {
      throw new FilterFormatException(
          offset + 2, "a section of role " + role + " cannot have coding " + (coding & 0xff));
    }
    int riceParameter = rest[at + 3];
    if (riceParameter < 0
        || riceParameter > (coding == SectionRole.RAW ? 0 : role.mostRiceParameter())) {
      throw new FilterFormatException(
          offset + 3, "coding " + coding + " cannot have the parameter " + (riceParameter & 0xff));
    }
    if (LittleEndian.getInt(rest, at + 4) != 0) {
      throw new FilterFormatException(offset + 4, "four reserved bytes must be 0 but are not");
    }
    long words = LittleEndian.getLong(rest, at + 8);
    if (words < 0 || words > FilterSection.MAX_WORDS) {
      throw new FilterFormatException(
          offset + 8,
          "a section has at most "
              + FilterSection.MAX_WORDS
              + " words but here "
              + Long.toUnsignedString(words));
    }
    long stored = LittleEndian.getLong(rest, at + 16);
    long raw = words * Long.BYTES;
    long least = coding == SectionRole.RAW ? raw : GapCoding.leastStoredBytes(words);
    if (stored < least || stored > raw) {
      throw new FilterFormatException(
          offset + 16,
          String.format(
              Locale.ROOT,
              "%d words of coding %d take %d to %d bytes but here %s",
              words,
              coding,
              least,
              raw,
              Long.toUnsignedString(stored)));
    }
    return new FilterSection(
        role, coding != SectionRole.RAW, riceParameter, words, align(previousEnd), stored);
  }

  static long align(long offset) {
    return (offset + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Returns the length of a header in bytes. */
  static int length(long[] fields, int sectionCount, StrategyIdentity strategy) {
    return length(fields.length, sectionCount, strategy.id().length());
  }

  byte[] toBytes() {
    byte[] id = strategy.id().getBytes(US_ASCII);
    byte[] bytes = new byte[length(fields.length, sections.size(), id.length)];
    System.arraycopy(MAGIC, 0, bytes, 0, MAGIC.length);
    LittleEndian.putShort(bytes, VERSION_OFFSET, VERSION);
    LittleEndian.putShort(bytes, VARIANT_OFFSET, variantCode);
    LittleEndian.putInt(bytes, LENGTH_OFFSET, bytes.length);
    LittleEndian.putShort(bytes, FIELDS_OFFSET, fields.length);
    LittleEndian.putShort(bytes, SECTIONS_OFFSET, sections.size());
    LittleEndian.putShort(bytes, ID_LENGTH_OFFSET, id.length);
    LittleEndian.putLong(bytes, FINGERPRINT_OFFSET, strategy.fingerprint());
    LittleEndian.putLong(bytes, ELEMENT_COUNT_OFFSET, elementCount.orElse(UNKNOWN));
    int at = FIXED_BYTES;
    for (long field : fields) {
      LittleEndian.putLong(bytes, at, field);
      at += Long.BYTES;
    }
    for (FilterSection section : sections) {
      LittleEndian.putShort(bytes, at, section.role().code());
      bytes[at + 2] = (byte) section.coding();
      bytes[at + 3] = (byte) section.riceParameter();
      LittleEndian.putLong(bytes, at + 8, section.words());
      LittleEndian.putLong(bytes, at + 16, section.storedBytes());
      at += SECTION_BYTES;
    }
    System.arraycopy(id, 0, bytes, at, id.length);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - CHECKSUM_BYTES);
    LittleEndian.putInt(bytes, bytes.length - CHECKSUM_BYTES, (int) crc.getValue());
    return bytes;
  }

  /**
   * Returns what the file holds. Its name is that of the module that was installed when a name was
   * first asked for, or "variant" and its code.
   */
  public FilterVariant variant() {
    return FilterVariant.of(variantCode);
  }

  int variantCode() {
    return variantCode;
  }

  /** Returns what the strategy by which the filter was filled must be. */
  public StrategyIdentity strategy() {
    return strategy;
  }

  /** Returns how many elements the filter says it holds, or empty if that is unknown. */
  public OptionalLong elementCount() {
    return elementCount;
  }

  /** Returns the number of fields, which say how large the filter is. */
  public int fieldCount() {
    return fields.length;
  }

  /**
   * Returns a field.
   *
   * @throws IndexOutOfBoundsException if there is none
   */
  public long field(int index) {
    return fields[index];
  }

  long[] fields() {
    return fields;
  }

  /** Returns the first byte of a field. */
  static long fieldOffset(int index) {
    return FIXED_BYTES + (long) index * Long.BYTES;
  }

  /** Returns the first byte of what the header says about a section. */
  long sectionEntryOffset(int index) {
    return fieldOffset(fields.length) + (long) index * SECTION_BYTES;
  }

  /** Returns the first byte of the strategy's id. */
  long idOffset() {
    return sectionEntryOffset(sections.size());
  }

  /** Returns the parts of the filter in the order of the file. */
  public List<FilterSection> sections() {
    return sections;
  }

  /** Returns the bytes of the header itself. */
  public int headerBytes() {
    return length(fields, sections.size(), strategy);
  }

  /** Returns the bytes of the whole filter, from the header to the last checksum. */
  public long totalBytes() {
    return sections.isEmpty() ? headerBytes() : sections.get(sections.size() - 1).end();
  }
}
