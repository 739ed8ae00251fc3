package io.bloomkit.counting;

import io.bloomkit.internal.LongCounts;

/** A table that can be told to find no memory for another size. */
public final class ScarceCounts extends LongCounts {

  public boolean memoryIsGone;

  /** How many more arrays there is memory for. */
  int arraysLeft = Integer.MAX_VALUE;

  @Override
  protected long[] allocate(int length) {
    if (memoryIsGone || arraysLeft-- == 0) {
      throw new OutOfMemoryError("of the test");
    }
    return super.allocate(length);
  }
}
