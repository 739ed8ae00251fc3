package io.bloomkit.internal.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.internal.Words;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The code of what a delta changes. */
class ChangeCodeTest {

  private static final int WORDS = 1000;

  private static Words of(long... words) {
    return new Words.OfLongs(words, 0, words.length);
  }

  /** Returns words with a given number of random units of a given number of bits. */
  private static long[] changed(long[] words, int unitBits, int units, SplittableRandom random) {
    long[] changed = words.clone();
    for (int i = 0; i < units; i++) {
      long unit = random.nextLong() & (-1L >>> (64 - unitBits));
      changed[random.nextInt(words.length)] ^= unit << (unitBits * random.nextInt(64 / unitBits));
    }
    return changed;
  }

  private static long[] decode(long[] before, ChangedSection section, long[] code) {
    long[] words = Arrays.copyOf(before, (int) section.wordCount());
    if (section.inverted()) {
      Arrays.setAll(words, i -> ~words[i]);
    }
    ChangeReader reader = new ChangeReader(code, section);
    for (long i = 0; i < section.changes(); i++) {
      assertTrue(reader.next());
      words[(int) reader.word()] ^= reader.mask();
    }
    assertFalse(reader.next());
    assertTrue(reader.isFinished());
    return words;
  }

  @Test
  void changesOfAnyDensityAndUnitComeBack() {
    SplittableRandom random = new SplittableRandom(1);
    long[] before = random.longs(WORDS).toArray();
    int[] unitsChosen = new int[7];
    for (int unitBits = 1; unitBits <= 64; unitBits *= 2) {
      for (int units : new int[] {0, 1, 2, 10, 100, 1000, 100_000}) {
        long[] after = changed(before, unitBits, units, random);
        ChangeWriter writer = new ChangeWriter();
        ChangedSection section = writer.write(SectionRole.WORDS, of(before), of(after));
        assertArrayEquals(after, decode(before, section, writer.code()));
        assertEquals(writer.code().length, section.codeWordCount());
        assertTrue(section.codeWordCount() <= WORDS, () -> section + " is longer than the words");
        unitsChosen[section.unitLog2()]++;
      }
    }
    assertFalse(Arrays.stream(unitsChosen).anyMatch(n -> n == 0), Arrays.toString(unitsChosen));
  }

  @Test
  void sectionsFollowEachOtherAndMayGrowAndShrink() {
    ChangeWriter writer = new ChangeWriter();
    ChangedSection first = writer.write(SectionRole.OVERFLOW, of(1, 2), of(1, 3, 4));
    ChangedSection second = writer.write(SectionRole.OVERFLOW, of(1, 2), of());
    ChangedSection third = writer.write(SectionRole.OVERFLOW, of(), of(0, 0, -1));
    assertEquals(0, second.codeWordCount());
    assertArrayEquals(new long[] {1, 3, 4}, decode(new long[] {1, 2}, first, writer.code()));
    assertArrayEquals(new long[] {}, decode(new long[] {1, 2}, second, writer.code()));
    assertArrayEquals(new long[] {0, 0, -1}, decode(new long[] {}, third, writer.code()));
  }

  @Test
  void unchangedSectionsTakeNoCode() {
    long[] words = {1, 2, 3};
    ChangeWriter writer = new ChangeWriter();
    ChangedSection same = writer.write(SectionRole.WORDS, of(words), of(words));
    assertEquals(new ChangedSection(SectionRole.WORDS, 3, false, 0, 0, 0, 0, 0), same);
    ChangedSection none = writer.write(SectionRole.OVERFLOW, of(words), of());
    assertEquals(new ChangedSection(SectionRole.OVERFLOW, 0, false, 0, 0, 0, 0, 0), none);
    assertEquals(0, writer.code().length);
  }

  /**
   * Of eight fours three change, and all their bits: thirty-four bits of code by single bits,
   * twenty by fours or eights, and eighteen by sixteens.
   */
  @Test
  void unitIsOneWithAShortCode() {
    long[] before = new SplittableRandom(2).longs(WORDS).toArray();
    long[] after = Arrays.stream(before).map(word -> word ^ 0x00000fff_00000fffL).toArray();
    ChangeWriter writer = new ChangeWriter();
    ChangedSection section = writer.write(SectionRole.WORDS, of(before), of(after));
    assertArrayEquals(after, decode(before, section, writer.code()));
    assertEquals((WORDS * 36 + 63) / 64, section.codeWordCount());
  }

