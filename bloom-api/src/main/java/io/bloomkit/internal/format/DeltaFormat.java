package io.bloomkit.internal.format;

import io.bloomkit.FilterFormatException;
import io.bloomkit.internal.GapCoding;
import io.bloomkit.internal.WordArrays;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads and writes the file of a {@link ContentsDelta}; see docs/format.md. */
final class DeltaFormat {

  private static final int VARIANT = 0;
  private static final int BEFORE = 1;
  private static final int AFTER = 2;
  private static final int SAMPLE = 3;
  private static final int FIELDS = 4;

  private static final int WORDS_PER_ROW = 4;
  private static final int ROLE_MASK = 0xffff;
  private static final int UNIT_SHIFT = 16;
  private static final int UNIT_MASK = 0x7f;
  private static final int INVERTED = 1 << 23;
  private static final int RICE_SHIFT = 24;

  private DeltaFormat() {}

  static FilterContents contents(
      FilterContents.Metadata metadata,
      List<ChangedSection> sections,
      long[] code,
      DeltaVersions versions) {
    long[] fields = metadata.fields();
    long[] table = new long[1 + fields.length + WORDS_PER_ROW * sections.size()];
    table[0] = fields.length;
    System.arraycopy(fields, 0, table, 1, fields.length);
    int at = 1 + fields.length;
    for (ChangedSection section : sections) {
      table[at++] =
          section.role().code()
              | (long) section.unitLog2() << UNIT_SHIFT
              | (section.inverted() ? INVERTED : 0)
              | (long) section.riceParameter() << RICE_SHIFT;
      table[at++] = section.wordCount();
      table[at++] = section.changes();
      table[at++] = section.codeWordCount();
    }
    return FilterContents.of(
            Variant.DELTA.code(),
            metadata.strategy(),
            metadata.variant(),
            versions.before(),
            versions.after(),
            versions.sample())
        .elementCount(metadata.elementCount(), 0, Long.MAX_VALUE)
        .plan(metadata.plan())
        .section(SectionRole.TABLE, table)
        .section(SectionRole.CHANGES, code)
        .build();
  }

  static ContentsDelta read(FilterReader reader) throws IOException {
    FilterHeader header = reader.header();
    reader.require(Variant.DELTA.code(), header.strategy(), FIELDS);
    long variant = reader.field(VARIANT, "variant", 1, Variant.MAX_CODE);
    if (variant == Variant.DELTA.code()) {
      throw reader.wrongField(VARIANT, "a delta cannot lead to a delta");
    }
    int maxWordCount = 1 + FilterHeader.MAX_FIELDS + WORDS_PER_ROW * FilterHeader.MAX_SECTIONS;
    SectionReader tableReader = reader.table(SectionRole.TABLE, maxWordCount, 1);
    long[] table = new long[(int) tableReader.wordCount()]; // bounded by the bytes received
    tableReader.readInto(table, 0, table.length);
    long[] fields = fields(table, reader);
    List<ChangedSection> sections = sections(table, 1 + fields.length, reader);
    int codeWordCount = sections.stream().mapToInt(ChangedSection::codeWordCount).sum();
    SectionReader codeReader = reader.section(SectionRole.CHANGES, codeWordCount);
    long[] code = new long[codeWordCount]; // bounded by the bytes received
    codeReader.readInto(code, 0, codeWordCount);
    for (int i = 0; i < sections.size(); i++) {
      requireValidCode(sections.get(i), code, i, reader);
    }
    long sample = header.field(SAMPLE);
    int samples = DeltaVersions.samples(sections);
    if (samples < Long.SIZE && sample >>> samples != 0) {
      throw reader.wrongField(SAMPLE, "of " + samples + " changes there are no more samples");
    }
    return new ContentsDelta(
        new FilterContents.Metadata(
            (int) variant, header.strategy(), header.elementCount(), header.plan(), fields),
        sections,
        code,
        new DeltaVersions(header.field(BEFORE), header.field(AFTER), sample));
  }

  private static long[] fields(long[] table, FilterReader reader) throws FilterFormatException {
    long count = table.length == 0 ? -1 : table[0];
    long rowWordCount = table.length - 1 - count;
    if (count < 0
        || count > FilterHeader.MAX_FIELDS
        || rowWordCount < 0
        || rowWordCount % WORDS_PER_ROW != 0) {
      throw reader.wrongSection(
          table.length + " words do not hold " + count + " fields and rows of " + WORDS_PER_ROW);
    }
    long[] fields = new long[(int) count];
    System.arraycopy(table, 1, fields, 0, fields.length);
    return fields;
  }

  private static List<ChangedSection> sections(long[] table, int from, FilterReader reader)
      throws FilterFormatException {
    List<ChangedSection> sections = new ArrayList<>();
    long codeWordCount = 0;
    for (int at = from; at < table.length; at += WORDS_PER_ROW) {
      ChangedSection section = section(table, at, (int) codeWordCount, sections.size(), reader);
      sections.add(section);
      codeWordCount += section.codeWordCount();
      if (codeWordCount > WordArrays.MAX_LENGTH) {
        throw reader.wrongSection("its rows need more code than an array holds");
      }
    }
    return List.copyOf(sections);
  }

  private static ChangedSection section(
      long[] table, int at, int codeOffset, int index, FilterReader reader)
      throws FilterFormatException {
    SectionRole role = SectionRole.ofCode((int) table[at] & ROLE_MASK);
    long unitLog2 = table[at] >>> UNIT_SHIFT & UNIT_MASK;
    long riceParameter = table[at] >>> RICE_SHIFT;
    long wordCount = table[at + 1];
    long changes = table[at + 2];
    long codeWordCount = table[at + 3];
    if (role == null
        || role == SectionRole.CHANGES
        || unitLog2 > ChangedSection.MAX_UNIT_LOG_2
        || riceParameter > role.maxRiceParameter()
        || wordCount < 0
        || wordCount > FilterSection.MAX_WORDS
        || changes < 0
        || changes > maxChanges(role, wordCount, (int) unitLog2)
        || codeWordCount < 0
        || codeWordCount > WordArrays.MAX_LENGTH) {
      throw reader.wrongSection(
          String.format(
              Locale.ROOT,
              "row %d is not one of a changed section: %016x, %d words, %d changes, %d of code",
              index,
              table[at],
              wordCount,
              changes,
              codeWordCount));
    }
    return new ChangedSection(
        role,
        wordCount,
        (table[at] & INVERTED) != 0,
        (int) unitLog2,
        (int) riceParameter,
        changes,
        codeOffset,
        (int) codeWordCount);
  }

  private static long maxChanges(SectionRole role, long wordCount, int unitLog2) {
    return role.isAscending() ? GapCoding.MAX_NUMBER : ChangedSection.units(wordCount, unitLog2);
  }

  private static void requireValidCode(
      ChangedSection section, long[] code, int index, FilterReader reader)
      throws FilterFormatException {
    ChangeReader changes = new ChangeReader(code, section);
    long found = 0;
    while (changes.next()) {
      found++;
    }
    if (!changes.isFinished()) {
      throw reader.wrongSection(
          String.format(
              Locale.ROOT,
              "section %d has %d changes but the code of %d words holds %d and then something else",
              index,
              section.changes(),
              section.codeWordCount(),
              found));
    }
  }
}
