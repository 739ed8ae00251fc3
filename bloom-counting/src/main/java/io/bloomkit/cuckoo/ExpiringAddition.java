package io.bloomkit.cuckoo;

import org.jspecify.annotations.Nullable;

/** Adds many hashes to an {@link ExpiringFingerprints} at once, all of them in one epoch. */
final class ExpiringAddition extends BulkUpdate {

  private final ExpiringFingerprints fingerprints;
  private final int epochs;
  private final long now;
  private long added;

  /**
   * Prepares an addition.
   *
   * @param epochs the number of epochs until the hashes expire
   * @param now the present epoch
   */
  ExpiringAddition(
      ExpiringFingerprints fingerprints,
      long[] hashes,
      int offset,
      int length,
      int epochs,
      long now,
      boolean @Nullable [] answers) {
    super(
        fingerprints.chunks(),
        hashes,
        offset,
        length,
        fingerprints.stored() + length,
        scratch(length, DEFAULT_SCRATCH_BYTES),
        answers,
        answers == null ? new boolean[length] : null); // now, as later there may be no memory
    this.fingerprints = fingerprints;
    this.epochs = epochs;
    this.now = now;
  }

  /** Returns the number of fingerprints that were not alive. */
  long added() {
    return added;
  }

  @Override
  boolean update(Chunk chunk, int from, int to) {
    if (isEnlarged(chunk, from, to)) {
      return false;
    }
    added += fingerprints.addFingerprints(chunk, sorted, from, to, epochs, now);
    return true;
  }

  /** Replaces a chunk that would grow several times by one with room for all, or by two. */
  private boolean isEnlarged(Chunk chunk, int from, int to) {
    int depth = chunk.shape.depth;
    if (chunk.size() / 2 > to - from || depth > bits) {
      return false;
    }
    synchronized (chunk) {
      if (chunk.isReplaced()) {
        return false;
      }
      long expected = chunk.size() + (long) expectedAbsent(chunk, from, to);
      long all = Math.min(expected, chunk.shape.fingerprints);
      if (all <= chunk.shape.limit) {
        return false;
      }
      if (all <= sizes.maxFingerprintsAt(depth)) {
        chunks.replace(chunk, chunk.inTableOf(sizes.sizeIndexFor((double) all), sizes));
      } else if (depth < bits) {
        chunks.divide(chunk);
      } else {
        return false;
      }
    }
    return true;
  }

  @Override
  boolean isUpdatedWith(long hash) {
    boolean isAdded = fingerprints.addHash(hash, now, epochs);
    added += isAdded ? 1 : 0;
    return isAdded;
  }

  @Override
  void takeBack(long hash, boolean wasAdded) {
    if (wasAdded) {
      fingerprints.undoAddition(hash, now);
    }
  }
}
