package io.bloomkit.scalable.aging;

import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterEstimate.Value;
import io.bloomkit.internal.IndexDerivation;
import io.bloomkit.internal.WordArrays;
import io.bloomkit.scalable.aging.AgingBloomFilter.Cycle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The state of a concurrent filter. Each slice is an array of its own. Additions never clear an
 * array; the array of the oldest slice is dropped.
 *
 * <p><b>Model.</b> A {@link Generation} refers to all slices and never changes its arrays. A
 * volatile field refers to the present generation. An operation reads this field once, and then
 * uses only that generation, whatever other threads do. An addition joins the generation and sets
 * its bits in the k youngest slices of the generation; by count, at most g additions can join. A
 * query reads all slices of the generation. The next generation shares all slices with its
 * predecessor except the oldest slice, which a new array replaces. The first addition that finds
 * the generation over creates the next generation under a lock. Each thread that takes the lock
 * checks again, so no generation is created twice.
 *
 * <p><b>Why no element within the window is lost, and no bit is left behind.</b> Consider an
 * addition that joined generation j but sets its bits only after j has ended. It writes to the
 * slices of j. Up to generation j + l, these arrays are k consecutive slices of the filter, so the
 * element is stored as if the addition had been in time. Afterwards, these arrays leave the filter
 * one by one. No array is used for two rounds of the ring, so no bit of an old addition gets into a
 * new slice. Hence the bits are those of a single-writer filter to which the same additions were
 * made in the order of their generations.
 *
 * <p><b>Why one of several first additions of an element returns true.</b> An addition returns
 * false only if, after it has set its bits, the bits of the element are set in k consecutive
 * slices. Consider the oldest slice in which the racing additions set a bit of the element, and the
 * addition that sets it. All older slices are as they were before the race, and every run that uses
 * only younger slices is shorter than k. Therefore this addition returns false only if the element
 * was positive before, or if additions of other elements set the missing bits.
 */
final class SharedSlices extends AgingSlices {

  /** The index of a counter in its array, so no other data is in the same cache line. */
  private static final int PADDING = 8;

  private final int hashes;
  private final int slices;
  private final long slicePositions;
  private final long mostAdditions;

  /**
   * The factor from the start state of an element to its state for each slice, for two rounds of
   * the ring.
   */
  private final long[] leaps;

  /** The lock for ending a generation. */
  final Object ending = new Object();

  private volatile Generation current;

  /** A generation, which exists from its start. */
  private static final class Generation {

    /** The number of generations before it. */
    final long number;

    final long startMillis;

    /** The index of the youngest slice in the ring. */
    final int youngest;

    /** The slices by their age. */
    final long[][] bits;

    /** Counts the additions that joined and, by count, those that found the generation over. */
    final AtomicLongArray additions = new AtomicLongArray(2 * PADDING);

    Generation(long number, long startMillis, int youngest, long[][] bits, long joined) {
      this.number = number;
      this.startMillis = startMillis;
      this.youngest = youngest;
      this.bits = bits;
      additions.setPlain(PADDING, joined);
    }

    /** Joins this generation. Returns the number of additions that joined before. */
    long join() {
      return additions.getAndIncrement(PADDING);
    }

    long joined() {
      return additions.get(PADDING);
    }
  }

  private SharedSlices(GenerationClock generations, long[][] bits, Cycle cycle) {
    super(generations);
    this.hashes = shape.hashes();
    this.slices = shape.slices();
    this.slicePositions = shape.slicePositions();
    this.mostAdditions = generations.isByCount() ? shape.generationAdditions() : Long.MAX_VALUE;
    this.leaps = new long[2 * slices];
    for (int i = 0; i < leaps.length; i++) {
      leaps[i] = IndexDerivation.leap(i % slices);
    }
    this.current =
        new Generation(
            cycle.generation(),
            cycle.startMillis(),
            youngest(shape, cycle.generation()),
            bits,
            cycle.additions());
  }

  static SharedSlices empty(GenerationClock generations, Cycle cycle) {
    return new SharedSlices(
        generations, new long[generations.shape.slices()][sliceWords(generations.shape)], cycle);
  }

  /**
   * Returns slices with a copy of given words.
   *
   * @param words the slices in the order of the ring
   */
  static SharedSlices of(GenerationClock generations, long[] words, Cycle cycle) {
    AgingShape shape = generations.shape;
    long[][] bits = new long[shape.slices()][];
    int length = sliceWords(shape);
    int slice = youngest(shape, cycle.generation());
    for (int age = 0; age < bits.length; age++) {
      bits[age] = Arrays.copyOfRange(words, slice * length, (slice + 1) * length);
      slice = (slice + 1) % bits.length;
    }
    return new SharedSlices(generations, bits, cycle);
  }

  private static int sliceWords(AgingShape shape) {
    return (int) (shape.slicePositions() >>> BITS_PER_WORD_LOG_2);
  }

  @Override
  boolean contains(long start) {
    Generation generation = current;
    return contains(
        generation, start, slices - generations.passedOver(generation.startMillis), hashes - 1, -1);
  }

  @Override
  boolean add(long start) {
    return generations.isByCount() ? addByCount(start) : addByTime(start);
  }

  private boolean addByCount(long start) {
    while (true) {
      Generation generation = current;
      if (generation.join() < mostAdditions) {
        return !containsThenSet(generation, start);
      }
      synchronized (ending) {
        if (current == generation) {
          // Queries as before the generation ends, so the oldest slice is included.
          boolean contained = contains(generation, start, slices, hashes - 1, -1);
          Generation next = after(generation, 1, 0, 1);
          current = next;
          containsThenSet(next, start);
          return !contained;
        }
      }
    }
  }

