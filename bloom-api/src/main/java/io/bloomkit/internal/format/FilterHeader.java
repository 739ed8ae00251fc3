package io.bloomkit.internal.format;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Crc32c;
import io.bloomkit.internal.LittleEndian;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.Checksum;

/**
 * The header of a filter's file: the variant of the filter, the strategy that filled it, its size
 * and the locations of its sections. See docs/format.md for the byte layout.
 *
 * <p>Reading a header verifies its checksum and checks that its lengths are consistent. It does not
 * check the {@linkplain #field fields}, which are numbers whose meaning depends on the variant.
 *
 * <p>Immutable and thread-safe.
 */
public final class FilterHeader {

  /** The version of the format that this library writes. */
  public static final int VERSION = 1;

  /** The first byte of every file of this format. */
  public static final byte FIRST_BYTE = (byte) 0x89;

  /** The alignment of sections in bytes. */
  public static final int ALIGNMENT = 64;

  public static final int MAX_FIELDS = 64;

  public static final int MAX_SECTIONS = 0xffff;

  /** The code of an unknown element count in the file. */
  private static final long UNKNOWN = -1;

  private static final byte[] MAGIC = {FIRST_BYTE, 'B', 'l', 'o', 'o', 'm', '\r', '\n'};
  private static final int VERSION_OFFSET = 8;
  public static final int VARIANT_OFFSET = 10;
  private static final int LENGTH_OFFSET = 12;
  private static final int FLAGS_OFFSET = 16;
  static final int FIELDS_OFFSET = 20;
  static final int SECTIONS_OFFSET = 22;
  private static final int ID_LENGTH_OFFSET = 24;
  private static final int RESERVED_OFFSET = 26;
  static final int FINGERPRINT_OFFSET = 32;

  /** The index of the first byte of the element count. */
  static final int ELEMENT_COUNT_OFFSET = 40;

  private static final int FIXED_BYTES = 48;

  /** The only flag, set if a plan follows the fields. */
  private static final int HAS_PLAN = 1;

  private static final int PLAN_BYTES = 2 * Long.BYTES;
  private static final int CHECKSUM_BYTES = Integer.BYTES;

  private final FilterContents.Metadata metadata;
  private final List<FilterSection> sections;

  /** Creates a header for sections whose offsets are set. */
  FilterHeader(FilterContents.Metadata metadata, List<FilterSection> sections) {
    this.metadata = metadata;
    this.sections = List.copyOf(sections);
  }

  /**
   * Reads a header from a stream. Reads no byte beyond the header.
   *
   * @param in not closed; needs no buffering
   * @throws FilterFormatException if the bytes are not a header
   */
  public static FilterHeader readFrom(InputStream in) throws IOException {
    return readFrom(new ReceivedBytes(Objects.requireNonNull(in, "in")));
  }

