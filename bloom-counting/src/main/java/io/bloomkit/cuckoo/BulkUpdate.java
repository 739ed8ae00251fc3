package io.bloomkit.cuckoo;

import io.bloomkit.internal.WordArrays;

/**
 * Adds or removes many hashes at once. It sorts them by chunk, and then changes each chunk once, in
 * the cache and under its monitor. Queries read the old table until a new one replaces it.
 *
 * <p>The hashes are sorted into groups with equal first bits, by counting them. The array for
 * sorted fingerprints has room for {@value #SCRATCH}, or for an eighth of the hashes if that is
 * more, unless the user has set a limit. If there are more hashes, or less memory, each pass over
 * them sorts the next groups. One pass is the fastest; if memory is so scarce that it takes many,
 * there is no bulk update.
 */
abstract class BulkUpdate {

  /** Fewer hashes are added or removed one by one. */
  static final int MIN_LENGTH = 1 << 12;

  /**
   * Instead of the largest number of bytes for sorting: the default, which depends on the batch.
   */
  static final long DEFAULT_SCRATCH_BYTES = -1;

  /** The length of the array for sorted fingerprints, if there are not too many or too few. */
  private static final int SCRATCH = 1 << 24;

  /** The number of passes if there are too many hashes. */
  private static final int PASSES = 8;

  /** The number of passes if memory is scarce; with more, updates one by one are faster. */
  private static final int MAX_PASSES = 32;

  /** The largest number of first bits of a group. */
  private static final int MAX_BITS = 20;

  /** Allocated tables that get fewer hashes on average are not worth groups of their own. */
  private static final int MIN_PER_TABLE = 32;

  /** A table with more places per hash costs more to copy than its hashes one by one. */
  private static final int MAX_PLACES = 256;

  final FingerprintCounts counts;
  final ChunkDirectory chunks;
  final TableSizes sizes;
  final long[] hashes;
  final int offset;
  final int end;

  /** The number of first bits that the hashes of a group share. */
  final int bits;

  /** The fingerprints of consecutive groups. */
  final long[] sorted;

  /** Where each group ends in {@link #sorted}; of later groups, the number of hashes. */
  private final int[] ends;

  /** The first group in {@link #sorted}. */
  private int first;

  /** The hashes of the group that is updated one by one, up to here, are done. */
  private int next;

  /**
   * Prepares an update.
   *
   * @param most the largest number of fingerprints that the filter will hold meanwhile
   * @param scratch the length of the array for sorted fingerprints, at most
   * @throws OutOfMemoryError if there is not even memory for an array that leads to a few passes
   */
  BulkUpdate(
      FingerprintCounts counts, long[] hashes, int offset, int length, long most, int scratch) {
    this.counts = counts;
    this.chunks = counts.chunks();
    this.sizes = chunks.sizes;
    this.hashes = hashes;
    this.offset = offset;
    this.end = offset + length;
    int depth = 0;
    while (depth < MAX_BITS - 1 && most >> depth > sizes.maxFingerprintsAt(depth)) {
      depth++;
    }
    int plannedBits = Math.min(MAX_BITS, sizes.smallest.depth);
    boolean isPlanned = length >> plannedBits >= MIN_PER_TABLE;
    int divided = depth + 1; // since some chunks are divided before others
    this.bits = isPlanned ? Math.max(divided, plannedBits) : divided;
    this.ends = new int[1 << bits];
    this.sorted = allocated(Math.min(length, scratch));
  }

  /** Returns the length of the array for sorted fingerprints of a number of hashes, at most. */
  static int scratch(int length, long maxBytes) {
    return maxBytes == DEFAULT_SCRATCH_BYTES
        ? Math.max(SCRATCH, length / PASSES)
        : (int) Math.min(length, maxBytes / Long.BYTES);
  }

  /** Returns whether an array for sorted fingerprints leads to few passes. */
  static boolean isEnough(int scratch, int length) {
    return scratch >= length / MAX_PASSES;
  }

