package io.bloomkit.cuckoo;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

/**
 * A multiset of fingerprints: the contents of a {@link DynamicCuckooFilter}.
 *
 * <p>The parts: {@link ChunkDirectory} finds the chunk of a hash, and grows and shrinks. {@link
 * Chunk} is a set of fingerprints and counts their copies. {@link TableShape} has the arithmetic of
 * a table, {@link TableSizes} the sizes of tables.
 *
 * <p>A thread that changes a chunk holds its monitor. A query reads a chunk without the monitor and
 * then checks whether the chunk was changed or replaced meanwhile. After {@value #OPTIMISTIC_READS}
 * failed reads, it waits for the monitor.
 */
final class FingerprintCounts {

  private static final int OPTIMISTIC_READS = 8;

  /** The largest number of copies of all fingerprints. */
  static final long MAX_TOTAL = 1L << 62;

  /** The least number of hashes that a merge adds at once: those of some twenty chunks. */
  private static final int MERGED_AT_ONCE = 1 << 17;

  /** Only merging and reading lead to more copies than this. */
  private static final long NEAR_MAX_TOTAL = 1L << 61;

  /** The result of a removal from a chunk that another one has replaced: the caller tries again. */
  private static final long REPLACED = -1;

  /** Another one after a merge or a subtraction, which queries may meet at any time. */
  private volatile ChunkDirectory chunks;

  private final LongAdder distinct = new LongAdder();

  /** The number of copies beyond the first one. An update mostly changes one of the two numbers. */
  private final LongAdder further = new LongAdder();

  /** The most memory for sorting a batch, or {@link BulkUpdate#DEFAULT_SCRATCH_BYTES}. */
  private final long scratchBytes;

  /** Whether additions must check the total. */
  private boolean isNearMaxTotal;

  FingerprintCounts(TableSizes sizes) {
    this(sizes, BulkUpdate.DEFAULT_SCRATCH_BYTES);
  }

  FingerprintCounts(TableSizes sizes, long scratchBytes) {
    this(new ChunkDirectory(sizes), 0, 0, scratchBytes);
  }

  FingerprintCounts(ChunkDirectory chunks, long distinct, long total) {
    this(chunks, distinct, total, BulkUpdate.DEFAULT_SCRATCH_BYTES);
  }

  private FingerprintCounts(ChunkDirectory chunks, long distinct, long total, long scratchBytes) {
    this.chunks = chunks;
    this.scratchBytes = scratchBytes;
    count(distinct, total);
    isNearMaxTotal = total > NEAR_MAX_TOTAL;
  }

  /** Counts fingerprints that were stored, or that were removed if negative. */
  void count(long distinctMore, long totalMore) {
    if (distinctMore != 0) {
      distinct.add(distinctMore);
    }
    if (totalMore != distinctMore) {
      further.add(totalMore - distinctMore);
    }
  }

  boolean contains(long hash) {
    for (int read = 0; read < OPTIMISTIC_READS; read++) {
      Chunk chunk = chunks.chunkOf(hash);
      int version = chunk.version();
      if ((version & 1) == 0) {
        boolean contains = chunk.containsHash(hash);
        if (chunk.isStillAt(version)) {
          return contains;
        }
      }
      Thread.onSpinWait();
    }
    return count(hash) > 0;
  }

  long count(long hash) {
    while (true) {
      Chunk chunk = chunks.chunkOf(hash);
      synchronized (chunk) {
        if (!chunk.isReplaced()) {
          return chunk.count(chunk.shape.fingerprintOf(hash));
        }
      }
    }
  }

  /**
   * Adds a copy of the fingerprint of a hash. Returns whether it is the first copy.
   *
   * @throws IllegalStateException if there are {@link #MAX_TOTAL} copies; nothing is changed
   */
  boolean add(long hash) {
    return isNearMaxTotal ? addAllBelowMaxTotal(new long[] {hash}, 0, 1) > 0 : addUnchecked(hash);
  }

  /**
   * Adds a copy of the fingerprint of each hash in a range of an array.
   *
   * @return the number of first copies
   * @throws IllegalStateException if there would be more than {@link #MAX_TOTAL} copies; nothing is
   *     changed
   * @throws OutOfMemoryError if memory runs out; what was added is removed again
   */
  long addAll(long[] hashes, int offset, int length) {
    return isNearMaxTotal
        ? addAllBelowMaxTotal(hashes, offset, length)
        : addAllUnchecked(hashes, offset, length);
  }

  private synchronized long addAllBelowMaxTotal(long[] hashes, int offset, int length) {
    if (length > MAX_TOTAL - total()) {
      throw new IllegalStateException(
          "cannot add "
              + length
              + ": the filter would hold more than 2^62 copies of elements, the largest number");
    }
    return addAllUnchecked(hashes, offset, length);
  }

