package io.bloomkit.cuckoo;

import io.bloomkit.internal.IndexDerivation;
import io.bloomkit.internal.WordArrays;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The buckets of a {@link CuckooFilter}: four slots of f bits each, without gaps between slots or
 * buckets. A slot holds a fingerprint from 1 to 2<sup>f</sup> − 1, or 0 if it is free.
 *
 * <p>f is even, so a bucket has f/2 whole bytes. For f up to sixteen, one load of eight bytes at
 * any address brings a whole bucket into a register, where its four fingerprints are compared at
 * once. Longer fingerprints take two such loads. This requires an array of bytes: in an array of
 * words, every second bucket of 48 bits would lie in two words and take two loads and shifts. The
 * price is the limit of one array, 2 GiB.
 *
 * <p>The two buckets of a fingerprint are i and (H(fingerprint) − i) mod b. This function is its
 * own inverse for any b. The exclusive or of the paper requires a power of two, which wastes up to
 * half of the memory. If both buckets are equal, the fingerprint has only one.
 */
class FingerprintTable {

  /** Slots per bucket. */
  static final int SLOTS = 4;

  /** The result of {@link #place} if it found a slot. */
  static final long PLACED = 0;

  /** The result of {@link #place} if it found no slot; nothing has changed. */
  static final long NO_ROOM = -1;

  /** As in the paper. At a load of 95 %, nearly all chains are far shorter. */
  static final int MAX_KICKS = 500;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Bytes after the last bucket, so eight bytes can be loaded at the last slot too. */
  static final int PADDING = Long.BYTES;

  /** The largest width of which four fingerprints fit into one register. */
  private static final int WIDEST_IN_ONE_LOAD = Long.SIZE / SLOTS;

  /** An odd number with evenly spread bits: 2^64 divided by the golden ratio. */
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  final byte[] bytes;
  private final int buckets;
  private final int width;
  private final int bucketBytes;
  private final long mask;

  /** Of each slot in a register: the lowest bit; below, the highest bit, and all others. */
  private final long slotLowBits;

  private final long slotHighBits;
  private final long slotRestBits;

  FingerprintTable(int buckets, int width) {
    this(buckets, width, WordArrays.allocateBytes(Math.toIntExact(memoryBytes(buckets, width))));
  }

  private FingerprintTable(int buckets, int width, byte[] bytes) {
    this.bytes = bytes;
    this.buckets = buckets;
    this.width = width;
    this.bucketBytes = width / 2;
    this.mask = values(width);
    long lowest = 0;
    for (int i = 0; i < (isWide() ? SLOTS / 2 : SLOTS); i++) {
      lowest |= 1L << (i * width);
    }
    this.slotLowBits = lowest;
    this.slotHighBits = lowest << (width - 1);
    this.slotRestBits = slotHighBits - slotLowBits;
  }

  static long memoryBytes(int buckets, int width) {
    return (long) buckets * (width / 2) + PADDING;
  }

  /** Returns the largest number of buckets that fit into one array. */
  static int maxBuckets(int width) {
    return (WordArrays.MAX_LENGTH - PADDING) / (width / 2);
  }

  /** Returns the number of fingerprints of a width: 2<sup>f</sup> − 1, since 0 is a free slot. */
  static long values(int width) {
    return (1L << width) - 1;
  }

  int buckets() {
    return buckets;
  }

  int width() {
    return width;
  }

  /**
   * Returns the first bucket of a hash, chosen by its highest bits, 29 or fewer. The fingerprint is
   * computed from the lower 32 bits, so the two are independent.
   */
  int bucketOf(long hash) {
    return (int) IndexDerivation.position(hash, buckets);
  }

  /** Returns the fingerprint of a hash: ⌊lower half · (2<sup>f</sup> − 1) / 2<sup>32</sup>⌋ + 1. */
  long fingerprintOf(long hash) {
    // Two factors of up to 32 bits: the unsigned product does not overflow.
    return (((hash & 0xffffffffL) * mask) >>> 32) + 1;
  }

  /**
   * Returns the other bucket of a fingerprint, given one of them: (H(fingerprint) − bucket) mod b.
   */
  int alternate(int bucket, long fingerprint) {
    // Two rounds: after only one multiplication, H(x) - H(y) would be about H(x - y). There would
    // be so few different distances between buckets that chains would run in circles.
    long mixed = fingerprint * GOLDEN;
    mixed = (mixed ^ (mixed >>> 32)) * GOLDEN;
    int difference = (int) IndexDerivation.position(mixed, buckets) - bucket;
    return difference + ((difference >> 31) & buckets);
  }

  /** Returns a number that identifies a fingerprint and its two buckets, given one of them. */
  long key(int bucket, long fingerprint) {
    return (long) Math.min(bucket, alternate(bucket, fingerprint)) << 32 | fingerprint;
  }

  static int bucketOfKey(long key) {
    return (int) (key >>> 32);
  }

  static long fingerprintOfKey(long key) {
    return key & 0xffffffffL;
  }

  boolean contains(int bucket, long fingerprint) {
    return matches(bucket, fingerprint) != 0;
  }

  boolean isInBuckets(int bucket, int alternate, long fingerprint) {
    // Loads both buckets before it tests either, so two cache misses overlap.
    return (matches(bucket, fingerprint) | matches(alternate, fingerprint)) != 0;
  }

  /** Returns the number of slots of a bucket that hold a fingerprint; for 0, that are free. */
  int copies(int bucket, long fingerprint) {
    return Long.bitCount(matches(bucket, fingerprint));
  }

  /** Returns the number of slots in the two buckets of a fingerprint that hold it. */
  int copies(int bucket, int alternate, long fingerprint) {
    int copies = copies(bucket, fingerprint);
    return alternate == bucket ? copies : copies + copies(alternate, fingerprint);
  }

