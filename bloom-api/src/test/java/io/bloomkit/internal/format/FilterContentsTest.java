package io.bloomkit.internal.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.Refusals;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.GapCoding;
import io.bloomkit.internal.GapWriter;
import io.bloomkit.internal.Words;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes into a file, and how. */
class FilterContentsTest {

  private static final int MINE = 0x8001;
  private static final StrategyIdentity STRATEGY = new StrategyIdentity("mine/1", 77);

  private static FilterContents.Builder builder(long... fields) {
    return FilterContents.of(MINE, STRATEGY, fields);
  }

  @Test
  void onlyAnElementCountThatIsPossibleIsWritten() {
    for (long count : new long[] {3, 4, 9}) {
      assertEquals(OptionalLong.of(count), written(OptionalLong.of(count)));
    }
    assertEquals(OptionalLong.empty(), written(OptionalLong.of(2)));
    assertEquals(OptionalLong.empty(), written(OptionalLong.of(10)));
    assertEquals(OptionalLong.empty(), written(OptionalLong.empty()));
    FilterContents empty = builder().elementCount(OptionalLong.empty(), 0, 0).build();
    assertEquals(OptionalLong.empty(), empty.header().elementCount());
  }

  private static OptionalLong written(OptionalLong count) {
    return builder().elementCount(count, 3, 9).build().header().elementCount();
  }

  @Test
  void fileIsWrittenInPiecesOfEightKibibytes() throws IOException {
    List<Integer> pieces = new ArrayList<>();
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int b) {
            pieces.add(1);
          }

