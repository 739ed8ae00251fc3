package io.bloomkit.internal.format;

import io.bloomkit.internal.AscendingDifference;
import io.bloomkit.internal.GapCoding;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.internal.Words;
import java.util.Arrays;

/**
 * Codes the changes between two versions of sections into one array. For each changed unit, writes
 * the number of unchanged units before it in the Rice code of {@link GapCoding} and then, if a unit
 * has several bits, a mask of its changed bits.
 *
 * <p>The code of a section never has more bits than the section. If c of N bits change at random
 * places, the entropy is nearly N · H(p) with p = c / N and H(p) = −p log₂ p − (1 − p) log₂(1 − p),
 * for small c about c · (log₂(N / c) + 1.44). The code takes up to 3 % more on average for p up to
 * 0.2, and up to 5 % more otherwise: with q = 1 − p, a gap is at least j with a probability of at
 * most q<sup>j</sup>, so the code has at most c · (1 + r + a / (1 − a)) bits on average, where a is
 * q to the power of 2<sup>r</sup>. With the r of {@link GapCoding}, or N bits if that is less, this
 * is at most 1.0423 · N · H(p), near p = 0.382. If more than half changes, the rest is coded.
 */
final class ChangeWriter {

  /** Masks of the lowest bit of each unit, by the logarithm of the number of bits of a unit. */
  private static final long[] LOWEST_BIT_OF_UNITS = {
    -1L,
    0x5555555555555555L,
    0x1111111111111111L,
    0x0101010101010101L,
    0x0001000100010001L,
    0x0000000100000001L,
    1L
  };

  private static final Words NO_WORDS = new Words.OfLongs(new long[0], 0, 0);

  private long[] code = new long[128];
  private long bits;

  /** Computes the number of bits that a code takes. */
  private static final class CodeLength {

    private final int unitLog2;
    private final int riceParameter;
    private final long changes;
    private long bits;

    /** The unit after the last changed one. */
    private long next;

    CodeLength(int unitLog2, int riceParameter, long changes) {
      this.unitLog2 = unitLog2;
      this.riceParameter = riceParameter;
      this.changes = changes;
      this.bits = changes * (1 + riceParameter + ChangedSection.valueBits(unitLog2));
    }

    /**
     * Adds the gaps of a word.
     *
     * @param lowest a mask of the lowest bit of each changed unit
     */
    void add(long index, long lowest) {
      long firstUnit = ChangedSection.units(index, unitLog2);
      for (long remaining = lowest; remaining != 0; remaining &= remaining - 1) {
        add(firstUnit + (Long.numberOfTrailingZeros(remaining) >>> unitLog2));
      }
    }

    /** Adds the gap before a changed unit. */
    void add(long unit) {
      bits += (unit - next) >>> riceParameter;
      next = unit + 1;
    }
  }

  /**
   * Codes a section. If more than half of its bits change, the section is inverted first. Chooses
   * the shortest of these codes: single bits with parameter 0, which take at most one bit per bit
   * of the section; and each size of unit with the best parameter for changes at random places.
   *
   * @param before the words of the old version; words beyond its end count as zero
   * @throws IllegalArgumentException if an array cannot hold the code of all sections
   */
  ChangedSection write(SectionRole role, Words before, Words after) {
    int from = (int) (bits / Long.SIZE);
    return role.isAscending()
        ? writeNumbers(role, before, after, from)
        : writeWords(role, before, after, from);
  }

  private ChangedSection writeWords(SectionRole role, Words before, Words after, int from) {
    boolean inverted = isMajoritySet(new Words.Difference(before, after, false));
    Words difference = new Words.Difference(before, after, inverted);
    CodeLength[] lengths = codeLengths(difference);
    CodeLength shortest = new CodeLength(0, 0, lengths[0].changes);
    shortest.bits = lengths[0].next; // one bit per bit up to the last change
    for (CodeLength length : lengths) {
      shortest = length.bits < shortest.bits ? length : shortest;
    }
    writeUnits(difference, shortest.unitLog2, shortest.riceParameter);
    return finishSection(role, after, inverted, shortest, from);
  }

  /** Ends the code of a section with a whole word. */
  private ChangedSection finishSection(
      SectionRole role, Words after, boolean inverted, CodeLength code, int from) {
    bits = (bits + Long.SIZE - 1) & -Long.SIZE;
    int count = (int) (bits / Long.SIZE) - from;
    return new ChangedSection(
        role, after.size(), inverted, code.unitLog2, code.riceParameter, code.changes, from, count);
  }

