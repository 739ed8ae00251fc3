package io.bloomkit.scalable.aging;

import io.bloomkit.internal.IndexDerivation;
import java.util.Arrays;

/**
 * The bits of a single-writer filter: one array, whose oldest slice is cleared to be the youngest.
 *
 * <p>Apart from the counts of {@link PlainSlices}: with both in one object queries took a tenth
 * longer, measured on JDK 17.
 */
final class SliceRing {

  private final int hashes;
  private final int slices;
  private final long slicePositions;
  private final int sliceWords;

  /** The factor from the start of an element to its position in each slice. */
  private final long[] leaps;

  /**
   * The slices of the ring one after another. A slice is contiguous, so clearing it is one pass
   * over its own lines: with interleaved slices an addition would touch fewer lines, but the end of
   * a generation would write every line of the filter.
   */
  private final long[] words;

  /** The number of set bits of each slice of the ring. */
  private final long[] setPositions;

  private int youngest;

  /** A ring over given words, which are not copied, in a generation. */
  SliceRing(AgingShape shape, long[] words, long generation) {
    this.hashes = shape.hashes();
    this.slices = shape.slices();
    this.slicePositions = shape.slicePositions();
    this.sliceWords = (int) (slicePositions >>> AgingSlices.BITS_PER_WORD_LOG_2);
    this.leaps = new long[slices];
    this.words = words;
    this.setPositions = new long[slices];
    for (int i = 0; i < slices; i++) {
      leaps[i] = IndexDerivation.leap(i);
    }
    for (int i = 0; i < words.length; i++) {
      setPositions[i / sliceWords] += Long.bitCount(words[i]);
    }
    this.youngest = AgingSlices.youngest(shape, generation);
  }

  /** Returns the words themselves, no copy. */
  long[] words() {
    return words;
  }

  /** Whether k consecutive slices hit, of those below an age. */
  boolean contains(long start, int ages) {
    return contains(start, ages, hashes - 1, -1);
  }

  /**
   * Whether k consecutive slices hit, of those below an age. A slice that misses rules out every
   * run of k through it. So the next slice to read is the last of the youngest run that is left:
   * down from there until a slice misses or those known to hit are met.
   *
   * @param start the state of the element
   * @param ages the number of slices to read
   * @param oldest the last slice of the youngest run that is possible
   * @param known down from here, all slices of that run are known to hit
   */
  private boolean contains(long start, int ages, int oldest, int known) {
    while (oldest < ages) {
      int age = oldest;
      while (age > known && hits(start, age)) {
        age--;
      }
      if (age == known) {
        return true;
      }
      known = oldest;
      oldest = age + hashes;
    }
    return false;
  }

  private boolean hits(long start, int age) {
    int slice = sliceOf(age);
    long position = IndexDerivation.position(start * leaps[slice], slicePositions);
    return (words[wordOf(slice, position)] >>> position & 1) != 0;
  }

  /**
   * Sets the positions of an element and returns whether the ring contained it before. The k
   * youngest slices are read and written in one pass without a branch. The others are read only if
   * one of these missed, beginning with the run after the oldest miss.
   */
  boolean containsThenAdd(long start) {
    int slice = youngest;
    long misses = 0; // bit i for age i
    for (int age = 0; age < hashes; age++) {
      long position = IndexDerivation.position(start * leaps[slice], slicePositions);
      int word = wordOf(slice, position);
      long before = words[word];
      words[word] = before | 1L << position;
      long missed = ~before >>> position & 1;
      setPositions[slice] += missed;
      misses |= missed << age;
      slice++;
      if (slice == slices) {
        slice = 0;
      }
    }
    if (misses == 0) {
      return true;
    }
    int oldestMiss = Long.SIZE - 1 - Long.numberOfLeadingZeros(misses);
    return contains(start, slices, oldestMiss + hashes, hashes - 1);
  }

  /** Clears the oldest slice and makes it the youngest. */
  void turn() {
    youngest = youngest == 0 ? slices - 1 : youngest - 1;
    int from = youngest * sliceWords;
    Arrays.fill(words, from, from + sliceWords, 0);
    setPositions[youngest] = 0;
  }

  /** Clears all slices and begins with generation 0. */
  void clear() {
    Arrays.fill(words, 0);
    Arrays.fill(setPositions, 0);
    youngest = 0;
  }

  /** Returns the number of set bits of the slice of an age. */
  long setPositions(int age) {
    return setPositions[sliceOf(age)];
  }

  private int sliceOf(int age) {
    int slice = youngest + age;
    return slice < slices ? slice : slice - slices;
  }

  private int wordOf(int slice, long position) {
    return slice * sliceWords + (int) (position >>> AgingSlices.BITS_PER_WORD_LOG_2);
  }
}
