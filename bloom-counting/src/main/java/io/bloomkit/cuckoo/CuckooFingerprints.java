package io.bloomkit.cuckoo;

import io.bloomkit.internal.LongCounts;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A multiset of fingerprints of hashes: the contents of a {@link CuckooFilter}.
 *
 * <p>Up to two copies of a fingerprint are stored in its buckets, and the others in a side table.
 * With no limit, eight copies of one element would fill both buckets and block others. With a limit
 * of one, elements that share a fingerprint by chance, one in thirty at 3 %, would go to the side
 * table, which takes ten times the memory per copy.
 *
 * <p>Invariants: a fingerprint in the stash has no copy in its buckets; a fingerprint in the side
 * table also has a copy in its buckets or in the stash. So a query reads only the buckets and the
 * stash.
 *
 * <p>An update that throws, for lack of memory, changes nothing.
 */
final class CuckooFingerprints {

  /**
   * The buckets have many second copies if more than one element in this number has one. By chance
   * one in 68 shares the fingerprint of an earlier element at most, at full capacity with the
   * shortest fingerprints, of 8 bits.
   */
  private static final int FEW_COPIES = 32;

  final long capacity;
  final FingerprintTable table;

  /** The keys of the fingerprints for which there was no free slot: one copy of each. */
  final Stash stash;

  /** Key → the number of copies besides those in the buckets or the stash; never zero. */
  final LongCounts extraCopies;

  private long elements;
  private long distinct;

  /** The number of occupied slots of the table. */
  private long occupied;

  /** The number of occupied pairs of a bucket and a fingerprint, out of b · (2^f − 1). */
  private long positivePairs;

  CuckooFingerprints(CuckooShape size) {
    this(
        size.capacity(),
        new FingerprintTable(size.buckets(), size.fingerprintBits()),
        new Stash(),
        new LongCounts(),
        0,
        0,
        0,
        0);
  }

  CuckooFingerprints(
      long capacity,
      FingerprintTable table,
      Stash stash,
      LongCounts extraCopies,
      long elements,
      long distinct,
      long occupied,
      long positivePairs) {
    this.capacity = capacity;
    this.table = table;
    this.stash = stash;
    this.extraCopies = extraCopies;
    this.elements = elements;
    this.distinct = distinct;
    this.occupied = occupied;
    this.positivePairs = positivePairs;
  }

  boolean containsHash(long hash) {
    long fingerprint = table.fingerprintOf(hash);
    int bucket = table.bucketOf(hash);
    int alternate = table.alternate(bucket, fingerprint);
    return table.isInBuckets(bucket, alternate, fingerprint) || isStashed(bucket, fingerprint);
  }

  private boolean isStashed(int bucket, long fingerprint) {
    return !stash.isEmpty() && stash.contains(table.key(bucket, fingerprint));
  }

  /**
   * Adds a hash.
   *
   * @return whether it was absent
   * @throws IllegalStateException if it is absent and the capacity is reached; nothing is changed
   */
  boolean addHash(long hash) {
    if (elements == FingerprintFile.MAX_COPIES) {
      throw tooManyCopies();
    }
    long fingerprint = table.fingerprintOf(hash);
    int bucket = table.bucketOf(hash);
    int alternate = table.alternate(bucket, fingerprint);
    int copies = table.copies(bucket, alternate, fingerprint);
    if (copies > 0 || isStashed(bucket, fingerprint)) {
      addCopy(bucket, alternate, fingerprint, copies);
      elements++;
      return false;
    }
    if (distinct == capacity) {
      throw new IllegalStateException(
          "the filter is full: it was made for "
              + capacity
              + " distinct elements and holds as many; make it for more, or remove some first");
    }
    addFirst(bucket, fingerprint);
    elements++;
    distinct++;
    positivePairs += FingerprintTable.pairs(bucket, alternate);
    return true;
  }

