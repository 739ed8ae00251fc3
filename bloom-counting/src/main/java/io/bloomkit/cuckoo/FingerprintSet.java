package io.bloomkit.cuckoo;

import io.bloomkit.internal.WordArrays;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A set of fingerprints in a cuckoo table of one size. In a table with stamps, each fingerprint has
 * one, and methods that return entries return both; see {@link TableShape}.
 */
class FingerprintSet {

  static final int ADDED = 1;
  static final int HELD = 0;
  static final int NO_ROOM = -1;

  /** The bytes of a set without its table, estimated from the header and the fields. */
  static final long OBJECT_BYTES = 24;

  /** The number of buckets that are copied at once. */
  private static final int BATCH_BUCKETS = 64;

  private static final int BATCH_LENGTH = TableShape.SLOTS * BATCH_BUCKETS + 1;

  final TableShape shape;

  /** An empty table that all empty sets share, or a table that only this set uses. */
  private byte[] table;

  private int taken;

  FingerprintSet(TableShape shape) {
    this.shape = shape;
    this.table = shape.emptyTable();
  }

  FingerprintSet(TableFiller filled) {
    this.shape = filled.shape;
    this.taken = filled.taken();
    this.table = taken == 0 ? shape.emptyTable() : filled.table;
  }

  /** Creates an independent copy of a set. */
  FingerprintSet(FingerprintSet other) {
    this.shape = other.shape;
    this.table =
        TableShape.isShared(other.table)
            ? other.table
            : WordArrays.copyOf(other.table, other.table.length);
    this.taken = other.taken;
  }

  final boolean containsHash(long hash) {
    return contains(shape.fingerprintOf(hash));
  }

  final boolean contains(long fingerprint) {
    return shape.contains(table, shape.quotiented(fingerprint));
  }

  /**
   * Adds a fingerprint.
   *
   * @return {@link #ADDED}; {@link #HELD} if the set had it already; or {@link #NO_ROOM}. In the
   *     last two cases, nothing has changed.
   */
  final int add(long fingerprint) {
    long x = shape.quotiented(fingerprint);
    return shape.contains(table, x) ? HELD : place(x, 0);
  }

  /**
   * Adds a fingerprint that this set does not have, with a stamp.
   *
   * @return {@link #ADDED} or {@link #NO_ROOM}
   */
  final int addAbsent(long fingerprint, long stamp) {
    return place(shape.quotiented(fingerprint), stamp);
  }

  private int place(long x, long stamp) {
    if (TableShape.isShared(table)) {
      table = shape.newTable();
    }
    if (taken >= shape.limit || !shape.place(table, x, stamp)) {
      return NO_ROOM;
    }
    taken++;
    return ADDED;
  }

  /** Returns where the stamp of a fingerprint is; −1 if this set does not have the fingerprint. */
  final long find(long fingerprint) {
    return shape.find(table, shape.quotiented(fingerprint));
  }

  /** Returns the stamp at a result of {@link #find}. */
  final long stampAt(long position) {
    return shape.stampAt(table, position);
  }

  final void setStampAt(long position, long stamp) {
    shape.setStampAt(table, position, stamp);
  }

  /**
   * Removes the fingerprints whose stamps are among the next ones after a given number.
   *
   * @param length the number of stamps after {@code start}, from 0; at 2<sup>stampBits</sup> or
   *     more, all fingerprints are removed
   * @return the number of removed fingerprints
   */
  final int removeStamped(long start, long length) {
    int removed = countStamped(start, length, true);
    taken -= removed;
    if (removed > 0 && taken == 0) {
      table = shape.emptied(table);
    }
    return removed;
  }

  /** Returns what {@link #removeStamped} would remove. */
  final int countStamped(long start, long length) {
    return countStamped(start, length, false);
  }

  private int countStamped(long start, long length, boolean isFreed) {
    if (length >= 1L << shape.stampBits || taken == 0) {
      return taken;
    }
    return length <= 0 ? 0 : shape.sweep(table, start, length, isFreed);
  }

