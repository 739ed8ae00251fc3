package io.bloomkit.counting;

import it.unimi.dsi.fastutil.Hash;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.longs.Long2LongMap;
import it.unimi.dsi.fastutil.longs.Long2LongMaps;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The excess over fifteen of the few counters that have one: a hash table from the index of a
 * counter to its excess, which is never zero. Requires external synchronization.
 */
final class CounterExcess {

  private final Long2LongOpenHashMap table;

  CounterExcess() {
    this(new Long2LongOpenHashMap(0));
  }

  CounterExcess(Long2LongOpenHashMap table) {
    this.table = table;
  }

  /** Returns the excess of a counter, 0 if it has none. */
  long get(long index) {
    return table.get(index);
  }

  /** Adds to the excess of a counter. If it throws, for want of memory, nothing has changed. */
  void add(long index, long difference) {
    // addTo would make its entry and then throw.
    ensureCapacity(table.size() + 1L);
    table.addTo(index, difference);
  }

  /** Sets the excess of a counter, or deletes its entry if that is zero. */
  void set(long index, long excess) {
    if (excess == 0) {
      delete(index);
    } else {
      ensureCapacity(table.size() + 1L);
      table.put(index, excess);
    }
  }

  private void delete(long index) {
    try {
      table.remove(index);
    } catch (OutOfMemoryError e) {
      // The entry is gone; only the smaller table that should follow could not be made.
    }
  }

  /** Takes one from the excess of a counter; needs no memory. Returns false if it has none. */
  boolean take(long index) {
    long excess = table.get(index);
    if (excess == 0) {
      return false;
    }
    if (excess == 1) {
      delete(index);
    } else {
      table.put(index, excess - 1);
    }
    return true;
  }

  /** Allocates what a number of entries takes, so that adding them needs no more memory. */
  void ensureCapacity(long entries) {
    table.ensureCapacity((int) Math.min(entries, Integer.MAX_VALUE));
  }

  boolean isEmpty() {
    return table.isEmpty();
  }

  int size() {
    return table.size();
  }

  /** Returns the entries in no order; one object is reused for all. */
  Iterable<Long2LongMap.Entry> entries() {
    return Long2LongMaps.fastIterable(table);
  }

  /** Returns the indices in ascending order. */
  long[] sortedIndices() {
    long[] indices = table.keySet().toLongArray();
    Arrays.sort(indices);
    return indices;
  }

  /** Returns the bytes of the table, estimated from its entries. */
  long memoryBytes() {
    return isEmpty() ? 0 : 2L * Long.BYTES * HashCommon.arraySize(size(), Hash.DEFAULT_LOAD_FACTOR);
  }

  void clear() {
    table.clear();
    table.trim();
  }

  CounterExcess copy() {
    return new CounterExcess(table.clone());
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof CounterExcess other && table.equals(other.table);
  }

  @Override
  public int hashCode() {
    return table.hashCode();
  }
}
