package io.bloomkit.format;

import io.bloomkit.internal.GapCoding;

/**
 * What a {@link Delta} changes in one section, and where its code lies. In a section of ascending
 * numbers each number that comes or goes is a unit of one bit. docs/format.md specifies the code
 * bit by bit.
 *
 * @param role of the section that it leads to
 * @param words how many words that section has
 * @param inverted whether every bit of the version before is inverted first: what changes, is what
 *     changes after that; of ascending numbers, whether all of the version before go first
 * @param unitLog2 the logarithm of the bits of a unit, 0 to {@value #MAX_UNIT_LOG_2}: bits change
 *     one by one, counters by fours, fingerprints as a whole
 * @param riceParameter how many low bits of each gap are stored as they are
 * @param changes how many units change
 * @param codeFrom the index of the first word of the code
 * @param codeWords how many words the code has
 */
record ChangedSection(
    SectionRole role,
    long words,
    boolean inverted,
    int unitLog2,
    int riceParameter,
    long changes,
    int codeFrom,
    int codeWords) {

  /** A unit of a word. */
  static final int MAX_UNIT_LOG_2 = 6;

  /** Returns the number of units in a number of words. */
  static long units(long words, int unitLog2) {
    return words << (MAX_UNIT_LOG_2 - unitLog2);
  }

  SectionPairs.Kind kind() {
    return new SectionPairs.Kind(role, words);
  }

  /** The number of units that can change: the bits of all numbers if the section has numbers. */
  long units() {
    return role.isAscending() ? GapCoding.MAX_NUMBER : units(words, unitLog2);
  }

  /** How many bits say what becomes of a unit that changes: none of a bit, for it is the other. */
  static int valueBits(int unitLog2) {
    return unitLog2 == 0 ? 0 : 1 << unitLog2;
  }
}
