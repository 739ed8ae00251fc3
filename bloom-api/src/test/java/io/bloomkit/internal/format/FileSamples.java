package io.bloomkit.internal.format;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomkit.FilterFormatException;
import io.bloomkit.hash.StrategyIdentity;
import java.io.IOException;
import java.util.OptionalLong;

/** What {@link FilterReaderTest} and {@link FilterHeaderTest} have in common. */
final class FileSamples {

  static final int MINE = 0x8001;
  static final StrategyIdentity STRATEGY = new StrategyIdentity("mine/1", 0x0123456789L);

  private FileSamples() {}

  /** Two sections: words at any fill, and a table. */
  static byte[] file(long[] words, long... table) {
    return FilterContents.of(MINE, STRATEGY, words.length, 77)
        .elementCount(OptionalLong.of(5), 0, 9)
        .section(SectionRole.WORDS, words, 0, words.length)
        .section(SectionRole.TABLE, table)
        .build()
        .toBytes();
  }

  static long[][] read(FilterReader reader) throws IOException {
    reader.require(MINE, STRATEGY, 2);
    int count = (int) reader.field(0, "words", 0, 1 << 20);
    SectionReader words = reader.section(SectionRole.WORDS, count);
    long[] array = new long[count];
    words.readInto(array, 0, count);
    SectionReader table = reader.table(SectionRole.TABLE, 100, 2);
    long[] rows = new long[(int) table.wordCount()];
    table.readInto(rows, 0, rows.length);
    return new long[][] {array, rows};
  }

  static long[] read(SectionRole role, FilterReader reader) throws IOException {
    long[] words = new long[2];
    reader.section(role, 2).readInto(words, 0, 2);
    return words;
  }

  static FilterFormatException refusal(byte[] bytes) {
    return assertThrows(
        FilterFormatException.class, () -> FilterReader.fromBytes(bytes, FileSamples::read));
  }

  static String message(FilterFormatException e) {
    return String.valueOf(e.getMessage());
  }
}
