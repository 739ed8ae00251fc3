package io.bloomkit.counting;

import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.SectionReader;
import io.bloomkit.format.SectionRole;
import java.io.IOException;
import java.util.Objects;

/** Counters in files: a section of their words, and one of those above fifteen. */
final class CounterFile {

  /** The largest excess in a file: every array that can be made can be written and read. */
  private static final long MAX_EXCESS = 3L << 61;

  private CounterFile() {}

  /** Adds the sections of the counters from a word on. */
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
   * Reads what {@link #addTo} has written.
   *
   * @param firstWord the number of words of zeros that the array has before the first that is read
   * @param counters the number of counters to read
   */
  static CounterArray read(FilterReader reader, int firstWord, long counters) throws IOException {
    Objects.requireNonNull(reader, "reader");
    int wordCount = CounterWord.wordCount(counters);
    SectionReader section = reader.section(SectionRole.WORDS, wordCount);
    long[] words = new long[firstWord + wordCount]; // as large as was received
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
            "counter " + index + " exceeds 15 but its four bits do not say so");
      }
      array.excess.set(first + index, excess);
      previous = index;
    }
  }
}
