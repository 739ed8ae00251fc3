package io.bloomkit.counting;

import io.bloomkit.internal.WordArrays;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The overflow above fifteen of each counter that has one: a hash table from the index of the
 * counter to its overflow, which is at least 1. In a {@link CuckooFilter}, it holds the further
 * copies of each fingerprint that has some, by key. Requires external synchronization.
 *
 * <p>Linear probing in a table of a power of two, at most three quarters full; what follows a
 * deleted entry moves back (D. Knuth, <i>The Art of Computer Programming</i> 3, section 6.4,
 * algorithms L and R). An overflow of 0 marks a free place.
 */
class OverflowTable {

  private static final int LEAST_PLACES = 2;
  private static final int MOST_PLACES = 1 << 30;
  private static final long[] NONE = {};

  /** As long as {@link #overflows}; both are empty or have a power of two of places. */
  private long[] indices = NONE;

  private long[] overflows = NONE;
  private int size;

  /** Returns the overflow of a counter, 0 if it has none. */
  long get(long index) {
    return size == 0 ? 0 : overflows[placeOf(index)];
  }

  /** Returns the place of an index, or the free place where it belongs. */
  private int placeOf(long index) {
    int mask = indices.length - 1;
    int place = (int) mix(index) & mask;
    while (overflows[place] != 0 && indices[place] != index) {
      place = (place + 1) & mask;
    }
    return place;
  }

  /** Returns a number in which each bit depends on each bit of another one. */
  static long mix(long number) {
    long mixed = number * 0x9e3779b97f4a7c15L;
    mixed ^= mixed >>> 32;
    mixed *= 0x9e3779b97f4a7c15L;
    return mixed ^ (mixed >>> 32);
  }

  /** Adds to the overflow of a counter. If memory runs out, throws and changes nothing. */
  void add(long index, long difference) {
    set(index, get(index) + difference);
  }

  /**
   * Sets the overflow of a counter, or deletes its entry if that is zero. Allocates only for a
   * counter that has no overflow yet; if memory runs out then, throws and changes nothing.
   */
  void set(long index, long overflow) {
    if (overflow == 0) {
      delete(index);
      return;
    }
    if (size > 0) {
      int held = placeOf(index);
      if (overflows[held] != 0) {
        overflows[held] = overflow;
        return;
      }
    }
    ensureCapacity(size + 1L);
    int place = placeOf(index);
    indices[place] = index;
    overflows[place] = overflow;
    size++;
  }

  private void delete(long index) {
    if (get(index) == 0) {
      return;
    }
    int mask = indices.length - 1;
    int free = placeOf(index);
    overflows[free] = 0;
    size--;
    for (int place = (free + 1) & mask; overflows[place] != 0; place = (place + 1) & mask) {
      int first = (int) mix(indices[place]) & mask;
      // Moves back unless that is before the first place of the entry, seen around the end.
      if (((place - first) & mask) >= ((place - free) & mask)) {
        indices[free] = indices[place];
        overflows[free] = overflows[place];
        overflows[place] = 0;
        free = place;
      }
    }
    if (size < indices.length / 8) {
      try {
        resize(placesFor(size));
      } catch (OutOfMemoryError e) {
        // The entry is deleted; only the smaller table could not be allocated.
      }
    }
  }

  /** Subtracts one from the overflow of a counter without memory. Returns false if it has none. */
  boolean take(long index) {
    long overflow = get(index);
    if (overflow == 0) {
      return false;
    }
    if (overflow == 1) {
      delete(index);
    } else {
      overflows[placeOf(index)] = overflow - 1;
    }
    return true;
  }

  /**
   * Allocates memory for a number of entries, so adding up to that number allocates nothing.
   *
   * @throws OutOfMemoryError if there is no memory, or if the largest table has no room for them
   */
  void ensureCapacity(long entries) {
    if (entries > roomIn(indices.length)) {
      resize(placesFor(entries));
    }
  }

  private static int roomIn(int places) {
    return places == 0 ? 0 : places - Math.max(1, places / 4);
  }

  /** Returns the number of places for entries: they fill at most three quarters. */
  private static int placesFor(long entries) {
    if (entries > roomIn(MOST_PLACES)) {
      throw new OutOfMemoryError(
          "a table of "
              + entries
              + " entries takes more than the "
              + 2L * Long.BYTES * MOST_PLACES
              + " bytes of the largest table");
    }
    int places = entries == 0 ? 0 : LEAST_PLACES;
    while (roomIn(places) < entries) {
      places *= 2;
    }
    return places;
  }

  private void resize(int places) {
    long[] oldIndices = indices;
    long[] oldOverflows = overflows;
    long[] newIndices = allocate(places);
    overflows = allocate(places); // if this throws, nothing has changed
    indices = newIndices;
    for (int i = 0; i < oldIndices.length; i++) {
      if (oldOverflows[i] != 0) {
        int place = placeOf(oldIndices[i]);
        indices[place] = oldIndices[i];
        overflows[place] = oldOverflows[i];
      }
    }
  }

  /** Returns an array, or throws for lack of memory. */
  long[] allocate(int length) {
    return length == 0 ? NONE : WordArrays.allocate(length);
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  /**
   * Returns the first entry at or after a place, or −1 if there is none. The entries of a table
   * that does not change are in the order {@code next(0)}, {@code next(entry + 1)}, and so on.
   */
  int next(int place) {
    for (int entry = place; entry < overflows.length; entry++) {
      if (overflows[entry] != 0) {
        return entry;
      }
    }
    return -1;
  }

  long indexAt(int entry) {
    return indices[entry];
  }

  long overflowAt(int entry) {
    return overflows[entry];
  }

  /** Returns the sum of all overflows; it wraps around. */
  long sum() {
    long sum = 0;
    for (long overflow : overflows) {
      sum += overflow;
    }
    return sum;
  }

  /** Returns the indices of the counters with an overflow, in ascending order. */
  long[] sortedIndices() {
    long[] sorted = allocate(size);
    int count = 0;
    for (int entry = next(0); entry >= 0; entry = next(entry + 1)) {
      sorted[count++] = indices[entry];
    }
    Arrays.sort(sorted);
    return sorted;
  }

  /** Returns the number of bytes of the table, estimated from the number of entries. */
  long memoryBytes() {
    return 2L * Long.BYTES * placesFor(size);
  }

  void clear() {
    indices = NONE;
    overflows = NONE;
    size = 0;
  }

  OverflowTable copy() {
    OverflowTable copy = new OverflowTable();
    copy.indices = WordArrays.copyOf(indices);
    copy.overflows = WordArrays.copyOf(overflows);
    copy.size = size;
    return copy;
  }

  @Override
  public boolean equals(@Nullable Object object) {
    if (!(object instanceof OverflowTable other) || size != other.size) {
      return false;
    }
    for (int entry = next(0); entry >= 0; entry = next(entry + 1)) {
      if (other.get(indices[entry]) != overflows[entry]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    long sum = 0; // independent of the order
    for (int entry = next(0); entry >= 0; entry = next(entry + 1)) {
      sum += mix(indices[entry] + mix(overflows[entry]));
    }
    return Long.hashCode(sum);
  }
}
