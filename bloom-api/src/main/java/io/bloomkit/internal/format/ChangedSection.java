package io.bloomkit.internal.format;

import io.bloomkit.internal.GapCoding;

/**
 * The changes of a {@link ContentsDelta} in one section, and the location of their code. In a
 * section of ascending numbers, each number that is added or removed is a unit of one bit.
 * docs/format.md specifies the code bit by bit.
 *
 * @param role the role of the changed section
 * @param wordCount the number of words of the changed section
 * @param inverted whether every bit of the base is inverted before the changes are applied; for
 *     ascending numbers, whether all numbers of the base are removed first
 * @param unitLog2 the base-2 logarithm of the number of bits of a unit, 0 to {@value
 *     #MAX_UNIT_LOG_2}: a unit is a bit, a 4-bit counter, or a fingerprint
 * @param riceParameter the number of low bits of each gap that are stored unchanged
 * @param changes the number of changed units
 * @param codeOffset the index of the first word of the code
 * @param codeWordCount the number of words of the code
 */
record ChangedSection(
    SectionRole role,
    long wordCount,
    boolean inverted,
    int unitLog2,
    int riceParameter,
    long changes,
    int codeOffset,
    int codeWordCount) {

  /** The logarithm of a unit that is a whole word. */
  static final int MAX_UNIT_LOG_2 = 6;

  static long units(long wordCount, int unitLog2) {
    return wordCount << (MAX_UNIT_LOG_2 - unitLog2);
  }

  SectionPairs.Kind kind() {
    return new SectionPairs.Kind(role, wordCount);
  }

  /**
   * Returns the number of units that can change. For ascending numbers, this is the number of
   * possible numbers.
   */
  long units() {
    return role.isAscending() ? GapCoding.MAX_NUMBER : units(wordCount, unitLog2);
  }

  /**
   * Returns the number of bits that code the new value of a changed unit; 0 for a bit, which flips.
   */
  static int valueBits(int unitLog2) {
    return unitLog2 == 0 ? 0 : 1 << unitLog2;
  }
}
