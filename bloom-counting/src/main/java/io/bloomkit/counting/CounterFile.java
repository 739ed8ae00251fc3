package io.bloomkit.counting;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.LongCounts;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.internal.filter.FilterState;
import io.bloomkit.internal.filter.ShapeFields;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.SectionReader;
import io.bloomkit.internal.format.SectionRole;
import java.io.IOException;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The arrays and the files of counting filters of any shape. A file has a section of the words of
 * the counters, and one of the overflow above fifteen.
 */
final class CounterFile {

  /** The largest number of counters of all blocks, without the padding. */
  private static final long MAX_BLOCKED_POSITIONS =
      CounterArray.MAX_COUNTERS - CounterWord.firstOf(WordArrays.BLOCK_PADDING);

  private CounterFile() {}

  /** Returns the number of words of zeros before the first counter of an array. */
  static int padding(Shape shape) {
    return shape instanceof BlockedShape ? WordArrays.BLOCK_PADDING : 0;
  }

  /** Returns the number of counters of an array, padding included. */
  static long counters(Shape shape) {
    return CounterWord.firstOf(padding(shape)) + shape.positions();
  }

  /**
   * Returns a shape.
   *
   * @throws IllegalArgumentException if no filter can have it
   */
  static Shape requireArray(Shape shape) {
    Objects.requireNonNull(shape, "shape");
    if (shape instanceof BlockedShape blocked
        && blocked.positionsPerBlock() != BlockedShape.COUNTERS_PER_BLOCK) {
      throw new IllegalArgumentException(
          "shape must have "
              + BlockedShape.COUNTERS_PER_BLOCK
              + " counters in a block, as BlockedShape.ofCounters gives, got "
              + shape);
    }
    long most = shape instanceof BlockedShape ? MAX_BLOCKED_POSITIONS : CounterArray.MAX_COUNTERS;
    if (shape.positions() > most) {
      throw new IllegalArgumentException(
          "shape has "
              + shape.positions()
              + " positions, and an array holds at most "
              + most
              + " counters: expect fewer elements or allow more errors");
    }
    return shape;
  }

  /** Returns the contents to write to a file, without the padding. */
  static FilterContents contents(
      FilterState<?> state, CounterArray counters, OptionalLong elementCount) {
    Shape shape = state.shape();
    FilterKind kind =
        shape instanceof BlockedShape ? BlockedCountingBloomFilter.KIND : CountingBloomFilter.KIND;
    int hashes = shape.hashes();
    long first = shape instanceof BlockedShape blocked ? blocked.blocks() : shape.positions();
    int padding = padding(shape);
    // Incrementing past fifteen changes the table under this monitor.
    synchronized (counters) {
      long[] indices = counters.overflow.sortedKeys();
      long[] pairs = WordArrays.allocate(2 * indices.length);
      for (int i = 0; i < indices.length; i++) {
        pairs[2 * i] = indices[i] - CounterWord.firstOf(padding);
        pairs[2 * i + 1] = counters.overflow.get(indices[i]);
      }
      long[] words = counters.words;
      return FilterContents.of(kind.code(), state.identity(), first, hashes)
          .plan(state.plan())
          .elementCount(
              elementCount, counters.sumOver(hashes, true), counters.sumOver(hashes, false))
          .section(SectionRole.WORDS, words, padding, words.length - padding)
          .section(SectionRole.OVERFLOW, pairs)
          .build();
    }
  }

  /** Reads and checks the header of a {@link CountingBloomFilter}. */
  static FlatShape readFlat(FilterReader reader, StrategyIdentity strategy)
      throws FilterFormatException {
    reader.require(CountingBloomFilter.KIND.code(), strategy, 2);
    return ShapeFields.readFlat(reader, CounterArray.MAX_COUNTERS);
  }

  /** Reads and checks the header of a {@link BlockedCountingBloomFilter}. */
  static BlockedShape readBlocked(FilterReader reader, StrategyIdentity strategy)
      throws FilterFormatException {
    reader.require(BlockedCountingBloomFilter.KIND.code(), strategy, 2);
    return ShapeFields.readBlocked(
        reader, BlockedShape.COUNTERS_PER_BLOCK, 1, MAX_BLOCKED_POSITIONS);
  }

  /** Reads the counters of a filter, and checks that they are possible for the element count. */
  static CounterArray read(FilterReader reader, Shape shape) throws IOException {
    CounterArray counters = readSections(reader, padding(shape), shape.positions());
    int hashes = shape.hashes();
    // Each insertion adds one to the sum of all counters for each hash.
    long least = counters.sumOver(hashes, true);
    long most = counters.sumOver(hashes, false);
    if (least > most) {
      throw reader.wrongSection(
          "no number of elements of " + hashes + " hashes gives the sum of its counters");
    }
    reader.requireElementCount(reader.elementCount(), least, most);
    return counters;
  }

  private static CounterArray readSections(FilterReader reader, int padding, long counters)
      throws IOException {
    int wordCount = CounterWord.wordCount(counters);
    SectionReader section = reader.section(SectionRole.WORDS, wordCount);
    long[] words = WordArrays.allocate(padding + wordCount); // no larger than the section received
    section.readInto(words, padding, wordCount);
    long unused = CounterWord.firstOf(wordCount) - counters;
    if (unused > 0 && words[words.length - 1] >>> (Long.SIZE - 4 * unused) != 0) {
      throw reader.wrongSection("counters beyond the last of " + counters + " are not zero");
    }
    CounterArray array = new CounterArray(words, new LongCounts());
    readOverflow(reader, array, CounterWord.firstOf(padding), counters);
    return array;
  }

  private static void readOverflow(
      FilterReader reader, CounterArray array, long first, long counters) throws IOException {
    SectionReader section = reader.table(SectionRole.OVERFLOW, 2 * counters, 2);
    long previous = -1;
    for (long entry = 0; entry < section.wordCount() / 2; entry++) {
      long index = section.next();
      long overflow = section.next();
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
      if (overflow < 1 || overflow > CounterSums.MAX_OVERFLOW) {
        throw reader.wrongSection(
            "what counter " + index + " exceeds 15 by must be in [1, 2^62 - 15], got " + overflow);
      }
      if (array.fourBits(first + index) != CounterWord.FULL) {
        throw reader.wrongSection(
            "counter " + index + " has an overflow above 15, but its four bits are not all ones");
      }
      array.overflow.set(first + index, overflow);
      previous = index;
    }
  }
}
