package io.bloomkit.cuckoo;

import io.bloomkit.cuckoo.ChunkDirectory.Changes;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A multiset of fingerprints: the contents of a {@link DynamicCuckooFilter}.
 *
 * <p>The parts: {@link ChunkDirectory} finds the chunk of a hash, reads and changes it, and grows
 * and shrinks. {@link Chunk} is a set of fingerprints, and {@link ExtraCopies} counts their copies
 * beyond the first one. {@link TableShape} has the arithmetic of a table, {@link TableSizes} the
 * sizes of tables.
 *
 * <p>A fingerprint of this multiset is a number of its {@link FingerprintSpace}. A chunk numbers
 * its fingerprints from 0; such a number is called {@code inChunk} here.
 */
final class DynamicFingerprints {

  private static final ChunkQuery CONTAINS =
      (chunk, fingerprint) -> chunk.containsFingerprint(fingerprint) ? 1 : 0;

  private static final ChunkQuery COUNT = Chunk::countFingerprint;

  private static final ChunkChange ADD =
      (chunk, fingerprint, copies, epoch, sizes) ->
          chunk.addFingerprint(fingerprint, copies, sizes);

  private static final ChunkChange REMOVE =
      (chunk, fingerprint, copies, epoch, sizes) ->
          chunk.removeFingerprint(fingerprint, copies, sizes);

  private static final ChunkChange REMOVE_ALL =
      (chunk, fingerprint, copies, epoch, sizes) ->
          chunk.countFingerprint(fingerprint) < copies
              ? 0
              : chunk.removeFingerprint(fingerprint, copies, sizes);

  private static final ChunkChange REMOVE_WITHOUT_SHRINKING =
      (chunk, fingerprint, copy, epoch, sizes) ->
          chunk.removeFingerprintWithoutShrinking(fingerprint, sizes);

  /** The largest number of copies of all fingerprints. */
  static final long MAX_TOTAL = 1L << 62;

  /** The least number of hashes that a merge adds at once: those of some twenty chunks. */
  private static final int MIN_MERGED_AT_ONCE = 1 << 17;

  /** Only merging, reading and {@link #MANY} copies at once lead to more copies than this. */
  private static final long NEAR_MAX_TOTAL = 1L << 61;

  /** Fewer copies at once would take years to exceed {@link #NEAR_MAX_TOTAL}. */
  private static final long MANY = 1 << 10;

  /** Another one after a merge or a subtraction, which queries may meet at any time. */
  private volatile ChunkDirectory chunks;

  private final LongAdder distinct = new LongAdder();

  /** The number of copies beyond the first one. An update mostly changes one of the two numbers. */
  private final LongAdder extraCopies = new LongAdder();

  /** The most memory for sorting a batch, or {@link BulkUpdate#DEFAULT_SCRATCH_BYTES}. */
  private final long scratchBytes;

  /** Whether additions must check the total. */
  private volatile boolean isNearMaxTotal;

  DynamicFingerprints(TableSizes sizes) {
    this(sizes, BulkUpdate.DEFAULT_SCRATCH_BYTES);
  }

  DynamicFingerprints(TableSizes sizes, long scratchBytes) {
    this(new ChunkDirectory(sizes), 0, 0, scratchBytes);
  }

  DynamicFingerprints(ChunkDirectory chunks, long distinct, long total) {
    this(chunks, distinct, total, BulkUpdate.DEFAULT_SCRATCH_BYTES);
  }

  private DynamicFingerprints(ChunkDirectory chunks, long distinct, long total, long scratchBytes) {
    this.chunks = chunks;
    this.scratchBytes = scratchBytes;
    recordChange(distinct, total);
    isNearMaxTotal = total > NEAR_MAX_TOTAL;
  }

  /** Counts fingerprints that were stored, or that were removed if negative. */
  void recordChange(long distinctMore, long totalMore) {
    if (distinctMore != 0) {
      distinct.add(distinctMore);
    }
    if (totalMore != distinctMore) {
      extraCopies.add(totalMore - distinctMore);
    }
  }

