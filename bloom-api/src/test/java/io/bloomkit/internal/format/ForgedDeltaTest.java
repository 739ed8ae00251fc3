package io.bloomkit.internal.format;

import static io.bloomkit.Refusals.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.FilterFormatException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Files of deltas that no writer has written. */
class ForgedDeltaTest {

  private static final int ROW = 2; // after the number of fields and one field

  private static final int ROLE = 0;
  private static final int WORDS = 1;
  private static final int CHANGES = 2;
  private static final int CODE_WORDS = 3;

  /** The delta of which one thing is changed, with right checksums. */
  private static byte[] forged(
      ContentsDelta delta, Consumer<long[]> fields, Consumer<long[]> table, Consumer<long[]> code) {
    FilterContents parts = DeltaSamples.parts(delta.contents().toBytes());
    long[] rows = DeltaSamples.wordsOf(parts, 0);
    long[] words = DeltaSamples.wordsOf(parts, 1);
    fields.accept(parts.metadata().fields());
    table.accept(rows);
    code.accept(words);
    return file(parts.metadata().fields(), rows, words);
  }

  private static byte[] file(long[] fields, long[] table, long... code) {
    return FilterContents.of(Variant.DELTA.code(), DeltaSamples.STRATEGY, fields)
        .section(SectionRole.TABLE, table)
        .section(SectionRole.CHANGES, code)
        .build()
        .toBytes();
  }

  private static byte[] withCell(int cell, long value) {
    return forged(delta(), fields -> {}, table -> table[ROW + cell] = value, code -> {});
  }

  private static ContentsDelta delta() {
    return ContentsDelta.between(DeltaSamples.of(1, 2, 3), DeltaSamples.of(5, 2, 1));
  }

  private static void assertNotRead(byte[] bytes, String... partsOfMessage) {
    assertRefused(
        FilterFormatException.class,
        () -> FilterReader.fromBytes(bytes, ContentsDelta::read),
        partsOfMessage);
  }

  @Test
  void fieldsOfAFileThatMeanNothingAreRefused() throws FilterFormatException {
    for (long variant : new long[] {0, 0x10000, -1}) {
      assertNotRead(
          forged(delta(), fields -> fields[0] = variant, table -> {}, code -> {}),
          "variant must be in [1, 65535], got " + variant);
    }
    assertNotRead(
        forged(delta(), fields -> fields[0] = 256, table -> {}, code -> {}),
        "a delta cannot lead to a delta");
    for (long variant : new long[] {1, 0xffff}) {
      ContentsDelta other =
          FilterReader.fromBytes(
              forged(delta(), fields -> fields[0] = variant, table -> {}, code -> {}),
              ContentsDelta::read);
      assertRefused(() -> other.apply(DeltaSamples.of(1, 2, 3)), "another filter, a variant 32769");
    }
    assertNotRead(
        DeltaSamples.of(1, 2, 3).toBytes(), "this is a filter, not a delta: a variant 32769");
    byte[] delta = delta().contents().toBytes();
    assertRefused(
        FilterFormatException.class,
        () ->
            FilterReader.fromBytes(
                delta,
                reader -> {
                  reader.require(DeltaSamples.MINE, DeltaSamples.STRATEGY, 1);
                  return reader;
                }),
        "this is a delta, not a filter: read it by Delta.readFrom and apply it to its base");
    FilterContents threeFields =
        FilterContents.of(Variant.DELTA.code(), DeltaSamples.STRATEGY, 1, 2, 3).build();
    assertNotRead(threeFields.toBytes(), "a Delta has 4 fields but here are 3");
    // Of two changes there are two samples.
    assertEquals(0b10, DeltaSamples.parts(delta().contents().toBytes()).metadata().fields()[3]);
    FilterReader.fromBytes(
        forged(delta(), fields -> fields[3] = 0b11, table -> {}, code -> {}), ContentsDelta::read);
    for (long sample : new long[] {0b100, -1, 1L << 63}) {
      assertNotRead(
          forged(delta(), fields -> fields[3] = sample, table -> {}, code -> {}),
          "of 2 changes there are no more samples");
    }
    ContentsDelta many =
        ContentsDelta.between(DeltaSamples.of(new long[4]), DeltaSamples.of(-1, -1, 0, 0));
    FilterReader.fromBytes(
        forged(many, fields -> fields[3] = -1, table -> {}, code -> {}), ContentsDelta::read);
  }