  static FilterHeader readFrom(ReceivedBytes in) throws IOException {
    byte[] fixed = new byte[FIXED_BYTES];
    try {
      in.read(fixed, 0, MAGIC.length, "the mark of a filter");
    } catch (FilterFormatException e) {
      checkMark(fixed, (int) e.offset());
      throw e;
    }
    checkMark(fixed, MAGIC.length);
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

  /** Checks the bytes received of the mark. */
  private static void checkMark(byte[] bytes, int received) throws FilterFormatException {
    for (int i = 0; i < received; i++) {
      if (bytes[i] != MAGIC[i]) {
        throw new FilterFormatException(
            i,
            String.format(
                Locale.ROOT,
                "not a file of Bloomkit: its mark has byte 0x%02x in place of 0x%02x; bloom-interop"
                    + " reads filters of Guava, Parquet, Spark and DCSO",
                bytes[i],
                MAGIC[i]));
      }
    }
  }

  private static int checkedLength(byte[] fixed) throws FilterFormatException {
    int idLength = LittleEndian.getShort(fixed, ID_LENGTH_OFFSET);
    if (idLength < 1 || idLength > StrategyIdentity.MAX_ID_LENGTH) {
      throw new FilterFormatException(
          ID_LENGTH_OFFSET,
          "the strategy's id must have 1 to "
              + StrategyIdentity.MAX_ID_LENGTH
              + " characters, got "
              + idLength);
    }
    int fieldCount = LittleEndian.getShort(fixed, FIELDS_OFFSET);
    if (fieldCount > MAX_FIELDS) {
      throw new FilterFormatException(
          FIELDS_OFFSET, "there are at most " + MAX_FIELDS + " fields but here " + fieldCount);
    }
    int expected =
        length(
            fieldCount,
            (LittleEndian.getInt(fixed, FLAGS_OFFSET) & HAS_PLAN) != 0,
            LittleEndian.getShort(fixed, SECTIONS_OFFSET),
            idLength);
    int length = LittleEndian.getInt(fixed, LENGTH_OFFSET);
    if (length != expected) {
      throw new FilterFormatException(
          LENGTH_OFFSET,
          "the header takes " + expected + " bytes but says " + Integer.toUnsignedString(length));
    }
    return length;
  }

  private static int length(int fieldCount, boolean hasPlan, int sectionCount, int idLength) {
    return FIXED_BYTES
        + fieldCount * Long.BYTES
        + (hasPlan ? PLAN_BYTES : 0)
        + sectionCount * FilterSection.ENTRY_BYTES
        + idLength
        + CHECKSUM_BYTES;
  }

  private static void checkChecksum(byte[] fixed, byte[] rest) throws FilterFormatException {
    int end = rest.length - CHECKSUM_BYTES;
    Checksum crc = Crc32c.create();
    crc.update(fixed, 0, fixed.length);
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
    boolean hasPlan = (fixed[FLAGS_OFFSET] & HAS_PLAN) != 0;
    requireZero(fixed, FLAGS_OFFSET, FIELDS_OFFSET, HAS_PLAN);
    requireZero(fixed, RESERVED_OFFSET, FINGERPRINT_OFFSET, 0);
    long count = LittleEndian.getLong(fixed, ELEMENT_COUNT_OFFSET);
    if (count < UNKNOWN) {
      throw new FilterFormatException(
          ELEMENT_COUNT_OFFSET, "an element count must be at least 0, or -1, got " + count);
    }
    long[] fields = new long[LittleEndian.getShort(fixed, FIELDS_OFFSET)];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = LittleEndian.getLong(rest, i * Long.BYTES);
    }
    int at = fields.length * Long.BYTES;
    Optional<FilterPlan> plan = hasPlan ? Optional.of(parsePlan(rest, at)) : Optional.empty();
    at += hasPlan ? PLAN_BYTES : 0;
    int sectionCount = LittleEndian.getShort(fixed, SECTIONS_OFFSET);
    List<FilterSection> sections = new ArrayList<>(sectionCount);
    long end = FIXED_BYTES + (long) rest.length;
    for (int i = 0; i < sectionCount; i++) {
      FilterSection section = FilterSection.parse(rest, FIXED_BYTES, at, end);
      sections.add(section);
      end = section.end();
      at += FilterSection.ENTRY_BYTES;
    }
    int idOffset = FIXED_BYTES + at;
    String id = new String(rest, at, rest.length - CHECKSUM_BYTES - at, US_ASCII);
    long fingerprint = LittleEndian.getLong(fixed, FINGERPRINT_OFFSET);
    return new FilterHeader(
        new FilterContents.Metadata(
            code,
            identity(id, fingerprint, idOffset),
            count == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(count),
            plan,
            fields),
        sections);
  }

