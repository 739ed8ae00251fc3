package io.bloomkit.counting;

import io.bloomkit.internal.WordArrays;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Versions of a concurrent {@link CuckooFilter} and of its buckets, by which a query finds out
 * without a lock that what it read was changed meanwhile (B. Fan, D. Andersen, M. Kaminsky,
 * <i>MemC3</i>, NSDI 2013, section 3.2). Only the holder of the lock for updates changes them.
 *
 * <p>A query first reads its buckets as if there were no other threads, and {@link #isQuietSince}
 * tells whether an update ran meanwhile: two reads of this object. Only if one did, or the stash
 * holds keys, it reads them again with the versions of its two buckets ({@link #contains}), which
 * most updates leave as they are. A version is odd while a bucket of its stripe is being changed.
 *
 * <p>Buckets are read and written by plain accesses. {@link #isQuietSince} and {@link
 * #areUnchanged} return true only if no write of a change reached the reads: a change that was
 * announced before a write, by the fence of {@link #beginUpdate} and {@link #begin}, is seen by the
 * second read of the version, by the fence before it; and a change whose end was seen by the first
 * read, which acquires what {@link #endUpdate} and {@link #end} released, was read as a whole. A
 * write also stores the bytes of the bucket that follows, as they are.
 */
class BucketVersions {

  /** Eight kibibytes of versions, which stay in the first-level cache. */
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

  /** The number of updates that have begun, of which filling the filter is the first. */
  private long begun = 1;

  /** The number of updates when the last one ended that left the stash empty. */
  @SuppressWarnings("UnusedVariable") // read by its handle
  private long ended;

  private final long[] versions;

  /** The buckets of a chain of kicks. Used by the holder of the lock only. */
  private final int[] path = new int[MOST_KICKS];

  BucketVersions(int buckets) {
    versions = new long[stripes(buckets)];
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

  /** Returns what {@link #isQuietSince} takes, to be read before the buckets. */
  final long ended() {
    return (long) ENDED.getAcquire(this);
  }

  /**
   * Returns whether no update has begun since that number was read, none was running then, and the
   * stash is empty.
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

  /** Ends an update. While the stash holds keys, no query is answered by the buckets alone. */
  void endUpdate(boolean isStashEmpty) {
    if (isStashEmpty) {
      ENDED.setRelease(this, begun);
    }
  }

  /** Returns the version of a bucket, to be read before the bucket. */
  final long read(int bucket) {
    return (long) WordArrays.WORDS.getAcquire(versions, stripe(bucket));
  }

  /**
   * Returns whether two buckets were not being changed when their versions were read, and are as
   * they were then.
   */
  boolean areUnchanged(int bucket, long version, int partner, long partnerVersion) {
    VarHandle.acquireFence();
    long now = (long) WordArrays.WORDS.getOpaque(versions, stripe(bucket));
    long partnerNow = (long) WordArrays.WORDS.getOpaque(versions, stripe(partner));
    long odd = (version | partnerVersion) & 1;
    return ((now ^ version) | (partnerNow ^ partnerVersion) | odd) == 0; // one branch
  }

  /** Begins to change a bucket. */
  final void begin(int bucket) {
    int stripe = stripe(bucket);
    WordArrays.WORDS.setOpaque(versions, stripe, versions[stripe] + 1);
    VarHandle.releaseFence();
  }

  /** Ends the change of a bucket. */
  final void end(int bucket) {
    int stripe = stripe(bucket);
    WordArrays.WORDS.setRelease(versions, stripe, versions[stripe] + 1);
  }

  /** Begins to change any buckets. */
  final void beginAll() {
    for (int stripe = 0; stripe < versions.length; stripe++) {
      WordArrays.WORDS.setOpaque(versions, stripe, versions[stripe] + 1);
    }
    VarHandle.releaseFence();
  }

  /** Ends the change of any buckets. */
  final void endAll() {
    for (int stripe = 0; stripe < versions.length; stripe++) {
      WordArrays.WORDS.setRelease(versions, stripe, versions[stripe] + 1);
    }
  }

  /**
   * Returns whether a fingerprint is held, without a lock: 1, 0, or {@link #UNKNOWN}.
   *
   * <p>Both buckets and the stash are read, so what is seen was there at one moment. A stored
   * fingerprint is at every moment in a bucket or in the stash: one that leaves the stash is in its
   * bucket before, so a query that no longer finds it in the stash sees that its bucket has
   * changed.
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
   * As {@link FingerprintTable#place}, of a fingerprint whose buckets are full, so that a query
   * finds each fingerprint at any moment: first the chain is found, then its fingerprints are moved
   * from its end, so each is copied to its other bucket before it is overwritten (MemC3, section
   * 3.2). The outcome is that of {@link FingerprintTable#kick}, place by place.
   *
   * <p>A chain that comes to a bucket twice cannot be moved from its end: what it finds there the
   * second time it has put there itself. Such a chain, and a long one, is kicked from its beginning
   * while all versions are odd, so queries wait for that one addition. In a table of many buckets
   * hardly any chain is such.
   */
  long place(FingerprintTable table, int partner, long fingerprint, boolean displaceCopies) {
    path[0] = partner;
    for (int kick = 0; kick < MOST_KICKS; kick++) {
      int current = path[kick];
      long kicked = table.get(current, FingerprintTable.slotToKick(fingerprint, kick));
      int next = table.partner(current, kicked);
      // A bucket with a free place is none of those before, which were full.
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
   * Returns whether a copy of the kicked fingerprint is elsewhere after the chain before it was
   * moved.
   */
  private boolean hasOtherCopy(
      FingerprintTable table, long fingerprint, int kick, long kicked, int next) {
    return before(table, fingerprint, kick) == kicked
        || table.copies(path[kick], kicked) > 1
        || table.contains(next, kicked);
  }

  /** Returns the fingerprint that takes the place of the one that is kicked. */
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
