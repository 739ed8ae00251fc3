package io.bloomkit.counting.dynamic;

/**
 * Fills an empty multiset with distinct fingerprints that come in ascending order, as in a file:
 * each chunk once and in a table of its size, without growth.
 *
 * <p>Fingerprints are kept until all of a chunk have come. Nothing depends on how many are
 * announced.
 */
final class AscendingLoader {

  /**
   * All fingerprints of the smallest possible chunk, so that one is complete when they are kept.
   */
  private static final int MOST_KEPT = 2 << FingerprintSpace.LEAST_FACTOR_LOG_2;

  private final FingerprintCounts fingerprints;
  private final TableSizes sizes;
  private final FingerprintBuffer kept;

  /** The first fingerprint that is in no chunk, except those in {@link #kept}. */
  private long start;

  AscendingLoader(FingerprintCounts fingerprints, FingerprintBuffer empty) {
    this.fingerprints = fingerprints;
    this.sizes = fingerprints.chunks().sizes;
    this.kept = empty;
  }

  /** Takes the next fingerprint. */
  void add(long fingerprint) {
    if (kept.size() == MOST_KEPT) {
      fillBelow(fingerprint);
    }
    kept.add(fingerprint);
  }

  /** Fills the chunks that are left. */
  void finish() {
    fillBelow(sizes.space.fingerprints());
  }

  /** Fills all chunks that end at a fingerprint or below it: theirs have all come. */
  private void fillBelow(long end) {
    int depth = 0;
    while (start < end && depth <= sizes.space.maxDepth()) {
      long size = sizes.space.fingerprints(depth);
      boolean isFirst = start % size == 0;
      if (isFirst && size > end - start && mayBeWhole(depth, size)) {
        return;
      }
      boolean isWhole = isFirst && size <= end - start;
      depth = isWhole && isFilled(depth, kept.sizeBelow(start + size)) ? 0 : depth + 1;
    }
  }

  /** Returns whether there is room to wait for the rest of a chunk, which may fit one table. */
  private boolean mayBeWhole(int depth, long size) {
    return kept.size() < MOST_KEPT && kept.sizeBelow(start + size) <= sizes.mostAt(depth);
  }

  /** Fills the chunk of a depth that begins at {@link #start}, if it is not to be divided. */
  private boolean isFilled(int depth, int count) {
    long size = sizes.space.fingerprints(depth);
    if (count > sizes.mostAt(depth)
        || isCluster(depth, count)
        || (count > 0 && !fingerprints.fill(depth, start / size, kept, count))) {
      return false;
    }
    kept.removeFirst(count);
    start += size;
    return true;
  }

  /** Returns whether many fingerprints all lie in one half of a chunk, which is no coincidence. */
  private boolean isCluster(int depth, int count) {
    if (count < TableSizes.LEAST_CLUSTER || depth == sizes.space.maxDepth()) {
      return false;
    }
    long half = sizes.space.fingerprints(depth + 1);
    return (kept.get(0) - start) / half == (kept.get(count - 1) - start) / half;
  }
}
