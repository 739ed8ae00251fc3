package io.bloomkit.stress;

import io.bloomkit.FlatShape;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The simplest filter that satisfies the contract of a concurrent aging filter. It has four slices
 * of one word, and an element sets a bit in the two youngest slices. Each of the {@link
 * BrokenAgingFilters} breaks one of its methods.
 */
class SoundAgingFilter implements RacedFilter {

  private static final int SLICES = 4;
  private static final int ACTIVE = 2;

  /** The positions of the active slices. */
  static final long POSITIONS = ACTIVE * Long.SIZE;

  /**
   * The shape for the positions of an element; its i-th position is that in slice i of the ring.
   */
  private static final FlatShape SHAPE = new FlatShape(Long.SIZE, SLICES);

  /**
   * The slices by age, with the number of additions that joined the generation or came too late.
   */
  static final class Generation {

    final int number;
    final AtomicLong[] slices;
    final AtomicInteger additions = new AtomicInteger();

    Generation(int number, AtomicLong[] slices) {
      this.number = number;
      this.slices = slices;
    }

    long bit(long hash, int age) {
      return 1L << SHAPE.positionOf(hash, Math.floorMod(age - number, SLICES));
    }

    boolean hits(long hash, int age) {
      return (slices[age].get() & bit(hash, age)) != 0;
    }

    Generation next(AtomicLong youngest) {
      AtomicLong[] next = new AtomicLong[SLICES];
      next[0] = youngest;
      System.arraycopy(slices, 0, next, 1, SLICES - 1);
      return new Generation(number + 1, next);
    }

    AtomicLong oldest() {
      return slices[SLICES - 1];
    }
  }

  volatile Generation current;

  SoundAgingFilter() {
    AtomicLong[] slices = new AtomicLong[SLICES];
    Arrays.setAll(slices, age -> new AtomicLong());
    current = new Generation(0, slices);
  }

  boolean join(Generation generation) {
    return generation.additions.getAndIncrement() < Generations.ADDITIONS_OF_EACH;
  }

  void end(Generation over) {
    synchronized (this) {
      if (current == over) {
        current = over.next(new AtomicLong());
      }
    }
  }

  @Override
  public final boolean add(long hash) {
    Generation generation = current;
    while (!join(generation)) {
      end(generation);
      generation = current;
    }
    boolean wasSet = true;
    for (int age = 0; age < ACTIVE; age++) {
      long bit = generation.bit(hash, age);
      wasSet &= (generation.slices[age].getAndUpdate(before -> before | bit) & bit) != 0;
    }
    return !wasSet && !contains(generation, hash, ACTIVE);
  }

  @Override
  public boolean mightContain(long hash) {
    return contains(current, hash, 0);
  }

  /** Returns whether an element is in two consecutive slices, from an age on. */
  static boolean contains(Generation generation, long hash, int youngest) {
    for (int age = youngest; age < SLICES - 1; age++) {
      if (generation.hits(hash, age) && generation.hits(hash, age + 1)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public final boolean holdsTheSameAs(RacedFilter other) {
    return other instanceof SoundAgingFilter that && contents().equals(that.contents());
  }

  private String contents() {
    Generation generation = current;
    return generation.number
        + Arrays.toString(generation.slices)
        + Math.min(generation.additions.get(), Generations.ADDITIONS_OF_EACH);
  }

  @Override
  public final long positions() {
    return POSITIONS;
  }

  @Override
  public final int hashes() {
    return ACTIVE;
  }

  @Override
  public final BitSet taken() {
    return taken(current.slices[0].get(), current.slices[1].get());
  }

  /**
   * Returns the positions in two slices. Position p is numbered 2p in the first slice and 2p + 1 in
   * the second, so that both slices share words.
   */
  static BitSet taken(long first, long second) {
    BitSet taken = new BitSet();
    for (int position = 0; position < Long.SIZE; position++) {
      taken.set(2 * position, (first >>> position & 1) != 0);
      taken.set(2 * position + 1, (second >>> position & 1) != 0);
    }
    return taken;
  }
}
