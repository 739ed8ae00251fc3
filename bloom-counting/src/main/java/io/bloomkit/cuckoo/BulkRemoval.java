package io.bloomkit.cuckoo;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Removes many hashes at once. It removes the fingerprints of each chunk from a copy of the chunk,
 * which then replaces it. If there is no memory for the copy, it removes them one by one.
 */
final class BulkRemoval extends BulkUpdate {

  /** If a filter holds more fingerprints per hash, the hashes are removed one by one. */
  private static final int MAX_PRESENT = 64;

  private long removed;

  /** The number of absent fingerprints of this pass, which are at the start of {@link #sorted}. */
  private int absent;

  /** The hashes that were absent, by number; of the present pass, only after it has ended. */
  private final BitSet absentHashes;

  /** Returns a removal, or null if it is faster to remove the hashes one by one. */
  static @Nullable BulkRemoval of(FingerprintCounts counts, long[] hashes, int offset, int length) {
    int scratch = scratch(length, counts.scratchBytes());
    try {
      return isFaster(length, counts.distinct()) && isEnough(scratch, length)
          ? new BulkRemoval(counts, hashes, offset, length, scratch)
          : null;
    } catch (OutOfMemoryError e) {
      return null; // One by one, they take less memory.
    }
  }

  /** Prepares a removal that sorts a number of hashes at once, at most. */
  BulkRemoval(FingerprintCounts counts, long[] hashes, int offset, int length, int scratch) {
    super(counts, hashes, offset, length, counts.distinct(), scratch);
    this.absentHashes = new BitSet(length); // now, as there may be no memory when it is needed
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
        noteRemoved(from, to, fewer);
        return true;
      }
    }
    noteRemoved(from, to, counts.removeFingerprints(chunk, sorted, from, to));
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

  /** Notes how many fingerprints of a range were removed; the others are at its start. */
  private void noteRemoved(int from, int to, long count) {
    removed += count;
    int missing = to - from - (int) count;
    System.arraycopy(sorted, from, sorted, absent, missing);
    absent += missing;
  }

  @Override
  void updateWith(int index) {
    if (counts.removeFingerprint(sizes.space.fingerprintOf(hashes[index]))) {
      removed++;
    } else {
      absentHashes.set(index - offset);
    }
  }

  @Override
  void takeBack(int index) {
    if (!absentHashes.get(index - offset)) {
      counts.undoRemoval(sizes.space.fingerprintOf(hashes[index]));
    }
  }

  /** Finds the hashes that were absent, so that they are not added if memory runs out. */
  @Override
  void endPass(int start, int end) {
    if (absent == 0) {
      return;
    }
    for (int i = 0; i < absent; i++) {
      sorted[i] <<= 1; // one less, once a hash is found for it
    }
    sortInPlace(sorted, absent);
    for (int i = offset; i < this.end; i++) {
      int group = groupOf(hashes[i]);
      if (group >= start && group < end && isAbsent(sizes.space.fingerprintOf(hashes[i]) << 1)) {
        absentHashes.set(i - offset);
      }
    }
    absent = 0;
  }

  /**
   * Sorts the start of an array by heapsort, since the sorting of the JDK may allocate an array.
   */
  private static void sortInPlace(long[] array, int length) {
    for (int i = length / 2 - 1; i >= 0; i--) {
      sink(array, i, length);
    }
    for (int last = length - 1; last > 0; last--) {
      long largest = array[0];
      array[0] = array[last];
      array[last] = largest;
      sink(array, 0, last);
    }
  }

  private static void sink(long[] heap, int start, int length) {
    long value = heap[start];
    int parent = start;
    int child = largerChild(heap, parent, length);
    while (child < length && heap[child] > value) {
      heap[parent] = heap[child];
      parent = child;
      child = largerChild(heap, parent, length);
    }
    heap[parent] = value;
  }

  private static int largerChild(long[] heap, int parent, int length) {
    int child = 2 * parent + 1;
    return child + 1 < length && heap[child] < heap[child + 1] ? child + 1 : child;
  }

  private boolean isAbsent(long doubled) {
    int from = 0;
    int to = absent;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (sorted[middle] < doubled) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    if (from == absent || sorted[from] != doubled) {
      return false;
    }
    sorted[from]--;
    return true;
  }
}