  /**
   * Adds copies of a hash.
   *
   * @param copies at least 1
   * @return whether it was absent
   * @throws IllegalStateException if {@link #addHash(long)} throws, or there would be more than
   *     {@link FingerprintFile#MAX_COPIES} copies; nothing is changed
   */
  boolean addHash(long hash, long copies) {
    if (copies > FingerprintFile.MAX_COPIES - elements) {
      throw tooManyCopies();
    }
    if (copies > 1) { // allocates before the first change
      extraCopies.ensureCapacity(extraCopies.size() + 2L);
    }
    boolean wasAbsent = addHash(hash);
    long remaining = copies - 1;
    if (remaining > 0) {
      long fingerprint = table.fingerprintOf(hash);
      int bucket = table.bucketOf(hash);
      int alternate = table.alternate(bucket, fingerprint);
      // Only one of the copies may enter the buckets.
      addCopy(bucket, alternate, fingerprint, table.copies(bucket, alternate, fingerprint));
      if (remaining > 1) {
        extraCopies.add(table.key(bucket, fingerprint), remaining - 1);
      }
      elements += remaining;
    }
    return wasAbsent;
  }

  private static IllegalStateException tooManyCopies() {
    return new IllegalStateException(
        "cannot add: the filter would hold more than 2^62 copies of elements, the largest number");
  }

  /**
   * Stores an extra copy in the buckets, or else in the side table. The buckets take no further
   * copies once the number of occupied slots has reached the capacity. A copy kicks other
   * fingerprints only while there are few copies, as by chance: if each fingerprint were stored
   * twice, the table would be full at 0.9 of its slots and not at 0.98, and many chains would fail.
   */
  private void addCopy(int bucket, int alternate, long fingerprint, int copies) {
    boolean placed = false;
    if (copies == 1 && occupied < capacity) {
      placed =
          hasManyCopies()
              ? table.putIfFree(bucket, fingerprint) || table.putIfFree(alternate, fingerprint)
              : table.place(bucket, fingerprint, false) == FingerprintTable.PLACED;
    }
    if (placed) {
      occupied++;
    } else {
      extraCopies.add(table.key(bucket, fingerprint), 1);
    }
  }

  /**
   * Stores the first copy of a fingerprint. A chain that meets a second copy may move that copy to
   * the side table and end. So there is as much room as in a table of distinct fingerprints.
   */
  private void addFirst(int bucket, long fingerprint) {
    if (!tryPlace(bucket, fingerprint)) {
      stash.add(table.key(bucket, fingerprint));
    }
  }

  private boolean tryPlace(int bucket, long fingerprint) {
    boolean displaceCopies = hasManyCopies() || occupied >= capacity;
    if (displaceCopies) { // allocates before a copy is moved here
      extraCopies.ensureCapacity(extraCopies.size() + 1L);
    }
    long outcome = table.place(bucket, fingerprint, displaceCopies);
    if (outcome == FingerprintTable.NO_ROOM) {
      return false;
    }
    if (outcome == FingerprintTable.PLACED) {
      occupied++;
    } else {
      extraCopies.add(outcome, 1);
    }
    return true;
  }

  /** Returns whether the buckets hold more second copies than arise by chance. */
  private boolean hasManyCopies() {
    return occupied + stash.size() - distinct > capacity / FEW_COPIES;
  }

  /**
   * Adds all hashes, or none and throws as {@link #addHash}. Returns how many were absent.
   *
   * @param answers set to whether the hash was absent, at its index; null if nobody asks
   */
  long addHashes(long[] hashes, int offset, int length, boolean @Nullable [] answers) {
    long added = 0;
    int next = offset;
    try {
      for (; next < offset + length; next++) {
        boolean wasAbsent = addHash(hashes[next]);
        added += wasAbsent ? 1 : 0;
        if (answers != null) {
          answers[next] = wasAbsent;
        }
      }
    } catch (IllegalStateException | OutOfMemoryError e) {
      while (next-- > offset) {
        removeHash(hashes[next]);
      }
      throw e;
    }
    return added;
  }

