package io.bloomkit.classic;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.internal.filter.FilterState;
import io.bloomkit.internal.filter.ShapeFields;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.MappedFile;
import io.bloomkit.internal.format.MappedWords;
import io.bloomkit.internal.format.SectionReader;
import io.bloomkit.internal.format.SectionRole;
import java.io.IOException;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The array and the file of a filter of bits of any shape. The header contains the fields of the
 * shape; one section contains the words. In the array, {@link #padding} words come before them.
 */
final class BitsFile {

  /** The largest number of positions of a flat filter that an array holds. */
  static final long MAX_FLAT_POSITIONS = (long) WordArrays.MAX_LENGTH * Long.SIZE;

  /** The largest number of positions of a blocked filter that an array holds. */
  static final long MAX_BLOCKED_POSITIONS =
      MAX_FLAT_POSITIONS - (long) WordArrays.BLOCK_PADDING * Long.SIZE;

  private BitsFile() {}

  /** Returns the number of unused words at the beginning of an array. */
  static int padding(Shape shape) {
    return shape instanceof BlockedShape ? WordArrays.BLOCK_PADDING : 0;
  }

  /**
   * Returns a shape.
   *
   * @throws IllegalArgumentException if an array cannot hold it
   */
  static <Z extends Shape> Z requireArray(Z shape) {
    Objects.requireNonNull(shape, "shape");
    long max = shape instanceof BlockedShape ? MAX_BLOCKED_POSITIONS : MAX_FLAT_POSITIONS;
    if (shape.positions() > max) {
      throw new IllegalArgumentException(
          "shape has "
              + shape.positions()
              + " positions, and an array holds at most "
              + max
              + " bits: expect fewer elements or allow more errors");
    }
    return shape;
  }

  static long wordCount(Shape shape) {
    return (shape.positions() + Long.SIZE - 1) / Long.SIZE;
  }

  /** Returns the number of bytes of the array of a filter. */
  static long memoryBytes(Shape shape) {
    return (padding(shape) + wordCount(shape)) * Long.BYTES;
  }

  /** Returns a new array for a shape that {@link #requireArray} accepts. */
  static long[] array(Shape shape) {
    return WordArrays.allocate(padding(shape) + (int) wordCount(shape));
  }

  /**
   * Copies the words of a caller into a new array.
   *
   * @throws IllegalArgumentException if they are not the words of a filter of this shape
   */
  static long[] arrayOf(Shape shape, long[] words) {
    Objects.requireNonNull(words, "words");
    if (words.length != wordCount(shape)) {
      throw new IllegalArgumentException(
          "words must have "
              + wordCount(shape)
              + " elements for "
              + shape
              + ", got "
              + words.length);
    }
    if (hasExcessBits(shape, words[words.length - 1])) {
      throw new IllegalArgumentException("words has bits beyond the last position of " + shape);
    }
    long[] array = array(shape);
    System.arraycopy(words, 0, array, padding(shape), words.length);
    return array;
  }

  /** Returns the contents to write to a file. */
  static FilterContents contents(FilterState<?> state, long[] words) {
    Shape shape = state.shape();
    long bits = WordArrays.countBits(words);
    FilterKind kind =
        shape instanceof BlockedShape ? BlockedBloomFilter.KIND : ClassicBloomFilter.KIND;
    return FilterContents.of(kind.code(), state.identity(), fields(shape))
        .plan(state.plan())
        .elementCount(state.elements().get(), minElements(shape, bits), maxElements(bits))
        .section(SectionRole.WORDS, words, padding(shape), words.length - padding(shape))
        .build();
  }

  private static long[] fields(Shape shape) {
    return shape instanceof BlockedShape blocked
        ? new long[] {blocked.blocks(), blocked.positionsPerBlock(), blocked.hashes()}
        : new long[] {shape.positions(), shape.hashes()};
  }

  /** Reads and checks the header of a {@link ClassicBloomFilter}. */
  static FlatShape readFlat(FilterReader reader, StrategyIdentity strategy, long maxPositions)
      throws FilterFormatException {
    reader.require(ClassicBloomFilter.KIND.code(), strategy, 2);
    return ShapeFields.readFlat(reader, maxPositions);
  }

  /** Reads and checks the header of a {@link BlockedBloomFilter}. */
  static BlockedShape readBlocked(FilterReader reader, StrategyIdentity strategy, long maxPositions)
      throws FilterFormatException {
    reader.require(BlockedBloomFilter.KIND.code(), strategy, 3);
    long positionsPerBlock =
        reader.field(
            1, "positionsPerBlock", BlockedShape.COUNTERS_PER_BLOCK, BlockedShape.BITS_PER_BLOCK);
    if (positionsPerBlock != BlockedShape.COUNTERS_PER_BLOCK
        && positionsPerBlock != BlockedShape.BITS_PER_BLOCK) {
      throw reader.wrongField(1, "there are no blocks of " + positionsPerBlock + " positions");
    }
    return ShapeFields.readBlocked(reader, (int) positionsPerBlock, 2, maxPositions);
  }

  /**
   * Reads the words of a filter into a new array. Allocates it only after the section header
   * announces that many words.
   */
  static long[] readWords(FilterReader reader, Shape shape, OptionalLong elementCount)
      throws IOException {
    Objects.requireNonNull(reader, "reader");
    Objects.requireNonNull(elementCount, "elementCount");
    int count = (int) wordCount(shape);
    SectionReader section = reader.section(SectionRole.WORDS, count);
    long[] words = array(shape);
    section.readInto(words, padding(shape), count);
    long bits = WordArrays.countBits(words);
    reader.requireElementCount(elementCount, minElements(shape, bits), maxElements(bits));
    if (hasExcessBits(shape, words[words.length - 1])) {
      throw reader.wrongSection(excessBits(shape));
    }
    return words;
  }

  /** Maps the words of a file without reading them. */
  static MappedWords mappedWords(MappedFile file, Shape shape) throws IOException {
    return file.section(SectionRole.WORDS, wordCount(shape));
  }

  /** Checks mapped words, as {@link #readWords} checks the words that it reads. */
  static void verify(MappedWords mapped, Shape shape, OptionalLong elementCount)
      throws FilterFormatException {
    long bits = mapped.verify();
    if (hasExcessBits(shape, mapped.get(mapped.size() - 1))) {
      throw mapped.wrong(excessBits(shape));
    }
    if (elementCount.isPresent()) {
      long count = elementCount.getAsLong();
      if (count < minElements(shape, bits) || count > maxElements(bits)) {
        throw mapped.wrong(
            bits + " bits are set, which is impossible for the element count of " + count);
      }
    }
  }

  private static boolean hasExcessBits(Shape shape, long lastWord) {
    long unused = wordCount(shape) * Long.SIZE - shape.positions();
    return unused > 0 && lastWord >>> (Long.SIZE - unused) != 0;
  }

  private static String excessBits(Shape shape) {
    return "bits beyond the last position of " + shape + " are set";
  }

  private static long minElements(Shape shape, long bits) {
    return (bits + shape.hashes() - 1) / shape.hashes();
  }

  private static long maxElements(long bits) {
    return bits == 0 ? 0 : Long.MAX_VALUE;
  }
}
