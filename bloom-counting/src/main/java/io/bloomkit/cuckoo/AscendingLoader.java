package io.bloomkit.cuckoo;

/**
 * Fills empty chunks with the entries of distinct fingerprints in ascending order, as they are in a
 * file. It fills each chunk once, in a table of the right size, without growth. Without stamps, the
 * entries are the fingerprints; see {@link TableShape}.
 *
 * <p>Fingerprints are buffered until all of a chunk are there. The announced number of fingerprints
 * has no effect, so a damaged file cannot make the loader allocate memory.
 */
final class AscendingLoader {

  /**
   * The largest number of buffered fingerprints. It is that of all fingerprints of the smallest
   * possible chunk, so a full buffer has at least one complete chunk.
   */
  private static final int MAX_BUFFERED = 2 << FingerprintSpace.MIN_FACTOR_LOG_2;

  /** Puts the lowest fingerprints of a buffer into a chunk. */
  @FunctionalInterface
  interface Target {
    /** Does what {@link ChunkDirectory#fill} does. */
    boolean fill(int depth, long prefix, FingerprintBuffer fingerprints, int count);
  }

  private final Target target;
  private final TableSizes sizes;
  private final int stampBits;
  private final FingerprintBuffer buffer;

  /** The lowest fingerprint whose chunk is not yet filled. */
  private long start;

  AscendingLoader(DynamicFingerprints fingerprints, FingerprintBuffer empty) {
    this(fingerprints::fill, fingerprints.chunks().sizes, empty);
  }

  AscendingLoader(Target target, TableSizes sizes, FingerprintBuffer empty) {
    this.target = target;
    this.sizes = sizes;
    this.stampBits = sizes.smallest.stampBits;
    this.buffer = empty;
  }

  /** Adds the next entry. */
  void addEntry(long entry) {
    if (buffer.size() == MAX_BUFFERED) {
      fillBelow(entry >> stampBits);
    }
    buffer.addEntry(entry);
  }

  /** Fills the remaining chunks. */
  void finish() {
    fillBelow(sizes.space.fingerprints());
  }

  /** Fills all chunks that end at a fingerprint or below it: they are complete. */
  private void fillBelow(long end) {
    int depth = 0;
    while (start < end && depth <= sizes.space.maxDepth()) {
      long size = sizes.space.fingerprints(depth);
      boolean isFirst = start % size == 0;
      if (isFirst && size > end - start && mayBeWhole(depth, size)) {
        return;
      }
      boolean isWhole = isFirst && size <= end - start;
      depth = isWhole && isFilled(depth, bufferedBelow(start + size)) ? 0 : depth + 1;
    }
  }

  /** Returns whether a chunk may fit into one table, and the buffer has room for the rest of it. */
  private boolean mayBeWhole(int depth, long size) {
    return buffer.size() < MAX_BUFFERED
        && bufferedBelow(start + size) <= sizes.maxFingerprintsAt(depth);
  }

  /**
   * Fills the chunk of a depth that begins at {@link #start}. Returns false if it needs division.
   */
  private boolean isFilled(int depth, int count) {
    long size = sizes.space.fingerprints(depth);
    if (count > sizes.maxFingerprintsAt(depth)
        || isCluster(depth, count)
        || (count > 0 && !target.fill(depth, start / size, buffer, count))) {
      return false;
    }
    buffer.removeFirst(count);
    start += size;
    return true;
  }

  /** Returns whether a chunk has many fingerprints, all in one half: a sign of clustered hashes. */
  private boolean isCluster(int depth, int count) {
    if (count < TableSizes.MIN_CLUSTER || depth == sizes.space.maxDepth()) {
      return false;
    }
    long half = sizes.space.fingerprints(depth + 1);
    return (bufferedFingerprint(0) - start) / half
        == (bufferedFingerprint(count - 1) - start) / half;
  }

  private long bufferedFingerprint(int index) {
    return buffer.get(index) >> stampBits;
  }

  /** Returns the number of buffered entries with fingerprints below a limit. */
  private int bufferedBelow(long end) {
    return buffer.sizeBelow(end << stampBits);
  }
}