  private long addAllUnchecked(long[] hashes, int offset, int length) {
    BulkAddition addition = BulkAddition.of(this, hashes, offset, length);
    if (addition != null) {
      addition.run();
      return addition.absent();
    }
    long added = 0;
    int next = offset;
    try {
      for (; next < offset + length; next++) {
        added += addUnchecked(hashes[next]) ? 1 : 0;
      }
    } catch (Error e) {
      while (next-- > offset) {
        takeBackAddition(chunks.sizes.space.fingerprintOf(hashes[next]));
      }
      chunks.shrinkAll();
      throw e;
    }
    return added;
  }

  private boolean addUnchecked(long hash) {
    while (true) {
      Chunk chunk = chunks.chunkOf(hash);
      int added = addTo(chunk, chunk.shape.fingerprintOf(hash), 1);
      if (added != FingerprintSet.NO_ROOM) {
        return added == FingerprintSet.ADDED;
      }
    }
  }

  /**
   * Adds copies of a fingerprint to a chunk. If the chunk has no room, makes it grow; the caller
   * then tries again.
   */
  private int addTo(Chunk chunk, long fingerprint, long copies) {
    synchronized (chunk) {
      if (chunk.isReplaced()) {
        return FingerprintSet.NO_ROOM;
      }
      int added;
      chunk.beginChange();
      try {
        added = chunk.add(fingerprint, copies, chunks.sizes);
      } finally {
        chunk.endChange();
      }
      if (added == FingerprintSet.NO_ROOM) {
        chunks.grow(chunk); // queries continue while another table is filled
      } else {
        count(added, copies);
      }
      return added;
    }
  }

  /** Removes a copy of the fingerprint of a hash. Returns false if there is none. */
  boolean remove(long hash) {
    while (true) {
      Chunk chunk = chunks.chunkOf(hash);
      long before = removeFrom(chunk, chunk.shape.fingerprintOf(hash), 1);
      if (before != REPLACED) {
        return before > 0;
      }
    }
  }

  /**
   * Removes a number of copies of a fingerprint from a chunk, or all of them if there are fewer.
   *
   * @return the number of copies before, or {@link #REPLACED}
   */
  private long removeFrom(Chunk chunk, long fingerprint, long copies) {
    long before;
    boolean isSparse;
    synchronized (chunk) {
      if (chunk.isReplaced()) {
        return REPLACED;
      }
      chunk.beginChange();
      try {
        before = chunk.removeCopies(fingerprint, copies, chunks.sizes);
      } finally {
        chunk.endChange();
      }
      isSparse = chunks.sizes.isShrunk(chunk);
    }
    if (before > 0) {
      count(before <= copies ? -1 : 0, -Math.min(before, copies));
      if (isSparse) {
        chunks.shrink(chunk);
      }
    }
    return before;
  }

  /**
   * Removes a copy of the fingerprint of each hash in a range of an array.
   *
   * @return the number of removed copies
   * @throws OutOfMemoryError if memory runs out; what was removed is added again
   */
  long removeAll(long[] hashes, int offset, int length) {
    BulkRemoval removal = BulkRemoval.of(this, hashes, offset, length);
    if (removal != null) {
      removal.run();
      return removal.removed();
    }
    long removed = 0;
    BitSet absent = null;
    int next = offset;
    try {
      for (; next < offset + length; next++) {
        if (remove(hashes[next])) {
          removed++;
        } else {
          absent = absent == null ? new BitSet(length) : absent;
          absent.set(next - offset);
        }
      }
    } catch (Error e) {
      while (next-- > offset) {
        if (absent == null || !absent.get(next - offset)) {
          takeBackRemoval(chunks.sizes.space.fingerprintOf(hashes[next]));
        }
      }
      throw e;
    }
    return removed;
  }

  /** Returns copies of all chunks, ascending, whatever other threads do: the state to write. */
  List<Chunk> copies() {
    return chunks.copies();
  }

  /** Calls a visitor for each fingerprint of {@link #copies}, ascending. */
  void forEach(FingerprintVisitor visitor) {
    copies().forEach(chunk -> chunk.forEach(visitor));
  }

  long countOf(long fingerprint) {
    Chunk chunk = chunkOf(fingerprint);
    return chunk.count(fingerprint % chunk.shape.fingerprints);
  }

  /**
   * Adds copies of a fingerprint. Requires that no other thread changes this filter.
   *
   * @param copies at least 1
   */
  void add(long fingerprint, long copies) {
    Chunk chunk;
    do {
      chunk = chunkOf(fingerprint);
    } while (addTo(chunk, fingerprint % chunk.shape.fingerprints, copies)
        == FingerprintSet.NO_ROOM);
  }

