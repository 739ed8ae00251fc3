package io.bloomkit.counting.dynamic;

import io.bloomkit.internal.WordArrays;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

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
 * <p>Immutable. The tables themselves are byte arrays, which callers pass to each operation.
 */
final class TableShape {

  /** Slots per bucket. */
  static final int SLOTS = 4;

  /** The width of the widest slot that one load of eight bytes contains at any bit offset. */
  static final int WIDEST = Long.SIZE - Byte.SIZE + 1;

  /** The width of the widest slots of which one load contains a bucket, at any half byte. */
  private static final int WIDEST_IN_ONE_LOAD = Long.SIZE / SLOTS;

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

  private final int remainderBits;
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

  /**
   * Creates the shape of a table.
   *
   * @param limit the largest number of slots that may be occupied
   * @param leastTaken with fewer occupied slots, the table should shrink
   * @param secret makes second buckets unpredictable, so an attacker cannot choose elements that
   *     share both of their buckets
   */
  TableShape(
      int depth,
      long fingerprints,
      int buckets,
      int sizeIndex,
      int limit,
      int leastTaken,
      long secret) {
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
    this.isNarrow = width <= WIDEST_IN_ONE_LOAD;
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
  }

  /** Returns the number of bytes of a table. */
  static long tableBytes(int buckets, int width) {
    return (((long) buckets * SLOTS * width + Byte.SIZE - 1) >>> 3) + PADDING;
  }

  /**
   * Returns an empty table that must not be written; all shapes that it is large enough for share
   * one.
   */
  byte[] emptyTable() {
    return tableBytes(buckets, width) <= SHARED.length ? SHARED : newTable();
  }

  static boolean isShared(byte[] table) {
    return table == SHARED;
  }

  byte[] newTable() {
    return WordArrays.allocateBytes(Math.toIntExact(tableBytes(buckets, width)));
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
    return ((long) bucket * width) << 2;
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
    int index = (int) (bit >>> 3);
    int shift = (int) (bit & 7);
    setWord(table, index, (word(table, index) & ~(placeMask << shift)) | (value << shift));
  }

  /**
   * Stores a fingerprint that the table does not hold, given its x, in the emptier one of its
   * buckets. If both are full, displaces others.
   *
   * @return false if a chain of {@link #MAX_KICKS} displacements found no free slot; nothing has
   *     changed then
   */
  boolean place(byte[] table, long x) {
    int bucket = bucketOf(x);
    long remainder = x & remainderMask;
    long value = remainder << 1;
    int other = partner(bucket, remainder);
    long free = matches(table, bucket, 0) & ifNotZero(value);
    long otherFree = matches(table, other, 0);
    if ((free | otherFree) == 0) {
      return displace(table, other, value | 1);
    }
    // No branch, since both buckets are equally likely.
    long choice = (long) (Long.bitCount(free) - Long.bitCount(otherFree)) >> 63;
    int chosen = bucket ^ ((bucket ^ other) & (int) choice);
    set(table, bitOf(chosen, free ^ ((free ^ otherFree) & choice)), value | (choice & 1));
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
      long victim = get(table, bucket, slot);
      set(table, bucket, slot, carried);
      bucket = partner(bucket, victim >>> 1);
      carried = victim ^ 1;
    }
    // Undoes the steps from the last to the first: each can be derived from its result.
    for (int kick = MAX_KICKS - 1; kick >= 0; kick--) {
      bucket = partner(bucket, carried >>> 1);
      long victim = carried ^ 1;
      int slot = kick == 0 ? firstSlot : movable(table, bucket, slotToKick(startValue, kick));
      carried = get(table, bucket, slot);
      set(table, bucket, slot, victim);
    }
    return false;
  }

  /** Stores a value in a full bucket if a fingerprint there can move to its other bucket. */
  private boolean isExchanged(byte[] table, int bucket, long value) {
    for (int slot = 0; slot < SLOTS; slot++) {
      long victim = get(table, bucket, slot);
      if (victim != 1) { // remainder 0, which has a second bucket only
        int other = partner(bucket, victim >>> 1);
        long free = matches(table, other, 0);
        if (free != 0) {
          set(table, bitOf(other, free), victim ^ 1);
          set(table, bucket, slot, value);
          return true;
        }
      }
    }
    return false;
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
    long value = remainder << 1;
    long found = matches(table, bucket, value) & ifNotZero(value);
    if (found == 0) {
      bucket = partner(bucket, remainder);
      found = matches(table, bucket, value | 1);
      if (found == 0) {
        return false;
      }
    }
    set(table, bitOf(bucket, found), 0);
    return true;
  }

  /**
   * Writes the fingerprints of some buckets to an array, in any order.
   *
   * @param fingerprints has at least one more element than these buckets have occupied slots
   * @return the number of fingerprints
   */
  int decode(byte[] table, int fromBucket, int toBucket, long[] fingerprints) {
    int count = 0;
    for (int bucket = fromBucket; bucket < toBucket; bucket++) {
      for (int slot = 0; slot < SLOTS; slot++) {
        // No branches, as they would be mispredicted. The next slot overwrites a free one.
        long value = get(table, bucket, slot);
        long remainder = value >>> 1;
        int first = bucket ^ ((bucket ^ partner(bucket, remainder)) & (int) -(value & 1));
        fingerprints[count] = fingerprint(((long) first << remainderBits) | remainder);
        count += (int) (-value >>> 63);
      }
    }
    return count;
  }
}
