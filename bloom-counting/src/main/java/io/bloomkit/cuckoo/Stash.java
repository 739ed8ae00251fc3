package io.bloomkit.cuckoo;

import io.bloomkit.internal.LongCounts;

/**
 * The fingerprints of a {@link CuckooFilter} for which there was no free slot, as {@linkplain
 * FingerprintTable#key keys}. Usually there are none, and more than a few only if many hashes share
 * their buckets.
 */
final class Stash {

  /** Each key with an overflow of 1. */
  private final LongCounts keys;

  Stash() {
    this(new LongCounts());
  }

  Stash(LongCounts keys) {
    this.keys = keys;
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
    return keys.keyAt(keys.next(0));
  }

  /** Adds a key, or changes nothing if it throws for lack of memory. */
  void add(long key) {
    keys.set(key, 1);
  }

  /** Removes a key. Never throws for lack of memory. */
  void remove(long key) {
    keys.set(key, 0);
  }

  void clear() {
    keys.clear();
  }

  Stash copy() {
    return new Stash(keys.copy());
  }

  /** Returns the bytes of the table, estimated from its size. */
  long memoryBytes() {
    return keys.memoryBytes();
  }

  /** Returns the keys in ascending order. */
  long[] sorted() {
    return keys.sortedKeys();
  }
}