  /** Returns how many pairs of a bucket and a fingerprint one stored fingerprint occupies. */
  static int pairs(int bucket, int alternate) {
    return bucket == alternate ? 1 : 2;
  }

  /** Returns a word with one bit set per slot of a bucket that holds a fingerprint. */
  long matches(int bucket, long fingerprint) {
    int start = bucket * bucketBytes;
    long wanted = fingerprint * slotLowBits;
    long zeros = zeros(load(start) ^ wanted);
    return isWide() ? zeros | (zeros(loadSecondHalf(start) ^ wanted) >>> 1) : zeros;
  }

  /** Returns the highest bit of each slot that is zero. Exact, since no carry leaves a slot. */
  private long zeros(long places) {
    return ~(((places & slotRestBits) + slotRestBits) | places) & slotHighBits;
  }

  private long loadSecondHalf(int start) {
    int bit = 2 * width;
    return load(start + (bit >>> 3)) >>> (bit & 7);
  }

  private boolean isWide() {
    return width > WIDEST_IN_ONE_LOAD;
  }

  /** Returns the eight bytes that begin at an index. */
  long load(int index) {
    return (long) LONGS.get(bytes, index);
  }

  void store(int index, long word) {
    LONGS.set(bytes, index, word);
  }

  /** Writes a fingerprint into a slot and returns the previous value. */
  private long exchange(int bucket, int slot, long fingerprint) {
    int bit = slot * width;
    int index = bucket * bucketBytes + (bit >>> 3);
    int shift = bit & 7;
    long word = load(index);
    long before = (word >>> shift) & mask;
    store(index, word ^ ((before ^ fingerprint) << shift));
    return before;
  }

  long get(int bucket, int slot) {
    int bit = slot * width;
    return (load(bucket * bucketBytes + (bit >>> 3)) >>> (bit & 7)) & mask;
  }

  /** Replaces a value in one slot of a bucket. Returns false if no slot holds the value. */
  private boolean replaceOne(int bucket, long before, long after) {
    if (!contains(bucket, before)) {
      return false;
    }
    int slot = 0;
    while (get(bucket, slot) != before) {
      slot++;
    }
    exchange(bucket, slot, after);
    return true;
  }

  boolean putIfFree(int bucket, long fingerprint) {
    return replaceOne(bucket, 0, fingerprint);
  }

  boolean remove(int bucket, long fingerprint) {
    return replaceOne(bucket, fingerprint, 0);
  }

  /**
   * Stores a fingerprint in one of its buckets and, if both are full, kicks other fingerprints to
   * their second bucket. The choice of the slots is deterministic: it depends on the fingerprint
   * and the number of the kick.
   *
   * @param displaceCopies whether the chain may end at a kicked fingerprint of which another copy
   *     is in its buckets; the kicked copy is then in no slot
   * @return {@link #PLACED}; or {@link #NO_ROOM}; or the {@link #key} of a copy that is now in no
   *     slot
   */
  long place(int bucket, long fingerprint, boolean displaceCopies) {
    int alternate = alternate(bucket, fingerprint);
    return putIfFree(bucket, fingerprint) || putIfFree(alternate, fingerprint)
        ? PLACED
        : kick(alternate, fingerprint, displaceCopies);
  }

  /** Does what {@link #place} does if both buckets are full. */
  private long kick(int alternate, long fingerprint, boolean displaceCopies) {
    int current = alternate;
    long carried = fingerprint;
    for (int kick = 0; kick < MAX_KICKS; kick++) {
      carried = exchange(current, slotToKick(fingerprint, kick), carried);
      int next = alternate(current, carried);
      if (putIfFree(next, carried)) {
        return PLACED;
      }
      if (displaceCopies && (contains(current, carried) || contains(next, carried))) {
        return key(next, carried);
      }
      current = next;
    }
    // Undoes the steps from the last to the first: each can be derived from its result.
    for (int kick = MAX_KICKS - 1; kick >= 0; kick--) {
      current = alternate(current, carried);
      carried = exchange(current, slotToKick(fingerprint, kick), carried);
    }
    return NO_ROOM;
  }

  private static int slotToKick(long fingerprint, int kick) {
    long mixed = (fingerprint + kick * GOLDEN) * GOLDEN;
    return (int) (((mixed ^ (mixed >>> 32)) * GOLDEN) >>> 62);
  }

  /** Returns the keys of all slots that are not free. */
  LongStream keys() {
    return IntStream.range(0, buckets)
        .mapToObj(bucket -> bucket)
        .flatMapToLong(
            bucket ->
                IntStream.range(0, SLOTS)
                    .mapToLong(slot -> get(bucket, slot))
                    .filter(fingerprint -> fingerprint != 0)
                    .map(fingerprint -> key(bucket, fingerprint)));
  }

  /** Calls a visitor for each slot that is not free. */
  void forEach(Visitor visitor) throws IOException {
    for (int bucket = 0; bucket < buckets; bucket++) {
      for (int slot = 0; slot < SLOTS; slot++) {
        long fingerprint = get(bucket, slot);
        if (fingerprint != 0) {
          visitor.visit(bucket, fingerprint);
        }
      }
    }
  }

  /** A visitor of slots that are not free. */
  interface Visitor {
    void visit(int bucket, long fingerprint) throws IOException;
  }

  void clear() {
    Arrays.fill(bytes, (byte) 0);
  }

  FingerprintTable copy() {
    return new FingerprintTable(buckets, width, WordArrays.copyOf(bytes, bytes.length));
  }

  long memoryBytes() {
    return bytes.length;
  }
}
