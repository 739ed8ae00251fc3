package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What goes into a file, and how. */
class FilterContentsTest {

  private static final FilterVariant MINE = new FilterVariant(0x8001, "MyFilter");
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
  }

  private static OptionalLong written(OptionalLong count) {
    return builder().elementCount(count, 3, 9).build().header().elementCount();
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
      long set = Arrays.stream(words).map(Long::bitCount).sum();
      Words view = new Words.OfLongs(words, 0, words.length);
      int parameter = GapCoding.riceParameter(6400, set);
      long bytes = Math.max(58, (GapCoding.bits(view, set, parameter) + 7) / 8);
      FilterSection section =
          builder().section(SectionRole.WORDS, words).build().header().sections().get(0);
      assertEquals(bytes <= 600, section.gapCoded(), set + " bits set");
      assertEquals(section.gapCoded() ? bytes : 800, section.storedBytes());
      assertEquals(section.gapCoded() ? parameter : 0, section.riceParameter());
    }
    // By the formula of docs/format.md.
    assertEquals(0, GapCoding.riceParameter(64, 64));
    assertEquals(0, GapCoding.riceParameter(64, 40));
    assertEquals(5, GapCoding.riceParameter(64, 0));
    assertEquals(39, GapCoding.riceParameter(1L << 40, 0));
    assertEquals(38, GapCoding.riceParameter(1L << 40, 1));
  }

  @Test
  void sectionsOfOtherRolesAreNeverCoded() {
    for (SectionRole role : SectionRole.values()) {
      FilterContents contents = builder().section(role, new long[1000]).build();
      assertEquals(
          role == SectionRole.WORDS || role == SectionRole.BUCKETS,
          contents.header().sections().get(0).gapCoded());
      assertTrue(
          contents.uncoded().header().sections().stream().noneMatch(FilterSection::gapCoded));
    }
  }

  @Test
  void allSectionsOfOtherContentsAreTaken() {
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
    assertThrows(
        IndexOutOfBoundsException.class,
        () -> builder().section(SectionRole.BUCKETS, new byte[3], 4));
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
