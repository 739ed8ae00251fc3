package io.bloomkit.counting;

import it.unimi.dsi.fastutil.Hash;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;

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

  private final LongOpenHashSet keys;
  private final boolean isConcurrent;
  private volatile long[] published = NONE;

  Stash(boolean isConcurrent) {
    this(new LongOpenHashSet(0), isConcurrent);
  }

  Stash(LongOpenHashSet keys, boolean isConcurrent) {
    this.keys = keys;
    this.isConcurrent = isConcurrent;
    publish();
  }

  private void publish() {
    if (isConcurrent) {
      try {
        published = keys.isEmpty() ? NONE : keys.size() > FEW ? MANY : keys.toLongArray();
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
    return keys.contains(key);
  }

  /** Returns one of the keys. Requires that there is one. */
  long any() {
    return keys.iterator().nextLong();
  }

  /** Adds a key, or changes nothing if it throws for lack of memory. */
  void add(long key) {
    keys.ensureCapacity(keys.size() + 1); // otherwise the set adds the key and then throws
    keys.add(key);
    publish();
  }

  /** Removes a key. Never throws for lack of memory. */
  void remove(long key) {
    try {
      keys.remove(key);
    } catch (OutOfMemoryError e) {
      // The key has been removed; only shrinking the set failed.
    }
    publish();
  }

  void clear() {
    keys.clear();
    keys.trim();
    publish();
  }

  Stash copy() {
    return new Stash(keys.clone(), isConcurrent);
  }

  /** Returns the bytes of the set, estimated from its size. */
  long memoryBytes() {
    return isEmpty()
        ? 0
        : (long) Long.BYTES * HashCommon.arraySize(size(), Hash.DEFAULT_LOAD_FACTOR);
  }

  /** Returns the keys in ascending order. */
  long[] sorted() {
    long[] sorted = keys.toLongArray();
    Arrays.sort(sorted);
    return sorted;
  }
}
