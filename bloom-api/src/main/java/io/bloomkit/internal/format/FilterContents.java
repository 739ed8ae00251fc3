package io.bloomkit.internal.format;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.bloomkit.FilterPlan;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.ByteArrayOutput;
import io.bloomkit.internal.CheckedOutput;
import io.bloomkit.internal.GapCoding;
import io.bloomkit.internal.GapWriter;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.internal.Words;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The contents of a filter's file: {@linkplain Variant variant}, strategy, size, plan, element
 * count and {@linkplain SectionRole sections}.
 *
 * <p>The sections of a filter that is not concurrent are views of its arrays, so the contents are
 * invalid once the filter changes. Those of a concurrent filter are a snapshot. Equal contents give
 * equal bytes.
 */
public final class FilterContents {

  /** A filter that has contents: every storable filter of this library. */
  public interface Source {

    /** Returns the contents: a snapshot of a concurrent filter, and a view of another one. */
    FilterContents contents();
  }

  record Section(SectionRole role, Words words) {}

  /** The contents of the header except the sections. The array is not copied. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Metadata(
      int variant,
      StrategyIdentity strategy,
      OptionalLong elementCount,
      Optional<FilterPlan> plan,
      long[] fields) {}

  private final Metadata metadata;
  private final List<Section> sections;
  private final boolean coded;

  private FilterContents(Metadata metadata, List<Section> sections, boolean coded) {
    this.metadata = metadata;
    this.sections = sections;
    this.coded = coded;
  }

  /**
   * Returns the contents of a filter.
   *
   * @throws IllegalArgumentException if its class is not one of this library
   */
  public static FilterContents of(Object filter) {
    if (!(Objects.requireNonNull(filter, "filter") instanceof Source source)) {
      throw new IllegalArgumentException(
          "only filters of this library can be stored, got " + filter.getClass());
    }
    return source.contents();
  }

  /**
   * Returns a builder of contents.
   *
   * @param fields at most {@value FilterHeader#MAX_FIELDS} numbers that describe the size; copied
   */
  public static Builder of(int variant, StrategyIdentity strategy, long... fields) {
    return new Builder(variant, strategy, fields);
  }

  /**
   * Reads the contents of a filter of any kind: {@code FilterReader.readFrom(file,
   * FilterContents::read)}. Checks the file format and the checksums, but not whether the fields
   * and the sections are valid for the variant.
   */
  public static FilterContents read(FilterReader reader) throws IOException {
    FilterHeader header = reader.header();
    List<Section> sections = new ArrayList<>();
    for (FilterSection section : header.sections()) {
      SectionReader words = reader.section(section.role(), section.wordCount());
      if (section.wordCount() > WordArrays.MAX_LENGTH) {
        throw reader.wrongSection(section.wordCount() + " words are more than an array holds");
      }
      long[] array =
          WordArrays.allocate((int) section.wordCount()); // bounded by the bytes received
      words.readInto(array, 0, array.length);
      sections.add(new Section(section.role(), new Words.OfLongs(array, 0, array.length)));
    }
    return new FilterContents(header.metadata(), List.copyOf(sections), true);
  }

  Metadata metadata() {
    return metadata;
  }

  List<Section> sections() {
    return sections;
  }

  /**
   * Returns contents of the same filter, to be written without {@linkplain FilterSection#gapCoded
   * gap coding} of the sections {@link SectionRole#WORDS} and {@link SectionRole#BUCKETS}, so that
   * the file can be memory-mapped or changed in place.
   */
  public FilterContents uncoded() {
    return new FilterContents(metadata, sections, false);
  }

  /** Returns the header of the file. Costs up to two passes over the contents. */
  public FilterHeader header() {
    List<FilterSection> located = new ArrayList<>(sections.size());
    long end = FilterHeader.length(metadata, sections.size());
    for (Section section : sections) {
      FilterSection next = location(section, FilterHeader.align(end));
      located.add(next);
      end = next.end();
    }
    return new FilterHeader(metadata, located);
  }

