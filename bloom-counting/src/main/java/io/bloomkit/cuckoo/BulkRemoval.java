package io.bloomkit.cuckoo;

import org.jspecify.annotations.Nullable;

/**
 * Removes many hashes at once. It removes the fingerprints of each chunk from a copy of the chunk,
 * which then replaces it. If there is no memory for the copy, it removes them one by one.
 */
final class BulkRemoval extends BulkUpdate {

  /** If a filter holds more fingerprints per hash, the hashes are removed one by one. */
  private static final int MAX_PRESENT = 64;

  private final DynamicFingerprints counts;
  private long removed;

  /** Returns a removal, or null if it is faster to remove the hashes one by one. */
  static @Nullable BulkRemoval of(
      DynamicFingerprints counts,
      long[] hashes,
      int offset,
      int length,
      boolean @Nullable [] answers) {
    int scratch = scratch(length, counts.scratchBytes());
    try {
      return isFaster(length, counts.distinct()) && isEnough(scratch, length)
          ? new BulkRemoval(counts, hashes, offset, length, scratch, answers)
          : null;
    } catch (OutOfMemoryError e) {
      return null; // One by one, they take less memory.
    }
  }

  /** Prepares a removal that sorts a number of hashes at once, at most. */
  BulkRemoval(
      DynamicFingerprints counts,
      long[] hashes,
      int offset,
      int length,
      int scratch,
      boolean @Nullable [] answers) {
    super(
        counts.chunks(),
        hashes,
        offset,
        length,
        counts.distinct(),
        scratch,
        answers,
        answers == null ? new boolean[length] : null); // now, as later there may be no memory
    this.counts = counts;
  }

  private static boolean isFaster(long hashes, long present) {
    return hashes >= MIN_LENGTH && present / MAX_PRESENT <= hashes;
  }

  long removed() {
    return removed;
  }

  @Override
  boolean update(Chunk chunk, int from, int to) {
    synchronized (chunk) {
      if (chunk.isReplaced()) {
        return false;
      }
      boolean isCopied = chunk.shape.depth <= bits && isReplaceable(chunk, to - from);
      Chunk rest = isCopied ? without(chunk, from, to) : null;
      if (rest != null) {
        long fewer = chunk.total() - rest.total();
        int fewerDistinct = chunk.size() - rest.size();
        chunks.replace(chunk, rest);
        counts.recordChange(-fewerDistinct, -fewer);
        removed += fewer;
        return true;
      }
    }
    removed += counts.removeFingerprints(chunk, sorted, from, to);
    return true;
  }

  /** Shrinks the tables only now: until here, the removals might have had to be taken back. */
  @Override
  void finish() {
    chunks.shrinkAll();
  }

  private @Nullable Chunk without(Chunk chunk, int from, int to) {
    try {
      return chunk.without(sorted, from, to, sizes);
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  @Override
  boolean isUpdatedWith(long hash) {
    boolean isRemoved = counts.removeFingerprint(sizes.space.fingerprintOf(hash));
    removed += isRemoved ? 1 : 0;
    return isRemoved;
  }

  @Override
  void takeBack(long hash, boolean wasRemoved) {
    if (wasRemoved) {
      counts.undoRemoval(sizes.space.fingerprintOf(hash));
    }
  }
}