  boolean containsHash(long hash) {
    Chunk chunk = chunks.chunkOf(hash);
    int version = chunk.version();
    if ((version & 1) == 0) {
      boolean isHeld = chunk.containsFingerprint(chunk.shape.fingerprintOf(hash));
      if (chunk.isStillAt(version)) {
        return isHeld;
      }
    }
    return chunks.readAgain(CONTAINS, hash) != 0;
  }

  long countHash(long hash) {
    return chunks.readLocked(COUNT, hash);
  }

  /**
   * Adds a copy of the fingerprint of a hash. Returns whether it is the first copy.
   *
   * @throws IllegalStateException if there are {@link #MAX_TOTAL} copies; nothing is changed
   */
  boolean addHash(long hash) {
    return isNearMaxTotal
        ? addHashesBelowMaxTotal(new long[] {hash}, 0, 1, null) > 0
        : addHashUnchecked(hash, 1);
  }

  /**
   * Adds a copy of the fingerprint of each hash in a range of an array.
   *
   * @param answers set to whether it is the first copy, at the index of the hash; null if nobody
   *     asks
   * @return the number of first copies
   * @throws IllegalStateException if there would be more than {@link #MAX_TOTAL} copies; nothing is
   *     changed
   * @throws OutOfMemoryError if memory runs out; what was added is removed again
   */
  long addHashes(long[] hashes, int offset, int length, boolean @Nullable [] answers) {
    return isNearMaxTotal
        ? addHashesBelowMaxTotal(hashes, offset, length, answers)
        : addHashesUnchecked(hashes, offset, length, answers);
  }

  /**
   * Adds copies of the fingerprint of a hash, at least 1. Returns whether the first copy of the
   * fingerprint is among them.
   *
   * @throws IllegalStateException if there would be more than {@link #MAX_TOTAL} copies; nothing is
   *     changed
   */
  boolean addHash(long hash, long copies) {
    return (isNearMaxTotal || copies >= MANY)
        ? addHashBelowMaxTotal(hash, copies)
        : addHashUnchecked(hash, copies);
  }

  private synchronized boolean addHashBelowMaxTotal(long hash, long copies) {
    requireBelowMaxTotal(copies);
    isNearMaxTotal |= copies > NEAR_MAX_TOTAL - total(); // before other threads add unchecked
    return addHashUnchecked(hash, copies);
  }

  private synchronized long addHashesBelowMaxTotal(
      long[] hashes, int offset, int length, boolean @Nullable [] answers) {
    requireBelowMaxTotal(length);
    return addHashesUnchecked(hashes, offset, length, answers);
  }

  private void requireBelowMaxTotal(long copies) {
    if (copies > MAX_TOTAL - total()) {
      throw new IllegalStateException(
          "cannot add "
              + copies
              + ": the filter would hold more than 2^62 copies of elements, the largest number");
    }
  }

  private long addHashesUnchecked(
      long[] hashes, int offset, int length, boolean @Nullable [] answers) {
    BulkAddition addition = BulkAddition.of(this, hashes, offset, length, answers);
    if (addition != null) {
      addition.run();
      return addition.absent();
    }
    long added = 0;
    int next = offset;
    try {
      for (; next < offset + length; next++) {
        prefetch(hashes, offset, next, length);
        boolean isFirst = addHashUnchecked(hashes[next], 1);
        added += isFirst ? 1 : 0;
        if (answers != null) {
          answers[next] = isFirst;
        }
      }
    } catch (Error e) {
      while (next-- > offset) {
        undoAddition(chunks.sizes.space.fingerprintOf(hashes[next]));
      }
      chunks.shrinkAll();
      throw e;
    }
    return added;
  }

  private void prefetch(long[] hashes, int offset, int next, int length) {
    if ((next - offset) % ChunkDirectory.PREFETCHED == 0) {
      chunks.prefetch(hashes, next, offset + length);
    }
  }

  private boolean addHashUnchecked(long hash, long copies) {
    while (true) {
      Chunk chunk = chunks.chunkOf(hash);
      long added = addTo(chunk, chunk.shape.fingerprintOf(hash), copies);
      if (added != ChunkDirectory.REPLACED) {
        return added == FingerprintSet.ADDED;
      }
    }
  }