  private FilterSection location(Section section, long offset) {
    Words words = section.words;
    long raw = words.size() * Long.BYTES;
    if (section.role.isAscending()) {
      int parameter = GapCoding.riceParameterOfAscending(words);
      long bytes = (GapCoding.bitsOfAscending(words, parameter) + Byte.SIZE - 1) / Byte.SIZE;
      long stored = Math.max(bytes, GapCoding.minStoredBytes(words.size()));
      return new FilterSection(section.role, true, parameter, words.size(), offset, stored);
    }
    if (coded && section.role.mayBeGapCoded()) {
      long setBits = 0;
      for (long i = 0; i < words.size(); i++) {
        setBits += Long.bitCount(words.get(i));
      }
      int parameter = GapCoding.riceParameter(raw * Byte.SIZE, setBits);
      // A gap takes at least two bits here, so most filters, which are half full, need no second
      // pass.
      if (2 * setBits <= GapCoding.maxStoredBytes(raw) * Byte.SIZE) {
        long bytes = (GapCoding.bits(words, setBits, parameter) + Byte.SIZE - 1) / Byte.SIZE;
        long stored = Math.max(bytes, GapCoding.minStoredBytes(words.size()));
        if (stored <= GapCoding.maxStoredBytes(raw)) {
          return new FilterSection(section.role, true, parameter, words.size(), offset, stored);
        }
      }
    }
    return new FilterSection(section.role, false, 0, words.size(), offset, raw);
  }

  /**
   * Returns a 64-bit hash of variant, strategy, size and sections, but not of the element count and
   * the plan, as in {@code equals} of filters. Costs a pass over the contents. See docs/format.md.
   */
  public long fingerprint() {
    HashStream64 hash = Hashing.xxh3_64().hashStream();
    StrategyIdentity strategy = metadata.strategy;
    hash.putLong(metadata.variant);
    hash.putLong(strategy.fingerprint()).putLong(strategy.id().length());
    strategy.id().chars().forEach(c -> hash.putByte((byte) c));
    hash.putLong(metadata.fields.length);
    for (long field : metadata.fields) {
      hash.putLong(field);
    }
    hash.putLong(sections.size());
    for (Section section : sections) {
      hash.putLong(section.role.code()).putLong(section.words.size());
      for (long i = 0; i < section.words.size(); i++) {
        hash.putLong(section.words.get(i));
      }
    }
    return hash.getAsLong();
  }

  /**
   * Writes the file to a stream. Must not run concurrently with writers of a filter of which the
   * contents are a view: a concurrent change is detected only if it alters the length of a
   * {@linkplain FilterSection#gapCoded gap-coded} section that has not been padded.
   *
   * @param out neither flushed nor closed; needs no buffering
   * @throws IllegalStateException if a concurrent change is detected
   */
  public void writeTo(OutputStream out) throws IOException {
    FilterHeader header = header();
    CheckedOutput checked = new CheckedOutput(Objects.requireNonNull(out, "out"));
    checked.write(header.toBytes());
    for (int i = 0; i < sections.size(); i++) {
      FilterSection location = header.sections().get(i);
      checked.writeZerosTo(location.offset());
      checked.beginChecksum();
      write(sections.get(i).words, location, checked);
      checked.endChecksum();
    }
    checked.flushBuffer();
  }

  private static void write(Words words, FilterSection location, CheckedOutput out)
      throws IOException {
    if (location.gapCoded()) {
      GapWriter gaps = new GapWriter(out, location.riceParameter());
      if (location.role().isAscending()) {
        gaps.writeAscending(words);
      } else {
        gaps.write(words);
      }
      if (location.storedBytes() == GapCoding.minStoredBytes(words.size())) {
        out.writeZerosTo(location.checksumOffset()); // a shorter code was padded
      }
    } else {
      for (long i = 0; i < words.size(); i++) {
        out.writeLong(words.get(i));
      }
    }
    if (out.offset() != location.checksumOffset()) {
      throw new IllegalStateException(
          "the filter was changed while it was written: writing must not run concurrently with"
              + " writers, unless the filter is built with concurrent()");
    }
  }

