package io.bloomkit.cuckoo;

import java.util.SplittableRandom;
import java.util.function.BiConsumer;

/**
 * A filter before a race, and hashes to race with. It is copied for each race; the shapes of all
 * tables have been made.
 *
 * @param stays held
 * @param removed held; its removal makes a table shrink or be joined, in {@link #joining}
 * @param added not held
 * @param alsoAdded not held
 */
record RaceSetup(ChunkDirectory chunks, long stays, long removed, long added, long alsoAdded) {

  private static final int MAX_ELEMENTS = 20;
  private static final int MAX_TRIES = 10_000;

  private static long hash(long number) {
    return new SplittableRandom(number).nextLong();
  }

  private static DynamicFingerprints empty() {
    return new DynamicFingerprints(
        new TableSizes(
            FingerprintSpace.ofAtLeast(100_000L * MAX_ELEMENTS), MAX_ELEMENTS, 1, false, 0));
  }

  /** One element, once. */
  static RaceSetup ofOne() {
    DynamicFingerprints filter = empty();
    filter.addHash(hash(0));
    return setup(filter, 0, 0, 1, 2);
  }

  /** Two chunks; the hashes to be added are of the first and of the second one. */
  static RaceSetup ofTwoChunks() {
    DynamicFingerprints filter = empty();
    int held = 0;
    while (filter.chunks().chunkOf(0).shape.depth == 0) {
      filter.addHash(hash(held++));
    }
    int first = held;
    while (hash(first) < 0) {
      first++;
    }
    int second = held;
    while (hash(second) >= 0) {
      second++;
    }
    return setup(filter, 0, 0, first, second);
  }

  /** The next addition takes a larger table. */
  static RaceSetup growing() {
    return filledUntil(
        (before, after) -> isAtItsLimit(before) && after.shape.sizeIndex > before.shape.sizeIndex);
  }

  /** The next addition divides a table. */
  static RaceSetup dividing() {
    return filledUntil(
        (before, after) -> isAtItsLimit(before) && after.shape.depth > before.shape.depth);
  }

  /** Otherwise an addition moves many elements in vain, which Lincheck takes for a hang. */
  private static boolean isAtItsLimit(Chunk chunk) {
    return chunk.size() >= chunk.shape.limit;
  }

  private interface Change {
    boolean isBetween(Chunk before, Chunk after);
  }

  private static RaceSetup filledUntil(Change change) {
    DynamicFingerprints filter = empty();
    for (int number = 0; number < MAX_TRIES; number++) {
      DynamicFingerprints next = filter.copy();
      next.addHash(hash(number));
      if (change.isBetween(chunkOf(filter, number), chunkOf(next, number))) {
        int stays = heldIn(chunkOf(filter, number), number);
        int also = number + 1;
        while (chunkOf(filter, also) != chunkOf(filter, number)) {
          also++;
        }
        return setup(filter, stays, stays, number, also);
      }
      filter = next;
    }
    throw new AssertionError("no such filter");
  }

  private static Chunk chunkOf(DynamicFingerprints filter, int number) {
    return filter.chunks().chunkOf(hash(number));
  }

  private static int heldIn(Chunk chunk, int end) {
    int number = 0;
    while (number < end && !chunk.containsHash(hash(number))) {
      number++;
    }
    return number;
  }

  /** The next addition displaces an element, which is not to be found for a moment. */
  static RaceSetup displacing() {
    DynamicFingerprints filter = empty();
    for (int number = 0; number < MAX_TRIES; number++) {
      DynamicFingerprints next = filter.copy();
      int[] missing = {-1};
      int end = number;
      SingleBytes.atWrite =
          () -> {
            for (int i = 0; i < end && chunkOf(next, i).version() != 0; i++) {
              missing[0] = chunkOf(next, i).containsHash(hash(i)) ? missing[0] : i;
            }
          };
      next.addHash(hash(number));
      SingleBytes.atWrite = null;
      if (missing[0] >= 0 && chunkOf(next, number).shape == chunkOf(filter, number).shape) {
        return setup(filter, missing[0], missing[0], number, number + 1);
      }
      filter = next;
    }
    throw new AssertionError("no such filter");
  }

  /** The next removal joins two tables. */
  static RaceSetup joining() {
    DynamicFingerprints filter = empty();
    int held = 0;
    while (filter.chunks().chunkOf(0).shape.depth == 0) {
      filter.addHash(hash(held++));
    }
    for (int number = held - 1; number > 0; number--) {
      DynamicFingerprints next = filter.copy();
      next.removeHash(hash(number));
      if (next.chunks().chunkOf(0).shape.depth == 0) {
        return setup(filter, 0, number, held, held + 1);
      }
      filter = next;
    }
    throw new AssertionError("no such filter");
  }

  private static RaceSetup setup(
      DynamicFingerprints filter, int stays, int removed, int added, int alsoAdded) {
    // Each operation once, in either order, so that a race makes no shape.
    int[] numbers = {added, alsoAdded};
    BiConsumer<DynamicFingerprints, Integer> both =
        (it, first) -> {
          it.addHash(hash(numbers[first]));
          it.addHash(hash(numbers[1 - first]));
          it.addHash(hash(added));
          it.removeHash(hash(removed));
          it.countHash(hash(added));
        };
    both.accept(filter.copy(), 0);
    both.accept(filter.copy(), 1);
    DynamicFingerprints removedFirst = filter.copy();
    removedFirst.removeHash(hash(removed));
    both.accept(removedFirst, 0);
    return new RaceSetup(filter.chunks(), hash(stays), hash(removed), hash(added), hash(alsoAdded));
  }
}
