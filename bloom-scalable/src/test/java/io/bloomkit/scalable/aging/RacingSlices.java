package io.bloomkit.scalable.aging;

import io.bloomkit.internal.IndexDerivation;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The simplest concurrent filter by count, of slices of one word, for races to pass on and for
 * broken ones to extend.
 */
abstract class RacingSlices {

  /** The slices by their age, and who joined. */
  static final class Generation {

    final int number;
    final AtomicLong[] bits;
    final AtomicInteger additions = new AtomicInteger();

    Generation(int number, AtomicLong[] bits) {
      this.number = number;
      this.bits = bits;
    }
  }

  final AgingShape shape;
  volatile Generation current;

  RacingSlices(AgingShape shape) {
    this.shape = shape;
    AtomicLong[] bits = new AtomicLong[shape.slices()];
    Arrays.setAll(bits, age -> new AtomicLong());
    this.current = new Generation(0, bits);
  }

  public boolean add(long hash) {
    while (true) {
      Generation generation = current;
      if (join(generation)) {
        return set(generation, hash);
      }
      end(generation);
    }
  }

  boolean join(Generation generation) {
    return generation.additions.getAndIncrement() < shape.generationAdditions();
  }

  /** Ends a generation, unless another thread has. */
  void end(Generation over) {
    synchronized (this) {
      if (current == over) {
        current = after(over, new AtomicLong());
      }
    }
  }

  /** Returns the generation after another, with a slice to begin with. */
  final Generation after(Generation over, AtomicLong youngest) {
    AtomicLong[] bits = new AtomicLong[shape.slices()];
    bits[0] = youngest;
    System.arraycopy(over.bits, 0, bits, 1, bits.length - 1);
    return new Generation(over.number + 1, bits);
  }

  final AtomicLong oldest(Generation generation) {
    return generation.bits[shape.slices() - 1];
  }

  /** Sets the bits of an element. Returns whether it was negative before. */
  boolean set(Generation generation, long hash) {
    boolean wasNegative = false;
    for (int age = 0; age < shape.hashes(); age++) {
      long bit = bit(generation, hash, age);
      wasNegative |= (generation.bits[age].getAndUpdate(before -> before | bit) & bit) == 0;
    }
    return wasNegative && !contains(generation, hash, shape.hashes());
  }

  final long bit(Generation generation, long hash, int age) {
    int slice = Math.floorMod(age - generation.number, shape.slices());
    long state = IndexDerivation.start(hash) * IndexDerivation.leap(slice);
    return 1L << IndexDerivation.position(state, Long.SIZE);
  }

  public boolean mightContain(long hash) {
    return contains(current, hash, 0);
  }

  /** Whether k slices in a row hit, from an age on. */
  final boolean contains(Generation generation, long hash, int youngest) {
    int run = 0;
    for (int age = youngest; age < shape.slices() && run < shape.hashes(); age++) {
      run = (generation.bits[age].get() & bit(generation, hash, age)) == 0 ? 0 : run + 1;
    }
    return run == shape.hashes();
  }

  /** The slices in the order of the ring, the number of the generation and its additions. */
  public final String contents() {
    Generation generation = current;
    long[] ring = new long[shape.slices()];
    for (int age = 0; age < ring.length; age++) {
      ring[Math.floorMod(age - generation.number, ring.length)] = generation.bits[age].get();
    }
    return Arrays.toString(ring)
        + generation.number
        + ":"
        + Math.min(generation.additions.get(), shape.generationAdditions());
  }
}