  /**
   * Returns the bytes of the file.
   *
   * @throws IllegalStateException as for {@link #writeTo(OutputStream)}, or if an array cannot hold
   *     the bytes
   * @throws OutOfMemoryError if the heap has no room; the message states the bytes
   */
  public byte[] toBytes() {
    long length = header().totalBytes();
    if (length > WordArrays.MAX_LENGTH) {
      throw new IllegalStateException(
          "the filter takes " + length + " bytes, more than an array: write it to a file");
    }
    ByteArrayOutput out = new ByteArrayOutput((int) length);
    try {
      writeTo(out);
    } catch (IOException e) {
      throw new AssertionError("an array has no errors of its own", e);
    }
    return out.toByteArray();
  }

  /** Writes the file by {@link AtomicFile}; throws as {@link #writeTo(OutputStream)}. */
  public void writeTo(Path file) throws IOException {
    AtomicFile.write(file, this::writeTo);
  }

  /**
   * A builder of contents. The file has the sections in the order in which they are added. Adding
   * more than {@value FilterHeader#MAX_SECTIONS} sections causes an {@link IllegalStateException}.
   */
  public static final class Builder {

    private final int variant;
    private final StrategyIdentity strategy;
    private final long[] fields;
    private final List<Section> sections = new ArrayList<>();
    private OptionalLong elementCount = OptionalLong.empty();
    private Optional<FilterPlan> plan = Optional.empty();

    private Builder(int variant, StrategyIdentity strategy, long[] fields) {
      Arguments.checkRange(1, Variant.MAX_CODE, variant, "variant");
      this.variant = variant;
      this.strategy = strategy;
      this.fields = fields.clone();
      if (fields.length > FilterHeader.MAX_FIELDS) {
        throw new IllegalArgumentException(
            "there must be at most "
                + FilterHeader.MAX_FIELDS
                + " fields, got "
                + Arrays.toString(fields));
      }
    }

    /**
     * Sets the element count, unknown by default. A count outside the bounds becomes unknown,
     * because a reader would refuse it. Such counts result from removals of false positives. If the
     * contents are empty, a known count becomes 0: insertions into a concurrent filter are counted
     * before they change anything.
     *
     * @param max the largest count that the contents allow; 0 if they are empty
     */
    public Builder elementCount(OptionalLong count, long min, long max) {
      if (count.isPresent() && max == 0) {
        elementCount = OptionalLong.of(0);
      } else {
        elementCount =
            count.isPresent() && count.getAsLong() >= min && count.getAsLong() <= max
                ? count
                : OptionalLong.empty();
      }
      return this;
    }

    /** Sets the plan, empty by default. */
    public Builder plan(Optional<FilterPlan> plan) {
      this.plan = plan;
      return this;
    }

    /** Adds a section of a range of words, which are not copied. */
    public Builder section(SectionRole role, long[] words, int from, int count) {
      Objects.checkFromIndexSize(from, count, words.length);
      return section(role, new Words.OfLongs(words, from, count));
    }

    /** Adds a section of words, which are not copied. */
    public Builder section(SectionRole role, long... words) {
      return section(role, words, 0, words.length);
    }

    /** Adds all sections of other contents. For a filter that consists of several filters. */
    public Builder sectionsOf(FilterContents other) {
      other.sections.forEach(section -> section(section.role, section.words));
      return this;
    }

    /**
     * Adds a section of words, each of which is read several times. For {@link
     * SectionRole#FINGERPRINTS} and {@link SectionRole#EXTRA_COPIES}, they must be strictly
     * ascending numbers from 0 to 2<sup>60</sup> − 1.
     */
    public Builder section(SectionRole role, Words words) {
      if (sections.size() == FilterHeader.MAX_SECTIONS) {
        throw new IllegalStateException(
            "there are at most " + FilterHeader.MAX_SECTIONS + " sections");
      }
      sections.add(new Section(role, words));
      return this;
    }

    public FilterContents build() {
      Metadata metadata = new Metadata(variant, strategy, elementCount, plan, fields);
      return new FilterContents(metadata, List.copyOf(sections), true);
    }
  }
}