  /** Returns an array of a length, or a shorter one if memory is scarce. */
  private long[] allocated(int length) {
    int room = length;
    while (true) {
      try {
        return WordArrays.allocate(room);
      } catch (OutOfMemoryError e) {
        room /= 2;
        if (!isEnough(room, end - offset)) {
          throw e;
        }
      }
    }
  }

  /** Returns whether the table of a chunk is small enough to be replaced for a number of hashes. */
  static boolean isReplaceable(Chunk chunk, int hashes) {
    return chunk.shape.limit / MAX_PLACES <= hashes;
  }

  /**
   * Adds or removes all hashes.
   *
   * @throws OutOfMemoryError if memory runs out; the changes are taken back then, as far as there
   *     is memory for it
   */
  final void run() {
    for (int i = offset; i < end; i++) {
      ends[groupOf(hashes[i])]++;
    }
    next = offset;
    int done = 0;
    try {
      while (done < ends.length) {
        int last = sort(done);
        if (last == done) {
          updateOneByOne(done);
          done++;
        }
        while (done < last) {
          done = updateFrom(done, last);
        }
        if (done < ends.length) {
          endPass(first, done);
        }
      }
      finish();
    } catch (Error e) { // out of memory, perhaps while a lambda was linked
      endPass(first, done);
      undo(done);
      throw e;
    }
  }

  /**
   * Updates with a group that is too large for the array: a sign of repeated or clustered hashes.
   */
  private void updateOneByOne(int group) {
    for (; next < end; next++) {
      if (groupOf(hashes[next]) == group) {
        updateWith(next);
      }
    }
    next = offset;
  }

  /** Takes the updates with all groups before a given one back, and those one by one. */
  private void undo(int group) {
    for (int i = offset; i < end; i++) {
      int its = groupOf(hashes[i]);
      if (its < group || (its == group && i < next)) {
        takeBack(i);
      }
    }
    chunks.shrinkAll();
  }

  final int groupOf(long hash) {
    return (int) (hash >>> (Long.SIZE - bits));
  }

  /**
   * Sorts as many groups, from a given one on, as there is room for.
   *
   * @return the end of these groups
   */
  private int sort(int from) {
    int size = 0;
    int last = from;
    while (last < ends.length && ends[last] <= sorted.length - size) {
      int start = size;
      size += ends[last];
      ends[last++] = start;
    }
    first = from;
    int groups = last - from;
    for (int i = offset; i < end && groups > 0; i++) {
      int group = groupOf(hashes[i]);
      if (Integer.compareUnsigned(group - from, groups) < 0) {
        sorted[ends[group]++] = sizes.space.fingerprintOf(hashes[i]);
      }
    }
    return last;
  }

  /**
   * Updates with the sorted groups, from a given one on, that belong to one chunk.
   *
   * @return the end of these groups, or the given group if the caller has to try again
   */
  private int updateFrom(int group, int last) {
    Chunk chunk = chunks.chunkOf((long) group << (Long.SIZE - bits));
    int below = Math.max(0, bits - chunk.shape.depth);
    int next = Math.min(last, ((group >>> below) + 1) << below);
    int from = group == first ? 0 : ends[group - 1];
    int to = ends[next - 1];
    return from == to || update(chunk, from, to) ? next : group;
  }

  /**
   * Updates a chunk with a range of {@link #sorted}. If the chunk is deeper than a group, other
   * chunks share the range with it.
   *
   * @return false if the caller has to try again, since another chunk has replaced this one;
   *     nothing has changed then
   * @throws OutOfMemoryError if memory runs out; nothing has changed then
   */
  abstract boolean update(Chunk chunk, int from, int to);

  /**
   * Updates with one of {@link #hashes}.
   *
   * @throws OutOfMemoryError if memory runs out; nothing has changed then
   */
  abstract void updateWith(int index);

  /**
   * Takes the update with one of {@link #hashes} back, unless that needs memory that there is not.
   */
  abstract void takeBack(int index);

  /** Called after the groups of a range, if others follow or the updates are taken back. */
  void endPass(int start, int end) {}

  /** Called after all updates. Throws no error. */
  void finish() {}
}
