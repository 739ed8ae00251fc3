package io.bloomkit.counting.dynamic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The arithmetic of a cuckoo table of one size: where a fingerprint lies, and how it is stored.
 *
 * <p>The table holds fingerprints f from 0 to G − 1, those of all elements whose hashes share their
 * first {@link #depth} bits. With K = ⌊2<sup>63</sup> / G⌋ and M = b · 2<sup>r</sup> ≥
 * 2<sup>63</sup> / K, the number x = ⌊f · K · M / 2<sup>63</sup>⌋ is below M, distinct for each f,
 * and ordered as f is. The upper bits of x number the first bucket, the lower r bits are the
 * remainder. So a table can have any number b of buckets, and a bucket and a remainder give the
 * fingerprint back (quotienting: D. Knuth, <i>The Art of Computer Programming</i> 3, section 6.4,
 * exercise 13).
 *
 * <p>A place holds the remainder and, in its lowest bit, whether this is the second bucket. 0 is a
 * free place, so a remainder of 0 is stored in its second bucket only.
 *
 * <p>Immutable; the tables are byte arrays, which are passed to each operation.
 */
final class TableShape {

  /** Places per bucket. */
  static final int SLOTS = 4;

  /** The widest place that a load of eight bytes holds at any bit offset. */
  static final int WIDEST = Long.SIZE - Byte.SIZE + 1;

  /** The widest places of which one load holds a whole bucket: buckets begin at half bytes. */
  private static final int WIDEST_IN_ONE_LOAD = Long.SIZE / SLOTS;

  /** Lets eight bytes be loaded at the last place too. */
  private static final int PADDING = Long.BYTES;

  /**
   * A chain of displacements that is longer is given up. Each looks into {@link #SLOTS} other
   * buckets. At the highest load the mean is 5.
   */
  static final int MAX_KICKS = 125;

  /** Holds nothing; as large as the smallest tables with the widest places. */
  private static final byte[] SHARED = new byte[1024];

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Odd, with evenly spread bits: 2^64 divided by the golden ratio. */
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  /** The number of leading hash bits that all fingerprints of the table share. */
  final int depth;

  /** G. */
  final long fingerprints;

  final int buckets;

  /** The index of this size in its {@link TableSizes}. */
  final int rung;

  /** The most places that may be taken. */
  final int limit;

  /** With fewer places taken, the table is to shrink. */
  final int leastTaken;

  /** Bits per place: one more than a remainder has. */
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

  /** The lowest bit of each place in one load; its highest; all but its highest. */
  private final long ones;

  private final long tops;
  private final long rests;

  /**
   * Makes the shape of a table.
   *
   * @param limit the most places that may be taken
   * @param leastTaken with fewer, the table is to shrink
   * @param secret makes second buckets unpredictable, so that an attacker cannot choose elements
   *     that share both of theirs
   */
  TableShape(
      int depth, long fingerprints, int buckets, int rung, int limit, int leastTaken, long secret) {
    this.depth = depth;
    this.fingerprints = fingerprints;
    this.buckets = buckets;
    this.rung = rung;
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

  /** Returns the bytes of a table. */
  static long tableBytes(int buckets, int width) {
    return (((long) buckets * SLOTS * width + Byte.SIZE - 1) >>> 3) + PADDING;
  }

  /** Returns a table that must not be written: one for all shapes if it is large enough. */
  byte[] emptyTable() {
    return tableBytes(buckets, width) <= SHARED.length ? SHARED : newTable();
  }

  static boolean isShared(byte[] table) {
    return table == SHARED;
  }

  byte[] newTable() {
    return new byte[Math.toIntExact(tableBytes(buckets, width))];
  }

  /** Returns the fingerprint of a hash within this table: its upper 63 bits, scaled to [0, G). */
  long fingerprintOf(long hash) {
    // Signed multiplication needs operands of 63 bits. The lowest bit is cleared first so that it
    // counts for nothing at any depth.
    return Math.multiplyHigh(((hash & -2L) << depth) >>> 1, twoG);
  }

  /** Returns x for a fingerprint. */
  long quotiented(long fingerprint) {
    return Math.multiplyHigh(fingerprint * k, twoM);
  }

  /**
   * Returns the fingerprint for x: ⌈x · 2<sup>63</sup> / (K · M)⌉. The product with the inverse is
   * that quotient or less than one more, so its floor is the result or one less.
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

  /** Returns the other bucket of a remainder: (H(remainder) − bucket) mod b, its own inverse. */
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
    // One branch for both buckets: mispredicting either costs more than both loads.
    return ((matches(table, bucket, value) & ifNotZero(value)) | matches(table, other, value | 1))
        != 0;
  }

  /** All ones, or 0 for the value that means a free place. */
  private static long ifNotZero(long value) {
    return -value >> 63;
  }

  /** Returns one bit per place of a bucket that holds a value. */
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

  /** The highest bit of each place that is zero. No carry leaves a place, so this is exact. */
  private long zeros(long places) {
    return ~(((places & rests) + rests) | places) & tops;
  }

  /** Returns the first bit of the first place in what {@link #matches} returned for a bucket. */
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
   * Stores a fingerprint that the table does not hold, given its x, in the emptier of its buckets.
   * Displaces others where both are full.
   *
   * @return false if a chain of {@link #MAX_KICKS} displacements found no free place; the table is
   *     then as before
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
    // No branch, since either bucket is as likely.
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
    // Undo from the last step to the first: what a step left behind tells where it came from.
    for (int kick = MAX_KICKS - 1; kick >= 0; kick--) {
      bucket = partner(bucket, carried >>> 1);
      long victim = carried ^ 1;
      int slot = kick == 0 ? firstSlot : movable(table, bucket, slotToKick(startValue, kick));
      carried = get(table, bucket, slot);
      set(table, bucket, slot, victim);
    }
    return false;
  }

  /** Stores a value in a full bucket if one of that bucket finds a free place in its other one. */
  private boolean isExchanged(byte[] table, int bucket, long value) {
    for (int slot = 0; slot < SLOTS; slot++) {
      long victim = get(table, bucket, slot);
      if (victim != 1) { // it has a second bucket only
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
   * Returns the first slot, from a given one on, whose fingerprint has a second bucket. The one
   * with remainder 0 has none; it takes at most one place of a bucket.
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

  /** Frees one place of a fingerprint, given its x. Returns false if it has none. */
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
   * Writes the fingerprints of some buckets to an array, in no order.
   *
   * @param fingerprints at least one longer than the number of places taken in these buckets
   * @return how many there are
   */
  int decode(byte[] table, int fromBucket, int toBucket, long[] fingerprints) {
    int count = 0;
    for (int bucket = fromBucket; bucket < toBucket; bucket++) {
      for (int slot = 0; slot < SLOTS; slot++) {
        // No branches: they would be mispredicted. A free place is overwritten by the next one.
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