          @Override
          public void write(byte[] bytes, int offset, int length) {
            pieces.add(length);
          }
        };
    long[] words = new SplittableRandom(1).longs(3000).toArray();
    FilterContents contents =
        builder().section(SectionRole.WORDS, words).section(SectionRole.TABLE, words).build();
    contents.writeTo(out);
    long length = contents.header().totalBytes();
    assertEquals(length, pieces.stream().mapToInt(Integer::intValue).sum());
    assertEquals(length / 8192 + 1, pieces.size());
    assertTrue(pieces.subList(0, pieces.size() - 1).stream().allMatch(piece -> piece == 8192));
  }

  @Test
  void sectionBeginsAtTheNextMultipleOfALine() {
    for (int idLength = 1; idLength <= 100; idLength++) {
      StrategyIdentity strategy = new StrategyIdentity("x".repeat(idLength), 1);
      FilterHeader header =
          FilterContents.of(MINE, strategy).section(SectionRole.TABLE, 1).build().header();
      assertEquals(48 + 24 + idLength + 4, header.headerBytes());
      long aligned = (header.headerBytes() + 63L) / 64 * 64;
      assertEquals(aligned, header.sections().get(0).offset());
    }
  }

  @Test
  void emptySectionTakesAFourteenthOfItsWords() {
    for (int words : new int[] {7, 8, 70, 700, 701}) {
      FilterSection section =
          builder().section(SectionRole.WORDS, new long[words]).build().header().sections().get(0);
      assertEquals((8L * words + 13) / 14, section.storedBytes());
    }
  }

  /** Such a parameter needs a section of gibibytes. */
  @Test
  void gapsOfMoreThan32LowBitsAreWrittenWhole() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new GapWriter(out, 40).write(new Words.OfLongs(new long[1], 0, 1));
    assertArrayEquals(new byte[] {(byte) 0x80, 0, 0, 0, 0, 0}, out.toByteArray());
  }

  /** A fifth or so: three quarters of the words. */
  @Test
  void sectionIsCodedIfThatIsWorthAQuarterOfIt() {
    SplittableRandom random = new SplittableRandom(1);
    for (int setBits = 0; setBits <= 64 * 100; setBits += 40) {
      long[] words = new long[100];
      for (int i = 0; i < setBits; i++) {
        int bit = random.nextInt(6400);
        words[bit / 64] |= 1L << bit;
      }
      assertCodedIfThatIsWorthIt(words);
    }
    int justWorthIt = 0;
    for (int i = 0; i < 500; i++) {
      long word = random.nextLong();
      justWorthIt += assertCodedIfThatIsWorthIt(word & word << 7) == 6 ? 1 : 0;
    }
    assertTrue(justWorthIt > 10, "six bytes of eight: " + justWorthIt);
    assertEquals(0, GapCoding.riceParameter(64, 64));
    assertEquals(0, GapCoding.riceParameter(64, 40));
    assertEquals(1, GapCoding.riceParameter(64, 20));
    assertEquals(5, GapCoding.riceParameter(64, 0));
    assertEquals(39, GapCoding.riceParameter(1L << 40, 0));
    assertEquals(38, GapCoding.riceParameter(1L << 40, 1));
  }

  /** Returns how many bytes the code takes. */
  private static long assertCodedIfThatIsWorthIt(long... words) {
    long set = Arrays.stream(words).map(Long::bitCount).sum();
    Words view = new Words.OfLongs(words, 0, words.length);
    int parameter = GapCoding.riceParameter(64L * words.length, set);
    long min = (8L * words.length + 13) / 14;
    long bytes = Math.max(min, (GapCoding.bits(view, set, parameter) + 7) / 8);
    FilterSection section =
        builder().section(SectionRole.WORDS, words).build().header().sections().get(0);
    assertEquals(bytes <= 6L * words.length, section.gapCoded(), set + " bits set");
    assertEquals(section.gapCoded() ? bytes : 8L * words.length, section.storedBytes());
    assertEquals(section.gapCoded() ? parameter : 0, section.riceParameter());
    return bytes;
  }

  @Test
  void theRoleSaysWhetherASectionIsCoded() {
    long[] numbers = LongStream.range(0, 1000).toArray();
    for (SectionRole role : SectionRole.values()) {
      long[] words = role.isAscending() ? numbers : new long[1000];
      FilterContents contents = builder().section(role, words).build();
      assertEquals(
          role == SectionRole.WORDS || role == SectionRole.BUCKETS || role.isAscending(),
          contents.header().sections().get(0).gapCoded());
      assertEquals(
          role.isAscending(), contents.uncoded().header().sections().get(0).gapCoded(), "uncoded");
    }
  }

  @Test
  void allSectionsOfOtherContentsAreAdded() {
    FilterContents other =
        builder().section(SectionRole.WORDS, 1, 2).section(SectionRole.TABLE, 3).build();
    FilterContents all = builder().section(SectionRole.STASH, 4).sectionsOf(other).build();
    assertEquals(
        builder()
            .section(SectionRole.STASH, 4)
            .section(SectionRole.WORDS, 1, 2)
            .section(SectionRole.TABLE, 3)
            .build()
            .fingerprint(),
        all.fingerprint());
  }

  @Test
  void fieldsAndSectionsHaveALimit() {
    assertEquals(64, builder(new long[64]).build().header().fieldCount());
    Refusals.assertRefused(() -> builder(new long[65]), "at most 64 fields");
    FilterContents.Builder builder = builder();
    for (int i = 0; i < 0xffff; i++) {
      builder.section(SectionRole.TABLE);
    }
    assertEquals(0xffff, builder.build().header().sections().size());
    assertThrows(IllegalStateException.class, () -> builder.section(SectionRole.TABLE));
  }

  @Test
  void partsOutsideTheArrayAreRefused() {
    long[] words = new long[3];
    for (int[] range : new int[][] {{-1, 1}, {0, 4}, {3, 1}, {0, -1}}) {
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> builder().section(SectionRole.WORDS, words, range[0], range[1]));
    }
  }

  /** A longer and a shorter code of the second half. Neither fits the length in the header. */
  @ParameterizedTest
  @ValueSource(longs = {-1, 0})
  void aChangeWhileWritingIsRefusedWithItsRemedy(long later) {
    long[] words = new long[1 << 16];
    Arrays.fill(words, 1);
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int b) {}

          @Override
          public void write(byte[] bytes, int offset, int length) {
            Arrays.fill(words, words.length / 2, words.length, later);
          }
        };
    FilterContents contents = builder().section(SectionRole.WORDS, words).build();
    Refusals.assertRefused(
        IllegalStateException.class,
        () -> contents.writeTo(out),
        "the filter was changed while it was written: writing must not run concurrently with"
            + " writers, unless the filter is built with concurrent()");
  }

  /** 256 sections of eight mebibytes, which are one array. */
  @Test
  void moreBytesThanAnArrayHoldsAreRefusedBeforeAnyIsWritten() {
    FilterContents.Builder builder = builder();
    long[] words = new long[1 << 20];
    for (int i = 0; i < 256; i++) {
      builder.section(SectionRole.TABLE, words);
    }
    FilterContents contents = builder.build();
    long length = contents.header().totalBytes();
    Refusals.assertRefused(
        IllegalStateException.class, contents::toBytes, length + " bytes, more than an array");
  }
}
