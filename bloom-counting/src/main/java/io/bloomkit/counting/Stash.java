package io.bloomkit.counting;

/**
 * The fingerprints of a {@link CuckooFilter} for which there was no free slot, as {@linkplain
 * FingerprintTable#key keys}. Usually there are none, and more than a few only if many hashes share
 * their buckets.
 *
 * <p>In a concurrent filter, each change publishes an array of the keys, unless there are many, for
 * queries that hold no lock. All methods but those for published keys require the lock.
 */
final class Stash {

  /** The largest number of keys that are published, and searched one by one. */
  private static final int FEW = 16;

  private static final long[] NONE = {};

  /** Published in place of more than {@link #FEW} keys, or if no array could be allocated. */
  private static final long[] MANY = {};

  /** Each key with an overflow of 1. */
  private final OverflowTable keys;

  private final boolean isConcurrent;
  private volatile long[] published = NONE;

  Stash(boolean isConcurrent) {
    this(new OverflowTable(), isConcurrent);
  }

  Stash(OverflowTable keys, boolean isConcurrent) {
    this.keys = keys;
    this.isConcurrent = isConcurrent;
    publish();
  }

  private void publish() {
    if (isConcurrent) {
      try {
        published = keys.isEmpty() ? NONE : keys.size() > FEW ? MANY : keys.indices();
      } catch (OutOfMemoryError e) {
        published = MANY;
      }
    }
  }

  /** Returns whether no key is published. Requires no lock. */
  boolean isPublishedEmpty() {
    return published == NONE;
  }

  /**
   * Returns whether a fingerprint is published: 1, 0, or {@link BucketVersions#UNKNOWN} if there
   * are too many keys. Requires no lock.
   */
  int publishedContains(FingerprintTable table, int bucket, long fingerprint) {
    long[] few = published;
    if (few == NONE) {
      return 0;
    }
    return few == MANY
        ? BucketVersions.UNKNOWN
        : contains(few, table.key(bucket, fingerprint)) ? 1 : 0;
  }

  private static boolean contains(long[] keys, long key) {
    for (long stashed : keys) {
      if (stashed == key) {
        return true;
      }
    }
    return false;
  }

  boolean isEmpty() {
    return keys.isEmpty();
  }

  int size() {
    return keys.size();
  }

  boolean contains(long key) {
    return keys.get(key) != 0;
  }

  /** Returns one of the keys. Requires that there is one. */
  long any() {
    return keys.indexAt(keys.next(0));
  }

  /** Adds a key, or changes nothing if it throws for lack of memory. */
  void add(long key) {
    keys.set(key, 1);
    publish();
  }

  /** Removes a key. Never throws for lack of memory. */
  void remove(long key) {
    keys.set(key, 0);
    publish();
  }

  void clear() {
    keys.clear();
    publish();
  }

  Stash copy() {
    return new Stash(keys.copy(), isConcurrent);
  }

  /** Returns the bytes of the table, estimated from its size. */
  long memoryBytes() {
    return keys.memoryBytes();
  }

  /** Returns the keys in ascending order. */
  long[] sorted() {
    return keys.sortedIndices();
  }
}
