package io.bloomkit.counting;

import it.unimi.dsi.fastutil.Hash;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongMaps;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The overflow above fifteen of each counter that has one: a hash table from the index of the
 * counter to its overflow, which is at least 1. In a {@link CuckooFilter}, it holds the further
 * copies of each fingerprint that has some, by key. Requires external synchronization.
 */
final class OverflowTable {

  private final Long2LongOpenHashMap table;

  OverflowTable() {
    this(new Long2LongOpenHashMap(0));
  }

  OverflowTable(Long2LongOpenHashMap table) {
    this.table = table;
  }

  /** Returns the overflow of a counter, 0 if it has none. */
  long get(long index) {
    return table.get(index);
  }

  /** Adds to the overflow of a counter. If memory runs out, throws and changes nothing. */
  void add(long index, long difference) {
    // Without this, addTo would throw after it has created the entry.
    ensureCapacity(table.size() + 1L);
    table.addTo(index, difference);
  }

  /** Sets the overflow of a counter, or deletes its entry if that is zero. */
  void set(long index, long overflow) {
    if (overflow == 0) {
      delete(index);
    } else {
      ensureCapacity(table.size() + 1L);
      table.put(index, overflow);
    }
  }

  private void delete(long index) {
    try {
      table.remove(index);
    } catch (OutOfMemoryError e) {
      // The entry is removed; only the smaller table could not be allocated.
    }
  }

  /** Subtracts one from the overflow of a counter without memory. Returns false if it has none. */
  boolean take(long index) {
    long overflow = table.get(index);
    if (overflow == 0) {
      return false;
    }
    if (overflow == 1) {
      delete(index);
    } else {
      table.put(index, overflow - 1);
    }
    return true;
  }

  /** Allocates memory for a number of entries, so adding up to that number allocates nothing. */
  void ensureCapacity(long entries) {
    table.ensureCapacity((int) Math.min(entries, Integer.MAX_VALUE));
  }

  boolean isEmpty() {
    return table.isEmpty();
  }

  int size() {
    return table.size();
  }

  /** Returns the entries in any order. All are one object that is reused. */
  Iterable<Long2LongMap.Entry> entries() {
    return Long2LongMaps.fastIterable(table);
  }

  /** Returns the sum of all overflows; it wraps around. */
  long sum() {
    long sum = 0;
    for (Long2LongMap.Entry entry : entries()) {
      sum += entry.getLongValue();
    }
    return sum;
  }

  /** Returns the indices of the counters with an overflow, in ascending order. */
  long[] sortedIndices() {
    long[] indices = table.keySet().toLongArray();
    Arrays.sort(indices);
    return indices;
  }

  /** Returns the number of bytes of the table, estimated from the number of entries. */
  long memoryBytes() {
    return isEmpty() ? 0 : 2L * Long.BYTES * HashCommon.arraySize(size(), Hash.DEFAULT_LOAD_FACTOR);
  }

  void clear() {
    table.clear();
    table.trim();
  }

  OverflowTable copy() {
    return new OverflowTable(table.clone());
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof OverflowTable other && table.equals(other.table);
  }

  @Override
  public int hashCode() {
    return table.hashCode();
  }
}
