package io.bloomkit.cuckoo;

import org.jspecify.annotations.Nullable;

/**
 * Adds many hashes at once. A chunk that gets many for its size is replaced by one with a new table
 * for its fingerprints and the added ones. So each fingerprint is stored once, in a table that is
 * in the cache, and no table grows. Others get their fingerprints one after another.
 */
class BulkAddition extends BulkUpdate {

  /** A table is filled anew if it holds no more fingerprints per added one. */
  private static final int MAX_MOVED = 2;

  /** The number of fingerprints that were absent. */
  private long absent;

  private final DynamicFingerprints counts;

  /** Returns an addition, or null if it is faster to add the hashes one by one. */
  static @Nullable BulkAddition of(
      DynamicFingerprints counts,
      long[] hashes,
      int offset,
      int length,
      boolean @Nullable [] answers) {
    long present = counts.distinct();
    int scratch = scratch(length, counts.scratchBytes());
    try {
      return isAdditionFaster(length, present) && isEnough(scratch, length)
          ? new BulkAddition(counts, hashes, offset, length, present + length, scratch, answers)
          : null;
    } catch (OutOfMemoryError e) {
      return null; // One by one, they take less memory.
    }
  }

  /**
   * Prepares an addition.
   *
   * @param expected the number of fingerprints that the filter will hold
   */
  BulkAddition(DynamicFingerprints counts, long[] hashes, int offset, int length, long expected) {
    this(counts, hashes, offset, length, expected, scratch(length, DEFAULT_SCRATCH_BYTES), null);
  }

  /** Prepares an addition that sorts a number of hashes at once, at most. */
  BulkAddition(
      DynamicFingerprints counts,
      long[] hashes,
      int offset,
      int length,
      long expected,
      int scratch,
      boolean @Nullable [] answers) {
    super(counts.chunks(), hashes, offset, length, expected, scratch, answers, null);
    this.counts = counts;
  }

  /** Returns the number of fingerprints that were absent. */
  long absent() {
    return absent;
  }

  @Override
  boolean update(Chunk chunk, int from, int to) {
    int depth = chunk.shape.depth;
    synchronized (chunk) {
      if (chunk.isReplaced()) {
        return false;
      }
      boolean isWorthIt =
          depth <= bits && chunk.size() / MAX_MOVED <= to - from && isReplaceable(chunk, to - from);
      int expected = isWorthIt ? expectedAbsent(chunk, from, to) : 0;
      long all = (long) chunk.size() + expected;
      boolean isOneTable = all <= sizes.maxFingerprintsAt(depth);
      if (!isOneTable && depth < bits) {
        chunks.divide(chunk);
        return false;
      }
      if (isOneTable && isWorthIt) {
        Chunk refilled = chunk.refilled(sorted, from, to, expected, sizes);
        if (refilled != null) {
          int more = refilled.size() - chunk.size();
          chunks.replace(chunk, refilled);
          counts.recordChange(more, to - from);
          absent += more;
          return true;
        }
      }
    }
    absent += counts.addFingerprints(chunk, sorted, from, to);
    return true;
  }

  @Override
  boolean isUpdatedWith(long hash) {
    boolean isAbsent = counts.addHash(hash);
    absent += isAbsent ? 1 : 0;
    return isAbsent;
  }

  @Override
  void takeBack(long hash, boolean wasAbsent) {
    counts.undoAddition(sizes.space.fingerprintOf(hash));
  }
}
