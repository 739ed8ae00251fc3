package io.bloomkit.cuckoo;

import io.bloomkit.internal.WordArrays;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The arithmetic of a cuckoo table of one size: the buckets of a fingerprint and its encoding.
 *
 * <p>The table is for all elements whose hashes share their first {@link #depth} bits. Their
 * fingerprints f are numbers from 0 to G − 1. With K = ⌊2<sup>63</sup> / G⌋ and M = b ·
 * 2<sup>r</sup> ≥ 2<sup>63</sup> / K, the number x = ⌊f · K · M / 2<sup>63</sup>⌋ is below M and
 * strictly increasing in f. The upper bits of x are the number of the first bucket, the lower r
 * bits are the remainder. So a table can have any number b of buckets, and the fingerprint can be
 * computed from bucket and remainder (quotienting: D. Knuth, <i>The Art of Computer Programming</i>
 * 3, section 6.4, exercise 13).
 *
 * <p>Each bucket has four slots. A slot holds a remainder and, in its lowest bit, whether it is in
 * its second bucket. The value 0 marks a free slot, so a remainder of 0 is stored in its second
 * bucket only.
 *
 * <p>In a shape with {@linkplain #stampBits stamps}, the four slots of a bucket are followed by
 * their four stamps: small numbers that stay with the fingerprints when these are moved. Callers
 * exchange fingerprints and stamps as <i>entries</i>, f · 2<sup>stampBits</sup> + stamp. Without
 * stamps, the entry of a fingerprint is the fingerprint.
 *
 * <p>Immutable. The tables themselves are byte arrays, which callers pass to each operation.
 */
final class TableShape {

  /** Slots per bucket. */
  static final int SLOTS = 4;

  /** The largest number of bits of a stamp, since those of a bucket are in one load. */
  static final int MOST_STAMP_BITS = 8;

  /** The width of the widest slot that one load of eight bytes contains at any bit offset. */
  static final int WIDEST = Long.SIZE - Byte.SIZE + 1;

  /** Bytes after the last bucket, so eight bytes can be loaded at the last slot too. */
  private static final int PADDING = Long.BYTES;

  /**
   * The largest number of displacements in a chain. Each one reads {@link #SLOTS} other buckets. At
   * the highest load, the mean is 5.
   */
  static final int MAX_KICKS = 125;

  /** An empty table, as large as the smallest tables with the widest slots. */
  private static final byte[] SHARED = new byte[1024];

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** An odd number with evenly spread bits: 2^64 divided by the golden ratio. */
  static final long GOLDEN = 0x9e3779b97f4a7c15L;

  /** The number of leading hash bits that all fingerprints of the table share. */
  final int depth;

  /** The number of possible fingerprints, G. */
  final long fingerprints;

  final int buckets;

  /** The index of this size in its {@link TableSizes}. */
  final int sizeIndex;

  /** The largest number of slots that may be occupied. */
  final int limit;

  /** With fewer occupied slots, the table should shrink. */
  final int leastTaken;

  /** Bits per slot: one more than a remainder has. */
  final int width;

  /** Bits per stamp; 0 without stamps. */
  final int stampBits;

  /** Bits per bucket: those of its slots and their stamps. */
  private final int bucketBits;

  private final int remainderBits;

  /** Whether one load of eight bytes contains the four slots of a bucket, at any half byte. */
  private final boolean isNarrow;

  private final long twoG;
  private final long k;
  private final long twoM;
  private final long inverse;
  private final long secret;
  private final long remainderMask;
  private final long placeMask;

  /** Of each slot in one load: the lowest bit; below, the highest bit, and all others. */
  private final long ones;

  private final long tops;
  private final long rests;

  /** Multiplied by the position of the highest bit of a slot, and divided by 2^16: its number. */
  private final int slotFactor;

  /** The same for the position of the highest bit of a stamp. */
  private final int stampFactor;

  private final long stampMask;

  /** The lowest bit of each stamp of a bucket; below, the highest bit, and all others. */
  private final long stampOnes;

  private final long stampTops;
  private final long stampRests;

  /**
   * Creates the shape of a table.
   *
   * @param limit the largest number of slots that may be occupied
   * @param leastTaken with fewer occupied slots, the table should shrink
   * @param secret makes second buckets unpredictable, so an attacker cannot choose elements that
   *     share both of their buckets
   * @param stampBits the bits of a stamp, from 0 to {@value #MOST_STAMP_BITS}; 0 for none
   */
  TableShape(
      int depth,
      long fingerprints,
      int buckets,
      int sizeIndex,
      int limit,
      int leastTaken,
      long secret,
      int stampBits) {
    this.depth = depth;
    this.fingerprints = fingerprints;
    this.buckets = buckets;
    this.sizeIndex = sizeIndex;
    this.limit = limit;
    this.leastTaken = leastTaken;
    this.secret = secret;
    this.k = Quotients.k(fingerprints);
    this.remainderBits = Quotients.remainderBits(fingerprints, buckets);
    this.width = remainderBits + 1;
    this.stampBits = stampBits;
    this.bucketBits = SLOTS * (width + stampBits);
    this.isNarrow = SLOTS * width + bucketBits % Byte.SIZE <= Long.SIZE;
    this.slotFactor = (1 << 16) / width + 1;
    this.stampFactor = stampBits == 0 ? 0 : (1 << 16) / stampBits + 1;
    this.stampMask = (1L << stampBits) - 1;
    long m = (long) buckets << remainderBits;
    this.twoG = fingerprints << 1;
    this.twoM = m << 1;
    this.inverse = Quotients.inverse(fingerprints, k, m);
    this.remainderMask = (1L << remainderBits) - 1;
    this.placeMask = (1L << width) - 1;
    long lowest = 0;
    for (int slot = 0; slot < (isNarrow ? SLOTS : 1); slot++) {
      lowest |= 1L << (slot * width);
    }
    this.ones = lowest;
    this.tops = lowest << (width - 1);
    this.rests = tops - ones;
    long lowestOfStamps = 0;
    for (int slot = 0; slot < SLOTS && stampBits > 0; slot++) {
      lowestOfStamps |= 1L << (slot * stampBits);
    }
    this.stampOnes = lowestOfStamps;
    this.stampTops = stampBits == 0 ? 0 : lowestOfStamps << (stampBits - 1);
    this.stampRests = (lowestOfStamps * stampMask) & ~stampTops;
  }

  /**
   * Returns the number of bytes of a table.
   *
   * @param width the bits per slot, including those of its stamp
   */
  static long tableBytes(int buckets, int width) {
    return (((long) buckets * SLOTS * width + Byte.SIZE - 1) >>> 3) + PADDING;
  }

  /**
   * Returns an empty table that must not be written; all shapes that it is large enough for share
   * one.
   */
  byte[] emptyTable() {
    return tableBytes() <= SHARED.length ? SHARED : newTable();
  }

  /**
   * Returns the shared empty table if it is large enough, or else the given table without its
   * contents. Does not allocate.
   */
  byte[] emptied(byte[] table) {
    if (table.length <= SHARED.length) {
      return SHARED;
    }
    Arrays.fill(table, (byte) 0);
    return table;
  }

  static boolean isShared(byte[] table) {
    return table == SHARED;
  }

  /** Returns the number of bytes of a table of this shape. */
  long tableBytes() {
    return tableBytes(buckets, width + stampBits);
  }

  byte[] newTable() {
    return WordArrays.allocateBytes(Math.toIntExact(tableBytes()));
  }

  /** Returns the fingerprint of a hash within this table: its upper 63 bits, scaled to [0, G). */
  long fingerprintOf(long hash) {
    // Signed multiplication needs operands of 63 bits. Clearing the lowest bit first makes it
    // irrelevant at every depth.
    return Math.multiplyHigh(((hash & -2L) << depth) >>> 1, twoG);
  }

  /** Returns x for a fingerprint. */
  long quotiented(long fingerprint) {
    return Math.multiplyHigh(fingerprint * k, twoM);
  }

  /**
   * Returns the fingerprint for x: ⌈x · 2<sup>63</sup> / (K · M)⌉. The product of x and the inverse
   * exceeds this quotient by less than one, so its floor is the result or one less.
   */
  long fingerprint(long x) {
    long candidate = Math.multiplyHigh(x << 1, inverse);
    return candidate + (quotiented(candidate) == x ? 0 : 1);
  }

  int bucketOf(long x) {
    return (int) (x >>> remainderBits);
  }

  long remainderOf(long x) {
    return x & remainderMask;
  }

  /** Returns the other bucket of a remainder: (H(remainder) − bucket) mod b, an involution. */
  int partner(int bucket, long remainder) {
    long mixed = (remainder ^ secret) * GOLDEN;
    long low = (mixed ^ (mixed >>> 32)) & 0xffffffffL;
    int difference = (int) ((low * buckets) >>> 32) - bucket;
    return difference + ((difference >> 31) & buckets);
  }

  /** Returns whether a table holds a fingerprint, given its x. */
  boolean contains(byte[] table, long x) {
    int bucket = bucketOf(x);
    long remainder = x & remainderMask;
    int other = partner(bucket, remainder);
    long value = remainder << 1;
    // One branch for both buckets: one misprediction costs more than both loads.
    return ((matches(table, bucket, value) & ifNotZero(value)) | matches(table, other, value | 1))
        != 0;
  }

  /** Returns all ones, or 0 for the value of a free slot. */
  private static long ifNotZero(long value) {
    return -value >> 63;
  }

  /** Returns one bit per slot of a bucket that holds a value. */
  private long matches(byte[] table, int bucket, long value) {
    if (isNarrow) {
      return zeros(load(table, bitOf(bucket)) ^ (value * ones));
    }
    long found = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
      found |= get(table, bucket, slot) == value ? 1L << slot : 0;
    }
    return found;
  }

  /** Returns the highest bit of each slot that is zero. Exact, since no carry leaves a slot. */
  private long zeros(long places) {
    return ~(((places & rests) + rests) | places) & tops;
  }

  /** Returns the bit offset of the first slot that {@link #matches} found in a bucket. */
  private long bitOf(int bucket, long matches) {
    int first = Long.numberOfTrailingZeros(matches);
    return bitOf(bucket) + (isNarrow ? first - (width - 1) : first * width);
  }

  private long bitOf(int bucket) {
    return (long) bucket * bucketBits;
  }

  /** Returns the bit offset of the stamp of the first slot that {@link #matches} found. */
  private long stampBitOf(int bucket, long matches) {
    int first = Long.numberOfTrailingZeros(matches);
    return stampBitOf(bucket, isNarrow ? (first * slotFactor) >>> 16 : first);
  }

  private long stampBitOf(int bucket, int slot) {
    return bitOf(bucket) + (long) SLOTS * width + (long) slot * stampBits;
  }

  private static long load(byte[] table, long bit) {
    return word(table, (int) (bit >>> 3)) >>> (bit & 7);
  }

  private static long word(byte[] table, int index) {
    return (long) LONGS.get(table, index);
  }

  private static void setWord(byte[] table, int index, long word) {
    LONGS.set(table, index, word);
  }

  long get(byte[] table, int bucket, int slot) {
    return load(table, bitOf(bucket) + (long) slot * width) & placeMask;
  }

  void set(byte[] table, int bucket, int slot, long value) {
    set(table, bitOf(bucket) + (long) slot * width, value);
  }

  private void set(byte[] table, long bit, long value) {
    set(table, bit, placeMask, value);
  }

  private static void set(byte[] table, long bit, long mask, long value) {
    int index = (int) (bit >>> 3);
    int shift = (int) (bit & 7);
    setWord(table, index, (word(table, index) & ~(mask << shift)) | (value << shift));
  }

  /** Returns the value of a slot, and above it the stamp. */
  long getStamped(byte[] table, int bucket, int slot) {
    long value = get(table, bucket, slot);
    return stampBits == 0 ? value : value | (stampAt(table, stampBitOf(bucket, slot)) << width);
  }

  /** Sets the value of a slot and the stamp above it. */
  void setStamped(byte[] table, int bucket, int slot, long stamped) {
    if (stampBits == 0) {
      set(table, bucket, slot, stamped);
    } else {
      set(table, bucket, slot, stamped & placeMask);
      setStampAt(table, stampBitOf(bucket, slot), stamped >>> width);
    }
  }

  /** Returns the remainder of the result of {@link #getStamped}. */
  long remainderOfStamped(long stamped) {
    return (stamped & placeMask) >>> 1;
  }

  /** Returns the stamp at the bit offset that {@link #find} returned. */
  long stampAt(byte[] table, long bit) {
    return load(table, bit) & stampMask;
  }

  void setStampAt(byte[] table, long bit, long stamp) {
    set(table, bit, stampMask, stamp);
  }

  /** Returns the bit offset of the stamp of a fingerprint, given its x; −1 if no slot holds it. */
  long find(byte[] table, long x) {
    int bucket = bucketOf(x);
    long remainder = x & remainderMask;
    int other = partner(bucket, remainder);
    long value = remainder << 1;
    long first = matches(table, bucket, value) & ifNotZero(value);
    long second = matches(table, other, value | 1);
    if ((first | second) == 0) {
      return -1;
    }
    return stampBitOf(holder(bucket, first, other), first | second);
  }

  /** Returns the first bucket if a slot there matches, and otherwise the other one. */
  private static int holder(int bucket, long matches, int other) {
    // No branch, since both buckets are equally likely; one slot at most holds the fingerprint.
    return other ^ ((other ^ bucket) & (int) ((matches | -matches) >> 63));
  }

  /**
   * Counts the slots whose stamp is among the next ones after a given number, and frees them. The
   * stamps of a bucket are compared in one word.
   *
   * @param start a number; its lowest {@link #stampBits} bits count
   * @param length the number of stamps after {@code start}, from 1 to 2<sup>stampBits</sup> − 1
   * @param isFreed whether the slots are freed, or only counted
   */
  int sweep(byte[] table, long start, long length, boolean isFreed) {
    long shift = ((-start - 1) & stampMask) * stampOnes;
    long shiftRests = shift & stampRests;
    long shiftTops = shift & stampTops;
    long end = length * stampOnes;
    long endRests = end & stampRests;
    long endTops = end & stampTops;
    int count = 0;
    long bit = (long) SLOTS * width;
    for (int bucket = 0; bucket < buckets; bucket++, bit += bucketBits) {
      long stamps = load(table, bit);
      // Of each stamp: its distance from the first one, and whether that is at least the length.
      long distances = ((stamps & stampRests) + shiftRests) ^ ((stamps & stampTops) ^ shiftTops);
      long rest = (distances | stampTops) - endRests;
      long after = (distances & ~endTops) | (~(distances ^ endTops) & rest);
      long found = ~after & stampTops;
      if (found != 0) {
        count += swept(table, bucket, found, isFreed);
      }
    }
    return count;
  }

  /** Counts, and may free, the occupied slots of a bucket whose stamps' highest bits are given. */
  private int swept(byte[] table, int bucket, long found, boolean isFreed) {
    int count = 0;
    for (long left = found; left != 0; left &= left - 1) {
      int slot = (Long.numberOfTrailingZeros(left) * stampFactor) >>> 16;
      long bit = bitOf(bucket) + (long) slot * width;
      boolean isTaken = (load(table, bit) & placeMask) != 0;
      count += isTaken ? 1 : 0;
      if (isFreed) {
        set(table, bit, 0);
      }
    }
    return count;
  }

  /**
   * Stores a fingerprint that the table does not hold, given its x, and its stamp in the emptier
   * one of its buckets. If both are full, displaces others.
   *
   * @return false if a chain of {@link #MAX_KICKS} displacements found no free slot; nothing has
   *     changed then
   */
  boolean place(byte[] table, long x, long stamp) {
    int bucket = bucketOf(x);
    long remainder = x & remainderMask;
    long value = remainder << 1;
    int other = partner(bucket, remainder);
    long free = matches(table, bucket, 0) & ifNotZero(value);
    long otherFree = matches(table, other, 0);
    if ((free | otherFree) == 0) {
      return displace(table, other, value | 1 | (stamp << width));
    }
    // No branch, since both buckets are equally likely.
    long choice = (long) (Long.bitCount(free) - Long.bitCount(otherFree)) >> 63;
    int chosen = bucket ^ ((bucket ^ other) & (int) choice);
    long chosenFree = free ^ ((free ^ otherFree) & choice);
    fill(table, chosen, chosenFree, value | (choice & 1), stamp);
    return true;
  }

  private boolean displace(byte[] table, int start, long startValue) {
    int bucket = start;
    long carried = startValue;
    int firstSlot = 0;
    for (int kick = 0; kick < MAX_KICKS; kick++) {
      if (isExchanged(table, bucket, carried)) {
        return true;
      }
      int slot = movable(table, bucket, slotToKick(startValue, kick));
      if (kick == 0) {
        firstSlot = slot;
      }
      long victim = getStamped(table, bucket, slot);
      setStamped(table, bucket, slot, carried);
      bucket = partner(bucket, remainderOfStamped(victim));
      carried = victim ^ 1;
    }
    // Undoes the steps from the last to the first: each can be derived from its result.
    for (int kick = MAX_KICKS - 1; kick >= 0; kick--) {
      bucket = partner(bucket, remainderOfStamped(carried));
      long victim = carried ^ 1;
      int slot = kick == 0 ? firstSlot : movable(table, bucket, slotToKick(startValue, kick));
      carried = getStamped(table, bucket, slot);
      setStamped(table, bucket, slot, victim);
    }
    return false;
  }

  /** Stores a value in a full bucket if a fingerprint there can move to its other bucket. */
  private boolean isExchanged(byte[] table, int bucket, long value) {
    for (int slot = 0; slot < SLOTS; slot++) {
      long victim = getStamped(table, bucket, slot);
      if (!isFixed(victim)) {
        int other = partner(bucket, remainderOfStamped(victim));
        long free = matches(table, other, 0);
        if (free != 0) {
          fill(table, other, free, (victim ^ 1) & placeMask, victim >>> width);
          setStamped(table, bucket, slot, value);
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether a stamped value has remainder 0, which has a second bucket only. */
  boolean isFixed(long stamped) {
    return (stamped & placeMask) == 1;
  }

  /** Stores a value and its stamp in the first free slot that {@link #matches} found. */
  private void fill(byte[] table, int bucket, long free, long value, long stamp) {
    set(table, bitOf(bucket, free), value);
    if (stampBits != 0) {
      setStampAt(table, stampBitOf(bucket, free), stamp);
    }
  }

  /**
   * Returns the first slot, from a given one on, whose fingerprint can be in another bucket too.
   * Only that with remainder 0 cannot; it occupies at most one slot of a bucket.
   */
  int movable(byte[] table, int bucket, int slot) {
    int next = slot;
    while (get(table, bucket, next) == 1) {
      next = (next + 1) % SLOTS;
    }
    return next;
  }

  static int slotToKick(long start, int kick) {
    long mixed = (start + kick * GOLDEN) * GOLDEN;
    return (int) (((mixed ^ (mixed >>> 32)) * GOLDEN) >>> 62);
  }

  /** Frees the slot of a fingerprint, given its x. Returns false if no slot holds it. */
  boolean take(byte[] table, long x) {
    int bucket = bucketOf(x);
    long remainder = x & remainderMask;
    int other = partner(bucket, remainder);
    long value = remainder << 1;
    long first = matches(table, bucket, value) & ifNotZero(value);
    long second = matches(table, other, value | 1);
    if ((first | second) == 0) {
      return false;
    }
    set(table, bitOf(holder(bucket, first, other), first | second), 0);
    return true;
  }

  /**
   * Writes the entries of some buckets to an array, in any order.
   *
   * @param entries has at least one more element than these buckets have occupied slots
   * @return the number of entries
   */
  int decode(byte[] table, int fromBucket, int toBucket, long[] entries) {
    int count = 0;
    for (int bucket = fromBucket; bucket < toBucket; bucket++) {
      for (int slot = 0; slot < SLOTS; slot++) {
        // No branches, as they would be mispredicted. The next slot overwrites a free one.
        long value = get(table, bucket, slot);
        long fingerprint = fingerprintAt(bucket, value);
        entries[count] =
            stampBits == 0
                ? fingerprint
                : (fingerprint << stampBits) | stampAt(table, stampBitOf(bucket, slot));
        count += (int) (-value >>> 63);
      }
    }
    return count;
  }

  /** Returns the fingerprint of a value in a bucket. */
  long fingerprintAt(int bucket, long value) {
    long remainder = value >>> 1;
    int first = bucket ^ ((bucket ^ partner(bucket, remainder)) & (int) -(value & 1));
    return fingerprint(((long) first << remainderBits) | remainder);
  }
}
