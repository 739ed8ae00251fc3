package io.bloomkit.cuckoo;

import io.bloomkit.internal.WordArrays;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds or removes many hashes at once. It sorts them by chunk, and then changes each chunk once, in
 * the cache and under its monitor. Queries read the old table until a new one replaces it.
 *
 * <p>An update of a chunk flags the fingerprints of {@link #sorted} for which it changed nothing.
 * At the end of a pass, the hashes are assigned to their fingerprints again, in the same way as
 * they were sorted, so each gets its answer.
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

  /**
   * If a filter holds more fingerprints per hash, the hashes are added one by one: a chunk would
   * get about ten of them or fewer.
   */
  private static final int MAX_PRESENT = 1000;

  /** The number of distinct hashes in a sample. */
  private static final int SAMPLE = 1 << 10;

  /** The number of fingerprints in a sample of those for a chunk. */
  private static final int SAMPLE_OF_CHUNK = 64;

  /** A larger estimate of the fraction of distinct hashes may as well mean that all are. */
  private static final double MAX_REPEATING = 0.9;

  /** The estimated number of distinct hashes, as a fraction of all; 0 before it is needed. */
  private double distinctFraction;

  final ChunkDirectory chunks;
  final TableSizes sizes;
  final long[] hashes;
  final int offset;
  final int end;

  /** The number of first bits that the hashes of a group share. */
  final int bits;

  /** Set in a fingerprint of {@link #sorted} for which its update changed nothing. */
  static final long UNCHANGED = Long.MIN_VALUE;

  /** The fingerprints of consecutive groups, in each group in the order of their hashes. */
  final long[] sorted;

  private final long[] sampleOfChunk = new long[SAMPLE_OF_CHUNK];

  /** Whether the update with each hash changed something; null if nobody needs to know. */
  private final boolean @Nullable [] answers;

  /** The index of the hash whose answer is the first one. */
  private final int answersStart;

  /** Whether the answers are for the caller, and not only for taking updates back. */
  private final boolean isAsked;

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
   * @param asked set to whether the update with each hash changed something, at the index of the
   *     hash; null if nobody asks
   * @param own the same from its start on, for taking updates back, if nobody asks
   * @throws OutOfMemoryError if there is not even memory for an array that leads to a few passes
   */
  BulkUpdate(
      ChunkDirectory chunks,
      long[] hashes,
      int offset,
      int length,
      long most,
      int scratch,
      boolean @Nullable [] asked,
      boolean @Nullable [] own) {
    this.chunks = chunks;
    this.sizes = chunks.sizes;
    this.isAsked = asked != null;
    this.answers = isAsked ? asked : own;
    this.answersStart = isAsked ? 0 : offset;
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
    int passBits = Integer.SIZE - Integer.numberOfLeadingZeros(length / Math.max(1, scratch));
    int wanted = Math.max(isPlanned ? Math.max(divided, plannedBits) : divided, passBits);
    this.bits = Math.min(wanted, sizes.space.maxDepth()); // so no fingerprint is in two groups
    this.ends = new int[1 << bits];
    this.sorted = allocated(Math.min(length, scratch));
  }

  /** Returns whether to add hashes at once to a filter that holds a number of fingerprints. */
  static boolean isAdditionFaster(long hashes, long present) {
    return hashes >= MIN_LENGTH && present / MAX_PRESENT <= hashes;
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
          first = done; // that group has its answers
        }
        while (done < last) {
          done = updateFrom(done, last);
        }
        if (isAsked || done < ends.length) {
          answer(done);
        }
      }
      finish();
    } catch (Error e) { // out of memory, perhaps while a lambda was linked
      answer(done);
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
        answer(next, isUpdatedWith(hashes[next]));
      }
    }
    next = offset;
  }

  private void answer(int index, boolean answer) {
    if (answers != null) {
      answers[index - answersStart] = answer;
    }
  }

  /** Answers the hashes of the sorted groups before a given one. Allocates no memory. */
  private void answer(int last) {
    int groups = last - first;
    for (int i = end - 1; i >= offset && answers != null && groups > 0; i--) {
      int group = groupOf(hashes[i]);
      if (Integer.compareUnsigned(group - first, groups) < 0) {
        answers[i - answersStart] =
            sorted[--ends[group]] >= 0; // from the end of the group to its start
      }
    }
    first = last;
  }

  /** Takes the updates with all groups before a given one back, and those one by one. */
  private void undo(int group) {
    for (int i = offset; i < end; i++) {
      int its = groupOf(hashes[i]);
      if (its < group || (its == group && i < next)) {
        takeBack(hashes[i], answers == null || answers[i - answersStart]);
      }
    }
    chunks.shrinkAll();
  }

  /**
   * Returns an estimate of the number of distinct fingerprints in a range that a chunk does not
   * hold. Requires that all are of the chunk. Where some are repeated, it may be too large.
   */
  final int expectedAbsent(Chunk chunk, int from, int to) {
    long first = chunk.firstFingerprint();
    int step = (to - from - 1) / SAMPLE_OF_CHUNK + 1;
    int sampled = 0;
    int absent = 0;
    for (int i = from; i < to; i += step) {
      long fingerprint = (sorted[i] & ~UNCHANGED) - first;
      if (!chunk.containsFingerprint(fingerprint)) {
        sampleOfChunk[absent++] = fingerprint;
      }
      sampled++;
    }
    Arrays.sort(sampleOfChunk, 0, absent);
    int distinct = Math.min(1, absent);
    for (int i = 1; i < absent; i++) {
      distinct += sampleOfChunk[i] == sampleOfChunk[i - 1] ? 0 : 1;
    }
    double fraction = Math.min(distinctFraction(), (double) distinct / sampled);
    return (int) Math.ceil((to - from) * fraction);
  }

  /** Returns an estimate of the number of distinct hashes, as a fraction of all. */
  private double distinctFraction() {
    if (distinctFraction > 0) {
      return distinctFraction;
    }
    int sampleBits =
        Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros((end - offset) / SAMPLE));
    Set<Long> sample = new HashSet<>();
    for (int i = offset; i < end; i++) {
      long mixed =
          (hashes[i] ^ TableSizes.SECRET) * TableShape.GOLDEN; // nobody can avoid the sample
      if (mixed >>> (Long.SIZE - sampleBits) == 0) {
        sample.add(hashes[i]);
      }
    }
    double distinct = (double) ((long) sample.size() << sampleBits) / (end - offset);
    distinctFraction = distinct > MAX_REPEATING ? 1 : distinct;
    return distinctFraction;
  }

  final int groupOf(long hash) {
    return (int) (hash >>> 1 >>> (Long.SIZE - 1 - bits)); // bits may be 0
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
   * Updates a chunk with a range of {@link #sorted}, and flags what is {@link #UNCHANGED}. If the
   * chunk is deeper than a group, other chunks share the range with it.
   *
   * @return false if the caller has to try again, since another chunk has replaced this one;
   *     nothing has changed then
   * @throws OutOfMemoryError if memory runs out; nothing has changed then
   */
  abstract boolean update(Chunk chunk, int from, int to);

  /**
   * Updates with one hash.
   *
   * @return the answer
   * @throws OutOfMemoryError if memory runs out; nothing has changed then
   */
  abstract boolean isUpdatedWith(long hash);

  /** Takes the update with a hash back, unless that needs memory that there is not. */
  abstract void takeBack(long hash, boolean answer);

  /** Called after all updates. Throws no error. */
  void finish() {}
}