  private static FilterPlan parsePlan(byte[] rest, int at) throws FilterFormatException {
    long expectedInsertions = LittleEndian.getLong(rest, at);
    double fpp = Double.longBitsToDouble(LittleEndian.getLong(rest, at + Long.BYTES));
    try {
      return new FilterPlan(expectedInsertions, fpp);
    } catch (IllegalArgumentException e) {
      throw new FilterFormatException(
          FIXED_BYTES + at, "the plan is impossible: " + e.getMessage());
    }
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

  private static void requireZero(byte[] bytes, int from, int to, int allowedInFirst)
      throws FilterFormatException {
    for (int i = from; i < to; i++) {
      if ((i == from ? bytes[i] & ~allowedInFirst : bytes[i]) != 0) {
        throw new FilterFormatException(
            i, String.format(Locale.ROOT, "reserved bits must be 0, got byte 0x%02x", bytes[i]));
      }
    }
  }

  static long align(long offset) {
    return (offset + ALIGNMENT - 1) & -ALIGNMENT;
  }

  static int length(FilterContents.Metadata metadata, int sectionCount) {
    return length(
        metadata.fields().length,
        metadata.plan().isPresent(),
        sectionCount,
        metadata.strategy().id().length());
  }

  byte[] toBytes() {
    byte[] id = strategy().id().getBytes(US_ASCII);
    byte[] bytes = new byte[headerBytes()];
    System.arraycopy(MAGIC, 0, bytes, 0, MAGIC.length);
    LittleEndian.putShort(bytes, VERSION_OFFSET, VERSION);
    LittleEndian.putShort(bytes, VARIANT_OFFSET, variant());
    LittleEndian.putInt(bytes, LENGTH_OFFSET, bytes.length);
    LittleEndian.putInt(bytes, FLAGS_OFFSET, plan().isPresent() ? HAS_PLAN : 0);
    LittleEndian.putShort(bytes, FIELDS_OFFSET, fieldCount());
    LittleEndian.putShort(bytes, SECTIONS_OFFSET, sections.size());
    LittleEndian.putShort(bytes, ID_LENGTH_OFFSET, id.length);
    LittleEndian.putLong(bytes, FINGERPRINT_OFFSET, strategy().fingerprint());
    LittleEndian.putLong(bytes, ELEMENT_COUNT_OFFSET, elementCount().orElse(UNKNOWN));
    int at = FIXED_BYTES;
    for (long field : metadata.fields()) {
      LittleEndian.putLong(bytes, at, field);
      at += Long.BYTES;
    }
    if (plan().isPresent()) {
      FilterPlan plan = plan().get();
      LittleEndian.putLong(bytes, at, plan.expectedInsertions());
      LittleEndian.putLong(bytes, at + Long.BYTES, Double.doubleToLongBits(plan.fpp()));
      at += PLAN_BYTES;
    }
    for (FilterSection section : sections) {
      section.writeEntry(bytes, at);
      at += FilterSection.ENTRY_BYTES;
    }
    System.arraycopy(id, 0, bytes, at, id.length);
    Checksum crc = Crc32c.create();
    crc.update(bytes, 0, bytes.length - CHECKSUM_BYTES);
    LittleEndian.putInt(bytes, bytes.length - CHECKSUM_BYTES, (int) crc.getValue());
    return bytes;
  }

  /** Returns the code of the {@linkplain Variant variant} of the filter. */
  public int variant() {
    return metadata.variant();
  }

  /** Returns the name of the variant, such as "variant 40000" if no installed module has it. */
  public String variantName() {
    return Variant.name(variant());
  }

  /** Returns the identity of the hash strategy that filled the filter. */
  public StrategyIdentity strategy() {
    return metadata.strategy();
  }

  /** Returns the element count (insertions minus removals), or empty if it is unknown. */
  public OptionalLong elementCount() {
    return metadata.elementCount();
  }

  /**
   * Returns the plan, or empty if the header has none. A filter that grows by layers stores its
   * plan in its fields instead.
   */
  public Optional<FilterPlan> plan() {
    return metadata.plan();
  }

  public int fieldCount() {
    return metadata.fields().length;
  }

  /** Returns a field: a number whose meaning depends on the variant. */
  public long field(int index) {
    return metadata.fields()[index];
  }

  FilterContents.Metadata metadata() {
    return metadata;
  }

  /** Returns the index of the first byte of a field. */
  static long fieldOffset(int index) {
    return FIXED_BYTES + (long) index * Long.BYTES;
  }

  /** Returns the index of the first byte of the plan, if there is one. */
  long planOffset() {
    return fieldOffset(fieldCount());
  }

  /** Returns the index of the first byte of the entry of a section. */
  long sectionEntryOffset(int index) {
    return planOffset()
        + (plan().isPresent() ? PLAN_BYTES : 0)
        + (long) index * FilterSection.ENTRY_BYTES;
  }

  /** Returns the index of the first byte of the strategy's id. */
  long idOffset() {
    return sectionEntryOffset(sections.size());
  }

  /** Returns the sections in the order of the file. */
  public List<FilterSection> sections() {
    return sections;
  }

  public int headerBytes() {
    return length(metadata, sections.size());
  }

  /** Returns the length of the file in bytes, from the header to the last checksum. */
  public long totalBytes() {
    return sections.isEmpty() ? headerBytes() : sections.get(sections.size() - 1).end();
  }
}