  @Test
  void tableThatHoldsNoFieldsAndRowsIsRefused() throws FilterFormatException {
    long[] fields = DeltaSamples.parts(delta().contents().toBytes()).metadata().fields();
    assertNotRead(file(fields, new long[0]), "0 words do not hold");
    assertNotRead(file(fields, new long[] {-1}), "1 words do not hold -1 fields");
    assertNotRead(file(fields, new long[] {1}), "1 words do not hold 1 fields");
    assertNotRead(file(fields, new long[] {1, 1, 1}), "3 words do not hold 1 fields");
    assertNotRead(file(fields, new long[] {4, 1, 1}), "3 words do not hold 4 fields");
    assertNotRead(file(fields, new long[] {4}), "1 words do not hold 4 fields");
    long[] tooMany = new long[66];
    tooMany[0] = 65;
    assertNotRead(file(fields, tooMany), "66 words do not hold 65 fields");
    fields[3] = 0;
    long[] max = new long[65];
    max[0] = 64;
    assertRefused(
        () ->
            FilterReader.fromBytes(file(fields, max), ContentsDelta::read)
                .apply(DeltaSamples.of(1, 2, 3)),
        "but it leads to");
    FilterReader.fromBytes(file(fields, new long[] {0}), ContentsDelta::read);
  }

  @Test
  void rowsOutOfTheirRangesAreRefused() throws FilterFormatException {
    long row = DeltaSamples.wordsOf(DeltaSamples.parts(delta().contents().toBytes()), 0)[ROW];
    assertEquals(1, row & 0xffff);
    for (long bad :
        new long[] {
          row - 1, // no role
          row + 6, // CHANGES
          row + 0x100,
          (row & ~0xff0000L) | 0x70000,
          (row & ~0xff0000L) | 0x7f0000,
          (row & ~0xff0000L) | 0xff0000,
          (row & 0xffffff) | (41L << 24),
          row | 1L << 63
        }) {
      assertNotRead(
          withCell(ROLE, bad), String.format("row 0 is not one of a changed section: %016x", bad));
    }
    assertNotRead(withCell(WORDS, -1), "row 0 is", ", -1 words");
    assertNotRead(withCell(WORDS, (1L << 34) + 1), "row 0 is", ", 17179869185 words");
    assertNotRead(withCell(CHANGES, -1), "row 0 is", ", -1 changes");
    assertNotRead(withCell(CHANGES, 193), "row 0 is", ", 193 changes");
    assertNotRead(withCell(CHANGES, 192), "section 0 has 192 changes");
    assertNotRead(withCell(CODE_WORDS, -1), "row 0 is", ", -1 of code");
    assertNotRead(withCell(CODE_WORDS, Integer.MAX_VALUE - 7), "row 0 is", ", 2147483640 of code");
    assertNotRead(
        withCell(CODE_WORDS, Integer.MAX_VALUE - 8), "CHANGES must have 2147483639 words");
    assertNotRead(withCell(CODE_WORDS, 0), "CHANGES must have 0 words");
    long[] fields = DeltaSamples.parts(delta().contents().toBytes()).metadata().fields();
    fields[3] = 0;
    long[] rows = {0, 1, 10, 0, Integer.MAX_VALUE - 8, 1, 10, 0, 1};
    assertNotRead(file(fields, rows), "its rows need more code than an array holds");
    rows[8] = 0;
    assertNotRead(file(fields, rows), "CHANGES must have 2147483639 words");
    // The largest section, with the largest unit and parameter, of which nothing changes.
    long[] largest = {0, 1 | 6 << 16 | 40L << 24, 1L << 34, 0, 0};
    ContentsDelta huge = FilterReader.fromBytes(file(fields, largest), ContentsDelta::read);
    assertRefused(
        () -> huge.apply(DeltaSamples.of(1, 2, 3)), "it leads to a filter of another size");
  }

  @Test
  void codeThatSaysSomethingElseIsRefused() {
    String start = "section CHANGES: section 0 has 2 changes but the code of 1 words holds ";
    assertNotRead(
        forged(delta(), fields -> {}, table -> {}, code -> code[0] = -1),
        start + "0 and then something else");
    assertNotRead(
        forged(delta(), fields -> {}, table -> {}, code -> code[0] |= 1L << 63),
        start + "2 and then something else");
  }

  @Test
  void forgedDeltasAreRefusedWhenTheyAreApplied() throws FilterFormatException {
    ContentsDelta otherEnd =
        FilterReader.fromBytes(
            forged(delta(), fields -> fields[2]++, table -> {}, code -> {}), ContentsDelta::read);
    assertRefused(
        () -> otherEnd.apply(DeltaSamples.of(1, 2, 3)),
        "another version than it says: it was forged");
    ContentsDelta longer =
        FilterReader.fromBytes(
            forged(delta(), fields -> {}, table -> table[ROW + WORDS]++, code -> {}),
            ContentsDelta::read);
    assertRefused(
        () -> longer.apply(DeltaSamples.of(1, 2, 3)), "a filter of another size: it was forged");
    long[] overflow = {1, 2};
    FilterContents base = DeltaSamples.withOverflow(new long[3], overflow);
    ContentsDelta grown =
        FilterReader.fromBytes(
            forged(
                ContentsDelta.between(base, base),
                fields -> {},
                table -> table[ROW + 4 + WORDS] = 1 << 20,
                code -> {}),
            ContentsDelta::read);
    assertRefused(() -> grown.apply(base), "a filter of another size: it was forged");
  }
}