  /**
   * Adds a copy of each fingerprint in a range of an array, to a chunk or those that replace it.
   *
   * @return the number of first copies
   * @throws OutOfMemoryError if memory runs out; what was added is removed again
   */
  long addEach(Chunk start, long[] fingerprints, int from, int to) {
    Chunk chunk = start;
    long first = 0;
    int next = from;
    try {
      while (next < to) {
        long fingerprint = fingerprints[next] - chunk.firstFingerprint();
        boolean isThere = Long.compareUnsigned(fingerprint, chunk.shape.fingerprints) < 0;
        int added = isThere ? addTo(chunk, fingerprint, 1) : FingerprintSet.NO_ROOM;
        if (added == FingerprintSet.NO_ROOM) {
          chunk = chunkOf(fingerprints[next]);
        } else {
          first += added;
          next++;
        }
      }
    } catch (Error e) {
      while (next-- > from) {
        takeBackAddition(fingerprints[next]);
      }
      throw e;
    }
    return first;
  }

  /**
   * Removes a copy of each fingerprint in a range of an array from a chunk or those that replace
   * it. Moves the absent ones to the start of the range. Shrinks no table.
   *
   * @return the number of removed copies
   * @throws OutOfMemoryError if memory runs out; what was removed is added again
   */
  long removeEach(Chunk start, long[] fingerprints, int from, int to) {
    Chunk chunk = start;
    int absent = from;
    int next = from;
    try {
      while (next < to) {
        long fingerprint = fingerprints[next];
        long inChunk = fingerprint - chunk.firstFingerprint();
        boolean isThere = Long.compareUnsigned(inChunk, chunk.shape.fingerprints) < 0;
        long before = isThere ? removeOneFrom(chunk, inChunk) : REPLACED;
        if (before == REPLACED) {
          chunk = chunkOf(fingerprint);
          continue;
        }
        if (before == 0) {
          fingerprints[next] = fingerprints[absent];
          fingerprints[absent++] = fingerprint;
        }
        next++;
      }
    } catch (Error e) {
      while (next-- > absent) {
        takeBackRemoval(fingerprints[next]);
      }
      throw e;
    }
    return (long) to - absent;
  }

  /**
   * Removes a copy of a fingerprint that was added, unless that needs memory that there is not.
   * Memory may be exhausted: shrinks nothing, links no lambda and loads no class.
   */
  void takeBackAddition(long fingerprint) {
    try {
      removeOne(fingerprint);
    } catch (VirtualMachineError | LinkageError e) {
      // The caller throws the first one. Other fingerprints may need no memory.
    }
  }

  /** Removes a copy of a fingerprint, but shrinks no table. Returns false if there is none. */
  boolean removeOne(long fingerprint) {
    long before;
    do {
      Chunk chunk = chunkOf(fingerprint);
      before = removeOneFrom(chunk, fingerprint % chunk.shape.fingerprints);
    } while (before == REPLACED);
    return before > 0;
  }

  private long removeOneFrom(Chunk chunk, long fingerprint) {
    long before;
    synchronized (chunk) {
      if (chunk.isReplaced()) {
        return REPLACED;
      }
      chunk.beginChange();
      try {
        before = chunk.removeOne(fingerprint, chunks.sizes);
      } finally {
        chunk.endChange();
      }
    }
    count(before == 1 ? -1 : 0, before > 0 ? -1 : 0);
    return before;
  }

  /** Adds a copy of a fingerprint that was removed, as {@link #takeBackAddition}. */
  void takeBackRemoval(long fingerprint) {
    try {
      add(fingerprint, 1);
    } catch (VirtualMachineError | LinkageError e) {
      // The caller throws the first one. Other fingerprints may need no memory.
    }
  }

  private void remove(long fingerprint, long copies) {
    Chunk chunk;
    do {
      chunk = chunkOf(fingerprint);
    } while (removeFrom(chunk, fingerprint % chunk.shape.fingerprints, copies) == REPLACED);
  }

  Chunk chunkOf(long fingerprint) {
    return chunks.chunkOf(chunks.sizes.space.prefixOf(fingerprint));
  }

  /**
   * Puts fingerprints into an empty chunk. Requires that no other thread uses this filter.
   *
   * @param count the number of fingerprints to put, the lowest ones in the buffer
   * @return false if the fingerprints need a chunk of a greater depth; nothing has changed then
   */
  boolean fill(int depth, long prefix, FingerprintBuffer fingerprints, int count) {
    if (!chunks.fill(depth, prefix, fingerprints, count)) {
      return false;
    }
    count(count, count);
    return true;
  }

  /**
   * Adds 2<sup>bit</sup> copies of each of some fingerprints. Requires that the chunk holds them
   * and that no number of further copies in the chunk has this bit set.
   */
  void fillMultiplicityBit(Chunk chunk, int bit, FingerprintBuffer fingerprints) {
    chunk.fillMultiplicityBit(bit, fingerprints, chunks.sizes);
    count(0, (long) fingerprints.size() << bit);
    isNearMaxTotal = total() > NEAR_MAX_TOTAL;
  }