  /**
   * Adds copies of a fingerprint to a chunk.
   *
   * @param inChunk the fingerprint within the chunk
   * @return the result of {@link FingerprintSet#addFingerprint}, or {@link ChunkDirectory#REPLACED}
   */
  private long addTo(Chunk chunk, long inChunk, long copies) {
    long added = chunks.change(chunk, ADD, inChunk, copies, 0);
    if (added != ChunkDirectory.REPLACED) {
      recordChange(added, copies);
    }
    return added;
  }

  /** Removes a copy of the fingerprint of a hash. Returns false if there is none. */
  boolean removeHash(long hash) {
    while (true) {
      Chunk chunk = chunks.chunkOf(hash);
      long before = removeFrom(chunk, chunk.shape.fingerprintOf(hash), 1);
      if (before != ChunkDirectory.REPLACED) {
        return before > 0;
      }
    }
  }

  /** Removes copies, at least 1. Returns false and changes nothing if there are fewer. */
  boolean removeHash(long hash, long copies) {
    while (true) {
      Chunk chunk = chunks.chunkOf(hash);
      long before = chunks.change(chunk, REMOVE_ALL, chunk.shape.fingerprintOf(hash), copies, 0);
      if (before != ChunkDirectory.REPLACED) {
        recordRemoval(chunk, before, copies);
        return before > 0;
      }
    }
  }

  /**
   * Removes a number of copies of a fingerprint from a chunk, or all of them if there are fewer.
   *
   * @param inChunk the fingerprint within the chunk
   * @return the number of copies before, or {@link ChunkDirectory#REPLACED}
   */
  private long removeFrom(Chunk chunk, long inChunk, long copies) {
    long before = chunks.change(chunk, REMOVE, inChunk, copies, 0);
    recordRemoval(chunk, before, copies);
    return before;
  }

  private void recordRemoval(Chunk chunk, long before, long copies) {
    if (before > 0) {
      recordChange(before <= copies ? -1 : 0, -Math.min(before, copies));
      if (chunks.sizes.shouldShrink(chunk)) {
        chunks.shrink(chunk);
      }
    }
  }

