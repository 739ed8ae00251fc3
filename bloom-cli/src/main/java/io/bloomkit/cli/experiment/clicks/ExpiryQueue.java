package io.bloomkit.cli.experiment.clicks;

/**
 * Hashes in the order in which they came, and when: a ring of fixed size, {@value #BYTES_PER_ENTRY}
 * bytes a place. Of a time it keeps the lower 32 bits, which tell ages up to 2<sup>31</sup> − 1
 * milliseconds, 24 days.
 */
final class ExpiryQueue {

  static final int BYTES_PER_ENTRY = Long.BYTES + Integer.BYTES;

  /** What arrays hold that every virtual machine can make. */
  static final int MOST_ENTRIES = Integer.MAX_VALUE - 8;

  private final long[] hashes;
  private final int[] millis;
  private int oldest;
  private int size;

  /** Makes an empty queue with room for a number of hashes. */
  ExpiryQueue(int capacity) {
    hashes = new long[capacity];
    millis = new int[capacity];
  }

  /**
   * Adds a hash.
   *
   * @throws IllegalStateException if there is no room; nothing has changed then
   */
  void add(long hash, long now) {
    if (size == hashes.length) {
      throw new IllegalStateException(
          "the queue has room for " + hashes.length + " hashes, those of a window, and is full");
    }
    int free = oldest - (hashes.length - size); // no sum, which may exceed an int
    free += free < 0 ? hashes.length : 0;
    hashes[free] = hash;
    millis[free] = (int) now;
    size++;
  }

  /** Returns whether there is a hash that was added more than so long ago. */
  boolean isOldestOlderThan(long age, long now) {
    return size > 0 && (int) now - millis[oldest] > age;
  }

  /** Removes and returns the hash that was added before all others; there must be one. */
  long removeOldest() {
    long hash = hashes[oldest];
    oldest = oldest + 1 == hashes.length ? 0 : oldest + 1;
    size--;
    return hash;
  }

  int size() {
    return size;
  }

  long memoryBytes() {
    return memoryBytes(hashes.length);
  }

  static long memoryBytes(int capacity) {
    return (long) BYTES_PER_ENTRY * capacity;
  }
}