  /**
   * Adds all copies of all fingerprints of another multiset of the same space.
   *
   * @throws IllegalArgumentException if there would be more than {@link #MAX_TOTAL} copies; nothing
   *     is changed
   */
  void merge(FingerprintCounts other) {
    List<Chunk> added = other.copies();
    long more = totalOf(added);
    if (more > MAX_TOTAL - total()) {
      throw new IllegalArgumentException(
          "cannot merge: the filters hold "
              + total()
              + " and "
              + more
              + " copies of elements, together more than 2^62");
    }
    FingerprintCounts merged = copy(); // so nothing has changed if memory runs out
    if (BulkAddition.isFaster(distinctOf(added), merged.distinct())) {
      merged.addInBulk(added);
    } else {
      added.forEach(chunk -> chunk.forEach(merged::add));
    }
    become(merged);
  }

  private void addInBulk(List<Chunk> added) {
    long expected = distinct() + distinctOf(added);
    int next = 0;
    while (next < added.size()) {
      LongStream.Builder hashes = LongStream.builder();
      for (int size = 0; size < MERGED_AT_ONCE && next < added.size(); next++) {
        Chunk chunk = added.get(next);
        long first = chunk.firstFingerprint();
        chunk.forEachUnsorted(number -> hashes.add(chunks.sizes.space.hashOf(first + number)));
        size += chunk.size();
      }
      long[] all = hashes.build().toArray();
      new BulkAddition(this, all, 0, all.length, expected).run();
    }
    added.forEach(chunk -> chunk.forEachFurther(this::add));
  }

  /**
   * Removes all copies of all fingerprints of another multiset of the same space.
   *
   * @return false if the other has more copies of a fingerprint than this one; nothing is changed
   */
  boolean subtract(FingerprintCounts other) {
    List<Chunk> removed = other.copies();
    if (!containsAll(removed)) {
      return false;
    }
    FingerprintCounts rest = copy();
    removed.forEach(chunk -> chunk.forEach(rest::remove));
    become(rest);
    return true;
  }

  private boolean containsAll(List<Chunk> others) {
    boolean[] contained = {true};
    for (Chunk chunk : others) {
      chunk.forEach((fingerprint, copies) -> contained[0] &= countOf(fingerprint) >= copies);
    }
    return contained[0];
  }

  private static long distinctOf(List<Chunk> chunks) {
    return chunks.stream().mapToLong(Chunk::size).sum();
  }

  private static long totalOf(List<Chunk> chunks) {
    return chunks.stream().mapToLong(Chunk::total).sum();
  }

  private void become(FingerprintCounts other) {
    count(other.distinct() - distinct(), other.total() - total());
    chunks = other.chunks;
    isNearMaxTotal = total() > NEAR_MAX_TOTAL;
  }

  /** Returns an independent copy, whatever other threads do. */
  FingerprintCounts copy() {
    List<Chunk> copies = copies();
    return new FingerprintCounts(
        ChunkDirectory.of(chunks.sizes, copies), distinctOf(copies), totalOf(copies), scratchBytes);
  }

  /**
   * Removes all fingerprints, chunk by chunk, whatever other threads do: each copy that was added
   * before the call, and perhaps some that are added meanwhile.
   */
  void clear() {
    chunks.clear(cleared -> count(-cleared.size(), -cleared.total()));
    isNearMaxTotal = total() > NEAR_MAX_TOTAL;
  }

  /**
   * Returns the number of distinct fingerprints, which is approximate, but possible, while other
   * threads write: a removal may be counted before the addition that it takes back, or after the
   * next one.
   */
  long distinct() {
    return Math.max(0, Math.min(chunks.sizes.space.fingerprints(), distinct.sum()));
  }

  /** Returns the number of copies of all fingerprints, as {@link #distinct}. */
  long total() {
    return Math.max(0, distinct.sum() + further.sum());
  }

  /** Returns whether another multiset of the same space has the same contents. */
  boolean holdsTheSameAs(FingerprintCounts other) {
    FingerprintCounts mine = copy();
    List<Chunk> others = other.copies();
    return mine.distinct() == distinctOf(others)
        && mine.total() == totalOf(others)
        && mine.containsAll(others);
  }

  /** Returns a hash code of the contents, independent of the sizes of the tables. */
  int contentsHashCode() {
    long[] sum = new long[1];
    forEach((fingerprint, copies) -> sum[0] += Long.hashCode(fingerprint) * (2 * copies + 1));
    return Long.hashCode(sum[0]);
  }

  long scratchBytes() {
    return scratchBytes;
  }

  ChunkDirectory chunks() {
    return chunks;
  }

  long memoryBytes() {
    return chunks.memoryBytes();
  }
}
