package io.bloomkit.internal.format;

import io.bloomkit.internal.Words;

/**
 * Decodes the changed units of a {@link ChangedSection} in ascending order. Invalid code ends the
 * changes early.
 */
final class ChangeReader {

  private final long[] code;
  private final ChangedSection section;
  private final long end;

  /** The index of the next bit of the code. */
  private long at;

  private long remainingChanges;
  private long unit = -1;
  private long value;

  ChangeReader(long[] code, ChangedSection section) {
    this.code = code;
    this.section = section;
    this.at = (long) section.codeOffset() * Long.SIZE;
    this.end = at + (long) section.codeWordCount() * Long.SIZE;
    this.remainingChanges = section.changes();
  }

  /**
   * Advances to the next change.
   *
   * @return false if there are no more changes, or if the code is invalid
   */
  boolean next() {
    if (remainingChanges == 0) {
      return false;
    }
    int parameter = section.riceParameter();
    int valueBits = ChangedSection.valueBits(section.unitLog2());
    long remainingUnits = section.units() - 1 - unit;
    long quotient = readOnes();
    if (quotient > remainingUnits >>> parameter || at + parameter + valueBits > end) {
      return false;
    }
    long gap = quotient << parameter | readBits(parameter);
    value = valueBits == 0 ? 1 : readBits(valueBits);
    if (gap >= remainingUnits || value == 0) {
      return false;
    }
    unit += gap + 1;
    remainingChanges--;
    return true;
  }

  /**
   * Counts the ones before the next zero bit, and advances past that bit. If there is no zero bit,
   * advances past the end.
   */
  private long readOnes() {
    long from = at;
    while (at < end) {
      int bit = (int) (at % Long.SIZE);
      int ones = Long.numberOfTrailingZeros(~(code[wordOf(at)] >>> bit));
      if (ones < Long.SIZE - bit) {
        at += ones + 1;
        return at - 1 - from;
      }
      at += Long.SIZE - bit;
    }
    at = end + 1;
    return 0;
  }

  /** Reads up to 64 bits, lowest first. The caller checks that they exist. */
  private long readBits(int count) {
    if (count == 0) {
      return 0;
    }
    int bit = (int) (at % Long.SIZE);
    long bits = code[wordOf(at)] >>> bit;
    if (bit + count > Long.SIZE) {
      bits |= code[wordOf(at) + 1] << (Long.SIZE - bit);
    }
    at += count;
    return bits & (-1L >>> (Long.SIZE - count));
  }

  private static int wordOf(long bit) {
    return (int) (bit / Long.SIZE);
  }

  /** Returns whether all changes were read and only zeros follow, up to a whole word. */
  boolean isFinished() {
    if (remainingChanges > 0 || at > end || end - at >= Long.SIZE) {
      return false;
    }
    return readBits((int) (end - at)) == 0;
  }

  /**
   * Returns the index of the changed unit; in a section of ascending numbers, the number added or
   * removed.
   */
  long unit() {
    return unit;
  }

  /** Returns the index of the changed word. */
  long word() {
    return unit >>> (ChangedSection.MAX_UNIT_LOG_2 - section.unitLog2());
  }

  /** Returns a mask of the changed bits of the word. */
  long mask() {
    return value << (unit << section.unitLog2()); // a shift uses only the low six bits
  }

  /**
   * Applies the changes to ascending numbers: adds those that the base lacks, and removes those
   * that it has.
   *
   * @param numbers receives the result
   * @return whether the result exactly fills the array
   */
  boolean changeNumbers(Words base, long[] numbers) {
    boolean hasChange = next();
    long nextBaseIndex = 0;
    int count = 0;
    while (nextBaseIndex < base.size() || hasChange) {
      long baseNumber = nextBaseIndex < base.size() ? base.get(nextBaseIndex) : Long.MAX_VALUE;
      long changed = hasChange ? unit : Long.MAX_VALUE;
      nextBaseIndex += baseNumber <= changed ? 1 : 0;
      hasChange = changed <= baseNumber ? next() : hasChange;
      if (baseNumber != changed) {
        if (count == numbers.length) {
          return false;
        }
        numbers[count++] = Math.min(baseNumber, changed);
      }
    }
    return count == numbers.length;
  }
}