  private boolean addByTime(long start) {
    long now = generations.now();
    Generation generation = current;
    if (generations.due(now, generation.startMillis) > 0) {
      generation = presentGeneration(now);
    }
    generation.join();
    return !containsThenSet(generation, start);
  }

  /**
   * Ends the generations that are over, unless another thread has ended them. Returns the present
   * one.
   */
  private Generation presentGeneration(long now) {
    synchronized (ending) {
      Generation generation = current;
      int ended = generations.due(now, generation.startMillis);
      if (ended == slices) {
        current = new Generation(0, now, 0, new long[slices][sliceWords(shape)], 0);
      } else if (ended > 0) {
        current =
            after(generation, ended, generation.startMillis + ended * generations.millis(), 0);
      }
      return current;
    }
  }

  /**
   * Returns the generation that comes a number of generations after another; those between are
   * empty.
   */
  private Generation after(Generation last, int generations, long startMillis, long additions) {
    long number = last.number + generations;
    long[][] bits = new long[slices][];
    for (int age = 0; age < generations; age++) {
      bits[age] = new long[sliceWords(shape)];
    }
    System.arraycopy(last.bits, 0, bits, generations, slices - generations);
    return new Generation(number, startMillis, youngest(shape, number), bits, additions);
  }

  /** Like {@link SliceRing#contains(long, int, int, int)}, for the slices of a generation. */
  private boolean contains(Generation generation, long start, int ages, int oldest, int known) {
    while (oldest < ages) {
      int age = oldest;
      while (age > known && hits(generation, start, age)) {
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

  private boolean hits(Generation generation, long start, int age) {
    long position = position(generation, start, age);
    // Acquire: a thread that sees a bit also sees all earlier writes of the thread that set it.
    long word = (long) WordArrays.WORDS.getAcquire(generation.bits[age], word(position));
    return (word >>> position & 1) != 0;
  }

  /** Like {@link SliceRing#containsThenAdd}, for a generation that the addition has joined. */
  private boolean containsThenSet(Generation generation, long start) {
    int oldestMiss = -1;
    for (int age = 0; age < hashes; age++) {
      long position = position(generation, start, age);
      long bit = 1L << position;
      int word = word(position);
      long[] slice = generation.bits[age];
      // Does not write a bit that is set, so a repeated addition does not take the cache line from
      // other threads.
      if (((long) WordArrays.WORDS.getAcquire(slice, word) & bit) == 0
          && ((long) WordArrays.WORDS.getAndBitwiseOr(slice, word, bit) & bit) == 0) {
        oldestMiss = age;
      }
    }
    return oldestMiss < 0 || contains(generation, start, slices, oldestMiss + hashes, hashes - 1);
  }

  private long position(Generation generation, long start, int age) {
    return IndexDerivation.position(start * leaps[generation.youngest + age], slicePositions);
  }

  private static int word(long position) {
    return (int) (position >>> BITS_PER_WORD_LOG_2);
  }

  @Override
  void clear() {
    long[][] bits = current.bits;
    for (long[] slice : bits) {
      Arrays.fill(slice, 0);
    }
    current = new Generation(0, generations.now(), 0, bits, 0);
  }

  @Override
  SharedSlices copy() {
    while (true) {
      Generation generation = current;
      long[][] bits = generation.bits.clone();
      Arrays.setAll(bits, age -> copyOf(generation.bits[age]));
      // The additions are counted after the copy, so all bits in it belong to counted ones.
      SharedSlices copy = new SharedSlices(generations, bits, cycle(generation));
      if (AgingFile.fault(copy).isEmpty()) {
        return copy;
      }
      Thread.onSpinWait(); // the first addition of the generation is still setting its bits
    }
  }

  @Override
  SharedSlices snapshot() {
    return copy();
  }

  private static long[] copyOf(long[] slice) {
    long[] copy = new long[slice.length];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = (long) WordArrays.WORDS.getAcquire(slice, i);
    }
    return copy;
  }

  @Override
  Cycle cycle() {
    return cycle(current);
  }

  private Cycle cycle(Generation generation) {
    long additions = Math.min(generation.joined(), mostAdditions);
    return new Cycle(generation.number, additions, generation.startMillis);
  }

  @Override
  long setPositions(int age) {
    return setPositions(current, age);
  }

  private static long setPositions(Generation generation, int age) {
    long set = 0;
    for (long word : generation.bits[age]) {
      set += Long.bitCount(word);
    }
    return set;
  }

  @Override
  Value[] fillRatios(int lines) {
    Generation generation = current;
    Value[] ratios = new Value[slices - generations.passedOver(generation.startMillis)];
    int ofEach = Math.max(1, lines / slices);
    Arrays.setAll(ratios, age -> fillRatio(generation.bits[age], ofEach));
    return ratios;
  }

  private Value fillRatio(long[] bits, int lines) {
    return FilterEstimate.ofFlat(
            slicePositions, 1, Long.SIZE, word -> Long.bitCount(bits[(int) word]), lines)
        .fill();
  }

  @Override
  long[] words() {
    Generation generation = current;
    int length = sliceWords(shape);
    long[] words = new long[slices * length];
    int slice = generation.youngest;
    for (long[] bits : generation.bits) {
      System.arraycopy(bits, 0, words, slice * length, length);
      slice = (slice + 1) % slices;
    }
    return words;
  }
}