  /**
   * Codes the numbers that occur in exactly one of two ascending sections or, if this is shorter,
   * all numbers of the new version.
   */
  private ChangedSection writeNumbers(SectionRole role, Words before, Words after, int from) {
    CodeLength difference = lengthOfNumbers(before, after);
    CodeLength whole = lengthOfNumbers(NO_WORDS, after);
    boolean isWhole = whole.bits < difference.bits;
    CodeLength code = isWhole ? whole : difference;
    AscendingDifference numbers = new AscendingDifference(isWhole ? NO_WORDS : before, after);
    for (long next = 0; numbers.next(); next = numbers.number() + 1) {
      writeGap(numbers.number() - next, code.riceParameter);
    }
    return finishSection(role, after, isWhole, code, from);
  }

  private static CodeLength lengthOfNumbers(Words before, Words after) {
    long changes = 0;
    long end = 0;
    for (AscendingDifference found = new AscendingDifference(before, after); found.next(); ) {
      changes++;
      end = found.number() + 1;
    }
    int parameter = changes == 0 ? 0 : GapCoding.riceParameter(end, changes);
    CodeLength length = new CodeLength(0, parameter, changes);
    for (AscendingDifference found = new AscendingDifference(before, after); found.next(); ) {
      length.add(found.number());
    }
    return length;
  }

  private static boolean isMajoritySet(Words words) {
    long setBits = 0;
    for (long i = 0; i < words.size(); i++) {
      setBits += Long.bitCount(words.get(i));
    }
    return 2 * setBits > words.size() * Long.SIZE;
  }

  /** Returns the number of changed units, by the logarithm of the number of bits of a unit. */
  private static long[] changes(Words difference) {
    long[] changes = new long[LOWEST_BIT_OF_UNITS.length];
    for (long i = 0; i < difference.size(); i++) {
      long remaining = difference.get(i);
      for (int unit = 0; remaining != 0 && unit < changes.length; unit++) {
        changes[unit] += Long.bitCount(remaining & LOWEST_BIT_OF_UNITS[unit]);
        remaining |=
            remaining >>> (1 << unit); // the lowest bit of a unit is set if any of its bits changes
      }
    }
    return changes;
  }

  private static CodeLength[] codeLengths(Words difference) {
    long[] changes = changes(difference);
    CodeLength[] lengths = new CodeLength[changes.length];
    for (int unit = 0; unit < lengths.length; unit++) {
      long units = ChangedSection.units(difference.size(), unit);
      int parameter = GapCoding.riceParameter(units, changes[unit]);
      lengths[unit] = new CodeLength(unit, parameter, changes[unit]);
    }
    for (long i = 0; i < difference.size(); i++) {
      long remaining = difference.get(i);
      for (int unit = 0; remaining != 0 && unit < lengths.length; unit++) {
        lengths[unit].add(i, remaining & LOWEST_BIT_OF_UNITS[unit]);
        remaining |= remaining >>> (1 << unit);
      }
    }
    return lengths;
  }

  private void writeUnits(Words difference, int unitLog2, int parameter) {
    int valueBits = ChangedSection.valueBits(unitLog2);
    long unitMask = -1L >>> (Long.SIZE - (1 << unitLog2));
    long next = 0;
    for (long i = 0; i < difference.size(); i++) {
      long remaining = difference.get(i);
      while (remaining != 0) {
        int unitInWord = Long.numberOfTrailingZeros(remaining) >>> unitLog2;
        int shift = unitInWord << unitLog2;
        long unit = ChangedSection.units(i, unitLog2) + unitInWord;
        writeGap(unit - next, parameter);
        writeBits(remaining >>> shift & unitMask, valueBits);
        remaining &= ~(unitMask << shift);
        next = unit + 1;
      }
    }
  }

  private void writeGap(long gap, int parameter) {
    for (long ones = gap >>> parameter; ones > 0; ) {
      int now = (int) Math.min(ones, Long.SIZE);
      writeBits(-1L >>> (Long.SIZE - now), now);
      ones -= now;
    }
    writeBits(0, 1);
    writeBits(gap & ~(-1L << parameter), parameter);
  }

  private void writeBits(long value, int count) {
    if (count == 0) {
      return;
    }
    long needed = (bits + count + Long.SIZE - 1) / Long.SIZE;
    if (needed > WordArrays.MAX_LENGTH) {
      throw new IllegalArgumentException(
          "the changes take more than an array: send the changed filter as a whole");
    }
    if (needed > code.length) {
      code =
          Arrays.copyOf(
              code, (int) Math.min(WordArrays.MAX_LENGTH, Math.max(needed, 2L * code.length)));
    }
    int word = (int) (bits / Long.SIZE);
    int bit = (int) (bits % Long.SIZE);
    code[word] |= value << bit;
    if (bit + count > Long.SIZE) {
      code[word + 1] |= value >>> (Long.SIZE - bit);
    }
    bits += count;
  }

  /** Returns the code of all sections written so far. */
  long[] code() {
    return Arrays.copyOf(code, (int) (bits / Long.SIZE));
  }
}