  /**
   * Removes a copy of the fingerprint of each hash in a range of an array.
   *
   * @param answers set to whether there was one, at the index of the hash; null if nobody asks
   * @return the number of removed copies
   * @throws OutOfMemoryError if memory runs out; what was removed is added again
   */
  long removeHashes(long[] hashes, int offset, int length, boolean @Nullable [] answers) {
    BulkRemoval removal = BulkRemoval.of(this, hashes, offset, length, answers);
    if (removal != null) {
      removal.run();
      return removal.removed();
    }
    long removed = 0;
    BitSet absent = new BitSet(); // allocates memory only for the first absent one
    int next = offset;
    try {
      for (; next < offset + length; next++) {
        prefetch(hashes, offset, next, length);
        boolean isRemoved = removeHash(hashes[next]);
        removed += isRemoved ? 1 : 0;
        if (!isRemoved) {
          absent.set(next - offset);
        }
        if (answers != null) {
          answers[next] = isRemoved;
        }
      }
    } catch (Error e) {
      while (next-- > offset) {
        if (!absent.get(next - offset)) {
          undoRemoval(chunks.sizes.space.fingerprintOf(hashes[next]));
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

  long countFingerprint(long fingerprint) {
    Chunk chunk = chunkOfFingerprint(fingerprint);
    return chunk.countFingerprint(inChunk(chunk, fingerprint));
  }

  /**
   * Adds copies of a fingerprint. Requires that no other thread changes this filter.
   *
   * @param copies at least 1
   */
  void addFingerprint(long fingerprint, long copies) {
    Chunk chunk;
    do {
      chunk = chunkOfFingerprint(fingerprint);
    } while (addTo(chunk, inChunk(chunk, fingerprint), copies) == ChunkDirectory.REPLACED);
  }

  /**
   * Adds a copy of each fingerprint in a range of an array, to a chunk or those that replace it.
   * Flags those that are no first copies as {@link BulkUpdate#UNCHANGED}.
   *
   * @return the number of first copies
   * @throws OutOfMemoryError if memory runs out; what was added is removed again
   */
  long addFingerprints(Chunk start, long[] fingerprints, int from, int to) {
    Chunk chunk = start;
    long first = 0;
    int next = from;
    try {
      while (next < to) {
        Changes changes = chunks.changeInTurn(chunk, ADD, 1, 0, fingerprints, next, to);
        if (changes != null) {
          recordChange(changes.distinct(), changes.next() - next);
          first += changes.distinct();
          next = changes.next();
          changes.throwFailure();
        }
        if (next < to) {
          chunk = chunkOfFingerprint(fingerprints[next] & ~BulkUpdate.UNCHANGED);
        }
      }
    } catch (Error e) {
      while (next-- > from) {
        undoAddition(fingerprints[next] & ~BulkUpdate.UNCHANGED);
      }
      throw e;
    }
    return first;
  }

  /**
   * Removes a copy of each fingerprint in a range of an array from a chunk or those that replace
   * it. Flags the absent ones as {@link BulkUpdate#UNCHANGED}. Shrinks no table.
   *
   * @return the number of removed copies
   * @throws OutOfMemoryError if memory runs out; what was removed is added again
   */
  long removeFingerprints(Chunk start, long[] fingerprints, int from, int to) {
    Chunk chunk = start;
    long removed = 0;
    int next = from;
    try {
      while (next < to) {
        Changes changes =
            chunks.changeInTurn(chunk, REMOVE_WITHOUT_SHRINKING, 1, 0, fingerprints, next, to);
        if (changes != null) {
          recordChange(changes.distinct(), -changes.changed());
          removed += changes.changed();
          next = changes.next();
          changes.throwFailure();
        }
        if (next < to) {
          chunk = chunkOfFingerprint(fingerprints[next] & ~BulkUpdate.UNCHANGED);
        }
      }
    } catch (Error e) {
      while (next-- > from) {
        if (fingerprints[next] >= 0) {
          undoRemoval(fingerprints[next]);
        }
      }
      throw e;
    }
    return removed;
  }

  /**
   * Removes a copy of a fingerprint that was added, unless that needs memory that there is not.
   * Memory may be exhausted: shrinks nothing, links no lambda and loads no class.
   */
  void undoAddition(long fingerprint) {
    try {
      removeFingerprint(fingerprint);
    } catch (VirtualMachineError | LinkageError e) {
      // The caller throws the first one. Other fingerprints may need no memory.
    }
  }

  /** Removes a copy of a fingerprint, but shrinks no table. Returns false if there is none. */
  boolean removeFingerprint(long fingerprint) {
    long before;
    do {
      Chunk chunk = chunkOfFingerprint(fingerprint);
      before = removeOneFrom(chunk, inChunk(chunk, fingerprint));
    } while (before == ChunkDirectory.REPLACED);
    return before > 0;
  }

  private long removeOneFrom(Chunk chunk, long inChunk) {
    long before = chunks.change(chunk, REMOVE_WITHOUT_SHRINKING, inChunk, 1, 0);
    recordChange(before == 1 ? -1 : 0, before > 0 ? -1 : 0);
    return before;
  }

  /** Adds a copy of a fingerprint that was removed, as {@link #undoAddition}. */
  void undoRemoval(long fingerprint) {
    try {
      addFingerprint(fingerprint, 1);
    } catch (VirtualMachineError | LinkageError e) {
      // The caller throws the first one. Other fingerprints may need no memory.
    }
  }

  private void removeFingerprint(long fingerprint, long copies) {
    Chunk chunk;
    do {
      chunk = chunkOfFingerprint(fingerprint);
    } while (removeFrom(chunk, inChunk(chunk, fingerprint), copies) == ChunkDirectory.REPLACED);
  }

  private static long inChunk(Chunk chunk, long fingerprint) {
    return fingerprint % chunk.shape.fingerprints;
  }

  Chunk chunkOfFingerprint(long fingerprint) {
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
    recordChange(count, count);
    return true;
  }

  /**
   * Adds 2<sup>bit</sup> copies of each of some fingerprints. Requires that the chunk holds them
   * and that no number of extra copies in the chunk has this bit set.
   */
  void fillExtraCopies(Chunk chunk, int bit, FingerprintBuffer fingerprints) {
    chunk.fillExtraCopies(bit, fingerprints, chunks.sizes);
    recordChange(0, (long) fingerprints.size() << bit);
    isNearMaxTotal = total() > NEAR_MAX_TOTAL;
  }

  /**
   * Adds all copies of all fingerprints of another multiset of the same space.
   *
   * @throws IllegalArgumentException if there would be more than {@link #MAX_TOTAL} copies; nothing
   *     is changed
   */
  void merge(DynamicFingerprints other) {
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
    DynamicFingerprints merged = copy(); // so nothing has changed if memory runs out
    if (BulkUpdate.isAdditionFaster(distinctOf(added), merged.distinct())) {
      merged.addInBulk(added);
    } else {
      added.forEach(chunk -> chunk.forEach(merged::addFingerprint));
    }
    become(merged);
  }

  private void addInBulk(List<Chunk> added) {
    long expected = distinct() + distinctOf(added);
    int next = 0;
    while (next < added.size()) {
      LongStream.Builder hashes = LongStream.builder();
      for (int size = 0; size < MIN_MERGED_AT_ONCE && next < added.size(); next++) {
        Chunk chunk = added.get(next);
        long first = chunk.firstFingerprint();
        chunk.forEachUnsorted(inChunk -> hashes.add(chunks.sizes.space.hashOf(first + inChunk)));
        size += chunk.size();
      }
      long[] all = hashes.build().toArray();
      new BulkAddition(this, all, 0, all.length, expected).run();
    }
    added.forEach(chunk -> chunk.forEachExtraCopy(this::addFingerprint));
  }

  /**
   * Removes all copies of all fingerprints of another multiset of the same space.
   *
   * @return false if the other has more copies of a fingerprint than this one; nothing is changed
   */
  boolean subtract(DynamicFingerprints other) {
    List<Chunk> removed = other.copies();
    if (!containsAll(removed)) {
      return false;
    }
    DynamicFingerprints rest = copy();
    removed.forEach(chunk -> chunk.forEach(rest::removeFingerprint));
    become(rest);
    return true;
  }

  private boolean containsAll(List<Chunk> others) {
    boolean[] contained = {true};
    for (Chunk chunk : others) {
      chunk.forEach(
          (fingerprint, copies) -> contained[0] &= countFingerprint(fingerprint) >= copies);
    }
    return contained[0];
  }

  private static long distinctOf(List<Chunk> chunks) {
    return chunks.stream().mapToLong(Chunk::size).sum();
  }

  private static long totalOf(List<Chunk> chunks) {
    return chunks.stream().mapToLong(Chunk::total).sum();
  }

  private void become(DynamicFingerprints other) {
    recordChange(other.distinct() - distinct(), other.total() - total());
    chunks = other.chunks;
    isNearMaxTotal = total() > NEAR_MAX_TOTAL;
  }

  /** Returns an independent copy, whatever other threads do. */
  DynamicFingerprints copy() {
    List<Chunk> copies = copies();
    return new DynamicFingerprints(
        ChunkDirectory.of(chunks.sizes, copies), distinctOf(copies), totalOf(copies), scratchBytes);
  }

  /**
   * Removes all fingerprints, chunk by chunk, whatever other threads do: each copy that was added
   * before the call, and perhaps some that are added meanwhile.
   */
  void clear() {
    chunks.clear(cleared -> recordChange(-cleared.size(), -cleared.total()));
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
    return Math.max(0, distinct.sum() + extraCopies.sum());
  }

  /** Returns whether another multiset of the same space has the same contents. */
  boolean holdsTheSameAs(DynamicFingerprints other) {
    DynamicFingerprints mine = copy();
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
