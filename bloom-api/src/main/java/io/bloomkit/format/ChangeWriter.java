package io.bloomkit.format;

import io.bloomkit.internal.WordArrays;
import java.util.Arrays;

/**
 * Codes what changes between two versions of sections, into one array. For each unit that changes
 * it writes the number of units before it that do not, in Rice's code as {@link GapCoding} does,
 * and then, unless a unit is a bit, which of its bits change.
 */
final class ChangeWriter {

  /** The lowest bit of each unit of so many bits, by the logarithm. */
  private static final long[] LOWEST_OF_UNIT = {
    -1L,
    0x5555555555555555L,
    0x1111111111111111L,
    0x0101010101010101L,
    0x0001000100010001L,
    0x0000000100000001L,
    1L
  };

  private long[] code = new long[128];
  private long bits;

  /**
   * Codes a section.
   *
   * @param before the words of the version before; those beyond their end count as zero
   * @throws IllegalArgumentException if all code together would be longer than an array
   */
  ChangedSection write(SectionRole role, Words before, Words after) {
    long words = after.size();
    long[] changes = new long[LOWEST_OF_UNIT.length];
    for (long i = 0; i < words; i++) {
      long left = changed(before, after, i);
      for (int unit = 0; left != 0 && unit < changes.length; unit++) {
        changes[unit] += Long.bitCount(left & LOWEST_OF_UNIT[unit]);
        left |= left >>> (1 << unit); // the lowest bit of a unit: whether any bit of it changes
      }
    }
    int unitLog2 = 0;
    for (int unit = 1; unit < changes.length; unit++) {
      if (mostBits(words, unit, changes[unit]) < mostBits(words, unitLog2, changes[unitLog2])) {
        unitLog2 = unit;
      }
    }
    int parameter = riceParameter(words, unitLog2, changes[unitLog2]);
    int from = (int) (bits / Long.SIZE);
    writeUnits(before, after, unitLog2, parameter);
    bits = (bits + Long.SIZE - 1) & -Long.SIZE;
    int count = (int) (bits / Long.SIZE) - from;
    return new ChangedSection(role, words, unitLog2, parameter, changes[unitLog2], from, count);
  }

  static long changed(Words before, Words after, long index) {
    return after.get(index) ^ (index < before.size() ? before.get(index) : 0);
  }

  private static int riceParameter(long words, int unitLog2, long changes) {
    return changes == 0
        ? 0
        : GapCoding.riceParameter(ChangedSection.units(words, unitLog2), changes);
  }

  /** More bits than the code takes, but less than one more for each change. */
  private static long mostBits(long words, int unitLog2, long changes) {
    int parameter = riceParameter(words, unitLog2, changes);
    long unchanged = ChangedSection.units(words, unitLog2) - changes;
    return changes * (1 + parameter + ChangedSection.valueBits(unitLog2))
        + (unchanged >>> parameter);
  }

  private void writeUnits(Words before, Words after, int unitLog2, int parameter) {
    int valueBits = ChangedSection.valueBits(unitLog2);
    long unitMask = -1L >>> (Long.SIZE - (1 << unitLog2));
    long next = 0;
    for (long i = 0; i < after.size(); i++) {
      long left = changed(before, after, i);
      while (left != 0) {
        int inWord = Long.numberOfTrailingZeros(left) >>> unitLog2;
        int shift = inWord << unitLog2;
        long unit = (i << (ChangedSection.MAX_UNIT_LOG_2 - unitLog2)) + inWord;
        writeGap(unit - next, parameter);
        writeBits(left >>> shift & unitMask, valueBits);
        left &= ~(unitMask << shift);
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

  /** Returns the code of all sections so far. */
  long[] code() {
    return Arrays.copyOf(code, (int) (bits / Long.SIZE));
  }
}
