package io.bloomkit.durable;

import java.util.Arrays;

/** Updates that are not yet in the log, in the order in which a {@link Stripe} took them. */
final class UpdateBuffer {

  final long[] hashes;

  /** A bit for each hash: 1 for a removal. */
  private final long[] removals;

  int count;
  int removalCount;

  /** Creates an empty buffer. */
  UpdateBuffer(int capacity) {
    hashes = new long[capacity];
    removals = new long[(capacity + Long.SIZE - 1) / Long.SIZE];
  }

  void markRemoval(int index) {
    removals[index / Long.SIZE] |= 1L << index;
  }

  boolean isRemoval(int index) {
    return ((removals[index / Long.SIZE] >>> index) & 1) != 0;
  }

  void clear() {
    if (removalCount > 0) {
      Arrays.fill(removals, 0);
      removalCount = 0;
    }
    count = 0;
  }
}
