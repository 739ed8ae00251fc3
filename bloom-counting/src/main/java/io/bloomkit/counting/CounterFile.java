package io.bloomkit.counting;

import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.SectionReader;
import io.bloomkit.format.SectionRole;
import java.io.IOException;
import java.util.Objects;

/** Writes and reads counters: a section of their words, and one of the excess over fifteen. */
final class CounterFile {

  /** The largest excess in a file. No array that can arise has a larger one. */
  private static final long MAX_EXCESS = 3L << 61;

  private CounterFile() {}

  /** Adds the two sections. The words before the first one are not written. */
  static FilterContents.Builder addTo(
      FilterContents.Builder contents, CounterArray counters, int firstWord) {
    // Incrementing past fifteen changes the table under this monitor.
    synchronized (counters) {
      long[] indices = counters.excess.sortedIndices();
      long[] pairs = new long[2 * indices.length];
      for (int i = 0; i < indices.length; i++) {
        pairs[2 * i] = indices[i] - CounterWord.firstOf(firstWord);
        pairs[2 * i + 1] = counters.excess.get(indices[i]);
      }
      long[] words = counters.words;
      return contents
          .section(SectionRole.WORDS, words, firstWord, words.length - firstWord)
          .section(SectionRole.EXCESS, pairs);
    }
  }

  /**
   * Reads the sections that {@link #addTo} writes.
   *
   * @param firstWord the number of words of zeros in the array before the first word read
   * @param counters the number of counters to read
   */
  static CounterArray read(FilterReader reader, int firstWord, long counters) throws IOException {
    Objects.requireNonNull(reader, "reader");
    int wordCount = CounterWord.wordCount(counters);
    SectionReader section = reader.section(SectionRole.WORDS, wordCount);
    long[] words = new long[firstWord + wordCount]; // no larger than the section received
    section.readInto(words, firstWord, wordCount);
    long unused = CounterWord.firstOf(wordCount) - counters;
    if (unused > 0 && words[words.length - 1] >>> (Long.SIZE - 4 * unused) != 0) {
      throw reader.wrongSection("counters beyond the last of " + counters + " are not zero");
    }
    CounterArray array = new CounterArray(words, new CounterExcess());
    readExcess(reader, array, CounterWord.firstOf(firstWord), counters);
    return array;
  }

  private static void readExcess(FilterReader reader, CounterArray array, long first, long counters)
      throws IOException {
    SectionReader section = reader.table(SectionRole.EXCESS, 2 * counters, 2);
    long previous = -1;
    for (long entry = 0; entry < section.words() / 2; entry++) {
      long index = section.next();
      long excess = section.next();
      if (index <= previous || index >= counters) {
        throw reader.wrongSection(
            "the counter of entry "
                + entry
                + " must be in ["
                + (previous + 1)
                + ", "
                + (counters - 1)
                + "], got "
                + index);
      }
      if (excess < 1 || excess > MAX_EXCESS) {
        throw reader.wrongSection(
            "what counter " + index + " exceeds 15 by must be in [1, 3 * 2^61], got " + excess);
      }
      if (array.fourBits(first + index) != CounterWord.FULL) {
        throw reader.wrongSection(
            "counter " + index + " has an excess over 15, but its four bits are not all ones");
      }
      array.excess.set(first + index, excess);
      previous = index;
    }
  }
}
