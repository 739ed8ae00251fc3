package io.bloomkit.counting.dynamic;

import java.util.HashSet;
import java.util.Set;

/**
 * Adds many hashes at once. It sorts them by chunk, and then gives each chunk a new table with its
 * fingerprints and the added ones. So each fingerprint is stored once, in a table that is in the
 * cache, and no table grows.
 *
 * <p>The hashes are sorted into groups with equal first bits, by counting them. The array for
 * sorted fingerprints has room for {@value #SCRATCH}, or for an eighth of the hashes if that is
 * more. If there are more hashes, or less memory, each pass over them sorts the next groups. One
 * pass is the fastest.
 *
 * <p>The new table replaces the old one under the monitor of the chunk. Queries read the old one
 * until then.
 */
final class BulkAddition {

  /** Fewer hashes are added one by one. */
  private static final int LEAST_LENGTH = 1 << 12;

  /** If a filter holds more fingerprints per hash, the hashes are added one by one. */
  private static final int MOST_PRESENT = 6;

  /** A table with room for the added fingerprints is filled anew if it holds no more per added. */
  private static final int MOST_MOVED = 2;

  /** The length of the array for sorted fingerprints, if there are not too many or too few. */
  private static final int SCRATCH = 1 << 24;

  /** The number of passes if there are too many hashes. */
  private static final int PASSES = 8;

  /** The number of distinct hashes in a sample. */
  private static final int SAMPLE = 1 << 10;

  /** A larger estimate of the fraction of distinct hashes may as well mean that all are. */
  private static final double MOST_REPEATING = 0.9;

  /** The largest number of first bits of a group. */
  private static final int MOST_BITS = 20;

  private final FingerprintCounts counts;
  private final ChunkDirectory chunks;
  private final TableSizes sizes;
  private final long[] hashes;
  private final int offset;
  private final int end;

  /** The number of first bits that the hashes of a group share. */
  private final int bits;

  /** Where each group ends in {@link #sorted}; of later groups, the number of hashes. */
  private final int[] ends;

  /** The fingerprints of consecutive groups. */
  private final long[] sorted;

  /** The first group in {@link #sorted}. */
  private int first;

  /** The estimated number of distinct hashes, as a fraction of all. */
  private double distinctFraction;

  /** The number of fingerprints that were absent. */
  private long absent;

  /**
   * Prepares an addition.
   *
   * @param expected the number of fingerprints that the filter will hold
   */
  BulkAddition(FingerprintCounts counts, long[] hashes, int offset, int length, long expected) {
    this.counts = counts;
    this.chunks = counts.chunks();
    this.sizes = chunks.sizes;
    this.hashes = hashes;
    this.offset = offset;
    this.end = offset + length;
    int depth = 0;
    while (depth < MOST_BITS - 1 && expected >> depth > sizes.mostAt(depth)) {
      depth++;
    }
    this.bits = depth + 1; // since some chunks are divided before others
    this.ends = new int[1 << bits];
    this.sorted = scratch(Math.min(length, Math.max(SCRATCH, length / PASSES)));
  }

  /** Returns an array of a length, or a shorter one if memory is scarce. */
  private static long[] scratch(int length) {
    int room = length;
    while (true) {
      try {
        return new long[room];
      } catch (OutOfMemoryError e) {
        room /= 2;
        if (room < LEAST_LENGTH) {
          throw e;
        }
      }
    }
  }

  /** Returns whether to add hashes in bulk to a filter that holds a number of fingerprints. */
  static boolean isFaster(long hashes, long present) {
    return hashes >= LEAST_LENGTH && present / MOST_PRESENT <= hashes;
  }

  /**
   * Adds all hashes.
   *
   * @return the number of fingerprints that were absent
   * @throws OutOfMemoryError if memory runs out; nothing is added then
   */
  long run() {
    countGroups();
    int done = 0;
    try {
      while (done < ends.length) {
        int last = sort(done);
        if (last == done) {
          addOneByOne(done++);
        }
        while (done < last) {
          done = addFrom(done, last);
        }
      }
    } catch (OutOfMemoryError e) {
      removeAllBefore(done);
      throw e;
    }
    return absent;
  }

  /** Counts the hashes of each group, and estimates how many are distinct. */
  private void countGroups() {
    int sampleBits =
        Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros((end - offset) / SAMPLE));
    Set<Long> sample = new HashSet<>();
    for (int i = offset; i < end; i++) {
      long hash = hashes[i];
      ends[groupOf(hash)]++;
      if ((hash * TableShape.GOLDEN) >>> (Long.SIZE - sampleBits) == 0) {
        sample.add(hash);
      }
    }
    double distinct = (double) ((long) sample.size() << sampleBits) / (end - offset);
    distinctFraction = distinct > MOST_REPEATING ? 1 : distinct;
  }

  private int groupOf(long hash) {
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

  /** Adds a group that is too large for the array: a sign of repeated or clustered hashes. */
  private void addOneByOne(int group) {
    int next = offset;
    try {
      for (; next < end; next++) {
        if (groupOf(hashes[next]) == group) {
          absent += counts.add(hashes[next]) ? 1 : 0;
        }
      }
    } catch (OutOfMemoryError e) {
      while (next-- > offset) {
        if (groupOf(hashes[next]) == group) {
          counts.remove(hashes[next]);
        }
      }
      throw e;
    }
  }

  private void removeAllBefore(int group) {
    for (int i = offset; i < end; i++) {
      if (groupOf(hashes[i]) < group) {
        counts.remove(hashes[i]);
      }
    }
  }

  /**
   * Adds the sorted groups, from a given one on, that belong to one chunk.
   *
   * @return the end of these groups, or the given group if the caller has to try again
   */
  private int addFrom(int group, int last) {
    Chunk chunk = chunks.chunkOf((long) group << (Long.SIZE - bits));
    int depth = chunk.shape.depth;
    int below = Math.max(0, bits - depth);
    int next = Math.min(last, ((group >>> below) + 1) << below);
    int from = group == first ? 0 : ends[group - 1];
    int to = ends[next - 1];
    if (from == to) {
      return next;
    }
    synchronized (chunk) {
      if (chunk.isReplaced()) {
        return group;
      }
      int expected = (int) Math.ceil((to - from) * distinctFraction);
      long all = (long) chunk.size() + expected;
      boolean isOneTable = all <= sizes.mostAt(depth);
      if (!isOneTable && depth < bits) {
        chunks.divide(chunk);
        return group;
      }
      boolean isWorthIt = all > chunk.shape.limit || chunk.size() / MOST_MOVED <= to - from;
      if (isOneTable && isWorthIt && depth <= bits) {
        Chunk refilled = chunk.refilled(sorted, from, to, expected, sizes);
        if (refilled != null) {
          int more = refilled.size() - chunk.size();
          chunks.replace(chunk, refilled);
          counts.count(more, to - from);
          absent += more;
          return next;
        }
      }
    }
    absent += counts.addEach(chunk, sorted, from, to);
    return next;
  }
}
