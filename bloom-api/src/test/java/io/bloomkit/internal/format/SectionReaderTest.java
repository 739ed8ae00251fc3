package io.bloomkit.internal.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomkit.FilterFormatException;
import io.bloomkit.Refusals;
import io.bloomkit.hash.StrategyIdentity;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Gap-coded sections assembled byte by byte, with right checksums. */
class SectionReaderTest {

  private static final int MINE = 0x8001;
  private static final StrategyIdentity STRATEGY = new StrategyIdentity("mine/1", 77);

  /** The header takes 52 + 24 + 6 bytes, so the section begins at the next multiple of 64. */
  private static final int BEGIN = 128;

  private static byte[] file(int words, int riceParameter, int... code) {
    FilterSection section =
        new FilterSection(SectionRole.WORDS, true, riceParameter, words, BEGIN, code.length);
    ByteBuffer file = ByteBuffer.allocate(BEGIN + code.length + 4).order(ByteOrder.LITTLE_ENDIAN);
    file.put(
        new FilterHeader(
                new FilterContents.Metadata(
                    MINE, STRATEGY, OptionalLong.empty(), Optional.empty(), new long[0]),
                List.of(section))
            .toBytes());
    file.position(BEGIN);
    for (int b : code) {
      file.put((byte) b);
    }
    CRC32C crc = new CRC32C();
    crc.update(file.array(), BEGIN, code.length);
    return file.putInt((int) crc.getValue()).array();
  }

  private static long[] read(byte[] file, int words) throws FilterFormatException {
    return FilterReader.fromBytes(
        file,
        reader -> {
          reader.require(MINE, STRATEGY, 0);
          long[] array = new long[words + 2];
          reader.section(SectionRole.WORDS, words).readInto(array, 1, words);
          return Arrays.copyOfRange(array, 1, words + 1);
        });
  }

  private static void assertReads(long[] words, int riceParameter, int... code)
      throws FilterFormatException {
    assertArrayEquals(words, read(file(words.length, riceParameter, code), words.length));
  }

  private static void assertRefused(
      String fault, int at, int words, int riceParameter, int... code) {
    byte[] file = file(words, riceParameter, code);
    FilterFormatException e =
        assertThrows(FilterFormatException.class, () -> read(file, words), fault);
    assertEquals("at byte " + (BEGIN + at) + ": section WORDS: " + fault, e.getMessage());
    assertEquals(BEGIN + at, e.offset());
  }

  /** The code of no set bit in a hundred words: a gap of 6400, and zeros up to a fourteenth. */
  private static int[] codeOfAHundredZeros() {
    int[] code = new int[58];
    code[0] = 0b01; // once 4096, then 2304, of which the low six bits are 0
    code[1] = 2304 >>> 6;
    return code;
  }

  @Test
  void gapsAreThoseOfTheSpecification() throws FilterFormatException {
    assertReads(new long[] {1 + 32, 1L << 63}, 4, 0x00, 0xfd, 0x25, 0x00);
    assertReads(new long[] {0}, 5, 0b011);
    assertReads(new long[] {0}, 40, 0x80, 0, 0, 0, 0, 0);
    assertReads(new long[] {1L << 63}, 6, 0b0111_1110, 0);
    assertReads(new long[] {0b1011}, 1, 0b1110_0000, 0xff, 0xff, 0xff, 0x0f);
    assertReads(new long[100], 12, codeOfAHundredZeros());
    // A gap of 512,000: once 2^18, then 249,856; zeros up to a fourteenth, 4,572 bytes.
    assertReads(
        new long[8000],
        18,
        Arrays.copyOf(new int[] {0b01, 249_856 >>> 6 & 0xff, 249_856 >>> 14}, 4572));
  }

  @Test
  void gapBeyondTheLastBitIsRefused() {
    String fault = "a gap leads beyond the last of 64 bits";
    assertRefused(fault, 1, 1, 5, 0b0111);
    assertRefused(fault, 1, 1, 5, 0b1011);
    assertRefused(fault, 1, 1, 5, 0b1100_0000, 0, 0);
    assertRefused("a gap leads beyond the last of 128 bits", 1, 2, 6, 0xff, 0xff);
    assertRefused(fault, 2, 1, 5, 0b01_00010_0, 0b11111); // gaps 2 and 63
    assertRefused(fault, 2, 1, 5, 0b01_00010_0, 0b11110); // gaps 2 and 62
  }

  @Test
  void codeThatEndsTooEarlyIsRefused() {
    String fault = "the gaps end before the last of 64 bits";
    assertRefused(fault, 1, 1, 5, 0);
    assertRefused(fault, 1, 1, 0, 0xff);
    assertRefused(fault, 2, 1, 0, 0, 0);
  }

  @Test
  void paddingAfterTheGapsIsZeroAndMinimal() {
    assertRefused("the gaps end after 1 bytes but 2 bytes are stored", 1, 1, 5, 0b011, 0);
    assertRefused("what follows the gaps must be 0 but is not", 2, 1, 4, 0x0f, 0b10);
    for (int at : new int[] {2, 30, 57}) {
      int[] code = codeOfAHundredZeros();
      code[at] = 1;
      assertRefused("what follows the gaps must be 0 but is not", 58, 100, 12, code);
    }
    assertRefused(
        "the gaps end after 2 bytes but 59 bytes are stored",
        2,
        100,
        12,
        Arrays.copyOf(codeOfAHundredZeros(), 59));
  }

  /** Two gaps, of 20 and 43 zeros, take 64 bits with r = 31 and 66 bits with r = 32. */
  @Test
  void codeLongerThanTheWordsIsRefusedWithTheHeader() throws FilterFormatException {
    assertReads(new long[] {1L << 20}, 31, 20 << 1, 0, 0, 0, 43 << 1, 0, 0, 0);
    byte[] longer = file(1, 32, 20 << 1, 0, 0, 0, 43 << 2, 0, 0, 0, 0);
    Refusals.assertRefused(
        FilterFormatException.class,
        () -> read(longer, 1),
        "at byte 64: 1 words of coding 1 take 1 to 8 bytes but here 9");
  }

  @Test
  void sectionThatIsCutOffIsNamed() {
    byte[] file = file(1, 5, 0b011);
    Refusals.assertRefused(
        FilterFormatException.class,
        () -> read(Arrays.copyOf(file, BEGIN), 1),
        "at byte 128: the filter ends here, but 1 more byte of section WORDS must follow");
  }

  @Test
  void anotherChecksumIsRefusedWhereItStands() {
    byte[] file = file(1, 5, 0b011);
    int stored = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(BEGIN + 1);
    file[BEGIN + 1] ^= 1;
    FilterFormatException e = assertThrows(FilterFormatException.class, () -> read(file, 1));
    assertEquals(
        String.format(
            "at byte 129: the section WORDS from byte 128 is damaged: its checksum is 0x%08x but"
                + " 0x%08x is stored",
            stored, stored ^ 1),
        e.getMessage());
  }

  @Test
  void paddingMustBeZero() {
    for (int at : new int[] {82, 100, 127}) {
      byte[] file = file(1, 5, 0b011);
      file[at] = 9;
      FilterFormatException e = assertThrows(FilterFormatException.class, () -> read(file, 1));
      assertEquals("at byte " + at + ": padding must be 0, got 0x09", e.getMessage());
    }
  }
}
