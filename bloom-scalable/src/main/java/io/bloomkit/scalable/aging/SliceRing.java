package io.bloomkit.scalable.aging;

import io.bloomkit.internal.IndexDerivation;
import java.util.Arrays;

/**
 * The bits of a single-writer filter in one array. When a generation ends, the oldest slice is
 * cleared and becomes the youngest.
 *
 * <p>Separate from the counts of {@link PlainSlices}, because with both in one object queries took
 * 10 % longer on JDK 17.
 */
final class SliceRing {

  private final int hashes;
  private final int slices;
  private final long slicePositions;
  private final int sliceWords;

  /** The factor from the start state of an element to its state for each slice. */
  private final long[] leaps;

  /**
   * The slices of the ring one after another. A slice is contiguous, so clearing it writes only its
   * own cache lines. With interleaved slices, an addition would touch fewer cache lines, but the
   * end of a generation would write every cache line of the filter.
   */
  private final long[] words;

  /** The number of set bits of each slice of the ring. */
  private final long[] setPositions;

  private int youngest;

  /** Creates a ring over given words, which are not copied, as of a generation. */
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

  /** Returns the words without copying them. */
  long[] words() {
    return words;
  }

  /** Returns whether the bits of an element are set in k consecutive slices below an age. */
  boolean contains(long start, int ages) {
    return contains(start, ages, hashes - 1, -1);
  }

  /**
   * Returns whether the bits of an element are set in k consecutive slices (a run) below an age. A
   * slice without the bit rules out every run that contains it. Therefore the search starts at the
   * oldest slice of the youngest possible run, and continues to younger slices. It stops at a slice
   * without the bit, or where the younger slices of the run are known to have the bit.
   *
   * @param start the start state of the element
   * @param ages the age below which slices are read
   * @param oldest the age of the oldest slice of the youngest possible run
   * @param known the age from which all younger slices of that run are known to have the bit
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
   * Sets the positions of an element. Returns whether the element was positive before. The k
   * youngest slices are read and written in one pass without a branch. Older slices are read only
   * if a bit was missing in this pass, beginning with the youngest run that excludes the oldest
   * such slice.
   */
  boolean containsThenAdd(long start) {
    int slice = youngest;
    long misses = 0; // bit i: the bit in the slice of age i was missing
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
