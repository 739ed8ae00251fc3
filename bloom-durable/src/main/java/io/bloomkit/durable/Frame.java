package io.bloomkit.durable;

import java.util.Arrays;

/** Updates that were read from a log. The arrays are reused for the next frame. */
final class Frame {

  long[] hashes = new long[0];

  /** A bit for each hash: 1 for a removal. Only for {@link LogFormat#MIXED}. */
  long[] removals = new long[0];

  int type;
  int count;
  long epoch;

  boolean isRemoval(int index) {
    return type == LogFormat.REMOVALS
        || (type == LogFormat.MIXED && ((removals[index / Long.SIZE] >>> index) & 1) != 0);
  }

  /** Appends the updates of another frame to this one, of the type {@link LogFormat#MIXED}. */
  void append(Frame more) {
    int total = count + more.count;
    if (total > hashes.length) {
      hashes = Arrays.copyOf(hashes, Math.max(total, 2 * hashes.length));
      removals = Arrays.copyOf(removals, (hashes.length + Long.SIZE - 1) / Long.SIZE);
    }
    System.arraycopy(more.hashes, 0, hashes, count, more.count);
    for (int i = 0; i < more.count; i++, count++) {
      long bit = 1L << count;
      removals[count / Long.SIZE] &= ~bit;
      removals[count / Long.SIZE] |= more.isRemoval(i) ? bit : 0;
    }
  }
}
