package io.bloomkit.counting;

import io.bloomkit.internal.WordArrays;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Versions of a concurrent {@link CuckooFilter} and of its buckets. With them, a query without the
 * lock detects that the buckets changed while it read them (B. Fan, D. Andersen, M. Kaminsky,
 * <i>MemC3</i>, NSDI 2013, section 3.2). Only the holder of the filter's lock changes versions.
 *
 * <p>A query first reads its buckets as if there were no other threads. {@link #isQuietSince} then
 * returns whether no update ran meanwhile; with {@link #ended}, that takes two reads of this
 * object. If an update ran, or the stash holds keys, the query reads the buckets again, with the
 * versions of these two buckets ({@link #contains}), which most updates leave unchanged. Buckets
 * that share a version form a stripe. A version is odd while a bucket of its stripe is being
 * changed.
 *
 * <p>Buckets are read and written by plain accesses. {@link #isQuietSince} and {@link
 * #areUnchanged} return true only if the reads between saw no part of a change, for two reasons. If
 * a read saw a write of a change, the fences in {@link #beginUpdate}, in {@link #begin} and before
 * the second read of the version make that second read see the beginning of the change. If the
 * first read of the version saw the end of a change, it acquired what {@link #endUpdate} or {@link
 * #end} released, so the whole change was read. A write also stores the bytes of the following
 * bucket, unchanged.
 */
class BucketVersions {

  /** The largest number of versions: 8 KiB, which stay in the first-level cache. */
  private static final int MOST = 1 << 10;

  private static final int MOST_KICKS = 64;

  /** The result of {@link #contains} if the lock is needed. */
  static final int UNKNOWN = -1;

  /** The result of a read while a bucket is being changed. */
  private static final int CHANGED = -2;

  private static final int ABSENT = 0;
  private static final int OPTIMISTIC_READS = 8;

  private static final VarHandle BEGUN = handle("begun");
  private static final VarHandle ENDED = handle("ended");

  /** The number of updates that have begun. The first one is the filling of the filter. */
  private long begun = 1;

  /** The value of {@link #begun} when an update last ended with an empty stash. */
  @SuppressWarnings("UnusedVariable") // read by its handle
  private long ended;

  private final long[] versions;

  /** The buckets of a chain of kicks. Only the holder of the lock uses it. */
  private final int[] path = new int[MOST_KICKS];

  BucketVersions(int buckets) {
    versions = WordArrays.allocate(stripes(buckets));
  }

  private static VarHandle handle(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(BucketVersions.class, field, long.class);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the field is in this class", e);
    }
  }

  static long memoryBytes(int buckets) {
    return (long) stripes(buckets) * Long.BYTES + (long) MOST_KICKS * Integer.BYTES;
  }

  private static int stripes(int buckets) {
    return Math.min(MOST, Integer.highestOneBit(buckets));
  }

  private int stripe(int bucket) {
    return bucket & (versions.length - 1);
  }

  /** Returns the argument of {@link #isQuietSince}. To be called before reading the buckets. */
  final long ended() {
    return (long) ENDED.getAcquire(this);
  }

  /**
   * Returns whether the stash was empty and no update was running when {@link #ended()} returned
   * the given number, and none has begun since.
   */
  boolean isQuietSince(long ended) {
    VarHandle.acquireFence();
    return (long) BEGUN.getOpaque(this) == ended;
  }

  /** Begins an update, before its first change. */
  final void beginUpdate() {
    BEGUN.setOpaque(this, begun + 1);
    VarHandle.releaseFence();
  }

  /** Ends an update. While the stash holds keys, {@link #isQuietSince} returns false. */
  void endUpdate(boolean isStashEmpty) {
    if (isStashEmpty) {
      ENDED.setRelease(this, begun);
    }
  }

  /** Returns the version of a bucket. To be called before reading the bucket. */
  final long read(int bucket) {
    return (long) WordArrays.WORDS.getAcquire(versions, stripe(bucket));
  }

  /**
   * Returns whether two buckets were not being changed when their versions were read, and have not
   * changed since.
   */
  boolean areUnchanged(int bucket, long version, int partner, long partnerVersion) {
    VarHandle.acquireFence();
    long now = (long) WordArrays.WORDS.getOpaque(versions, stripe(bucket));
    long partnerNow = (long) WordArrays.WORDS.getOpaque(versions, stripe(partner));
    long odd = (version | partnerVersion) & 1;
    return ((now ^ version) | (partnerNow ^ partnerVersion) | odd) == 0; // one branch
  }

  final void begin(int bucket) {
    int stripe = stripe(bucket);
    WordArrays.WORDS.setOpaque(versions, stripe, versions[stripe] + 1);
    VarHandle.releaseFence();
  }

  final void end(int bucket) {
    int stripe = stripe(bucket);
    WordArrays.WORDS.setRelease(versions, stripe, versions[stripe] + 1);
  }

  /** Begins a change of any number of buckets: makes all versions odd. */
  final void beginAll() {
    for (int stripe = 0; stripe < versions.length; stripe++) {
      WordArrays.WORDS.setOpaque(versions, stripe, versions[stripe] + 1);
    }
    VarHandle.releaseFence();
  }

  /** Ends a change of any number of buckets. */
  final void endAll() {
    for (int stripe = 0; stripe < versions.length; stripe++) {
      WordArrays.WORDS.setRelease(versions, stripe, versions[stripe] + 1);
    }
  }

  /**
   * Returns whether a fingerprint is held, without a lock: 1, 0, or {@link #UNKNOWN}.
   *
   * <p>The versions ensure that both buckets and the stash are read as they were at one moment. A
   * stored fingerprint is always in a bucket or in the stash. A fingerprint that leaves the stash
   * is stored in its bucket first, so a query that no longer finds it in the stash detects that the
   * bucket has changed.
   */
  final int contains(
      FingerprintTable table, Stash stash, int bucket, int partner, long fingerprint) {
    for (int read = 0; read < OPTIMISTIC_READS; read++) {
      int contains = readOnce(table, stash, bucket, partner, fingerprint);
      if (contains != CHANGED) {
        return contains;
      }
      Thread.onSpinWait();
    }
    return UNKNOWN;
  }

  private int readOnce(
      FingerprintTable table, Stash stash, int bucket, int partner, long fingerprint) {
    long version = read(bucket);
    long partnerVersion = read(partner);
    long matches = table.matches(bucket, fingerprint) | table.matches(partner, fingerprint);
    int contains = (int) ((matches | -matches) >>> (Long.SIZE - 1)); // no branch to mispredict
    if (!stash.isPublishedEmpty() && contains == ABSENT) {
      contains = stash.publishedContains(table, bucket, fingerprint);
    }
    return areUnchanged(bucket, version, partner, partnerVersion) ? contains : CHANGED;
  }

  /**
   * Does what {@link FingerprintTable#place} does for a fingerprint whose buckets are full, but
   * queries find every stored fingerprint at any moment. It first searches the chain, then moves
   * the fingerprints from the end of the chain, so each is in its other bucket before it is
   * overwritten (MemC3, section 3.2). The result is that of {@link FingerprintTable#kick}, slot by
   * slot.
   *
   * <p>A chain that visits a bucket twice cannot be moved from its end, since the second visit
   * would read what the first visit wrote. Such a chain, or one of {@value #MOST_KICKS} kicks, is
   * kicked from its beginning while all versions are odd, so queries wait for this insertion. In a
   * large table such chains are very rare.
   */
  long place(FingerprintTable table, int partner, long fingerprint, boolean displaceCopies) {
    path[0] = partner;
    for (int kick = 0; kick < MOST_KICKS; kick++) {
      int current = path[kick];
      long kicked = table.get(current, FingerprintTable.slotToKick(fingerprint, kick));
      int next = table.partner(current, kicked);
      // A bucket with a free slot is not an earlier one of the chain, since those were full.
      if (table.putIfFree(next, kicked)) {
        move(table, fingerprint, kick);
        return FingerprintTable.PLACED;
      }
      if (kick + 1 == MOST_KICKS || isOnPath(next, kick)) {
        break;
      }
      if (displaceCopies && hasOtherCopy(table, fingerprint, kick, kicked, next)) {
        move(table, fingerprint, kick);
        return table.key(next, kicked);
      }
      path[kick + 1] = next;
    }
    return kickWhileAllAreOdd(table, partner, fingerprint, displaceCopies);
  }

  /** Does what {@link FingerprintTable#kick} does, while queries wait. */
  final long kickWhileAllAreOdd(
      FingerprintTable table, int partner, long fingerprint, boolean displaceCopies) {
    beginAll();
    long outcome = table.kick(partner, fingerprint, displaceCopies);
    endAll();
    return outcome;
  }

  private boolean isOnPath(int bucket, int last) {
    for (int i = 0; i <= last; i++) {
      if (path[i] == bucket) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether another copy of the kicked fingerprint is in its buckets once the chain up to
   * this kick has been moved.
   */
  private boolean hasOtherCopy(
      FingerprintTable table, long fingerprint, int kick, long kicked, int next) {
    return before(table, fingerprint, kick) == kicked
        || table.copies(path[kick], kicked) > 1
        || table.contains(next, kicked);
  }

  /** Returns the fingerprint that replaces the kicked one in its slot. */
  private long before(FingerprintTable table, long fingerprint, int kick) {
    return kick == 0
        ? fingerprint
        : table.get(path[kick - 1], FingerprintTable.slotToKick(fingerprint, kick - 1));
  }

  private void move(FingerprintTable table, long fingerprint, int last) {
    for (int kick = last; kick >= 0; kick--) {
      put(
          table,
          path[kick],
          FingerprintTable.slotToKick(fingerprint, kick),
          before(table, fingerprint, kick));
    }
  }

  private void put(FingerprintTable table, int bucket, int slot, long fingerprint) {
    begin(bucket);
    table.exchange(bucket, slot, fingerprint);
    end(bucket);
  }
}