  /** If all bits change but one of each hundred words, that one is coded; if all do, nothing. */
  @Test
  void sectionOfWhichMostChangesIsInverted() {
    long[] before = new SplittableRandom(4).longs(WORDS).toArray();
    long[] after = Arrays.stream(before).map(word -> ~word).toArray();
    assertEquals(
        new ChangedSection(SectionRole.WORDS, WORDS, true, 0, 0, 0, 0, 0), coded(before, after));
    for (int i = 0; i < WORDS; i += 100) {
      after[i] ^= 1;
    }
    ChangedSection section = coded(before, after);
    assertTrue(section.inverted());
    assertEquals(10, section.changes());
    assertTrue(section.codeWordCount() <= 3, section::toString);
    // What was not there before was zero, and is inverted with the rest.
    assertTrue(coded(new long[] {1}, new long[] {~1, -1, -2}).inverted());
    // Half of the bits are not most of them.
    assertFalse(coded(new long[2], new long[] {-1, 0}).inverted());
    assertTrue(coded(new long[2], new long[] {-1, 1}).inverted());
  }

  private static ChangedSection coded(long[] before, long[] after) {
    ChangeWriter writer = new ChangeWriter();
    ChangedSection section = writer.write(SectionRole.WORDS, of(before), of(after));
    assertArrayEquals(after, decode(before, section, writer.code()));
    return section;
  }

  @Test
  void codeOfManyWordsComesBack() {
    long[] before = new long[100_000];
    long[] after = new SplittableRandom(3).longs(before.length).toArray();
    ChangeWriter writer = new ChangeWriter();
    ChangedSection section = writer.write(SectionRole.WORDS, of(before), of(after));
    assertArrayEquals(after, decode(before, section, writer.code()));
  }

  /** The example of docs/format.md. */
  @Test
  void codeIsThatOfTheSpecification() {
    ChangeWriter writer = new ChangeWriter();
    ChangedSection bits = writer.write(SectionRole.WORDS, of(2, 0), of(2 + 1 + 32, 1L << 63));
    assertEquals(new ChangedSection(SectionRole.WORDS, 2, false, 0, 4, 3, 0, 1), bits);
    assertArrayEquals(new long[] {0x25fd00}, writer.code());
    ChangeWriter counters = new ChangeWriter();
    ChangedSection fours = counters.write(SectionRole.WORDS, of(0x800, 0), of(0xf00, 0x7000));
    assertEquals(new ChangedSection(SectionRole.WORDS, 2, false, 2, 3, 2, 0, 1), fours);
    assertArrayEquals(new long[] {0x01c374}, counters.code());
  }

  @Test
  void codeThatIsNoneIsNotFinished() {
    ChangedSection section = new ChangedSection(SectionRole.WORDS, 1, false, 0, 0, 2, 0, 1);
    assertTrue(isSound(section, 0b0010)); // gaps 0 and 1: bits 0 and 2
    assertFalse(isSound(section, 0b1_0010)); // something follows
    assertFalse(isSound(section, -1)); // no gap ends
    assertFalse(new ChangeReader(new long[] {-1}, section).next());
    assertFalse(isSound(section, -1L >>> 1)); // the gap is 63, and no unit is left for the second
    assertTrue(isSound(section, (-1L >>> 1) & ~1)); // gaps 0 and 62: the last unit
    assertFalse(isSound(section, -1L & ~1)); // gaps 0 and 63
    assertFalse(
        isSound(new ChangedSection(SectionRole.WORDS, 1, false, 0, 0, 2, 0, 2), 2, 0)); // too long
    assertFalse(
        isSound(new ChangedSection(SectionRole.WORDS, 1, false, 0, 0, 0, 0, 1), 0)); // too long
    assertFalse(
        isSound(
            new ChangedSection(SectionRole.WORDS, 1, false, 1, 0, 1, 0, 1), 0b000)); // no change
    assertFalse(
        isSound(
            new ChangedSection(SectionRole.WORDS, 1, false, 6, 0, 1, 0, 1), 0)); // no whole value
    assertFalse(
        isSound(
            new ChangedSection(SectionRole.WORDS, 9, false, 0, 40, 2, 0, 1), 0)); // no whole gap
    assertTrue(isSound(new ChangedSection(SectionRole.WORDS, 1, false, 1, 0, 1, 0, 1), 0b010));
    assertTrue(isSound(new ChangedSection(SectionRole.WORDS, 1, false, 0, 40, 1, 0, 1), 63 << 1));
    assertFalse(isSound(new ChangedSection(SectionRole.WORDS, 1, false, 0, 40, 1, 0, 1), 64 << 1));
  }

  @Test
  void gapThatWouldOverflowIsNone() {
    long[] ones = new long[(1 << 24) / Long.SIZE + 1];
    Arrays.fill(ones, 0, ones.length - 1, -1L); // 2^24 · 2^40 is 0 in a long
    assertFalse(
        isSound(new ChangedSection(SectionRole.WORDS, 1, false, 0, 40, 1, 0, ones.length), ones));
  }

  private static boolean isSound(ChangedSection section, long... code) {
    ChangeReader reader = new ChangeReader(code, section);
    while (reader.next()) {
      assertTrue(reader.word() < section.wordCount());
    }
    return reader.isFinished();
  }
}
