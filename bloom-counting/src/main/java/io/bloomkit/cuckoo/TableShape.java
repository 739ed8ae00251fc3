package io.bloomkit.cuckoo;

import io.bloomkit.internal.WordArrays;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of a cuckoo table of one size: the buckets of a fingerprint and its encoding.
 *
 * <p>The table is for all elements whose hashes share their first {@link #depth} bits. Their
 * fingerprints f are numbers from 0 to G − 1. With K = ⌊2<sup>63</sup> / G⌋ and M = b ·
 * 2<sup>r</sup> ≥ 2<sup>63</sup> / K, the <i>quotient</i> q = ⌊f · K · M / 2<sup>63</sup>⌋ is below
 * M and strictly increasing in f. The upper bits of q are the number of the first bucket, the lower
 * r bits are the remainder. So a table can have any number b of buckets, and the fingerprint can be
 * computed from bucket and remainder (quotienting: D. Knuth, <i>The Art of Computer Programming</i>
 * 3, section 6.4, exercise 13).
 *
 * <p>Each bucket has four to six slots. A slot holds a remainder and, in its lowest bit, whether it
 * is in its second bucket. The value 0 marks a free slot, so a remainder of 0 is stored in its
 * second bucket only. Two tables with as many buckets and other numbers of slots have the same
 * buckets and remainders, so a table can get more slots without a fingerprint being moved to
 * another bucket.
 *
 * <p>In a shape with {@linkplain Stamps stamps}, each slot has one, which stays with its
 * fingerprint when that is moved. Callers exchange fingerprints and stamps as <i>entries</i>, f ·
 * 2<sup>stampBits</sup> + stamp. Without stamps, the entry of a fingerprint is the fingerprint.
 *
 * <p>Immutable. The tables themselves are byte arrays, which callers pass to each operation.
 */
final class TableShape {

  /** The smallest number of slots per bucket. */
  static final int MIN_SLOTS = 4;

  /** The largest number of slots per bucket. */
  static final int MAX_SLOTS = 6;

  /** The most bits that one load of eight bytes contains at any bit offset: the widest slot. */
  static final int MAX_WIDTH = Long.SIZE - Byte.SIZE + 1;

  /** Bytes after the last bucket, so eight bytes can be loaded at the last slot too. */
  private static final int PADDING = Long.BYTES;

  /**
   * The largest number of displacements in a chain. Each one reads another bucket per slot. At the
   * highest load, the mean is 5.
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

  /** Slots per bucket. */
  final int slots;

  /** The index of this size in its {@link TableSizes}. */
  final int sizeIndex;

  /** The largest number of slots that may be occupied. */
  final int limit;

  /** With fewer occupied slots, the table should shrink. */
  final int minSize;

  /** Bits per slot: one more than a remainder has. */
  final int width;

  /** Bits per stamp; 0 without stamps. */
  final int stampBits;

  /** The stamps of the slots; null without stamps. */
  private final @Nullable Stamps stamps;

  /** Bits per bucket: those of its slots and their stamps. */
  private final int bucketBits;

  private final int remainderBits;

  /** Whether one load of eight bytes contains the slots of any bucket. */
  private final boolean isNarrow;

  /** Whether two loads of eight bytes contain them, each half of them, rounded up. */
  private final boolean isInHalves;

  /** The slots that the first of two loads contains. */
  private final int slotsOfHalf;

  private final long twoG;
  private final long k;
  private final long twoM;
  private final long inverse;
  private final long secret;
  private final long remainderMask;
  private final long slotMask;

  /** Of each slot in one load: the lowest bit; below, the highest bit, and all others. */
  private final long slotLowBits;

  private final long slotHighBits;
  private final long slotRestBits;

  /** The highest bit of each slot that is in the second of two loads. */
  private final long secondHighBits;

  /** Multiplied by the position of the highest bit of a slot, and divided by 2^16: its number. */
  private final int slotFactor;

  /**
   * Creates the shape of a table.
   *
   * @param slots from {@value #MIN_SLOTS} to {@value #MAX_SLOTS} per bucket
   * @param limit the largest number of slots that may be occupied
   * @param minSize with fewer occupied slots, the table should shrink
   * @param secret makes second buckets unpredictable, so an attacker cannot choose elements that
   *     share both of their buckets
   * @param stampBits the bits of a stamp, from 0 to {@value Stamps#MAX_BITS}; 0 for none
   */
  TableShape(
      int depth,
      long fingerprints,
      int buckets,
      int slots,
      int sizeIndex,
      int limit,
      int minSize,
      long secret,
      int stampBits) {
    this.depth = depth;
    this.fingerprints = fingerprints;
    this.buckets = buckets;
    this.slots = slots;
    this.sizeIndex = sizeIndex;
    this.limit = limit;
    this.minSize = minSize;
    this.secret = secret;
    this.k = Quotients.k(fingerprints);
    this.remainderBits = Quotients.remainderBits(fingerprints, buckets);
    this.width = remainderBits + 1;
    this.stampBits = stampBits;
    this.bucketBits = slots * (width + stampBits);
    int maxOffset = Byte.SIZE - Math.min(Byte.SIZE, Integer.lowestOneBit(bucketBits));
    this.isNarrow = slots * width + maxOffset <= Long.SIZE;
    this.slotsOfHalf = (slots + 1) / 2;
    this.isInHalves = !isNarrow && slotsOfHalf * width <= MAX_WIDTH;
    this.slotFactor = (1 << 16) / width + 1;
    this.stamps = stampBits == 0 ? null : new Stamps(stampBits, slots, slots * width, bucketBits);
    long m = (long) buckets << remainderBits;
    this.twoG = fingerprints << 1;
    this.twoM = m << 1;
    this.inverse = Quotients.inverse(fingerprints, k, m);
    this.remainderMask = (1L << remainderBits) - 1;
    this.slotMask = (1L << width) - 1;
    this.slotLowBits = lowBits(isNarrow ? slots : isInHalves ? slotsOfHalf : 1, width);
    this.slotHighBits = slotLowBits << (width - 1);
    this.slotRestBits = slotHighBits - slotLowBits;
    this.secondHighBits = isInHalves ? lowBits(slots / 2, width) << (width - 1) : 0;
  }

  /** Returns the lowest bit of each of some fields of a width. */
  static long lowBits(int fields, int width) {
    long lowest = 0;
    for (int field = 0; field < fields; field++) {
      lowest |= 1L << (field * width);
    }
    return lowest;
  }

  /** Returns the stamps of the slots. Requires that there are stamps. */
  Stamps stamps() {
    return Objects.requireNonNull(stamps);
  }

  /**
   * Returns the number of bytes of a table.
   *
   * @param width the bits per slot, including those of its stamp
   */
  static long tableBytes(int buckets, int slots, int width) {
    return (((long) buckets * slots * width + Byte.SIZE - 1) >>> 3) + PADDING;
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
    return tableBytes(buckets, slots, width + stampBits);
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

  /** Returns the quotient of a fingerprint. */
  long quotientOf(long fingerprint) {
    return Math.multiplyHigh(fingerprint * k, twoM);
  }

  /**
   * Returns the fingerprint of a quotient q: ⌈q · 2<sup>63</sup> / (K · M)⌉. The product of q and
   * the inverse exceeds this by less than one, so its floor is the result or one less.
   */
  long fingerprintOfQuotient(long quotient) {
    long candidate = Math.multiplyHigh(quotient << 1, inverse);
    return candidate + (quotientOf(candidate) == quotient ? 0 : 1);
  }

  /** Returns the first bucket of a quotient. */
  int bucketOf(long quotient) {
    return (int) (quotient >>> remainderBits);
  }

  long remainderOf(long quotient) {
    return quotient & remainderMask;
  }

  /** Returns the other bucket of a remainder: (H(remainder) − bucket) mod b, an involution. */
  int alternate(int bucket, long remainder) {
    long mixed = (remainder ^ secret) * GOLDEN;
    long low = (mixed ^ (mixed >>> 32)) & 0xffffffffL;
    int difference = (int) ((low * buckets) >>> 32) - bucket;
    return difference + ((difference >> 31) & buckets);
  }

  /** Returns whether a table holds a fingerprint, given its quotient. */
  boolean contains(byte[] table, long quotient) {
    int bucket = bucketOf(quotient);
    long remainder = remainderOf(quotient);
    int other = alternate(bucket, remainder);
    long value = remainder << 1;
    // One branch for both buckets: one misprediction costs more than both loads.
    return ((matches(table, bucket, value) & ifNotZero(value)) | matches(table, other, value | 1))
        != 0;
  }

  /** Loads a word of each of the two buckets of a quotient into the cache. Returns their sum. */
  long loadBuckets(byte[] table, long quotient) {
    int bucket = bucketOf(quotient);
    return load(table, bitOf(bucket))
        + load(table, bitOf(alternate(bucket, remainderOf(quotient))));
  }

  /** Returns all ones, or 0 for the value of a free slot. */
  private static long ifNotZero(long value) {
    return -value >> 63;
  }

  /** Returns one bit per slot of a bucket that holds a value; {@link #slotOf} finds the slot. */
  private long matches(byte[] table, int bucket, long value) {
    if (isNarrow) {
      return zeros(load(table, bitOf(bucket)) ^ (value * slotLowBits));
    }
    return isInHalves
        ? matchesInHalves(table, bucket, value)
        : matchesOneByOne(table, bucket, value);
  }

  /** The result has the highest bits of the slots in the first load, and the next lower ones. */
  private long matchesInHalves(byte[] table, int bucket, long value) {
    long bit = bitOf(bucket);
    long compared = value * slotLowBits;
    long first = zeros(load(table, bit) ^ compared);
    long second = zeros(load(table, bit + (long) slotsOfHalf * width) ^ compared);
    return first | ((second & secondHighBits) >>> 1);
  }

  private long matchesOneByOne(byte[] table, int bucket, long value) {
    long found = 0;
    for (int slot = 0; slot < slots; slot++) {
      found |= get(table, bucket, slot) == value ? 1L << slot : 0;
    }
    return found;
  }

  /** Returns the highest bit of each slot that is zero. Exact, since no carry leaves a slot. */
  private long zeros(long slots) {
    return ~(((slots & slotRestBits) + slotRestBits) | slots) & slotHighBits;
  }

  /** Returns the bit offset of the first slot that {@link #matches} found in a bucket. */
  private long bitOf(int bucket, long matches) {
    return bitOf(bucket)
        + (isNarrow
            ? Long.numberOfTrailingZeros(matches) - (width - 1)
            : (long) slotOf(matches) * width);
  }

  private long bitOf(int bucket) {
    return (long) bucket * bucketBits;
  }

  /** Returns the number of the first slot that {@link #matches} found, in its bucket. */
  private int slotOf(long matches) {
    int first = Long.numberOfTrailingZeros(matches);
    int slot = (first * slotFactor) >>> 16;
    if (isNarrow) {
      return slot;
    }
    // In the second load, the bit is one below the highest one of its slot.
    return isInHalves ? slot + slotsOfHalf * ((slot + 1) * width - 1 - first) : first;
  }

  /** Returns the bits of a table from an offset on, 57 or more of them. */
  static long load(byte[] table, long bit) {
    return word(table, (int) (bit >>> 3)) >>> (bit & 7);
  }

  private static long word(byte[] table, int index) {
    return (long) LONGS.get(table, index);
  }

  private static void setWord(byte[] table, int index, long word) {
    LONGS.set(table, index, word);
  }

  long get(byte[] table, int bucket, int slot) {
    return load(table, bitOf(bucket) + (long) slot * width) & slotMask;
  }

  void set(byte[] table, int bucket, int slot, long value) {
    set(table, bitOf(bucket) + (long) slot * width, value);
  }

  private void set(byte[] table, long bit, long value) {
    set(table, bit, slotMask, value);
  }

  /** Replaces the bits of a mask, from an offset on. */
  static void set(byte[] table, long bit, long mask, long value) {
    int index = (int) (bit >>> 3);
    int shift = (int) (bit & 7);
    setWord(table, index, (word(table, index) & ~(mask << shift)) | (value << shift));
  }

  /** Returns the value of a slot, and above it the stamp. */
  long getStamped(byte[] table, int bucket, int slot) {
    long value = get(table, bucket, slot);
    return stamps == null ? value : value | (stamps.get(table, bucket, slot) << width);
  }

  /** Sets the value of a slot and the stamp above it. */
  void setStamped(byte[] table, int bucket, int slot, long stamped) {
    if (stamps == null) {
      set(table, bucket, slot, stamped);
    } else {
      set(table, bucket, slot, stamped & slotMask);
      stamps.set(table, bucket, slot, stamped >>> width);
    }
  }

  /** Returns the remainder of the result of {@link #getStamped}. */
  long remainderOfStamped(long stamped) {
    return (stamped & slotMask) >>> 1;
  }

  /**
   * Returns the bit offset of the stamp of a fingerprint, given its quotient; −1 if the table does
   * not hold it. Requires that there are stamps.
   */
  long findStamp(byte[] table, long quotient) {
    int bucket = bucketOf(quotient);
    long remainder = remainderOf(quotient);
    int other = alternate(bucket, remainder);
    long value = remainder << 1;
    long first = matches(table, bucket, value) & ifNotZero(value);
    long second = matches(table, other, value | 1);
    if ((first | second) == 0) {
      return -1;
    }
    return bitOf(holder(bucket, first, other))
        + (long) slots * width
        + (long) slotOf(first | second) * stampBits;
  }

  /** Returns the first bucket if a slot there matches, and otherwise the other one. */
  private static int holder(int bucket, long matches, int other) {
    // No branch, since both buckets are equally likely; one slot at most holds the fingerprint.
    return other ^ ((other ^ bucket) & (int) ((matches | -matches) >> 63));
  }

  /**
   * Stores a fingerprint that the table does not hold, given its quotient, and its stamp in the
   * emptier one of its buckets. If both are full, displaces others.
   *
   * @return false if a chain of {@link #MAX_KICKS} displacements found no free slot; nothing has
   *     changed then
   */
  boolean place(byte[] table, long quotient, long stamp) {
    int bucket = bucketOf(quotient);
    long remainder = remainderOf(quotient);
    long value = remainder << 1;
    int other = alternate(bucket, remainder);
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
      if (tryExchange(table, bucket, carried)) {
        return true;
      }
      int slot = movable(table, bucket, slotToKick(startValue, kick, slots));
      if (kick == 0) {
        firstSlot = slot;
      }
      long victim = getStamped(table, bucket, slot);
      setStamped(table, bucket, slot, carried);
      bucket = alternate(bucket, remainderOfStamped(victim));
      carried = victim ^ 1;
    }
    // Undoes the steps from the last to the first: each can be derived from its result.
    for (int kick = MAX_KICKS - 1; kick >= 0; kick--) {
      bucket = alternate(bucket, remainderOfStamped(carried));
      long victim = carried ^ 1;
      int slot =
          kick == 0 ? firstSlot : movable(table, bucket, slotToKick(startValue, kick, slots));
      carried = getStamped(table, bucket, slot);
      setStamped(table, bucket, slot, victim);
    }
    return false;
  }

  /** Stores a value in a full bucket if a fingerprint there can move to its other bucket. */
  private boolean tryExchange(byte[] table, int bucket, long value) {
    for (int slot = 0; slot < slots; slot++) {
      long victim = getStamped(table, bucket, slot);
      if (!isFixed(victim)) {
        int other = alternate(bucket, remainderOfStamped(victim));
        long free = matches(table, other, 0);
        if (free != 0) {
          fill(table, other, free, (victim ^ 1) & slotMask, victim >>> width);
          setStamped(table, bucket, slot, value);
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether a stamped value has remainder 0, which has a second bucket only. */
  boolean isFixed(long stamped) {
    return (stamped & slotMask) == 1;
  }

  /** Stores a value and its stamp in the first free slot that {@link #matches} found. */
  private void fill(byte[] table, int bucket, long free, long value, long stamp) {
    set(table, bitOf(bucket, free), value);
    if (stamps != null) {
      stamps.set(table, bucket, slotOf(free), stamp);
    }
  }

  /**
   * Returns the first slot, from a given one on, whose fingerprint can be in another bucket too.
   * Only that with remainder 0 cannot; it occupies at most one slot of a bucket.
   */
  int movable(byte[] table, int bucket, int slot) {
    int next = slot;
    while (get(table, bucket, next) == 1) {
      next = (next + 1) % slots;
    }
    return next;
  }

  static int slotToKick(long start, int kick, int slots) {
    long mixed = (start + kick * GOLDEN) * GOLDEN;
    return (int) (((((mixed ^ (mixed >>> 32)) * GOLDEN) >>> 32) * slots) >>> 32);
  }

  /**
   * Returns whether a table of this shape can get its contents from one of another shape by {@link
   * #widen}.
   */
  boolean isWiderThan(TableShape other) {
    return buckets == other.buckets && slots > other.slots && depth == other.depth;
  }

  /** Copies the slots of each bucket of a table with fewer slots into an empty table. */
  void widen(TableShape narrower, byte[] from, byte[] to) {
    for (int bucket = 0; bucket < buckets; bucket++) {
      if (narrower.isNarrow) {
        long all = load(from, narrower.bitOf(bucket)) & narrower.allSlotsMask();
        put(to, bitOf(bucket), all);
      } else {
        for (int slot = 0; slot < narrower.slots; slot++) {
          set(to, bucket, slot, narrower.get(from, bucket, slot));
        }
      }
      if (stamps != null) {
        stamps.widen(narrower.stamps(), from, to, bucket);
      }
    }
  }

  private long allSlotsMask() {
    return -1L >>> (Long.SIZE - slots * width);
  }

  /** Sets bits that are 0 in a table. */
  static void put(byte[] table, long bit, long value) {
    int index = (int) (bit >>> 3);
    int shift = (int) (bit & 7);
    setWord(table, index, word(table, index) | (value << shift));
    if (shift > 0 && value >>> (Long.SIZE - shift) != 0) {
      table[index + Long.BYTES] |= (byte) (value >>> (Long.SIZE - shift));
    }
  }

  /** Frees the slot of a fingerprint, given its quotient. Returns false if no slot holds it. */
  boolean remove(byte[] table, long quotient) {
    int bucket = bucketOf(quotient);
    long remainder = remainderOf(quotient);
    int other = alternate(bucket, remainder);
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
      for (int slot = 0; slot < slots; slot++) {
        // No branches, as they would be mispredicted. The next slot overwrites a free one.
        long value = get(table, bucket, slot);
        long fingerprint = fingerprintAt(bucket, value);
        entries[count] =
            stamps == null
                ? fingerprint
                : (fingerprint << stampBits) | stamps.get(table, bucket, slot);
        count += (int) (-value >>> 63);
      }
    }
    return count;
  }

  /** Returns the fingerprint of a value in a bucket. */
  long fingerprintAt(int bucket, long value) {
    long remainder = value >>> 1;
    int first = bucket ^ ((bucket ^ alternate(bucket, remainder)) & (int) -(value & 1));
    return fingerprintOfQuotient(((long) first << remainderBits) | remainder);
  }
}
