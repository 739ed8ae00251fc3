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
  long forced;

  boolean isRemoval(int index) {
    return type == LogFormat.REMOVALS
        || (type == LogFormat.MIXED && ((removals[index / Long.SIZE] >>> index) & 1) != 0);
  }

  /** Returns a frame that is not changed by the next one. */
  Frame copy() {
    Frame copy = new Frame();
    copy.hashes = Arrays.copyOf(hashes, count);
    copy.removals = removals.clone();
    copy.type = type;
    copy.count = count;
    copy.epoch = epoch;
    copy.forced = forced;
    return copy;
  }
}