  /** Removes a fingerprint. Returns false if this set does not have it. */
  final boolean remove(long fingerprint) {
    if (!shape.take(table, shape.quotiented(fingerprint))) {
      return false;
    }
    taken--;
    return true;
  }

  final int size() {
    return taken;
  }

  /** Returns two tables with the lower and the upper half of the range of fingerprints. */
  final TableFiller[] halves(TableSizes sizes) {
    long[] both = WordArrays.allocate(taken); // lower half from the start, upper half from the end
    long half = shape.fingerprints / 2;
    long halfOfEntries = half << shape.stampBits;
    long[] batch = new long[BATCH_LENGTH];
    int inFirst = 0;
    int end = taken;
    for (int bucket = 0; bucket < shape.buckets && taken > 0; bucket += BATCH_BUCKETS) {
      int count = decode(bucket, batch);
      for (int i = 0; i < count; i++) { // no branch, as it would be mispredicted
        long entry = batch[i];
        int isFirst = (int) ((entry - halfOfEntries) >> 63);
        end += -1 - isFirst;
        both[end ^ ((end ^ inFirst) & isFirst)] = entry;
        inFirst -= isFirst;
      }
    }
    return new TableFiller[] {
      filled(sizes, both, 0, inFirst, 0), filled(sizes, both, inFirst, taken, -half)
    };
  }

  private TableFiller filled(TableSizes sizes, long[] entries, int from, int to, long shift) {
    int count = to - from;
    return sizes.filled(
        shape.depth + 1,
        sizes.sizeIndexFor(count + count / 16 + 1),
        table -> table.add(entries, from, to, shift));
  }

  /**
   * Adds the fingerprints to another table, each as fingerprint + shift.
   *
   * @return false if they do not fit
   */
  final boolean copyTo(TableFiller other, long shift) {
    if (taken == 0) {
      return true;
    }
    long[] batch = new long[BATCH_LENGTH];
    for (int bucket = 0; bucket < shape.buckets; bucket += BATCH_BUCKETS) {
      if (!other.add(batch, 0, decode(bucket, batch), shift)) {
        return false;
      }
    }
    return true;
  }

  /** Calls a consumer for each entry, in any order. */
  final void forEachUnsorted(LongConsumer consumer) {
    long[] batch = new long[BATCH_LENGTH];
    for (int bucket = 0; bucket < shape.buckets && taken > 0; bucket += BATCH_BUCKETS) {
      int count = decode(bucket, batch);
      for (int i = 0; i < count; i++) {
        consumer.accept(batch[i]);
      }
    }
  }

  /** Sets the {@linkplain Chunk#mark mark} of each fingerprint. Allocates no memory. */
  final void markIn(long[] marks) {
    for (int bucket = 0; bucket < shape.buckets && taken > 0; bucket++) {
      for (int slot = 0; slot < TableShape.SLOTS; slot++) {
        long value = shape.get(table, bucket, slot);
        if (value != 0) {
          Chunk.mark(marks, shape.fingerprintAt(bucket, value));
        }
      }
    }
  }

  /** Writes the entries of a batch of buckets to an array. */
  private int decode(int bucket, long[] batch) {
    int end = Math.min(bucket + BATCH_BUCKETS, shape.buckets);
    return shape.decode(table, bucket, end, batch);
  }

  /** Returns the entries in ascending order: that of the fingerprints. */
  final long[] sorted() {
    long[] entries = WordArrays.allocate(taken + 1); // free slots are written too
    shape.decode(table, 0, shape.buckets, entries);
    Arrays.sort(entries, 0, taken);
    return WordArrays.copyOfRange(entries, 0, taken);
  }

  /** Returns whether so few slots are occupied that the table should shrink. */
  final boolean isSparse() {
    return taken < shape.leastTaken;
  }

  /**
   * Returns a table with these fingerprints, of the given size or the next larger one with room.
   */
  final TableFiller resized(int leastSizeIndex, TableSizes sizes) {
    return sizes.filled(shape.depth, leastSizeIndex, table -> copyTo(table, 0));
  }

  long memoryBytes() {
    return OBJECT_BYTES + (TableShape.isShared(table) ? 0 : table.length);
  }
}
