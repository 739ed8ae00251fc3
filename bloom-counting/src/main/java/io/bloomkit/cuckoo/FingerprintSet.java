package io.bloomkit.cuckoo;

import io.bloomkit.internal.WordArrays;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

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

  private static final int BATCH_LENGTH = TableShape.MAX_SLOTS * BATCH_BUCKETS + 1;

  final TableShape shape;

  /** An empty table that all empty sets share, or a table that only this set uses. */
  private byte[] table;

  private int size;

  FingerprintSet(TableShape shape) {
    this.shape = shape;
    this.table = shape.emptyTable();
  }

  FingerprintSet(TableFiller filled) {
    this.shape = filled.shape;
    this.size = filled.size();
    this.table = size == 0 ? shape.emptyTable() : filled.table;
  }

  /** Creates an independent copy of a set. */
  FingerprintSet(FingerprintSet other) {
    this.shape = other.shape;
    this.table =
        TableShape.isShared(other.table)
            ? other.table
            : WordArrays.copyOf(other.table, other.table.length);
    this.size = other.size;
  }

  final boolean containsHash(long hash) {
    return containsFingerprint(shape.fingerprintOf(hash));
  }

  final boolean containsFingerprint(long fingerprint) {
    return shape.contains(table, shape.quotientOf(fingerprint));
  }

  /** Loads the buckets of a fingerprint into the cache. Returns a sum of what is in them. */
  final long loadBuckets(long fingerprint) {
    return shape.loadBuckets(table, shape.quotientOf(fingerprint));
  }

  /**
   * Adds a fingerprint.
   *
   * @return {@link #ADDED}; {@link #HELD} if the set had it already; or {@link #NO_ROOM}. In the
   *     last two cases, nothing has changed.
   */
  final int addFingerprint(long fingerprint) {
    long quotient = shape.quotientOf(fingerprint);
    return shape.contains(table, quotient) ? HELD : place(quotient, 0);
  }

  /**
   * Adds a fingerprint that this set does not have, with a stamp.
   *
   * @return {@link #ADDED} or {@link #NO_ROOM}
   */
  final int addAbsentFingerprint(long fingerprint, long stamp) {
    return place(shape.quotientOf(fingerprint), stamp);
  }

  private int place(long quotient, long stamp) {
    if (TableShape.isShared(table)) {
      table = shape.newTable();
    }
    if (size >= shape.limit || !shape.place(table, quotient, stamp)) {
      return NO_ROOM;
    }
    size++;
    return ADDED;
  }

  /** Returns where the stamp of a fingerprint is; −1 if this set does not have the fingerprint. */
  final long findStamp(long fingerprint) {
    return shape.findStamp(table, shape.quotientOf(fingerprint));
  }

  /** Returns the stamp where {@link #findStamp} found one. */
  final long stampAt(long bit) {
    return shape.stamps().get(table, bit);
  }

  final void setStampAt(long bit, long stamp) {
    shape.stamps().set(table, bit, stamp);
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
    size -= removed;
    if (removed > 0 && size == 0) {
      table = shape.emptied(table);
    }
    return removed;
  }

  /** Returns what {@link #removeStamped} would remove. */
  final int countStamped(long start, long length) {
    return countStamped(start, length, false);
  }

  private int countStamped(long start, long length, boolean isFreed) {
    if (length >= 1L << shape.stampBits || size == 0) {
      return size;
    }
    return length <= 0 ? 0 : shape.stamps().sweep(shape, table, start, length, isFreed);
  }

  /** Removes a fingerprint. Returns false if this set does not have it. */
  final boolean removeFingerprint(long fingerprint) {
    if (!shape.remove(table, shape.quotientOf(fingerprint))) {
      return false;
    }
    size--;
    return true;
  }

  final int size() {
    return size;
  }

  /** Returns two tables with the lower and the upper half of the range of fingerprints. */
  final TableFiller[] halves(TableSizes sizes) {
    long[] both = WordArrays.allocate(size); // lower half from the start, upper half from the end
    long half = shape.fingerprints / 2;
    long halfOfEntries = half << shape.stampBits;
    long[] batch = new long[BATCH_LENGTH];
    int inFirst = 0;
    int end = size;
    for (int bucket = 0; bucket < shape.buckets && size > 0; bucket += BATCH_BUCKETS) {
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
      filled(sizes, both, 0, inFirst, 0), filled(sizes, both, inFirst, size, -half)
    };
  }

  private TableFiller filled(TableSizes sizes, long[] entries, int from, int to, long shift) {
    int count = to - from;
    return sizes.filled(
        shape.depth + 1,
        sizes.sizeIndexFor(count + count / 16 + 1),
        table -> table.addEntries(entries, from, to, shift));
  }

  /**
   * Adds the fingerprints to another table, each as fingerprint + shift.
   *
   * @return false if they do not fit
   */
  final boolean copyTo(TableFiller other, long shift) {
    if (size == 0) {
      return true;
    }
    long[] batch = new long[BATCH_LENGTH];
    for (int bucket = 0; bucket < shape.buckets; bucket += BATCH_BUCKETS) {
      if (!other.addEntries(batch, 0, decode(bucket, batch), shift)) {
        return false;
      }
    }
    return true;
  }

  /** Calls a consumer for each entry, in any order. */
  final void forEachUnsorted(LongConsumer consumer) {
    long[] batch = new long[BATCH_LENGTH];
    for (int bucket = 0; bucket < shape.buckets && size > 0; bucket += BATCH_BUCKETS) {
      int count = decode(bucket, batch);
      for (int i = 0; i < count; i++) {
        consumer.accept(batch[i]);
      }
    }
  }

  /** Sets the {@linkplain ExtraCopies#mark mark} of each fingerprint. Allocates no memory. */
  final void markIn(long[] marks) {
    for (int bucket = 0; bucket < shape.buckets && size > 0; bucket++) {
      for (int slot = 0; slot < shape.slots; slot++) {
        long value = shape.get(table, bucket, slot);
        if (value != 0) {
          ExtraCopies.mark(marks, shape.fingerprintAt(bucket, value));
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
    long[] entries = WordArrays.allocate(size + 1); // free slots are written too
    shape.decode(table, 0, shape.buckets, entries);
    Arrays.sort(entries, 0, size);
    return WordArrays.copyOfRange(entries, 0, size);
  }

  /** Returns whether so few slots are occupied that the table should shrink. */
  final boolean isSparse() {
    return size < shape.minSize;
  }

  /**
   * Returns a table of a size in a range with two halves of its fingerprints; null if none fits.
   */
  static @Nullable TableFiller joined(
      FingerprintSet first,
      FingerprintSet second,
      TableSizes sizes,
      int minSizeIndex,
      int maxSizeIndex) {
    long length = first.shape.fingerprints;
    return sizes.filled(
        first.shape.depth - 1,
        minSizeIndex,
        maxSizeIndex,
        table -> first.copyTo(table, 0) && second.copyTo(table, length));
  }

  /**
   * Returns a table with these fingerprints, of the given size or the next larger one with room.
   */
  final TableFiller resized(int minSizeIndex, TableSizes sizes) {
    TableShape larger = sizes.shape(shape.depth, minSizeIndex);
    return larger.isWiderThan(shape)
        ? new TableFiller(larger, shape, table, size)
        : sizes.filled(shape.depth, minSizeIndex, it -> copyTo(it, 0));
  }

  long memoryBytes() {
    return OBJECT_BYTES + (TableShape.isShared(table) ? 0 : table.length);
  }
}