  /** Removes one copy of a hash. Returns false if there is none. */
  boolean removeHash(long hash) {
    long fingerprint = table.fingerprintOf(hash);
    int bucket = table.bucketOf(hash);
    int alternate = table.alternate(bucket, fingerprint);
    int copies = table.copies(bucket, alternate, fingerprint);
    if (copies == 0 && !isStashed(bucket, fingerprint)) {
      return false;
    }
    elements--;
    if (!extraCopies.isEmpty() && extraCopies.decrement(table.key(bucket, fingerprint))) {
      return true;
    }
    if (copies < 2) {
      distinct--;
      positivePairs -= FingerprintTable.pairs(bucket, alternate);
    }
    if (copies == 0) {
      stash.remove(table.key(bucket, fingerprint));
      return true;
    }
    if (!table.remove(bucket, fingerprint)) {
      table.remove(alternate, fingerprint);
    }
    occupied--;
    if (!stash.isEmpty()) {
      bringOneHome();
    }
    return true;
  }

  /** Removes copies of a hash, at least 1. Returns false and changes nothing if there are fewer. */
  boolean removeHash(long hash, long copies) {
    if (countHash(hash) < copies) {
      return false;
    }
    long key = table.key(table.bucketOf(hash), table.fingerprintOf(hash));
    long extra = extraCopies.get(key);
    long ofExtra = Math.min(extra, copies);
    if (ofExtra > 0) {
      extraCopies.set(key, extra - ofExtra);
      elements -= ofExtra;
    }
    for (long remaining = copies - ofExtra; remaining > 0; remaining--) { // at most two
      removeHash(hash);
    }
    return true;
  }

  /** Tries to move a fingerprint from the stash to its buckets, after a slot became free. */
  private void bringOneHome() {
    try {
      long key = stash.any();
      if (tryPlace(FingerprintTable.bucketOfKey(key), FingerprintTable.fingerprintOfKey(key))) {
        stash.remove(key);
      }
    } catch (OutOfMemoryError e) {
      // The removal has succeeded, and the key stays in the stash.
    }
  }

  long countHash(long hash) {
    return count(table.bucketOf(hash), table.fingerprintOf(hash));
  }

  private long count(int bucket, long fingerprint) {
    int copies = table.copies(bucket, table.alternate(bucket, fingerprint), fingerprint);
    long key = table.key(bucket, fingerprint);
    return copies + (stash.contains(key) ? 1 : 0) + extraCopies.get(key);
  }

  void clear() {
    table.clear();
    stash.clear();
    extraCopies.clear();
    elements = 0;
    distinct = 0;
    occupied = 0;
    positivePairs = 0;
  }

  CuckooFingerprints copy() {
    return new CuckooFingerprints(
        capacity,
        table.copy(),
        stash.copy(),
        extraCopies.copy(),
        elements,
        distinct,
        occupied,
        positivePairs);
  }

  /** Returns the fraction of all pairs of a bucket and a fingerprint that are occupied. */
  double shareOfPositivePairs() {
    long pairs = table.buckets() * FingerprintTable.values(table.width());
    return (double) positivePairs / pairs;
  }

  /** Returns whether an object is a multiset with the same size and contents, in any slots. */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof CuckooFingerprints other
        && capacity == other.capacity
        && table.buckets() == other.table.buckets()
        && table.width() == other.table.width()
        && elements == other.elements
        && keys().allMatch(key -> countOfKey(key) == other.countOfKey(key));
  }

  @Override
  public int hashCode() {
    long sum = keys().map(LongCounts::mix).sum(); // independent of the order
    for (int entry = extraCopies.next(0); entry >= 0; entry = extraCopies.next(entry + 1)) {
      sum += extraCopies.countAt(entry) * LongCounts.mix(extraCopies.keyAt(entry));
    }
    return Long.hashCode(sum);
  }

  /** Returns the keys of all copies in the buckets and the stash, at least one per fingerprint. */
  private LongStream keys() {
    return LongStream.concat(table.keys(), LongStream.of(stash.sorted()));
  }

  private long countOfKey(long key) {
    return count(FingerprintTable.bucketOfKey(key), FingerprintTable.fingerprintOfKey(key));
  }

  long size() {
    return elements;
  }

  long distinct() {
    return distinct;
  }

  int stashed() {
    return stash.size();
  }

  long memoryBytes() {
    return table.memoryBytes() + stash.memoryBytes() + extraCopies.memoryBytes();
  }
}
