package io.bloomkit.cuckoo;

/**
 * The stamps of the slots of a table whose fingerprints expire: small numbers that stay with the
 * fingerprints when these are moved. The stamps of a bucket follow its slots, and are read and
 * compared in one word.
 *
 * <p>Immutable, as the {@link TableShape} that it belongs to.
 */
final class Stamps {

  /** The largest number of bits of a stamp, since those of a bucket are in one load. */
  static final int MAX_BITS = 8;

  /** Bits per stamp. */
  final int bits;

  final long mask;

  /** The bits of the slots of a bucket, before its stamps. */
  private final int slotsBits;

  /** The bits of a bucket, with its stamps. */
  private final int bucketBits;

  /** The lowest bit of each stamp of a bucket; below, the highest bit, and all others. */
  private final long lowBits;

  private final long highBits;
  private final long restBits;

  /** Multiplied by the position of the highest bit of a stamp, and divided by 2^16: its slot. */
  private final int slotFactor;

  Stamps(int bits, int slots, int slotsBits, int bucketBits) {
    this.bits = bits;
    this.mask = (1L << bits) - 1;
    this.slotsBits = slotsBits;
    this.bucketBits = bucketBits;
    this.lowBits = TableShape.lowBits(slots, bits);
    this.highBits = lowBits << (bits - 1);
    this.restBits = (lowBits * mask) & ~highBits;
    this.slotFactor = (1 << 16) / bits + 1;
  }

  private long bitOf(int bucket, int slot) {
    return (long) bucket * bucketBits + slotsBits + (long) slot * bits;
  }

  long get(byte[] table, int bucket, int slot) {
    return get(table, bitOf(bucket, slot));
  }

  void set(byte[] table, int bucket, int slot, long stamp) {
    set(table, bitOf(bucket, slot), stamp);
  }

  /** Copies the stamps of a bucket of a table with fewer slots, where they are 0. */
  void widen(Stamps narrower, byte[] from, byte[] to, int bucket) {
    long all = TableShape.load(from, narrower.bitOf(bucket, 0)) & (narrower.lowBits * mask);
    TableShape.put(to, bitOf(bucket, 0), all);
  }

  /** Returns the stamp at the bit offset that {@link TableShape#findStamp} returned. */
  long get(byte[] table, long bit) {
    return TableShape.load(table, bit) & mask;
  }

  void set(byte[] table, long bit, long stamp) {
    TableShape.set(table, bit, mask, stamp);
  }

  /**
   * Counts the slots whose stamp is among the next ones after a given number, and frees them.
   *
   * @param shape the shape that these stamps belong to
   * @param start a number; its lowest {@link #bits} bits count
   * @param length the number of stamps after {@code start}, from 1 to 2<sup>bits</sup> − 1
   * @param isFreed whether the slots are freed, or only counted
   */
  int sweep(TableShape shape, byte[] table, long start, long length, boolean isFreed) {
    long shift = ((-start - 1) & mask) * lowBits;
    long shiftRests = shift & restBits;
    long shiftHighs = shift & highBits;
    long end = length * lowBits;
    long endRests = end & restBits;
    long endHighs = end & highBits;
    int count = 0;
    long bit = slotsBits;
    for (int bucket = 0; bucket < shape.buckets; bucket++, bit += bucketBits) {
      long stamps = TableShape.load(table, bit);
      // Of each stamp: its distance from the first one, and whether that is at least the length.
      long distances = ((stamps & restBits) + shiftRests) ^ ((stamps & highBits) ^ shiftHighs);
      long rest = (distances | highBits) - endRests;
      long after = (distances & ~endHighs) | (~(distances ^ endHighs) & rest);
      long found = ~after & highBits;
      if (found != 0) {
        count += swept(shape, table, bucket, found, isFreed);
      }
    }
    return count;
  }

  /** Counts, and may free, the occupied slots of a bucket whose stamps' highest bits are given. */
  private int swept(TableShape shape, byte[] table, int bucket, long found, boolean isFreed) {
    int count = 0;
    for (long remaining = found; remaining != 0; remaining &= remaining - 1) {
      int slot = (Long.numberOfTrailingZeros(remaining) * slotFactor) >>> 16;
      count += shape.get(table, bucket, slot) == 0 ? 0 : 1;
      if (isFreed) {
        shape.set(table, bucket, slot, 0);
      }
    }
    return count;
  }
}
