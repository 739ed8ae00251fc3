package io.bloomkit.classic;

import io.bloomkit.format.FilterContents;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.format.MappedFile;
import io.bloomkit.format.MappedWords;
import io.bloomkit.format.SectionReader;
import io.bloomkit.format.SectionRole;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.WordArrays;
import java.io.IOException;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The array and the file format of a filter of bits. The header contains the fields of the size;
 * one section contains the words.
 *
 * @param <Z> the type of the size
 */
abstract sealed class BitFormat<Z extends Record> permits ClassicFormat, BlockedFormat {

  private final FilterVariant variant;
  private final int fieldCount;
  private final int padding;

  /**
   * Creates a format.
   *
   * @param fieldCount the number of fields in the header
   * @param padding the number of unused words at the beginning of an array
   */
  BitFormat(FilterVariant variant, int fieldCount, int padding) {
    this.variant = variant;
    this.fieldCount = fieldCount;
    this.padding = padding;
  }

  /** Returns the size for a number of elements and a false-positive probability. */
  abstract Z sizeFor(long expectedInsertions, double fpp);

  /** Returns the number of bits. */
  abstract long positions(Z size);

  /** Returns the largest number of bits that an element sets. */
  abstract int hashes(Z size);

  /** Returns the fields in the header. */
  abstract long[] fields(Z size);

  /** Reads and checks the fields of a filter with up to a given number of positions. */
  abstract Z readFields(FilterReader reader, long mostPositions) throws FilterFormatException;

  final int padding() {
    return padding;
  }

  /** Returns the largest number of positions that an array holds. */
  final long mostPositions() {
    return (long) (WordArrays.MAX_LENGTH - padding) * Long.SIZE;
  }

  /**
   * Returns a size.
   *
   * @throws IllegalArgumentException if an array cannot hold it
   */
  final Z requireArray(Z size) {
    if (positions(size) > mostPositions()) {
      throw new IllegalArgumentException(
          "shape must have at most "
              + mostPositions()
              + " positions, what an array holds, got "
              + size);
    }
    return size;
  }

  final long wordCount(Z size) {
    return (positions(size) + Long.SIZE - 1) / Long.SIZE;
  }

  /** Returns a new array for a size of up to {@link #mostPositions}. */
  final long[] array(Z size) {
    return new long[padding + (int) wordCount(size)];
  }

  /**
   * Copies the words of a caller into a new array.
   *
   * @throws IllegalArgumentException if they are not the words of a filter of this size
   */
  final long[] arrayOf(Z size, long[] words) {
    Objects.requireNonNull(words, "words");
    if (words.length != wordCount(size)) {
      throw new IllegalArgumentException(
          "words must have " + wordCount(size) + " elements for " + size + ", got " + words.length);
    }
    if (isBeyond(size, words[words.length - 1])) {
      throw new IllegalArgumentException("words has bits beyond the last position of " + size);
    }
    long[] array = array(size);
    System.arraycopy(words, 0, array, padding, words.length);
    return array;
  }

  /** Returns the contents to write to a file. */
  final FilterContents contents(BitFilter<?> filter, Z size) {
    long bits = filter.setPositions();
    return FilterContents.of(variant, filter.strategyIdentity, fields(size))
        .plan(filter.plan())
        .elementCount(filter.elementCount(), leastElements(size, bits), mostElements(bits))
        .section(SectionRole.WORDS, filter.words, padding, filter.words.length - padding)
        .build();
  }

  /** Reads and checks the header. */
  final Z readSize(FilterReader reader, StrategyIdentity strategy, long mostPositions)
      throws FilterFormatException {
    reader.require(variant, strategy, fieldCount);
    return readFields(reader, mostPositions);
  }

  /**
   * Reads the words of a filter into a new array. Allocates it only after the section header
   * announces that many words.
   */
  final long[] readWords(FilterReader reader, Z size, OptionalLong elementCount)
      throws IOException {
    Objects.requireNonNull(reader, "reader");
    Objects.requireNonNull(elementCount, "elementCount");
    int count = (int) wordCount(size);
    SectionReader section = reader.section(SectionRole.WORDS, count);
    long[] words = array(size);
    section.readInto(words, padding, count);
    long bits = BitFilter.countBits(words);
    reader.requireElementCount(elementCount, leastElements(size, bits), mostElements(bits));
    if (isBeyond(size, words[words.length - 1])) {
      throw reader.wrongSection(beyond(size));
    }
    return words;
  }

  /** Maps the words of a file without reading them. */
  final MappedWords mappedWords(MappedFile file, Z size) throws IOException {
    return file.section(SectionRole.WORDS, wordCount(size));
  }

  /** Checks mapped words, as {@link #readWords} checks the words that it reads. */
  final void verify(MappedWords mapped, Z size, OptionalLong elementCount)
      throws FilterFormatException {
    long bits = mapped.verify();
    if (isBeyond(size, mapped.get(mapped.size() - 1))) {
      throw mapped.wrong(beyond(size));
    }
    if (elementCount.isPresent()) {
      long count = elementCount.getAsLong();
      if (count < leastElements(size, bits) || count > mostElements(bits)) {
        throw mapped.wrong(
            bits + " bits are set, which is impossible for the element count of " + count);
      }
    }
  }

  private boolean isBeyond(Z size, long lastWord) {
    long unused = wordCount(size) * Long.SIZE - positions(size);
    return unused > 0 && lastWord >>> (Long.SIZE - unused) != 0;
  }

  private String beyond(Z size) {
    return "bits beyond the last position of " + size + " are set";
  }

  private long leastElements(Z size, long bits) {
    return (bits + hashes(size) - 1) / hashes(size);
  }

  private static long mostElements(long bits) {
    return bits == 0 ? 0 : Long.MAX_VALUE;
  }
}
