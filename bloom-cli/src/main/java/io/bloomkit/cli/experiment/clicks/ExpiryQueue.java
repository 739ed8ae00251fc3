package io.bloomkit.cli.experiment.clicks;

/**
 * A queue of hashes with their times: a ring buffer of fixed size with {@value #BYTES_PER_ENTRY}
 * bytes per entry. It stores the lower 32 bits of each time, which suffices for ages up to
 * 2<sup>31</sup> − 1 milliseconds (24 days).
 */
final class ExpiryQueue {

  static final int BYTES_PER_ENTRY = Long.BYTES + Integer.BYTES;

  /** The largest array size that every virtual machine supports. */
  static final int MAX_ENTRIES = Integer.MAX_VALUE - 8;

  private final long[] hashes;
  private final int[] millis;
  private int oldest;
  private int size;

  /** Creates an empty queue with room for a number of hashes. */
  ExpiryQueue(int capacity) {
    hashes = new long[capacity];
    millis = new int[capacity];
  }

  /**
   * Adds a hash.
   *
   * @throws IllegalStateException if the queue is full; nothing is changed
   */
  void add(long hash, long now) {
    if (size == hashes.length) {
      throw new IllegalStateException(
          "the queue is full, at its capacity of " + hashes.length + " hashes");
    }
    int free = oldest - (hashes.length - size); // a sum might overflow
    free += free < 0 ? hashes.length : 0;
    hashes[free] = hash;
    millis[free] = (int) now;
    size++;
  }

  /**
   * Returns whether the oldest hash exists and was added more than {@code age} milliseconds before
   * {@code now}.
   */
  boolean isOldestOlderThan(long age, long now) {
    return size > 0 && (int) now - millis[oldest] > age;
  }

  /** Removes and returns the oldest hash; the queue must not be empty. */
  long removeOldest() {
    long hash = hashes[oldest];
    oldest = oldest + 1 == hashes.length ? 0 : oldest + 1;
    size--;
    return hash;
  }

  long memoryBytes() {
    return memoryBytes(hashes.length);
  }

  static long memoryBytes(int capacity) {
    return (long) BYTES_PER_ENTRY * capacity;
  }
}
