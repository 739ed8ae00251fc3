package io.bloomkit.internal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A multiset of longs that has few of them: a hash table from a key to its count, which is at least
 * 1. Counters keep here what exceeds fifteen, and cuckoo filters the copies of a fingerprint for
 * which their buckets have no slot. Requires external synchronization.
 *
 * <p>Linear probing in a table of a power of two, at most three quarters full; what follows a
 * deleted entry moves back (D. Knuth, <i>The Art of Computer Programming</i> 3, section 6.4,
 * algorithms L and R). A count of 0 marks a free slot.
 */
public class LongCounts {

  private static final int MIN_SLOTS = 2;
  private static final int MAX_SLOTS = 1 << 30;
  private static final long[] NONE = {};

  /** As long as {@link #counts}; both are empty or have a power of two of slots. */
  private long[] keys = NONE;

  private long[] counts = NONE;
  private int size;

  /** Returns the count of a key, 0 if it has none. */
  public long get(long key) {
    return size == 0 ? 0 : counts[slotOf(key)];
  }

  /** Returns the slot of a key, or the free slot where it belongs. */
  private int slotOf(long key) {
    int mask = keys.length - 1;
    int slot = (int) mix(key) & mask;
    while (counts[slot] != 0 && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Returns a number in which each bit depends on each bit of another one. */
  public static long mix(long number) {
    long mixed = number * 0x9e3779b97f4a7c15L;
    mixed ^= mixed >>> 32;
    mixed *= 0x9e3779b97f4a7c15L;
    return mixed ^ (mixed >>> 32);
  }

  /** Adds to the count of a key. If memory runs out, throws and changes nothing. */
  public void add(long key, long difference) {
    set(key, get(key) + difference);
  }

  /**
   * Sets the count of a key, or deletes its entry if that is zero. Allocates only for a key that
   * has no count yet; if memory runs out then, throws and changes nothing.
   */
  public void set(long key, long count) {
    if (count == 0) {
      delete(key);
      return;
    }
    if (size > 0) {
      int existing = slotOf(key);
      if (counts[existing] != 0) {
        counts[existing] = count;
        return;
      }
    }
    ensureCapacity(size + 1L);
    int slot = slotOf(key);
    keys[slot] = key;
    counts[slot] = count;
    size++;
  }

  private void delete(long key) {
    if (get(key) == 0) {
      return;
    }
    int mask = keys.length - 1;
    int freeSlot = slotOf(key);
    counts[freeSlot] = 0;
    size--;
    for (int slot = (freeSlot + 1) & mask; counts[slot] != 0; slot = (slot + 1) & mask) {
      int first = (int) mix(keys[slot]) & mask;
      // Moves back unless that is before the first slot of the entry, seen around the end.
      if (((slot - first) & mask) >= ((slot - freeSlot) & mask)) {
        keys[freeSlot] = keys[slot];
        counts[freeSlot] = counts[slot];
        counts[slot] = 0;
        freeSlot = slot;
      }
    }
    if (size < keys.length / 8) {
      try {
        resize(slotsFor(size));
      } catch (OutOfMemoryError e) {
        // The entry is deleted; only the smaller table could not be allocated.
      }
    }
  }

  /** Subtracts one from the count of a key without allocating. Returns false if it has none. */
  public boolean decrement(long key) {
    long count = get(key);
    if (count == 0) {
      return false;
    }
    if (count == 1) {
      delete(key);
    } else {
      counts[slotOf(key)] = count - 1;
    }
    return true;
  }

  /**
   * Allocates memory for a number of entries, so adding up to that number allocates nothing.
   *
   * @throws OutOfMemoryError if there is no memory, or if they exceed the largest table
   */
  public void ensureCapacity(long entries) {
    if (entries > maxEntries(keys.length)) {
      resize(slotsFor(entries));
    }
  }

  private static int maxEntries(int slots) {
    return slots == 0 ? 0 : slots - Math.max(1, slots / 4);
  }

  /** Returns the number of slots for entries: they fill at most three quarters. */
  private static int slotsFor(long entries) {
    if (entries > maxEntries(MAX_SLOTS)) {
      throw new OutOfMemoryError(
          "a table of "
              + entries
              + " entries takes more than the "
              + 2L * Long.BYTES * MAX_SLOTS
              + " bytes of the largest table");
    }
    int slots = entries == 0 ? 0 : MIN_SLOTS;
    while (maxEntries(slots) < entries) {
      slots *= 2;
    }
    return slots;
  }

  private void resize(int slots) {
    long[] oldKeys = keys;
    long[] oldCounts = counts;
    long[] newKeys = allocate(slots);
    counts = allocate(slots); // if this throws, nothing has changed
    keys = newKeys;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldCounts[i] != 0) {
        int slot = slotOf(oldKeys[i]);
        keys[slot] = oldKeys[i];
        counts[slot] = oldCounts[i];
      }
    }
  }

  /** Returns an array, or throws for lack of memory. */
  protected long[] allocate(int length) {
    return length == 0 ? NONE : WordArrays.allocate(length);
  }

  /** Returns whether no key has a count. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** Returns the number of keys with a count. */
  public int size() {
    return size;
  }

  /**
   * Returns the first entry at or after a slot, or −1 if there is none. The entries of a table that
   * does not change are in the order {@code next(0)}, {@code next(entry + 1)}, and so on.
   */
  public int next(int slot) {
    for (int entry = slot; entry < counts.length; entry++) {
      if (counts[entry] != 0) {
        return entry;
      }
    }
    return -1;
  }

  /** Returns the key of an entry. */
  public long keyAt(int entry) {
    return keys[entry];
  }

  /** Returns the count of an entry. */
  public long countAt(int entry) {
    return counts[entry];
  }

  /** Returns the sum of all counts; it wraps around. */
  public long sum() {
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }

  /** Returns the keys in ascending order. */
  public long[] sortedKeys() {
    long[] sorted = allocate(size);
    int next = 0;
    for (int entry = next(0); entry >= 0; entry = next(entry + 1)) {
      sorted[next++] = keys[entry];
    }
    Arrays.sort(sorted);
    return sorted;
  }

  /** Returns the number of bytes of the table, estimated from the number of entries. */
  public long memoryBytes() {
    return 2L * Long.BYTES * slotsFor(size);
  }

  /** Removes all keys. */
  public void clear() {
    keys = NONE;
    counts = NONE;
    size = 0;
  }

  /** Returns an independent copy. */
  public LongCounts copy() {
    LongCounts copy = new LongCounts();
    copy.keys = WordArrays.copyOf(keys);
    copy.counts = WordArrays.copyOf(counts);
    copy.size = size;
    return copy;
  }

  @Override
  public boolean equals(@Nullable Object object) {
    if (!(object instanceof LongCounts other) || size != other.size) {
      return false;
    }
    for (int entry = next(0); entry >= 0; entry = next(entry + 1)) {
      if (other.get(keys[entry]) != counts[entry]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    long sum = 0; // independent of the order
    for (int entry = next(0); entry >= 0; entry = next(entry + 1)) {
      sum += mix(keys[entry] + mix(counts[entry]));
    }
    return Long.hashCode(sum);
  }
}
