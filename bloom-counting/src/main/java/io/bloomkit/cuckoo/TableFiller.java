package io.bloomkit.cuckoo;

import io.bloomkit.internal.WordArrays;

/**
 * Fills a new table with many entries, which are fingerprints or have stamps beside them, in half
 * the time of {@link TableShape#place}. It knows the number of occupied slots of each bucket. It
 * need not undo anything, since a table that has no room for all fingerprints is discarded.
 */
final class TableFiller {

  final TableShape shape;
  final byte[] table;

  /** The number of occupied slots of each bucket; empty if nothing can be added. */
  private final byte[] occupied;

  private int size;

  TableFiller(TableShape shape) {
    this.shape = shape;
    this.table = shape.newTable();
    this.occupied = WordArrays.allocateBytes(shape.buckets);
  }

  /**
   * Creates a table with the contents of one with fewer slots per bucket, to which nothing can be
   * added by this object.
   */
  TableFiller(TableShape wider, TableShape narrower, byte[] contents, int size) {
    this.shape = wider;
    this.table = wider.newTable();
    this.occupied = new byte[0];
    this.size = size;
    wider.widen(narrower, contents, table);
  }

  int size() {
    return size;
  }

  /**
   * Adds the entries in a range of an array.
   *
   * @param shift added to the fingerprint of each of them
   * @return false if they do not fit; the table must be discarded then
   */
  boolean addEntries(long[] entries, int from, int to, long shift) {
    size += to - from;
    if (size > shape.limit) {
      return false;
    }
    int stampBits = shape.stampBits;
    long stampMask = (1L << stampBits) - 1;
    for (int i = from; i < to; i++) {
      long entry = entries[i];
      long fingerprint = stampBits == 0 ? entry : entry >> stampBits; // a shift by 0 takes time
      if (!addQuotient(shape.quotientOf(fingerprint + shift), entry & stampMask)) {
        return false;
      }
    }
    return true;
  }

  /**
   * In a table without stamps, adds those fingerprints in a range of an array that the table does
   * not have, and flags the others as {@link BulkUpdate#UNCHANGED}.
   *
   * @param shift added to each of them
   * @return false if they do not fit; the table must be discarded then
   */
  boolean addAbsentFingerprints(long[] fingerprints, int from, int to, long shift) {
    for (int i = from; i < to; i++) {
      long fingerprint = fingerprints[i] & ~BulkUpdate.UNCHANGED; // of a try with a smaller table
      fingerprints[i] = fingerprint;
      long quotient = shape.quotientOf(fingerprint + shift);
      if (shape.contains(table, quotient)) {
        fingerprints[i] = fingerprint | BulkUpdate.UNCHANGED;
      } else if (size++ == shape.limit || !addQuotient(quotient, 0)) {
        return false;
      }
    }
    return true;
  }

  private boolean addQuotient(long quotient, long stamp) {
    int bucket = shape.bucketOf(quotient);
    long remainder = shape.remainderOf(quotient);
    int other = shape.alternate(bucket, remainder);
    // A remainder of 0 is stored in its second bucket only, as if the first were full.
    int inFirst = occupied[bucket] | (int) ((remainder - 1) >>> 61);
    int inOther = occupied[other];
    int choice = (inOther - inFirst) >> 31;
    int chosen = bucket ^ ((bucket ^ other) & choice);
    int slot = inFirst ^ ((inFirst ^ inOther) & choice);
    long value = (remainder << 1) | (choice & 1) | (stamp << shape.width);
    if (slot >= shape.slots) {
      return displace(other, value | 1);
    }
    occupied[chosen] = (byte) (slot + 1);
    shape.setStamped(table, chosen, slot, value);
    return true;
  }

  private boolean displace(int start, long startValue) {
    int bucket = start;
    long carried = startValue;
    for (int kick = 0; kick < TableShape.MAX_KICKS; kick++) {
      if (tryExchange(bucket, carried)) {
        return true;
      }
      int slot = shape.movable(table, bucket, TableShape.slotToKick(startValue, kick, shape.slots));
      long victim = shape.getStamped(table, bucket, slot);
      shape.setStamped(table, bucket, slot, carried);
      bucket = shape.alternate(bucket, shape.remainderOfStamped(victim));
      carried = victim ^ 1;
    }
    return false;
  }

  /** Stores a value in a full bucket if a fingerprint there can move to its other bucket. */
  private boolean tryExchange(int bucket, long value) {
    for (int slot = 0; slot < shape.slots; slot++) {
      long victim = shape.getStamped(table, bucket, slot);
      if (!shape.isFixed(victim)) {
        int other = shape.alternate(bucket, shape.remainderOfStamped(victim));
        int used = occupied[other];
        if (used < shape.slots) {
          occupied[other] = (byte) (used + 1);
          shape.setStamped(table, other, used, victim ^ 1);
          shape.setStamped(table, bucket, slot, value);
          return true;
        }
      }
    }
    return false;
  }
}
