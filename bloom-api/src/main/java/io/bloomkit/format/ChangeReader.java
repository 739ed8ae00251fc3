package io.bloomkit.format;

import io.bloomkit.internal.Words;

/** Decodes what a {@link ChangedSection} changes, unit after unit, and trusts no bit of it. */
final class ChangeReader {

  private final long[] code;
  private final ChangedSection section;
  private final long end;

  /** The next bit of the code. */
  private long at;

  private long changesLeft;
  private long unit = -1;
  private long value;

  ChangeReader(long[] code, ChangedSection section) {
    this.code = code;
    this.section = section;
    this.at = (long) section.codeFrom() * Long.SIZE;
    this.end = at + (long) section.codeWords() * Long.SIZE;
    this.changesLeft = section.changes();
  }

  /**
   * Goes to the next change.
   *
   * @return whether there is one; false after the last, and where the code is none
   */
  boolean next() {
    if (changesLeft == 0) {
      return false;
    }
    int parameter = section.riceParameter();
    int valueBits = ChangedSection.valueBits(section.unitLog2());
    long unitsLeft = section.units() - 1 - unit;
    long quotient = readOnes();
    if (quotient > unitsLeft >>> parameter || at + parameter + valueBits > end) {
      return false;
    }
    long gap = quotient << parameter | readBits(parameter);
    value = valueBits == 0 ? 1 : readBits(valueBits);
    if (gap >= unitsLeft || value == 0) {
      return false;
    }
    unit += gap + 1;
    changesLeft--;
    return true;
  }

  /** Counts the ones before the next zero and goes behind it; beyond the end if there is none. */
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

  /** Reads up to 64 bits that are there, the lowest first. */
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

  /** Whether all changes were read, and nothing follows but zeros up to a whole word. */
  boolean isFinished() {
    if (changesLeft > 0 || at > end || end - at >= Long.SIZE) {
      return false;
    }
    return readBits((int) (end - at)) == 0;
  }

  /** The unit that changes: in a section of ascending numbers, the number that comes or goes. */
  long unit() {
    return unit;
  }

  /** The index of the word that changes. */
  long word() {
    return unit >>> (ChangedSection.MAX_UNIT_LOG_2 - section.unitLog2());
  }

  /** The bits of the word that change. */
  long mask() {
    return value << (unit << section.unitLog2()); // shifts look at six bits only
  }

  /**
   * Merges ascending numbers with those that change. Each number that both have goes.
   *
   * @return whether the result has as many numbers as there is room for
   */
  boolean changeNumbers(Words base, long[] numbers) {
    boolean isChange = next();
    long nextOfBase = 0;
    int count = 0;
    while (nextOfBase < base.size() || isChange) {
      long kept = nextOfBase < base.size() ? base.get(nextOfBase) : Long.MAX_VALUE;
      long changed = isChange ? unit : Long.MAX_VALUE;
      nextOfBase += kept <= changed ? 1 : 0;
      isChange = changed <= kept ? next() : isChange;
      if (kept != changed) {
        if (count == numbers.length) {
          return false;
        }
        numbers[count++] = Math.min(kept, changed);
      }
    }
    return count == numbers.length;
  }
}
