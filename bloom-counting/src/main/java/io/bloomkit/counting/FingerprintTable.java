package io.bloomkit.counting;

import io.bloomkit.internal.IndexDerivation;
import io.bloomkit.internal.WordArrays;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of a {@link CuckooFilter}: four places of f bits each, without a gap between places
 * or buckets. A place holds a fingerprint from 1 to 2<sup>f</sup> − 1, or 0 when it is free.
 *
 * <p>f is even, so a bucket is f/2 whole bytes and one load of eight bytes at any address brings
 * all of it, for up to sixteen bits, into one register, where the four fingerprints are compared at
 * once. That is why this is an array of bytes: in one of words every second bucket of 48 bits would
 * lie in two of them and take two loads and shifts. Wider fingerprints take two such loads. The
 * price is the limit of one array, 2 GiB.
 *
 * <p>The two buckets of a fingerprint are i and (H(fingerprint) − i) mod b. That is its own inverse
 * for any b, unlike the exclusive-or of the paper, which needs a power of two and so wastes up to
 * half of the memory. Where both are the same bucket the fingerprint has only that one.
 *
 * <p>In the table of a concurrent filter each change of a bucket changes its {@linkplain #versions
 * version}. Changes of a bucket require the lock of the filter.
 */
class FingerprintTable {

  /** Places in a bucket. */
  static final int SLOTS = 4;

  /** {@link #place} found a place. */
  static final long PLACED = 0;

  /** {@link #place} found none, and nothing has changed. */
  static final long NO_ROOM = -1;

  /** The paper's; at 95 % the mean is far below, and nearly all chains end within it. */
  static final int MAX_KICKS = 500;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** So that eight bytes can be loaded at the last place too. */
  static final int PADDING = Long.BYTES;

  /** The widest fingerprints of which four fill one register. */
  private static final int WIDEST_IN_ONE_LOAD = Long.SIZE / SLOTS;

  /** Odd, with bits spread evenly: 2^64 divided by the golden ratio. */
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  final byte[] bytes;
  private final int buckets;
  private final int width;
  private final int bucketBytes;
  private final long mask;

  /** The lowest bit of each place that is compared at once; its highest; all but its highest. */
  private final long ones;

  private final long tops;
  private final long rests;

  /** The versions of the buckets of a concurrent filter; null in others. */
  final @Nullable BucketVersions versions;

  FingerprintTable(int buckets, int width) {
    this(buckets, width, false);
  }

  FingerprintTable(int buckets, int width, boolean isConcurrent) {
    this(
        buckets,
        width,
        new byte[Math.toIntExact(memoryBytes(buckets, width))],
        isConcurrent ? new BucketVersions(buckets) : null);
  }

  FingerprintTable(int buckets, int width, byte[] bytes, @Nullable BucketVersions versions) {
    this.bytes = bytes;
    this.versions = versions;
    this.buckets = buckets;
    this.width = width;
    this.bucketBytes = width / 2;
    this.mask = values(width);
    long lowest = 0;
    for (int i = 0; i < (isWide() ? SLOTS / 2 : SLOTS); i++) {
      lowest |= 1L << (i * width);
    }
    this.ones = lowest;
    this.tops = lowest << (width - 1);
    this.rests = tops - ones;
  }

  /** Returns the bytes of the buckets of a table. */
  static long memoryBytes(int buckets, int width) {
    return (long) buckets * (width / 2) + PADDING;
  }

  /** Returns the bytes of a table, and of what that of a concurrent filter has in addition. */
  static long memoryBytes(CuckooSize size, boolean isConcurrent) {
    return size.memoryBytes() + (isConcurrent ? concurrentBytes(size.buckets()) : 0);
  }

  private static long concurrentBytes(int buckets) {
    return BucketVersions.memoryBytes(buckets);
  }

  /** Returns the largest number of buckets of a width that fit one array. */
  static int mostBuckets(int width) {
    return (WordArrays.MAX_LENGTH - PADDING) / (width / 2);
  }

  /** Returns how many fingerprints of a width there are: 2<sup>f</sup> − 1, as 0 is none. */
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
   * Returns the first bucket of a hash: from its top bits, of which there are 29 or fewer. The
   * fingerprint is made of the lower 32, so that the two are independent.
   */
  int bucketOf(long hash) {
    return (int) IndexDerivation.position(hash, buckets);
  }

  /** Returns the fingerprint of a hash: ⌊lower half · (2<sup>f</sup> − 1) / 2<sup>32</sup>⌋ + 1. */
  long fingerprintOf(long hash) {
    // Up to 32 bits times up to 32 bits: as an unsigned number this does not overflow.
    return (((hash & 0xffffffffL) * mask) >>> 32) + 1;
  }

  /**
   * Returns the other bucket of a fingerprint that stands in one: (H(fingerprint) − bucket) mod b.
   */
  int partner(int bucket, long fingerprint) {
    // Two rounds: after one multiplication alone, H(x) - H(y) would be about H(x - y), and so few
    // different steps lead from bucket to bucket that chains run in circles.
    long mixed = fingerprint * GOLDEN;
    mixed = (mixed ^ (mixed >>> 32)) * GOLDEN;
    int difference = (int) IndexDerivation.position(mixed, buckets) - bucket;
    return difference + ((difference >> 31) & buckets);
  }

  /** Returns a number that stands for a fingerprint and its two buckets, the same from either. */
  long key(int bucket, long fingerprint) {
    return (long) Math.min(bucket, partner(bucket, fingerprint)) << 32 | fingerprint;
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

  boolean isInBuckets(int bucket, int partner, long fingerprint) {
    // Both buckets are loaded before either answer is looked at, so that two misses overlap.
    return (matches(bucket, fingerprint) | matches(partner, fingerprint)) != 0;
  }

  /** Returns how many places of a bucket hold a fingerprint, or are free for 0. */
  int copies(int bucket, long fingerprint) {
    return Long.bitCount(matches(bucket, fingerprint));
  }

  /** Returns how many places of the two buckets of a fingerprint hold it. */
  int copies(int bucket, int partner, long fingerprint) {
    int copies = copies(bucket, fingerprint);
    return partner == bucket ? copies : copies + copies(partner, fingerprint);
  }

  /** Returns how many pairs of a bucket and a fingerprint are occupied by one fingerprint. */
  static int pairs(int bucket, int partner) {
    return bucket == partner ? 1 : 2;
  }

  /** Returns a word with one bit set for each place that holds a fingerprint. */
  long matches(int bucket, long fingerprint) {
    int start = bucket * bucketBytes;
    long wanted = fingerprint * ones;
    long zeros = zeros(load(start) ^ wanted);
    return isWide() ? zeros | (zeros(loadSecondHalf(start) ^ wanted) >>> 1) : zeros;
  }

  /** The highest bit of each place that is zero: no carry leaves a place, so this is exact. */
  private long zeros(long places) {
    return ~(((places & rests) + rests) | places) & tops;
  }

  private long loadSecondHalf(int start) {
    int bit = 2 * width;
    return load(start + (bit >>> 3)) >>> (bit & 7);
  }

  private boolean isWide() {
    return width > WIDEST_IN_ONE_LOAD;
  }

  /** Returns the eight bytes from an index on. */
  long load(int index) {
    return (long) LONGS.get(bytes, index);
  }

  void store(int index, long word) {
    LONGS.set(bytes, index, word);
  }

  /** Writes a fingerprint into a place and returns what stood there. */
  final long exchange(int bucket, int slot, long fingerprint) {
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

  /** Writes over one place of a bucket that holds a value. Returns false if none does. */
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
    return replaceOneVersioned(bucket, 0, fingerprint);
  }

  boolean take(int bucket, long fingerprint) {
    return replaceOneVersioned(bucket, fingerprint, 0);
  }

  private boolean replaceOneVersioned(int bucket, long before, long after) {
    if (versions == null) {
      return replaceOne(bucket, before, after);
    }
    if (!contains(bucket, before)) {
      return false;
    }
    versions.begin(bucket);
    replaceOne(bucket, before, after);
    versions.end(bucket);
    return true;
  }

  /**
   * Puts a fingerprint into one of its buckets and kicks others to their partners for it. Nothing
   * is random: which place is kicked follows from the fingerprint and the number of the kick.
   *
   * @param displaceCopies whether a fingerprint that is kicked while another copy of it stands in
   *     its buckets may be left without a place, which ends the chain
   * @return {@link #PLACED}; or {@link #NO_ROOM}, and nothing has changed; or the {@link #key} of
   *     the copy left without a place
   */
  long place(int bucket, long fingerprint, boolean displaceCopies) {
    int partner = partner(bucket, fingerprint);
    if (putIfFree(bucket, fingerprint) || putIfFree(partner, fingerprint)) {
      return PLACED;
    }
    return versions == null
        ? kick(partner, fingerprint, displaceCopies)
        : versions.place(this, partner, fingerprint, displaceCopies);
  }

  /** Kicks fingerprints from the beginning of the chain, as {@link #place}. */
  final long kick(int partner, long fingerprint, boolean displaceCopies) {
    int current = partner;
    long carried = fingerprint;
    for (int kick = 0; kick < MAX_KICKS; kick++) {
      carried = exchange(current, slotToKick(fingerprint, kick), carried);
      int next = partner(current, carried);
      if (replaceOne(next, 0, carried)) {
        return PLACED;
      }
      if (displaceCopies && (contains(current, carried) || contains(next, carried))) {
        return key(next, carried);
      }
      current = next;
    }
    // Each step can be told from what it left: back from the last to the first.
    for (int kick = MAX_KICKS - 1; kick >= 0; kick--) {
      current = partner(current, carried);
      carried = exchange(current, slotToKick(fingerprint, kick), carried);
    }
    return NO_ROOM;
  }

  static int slotToKick(long fingerprint, int kick) {
    long mixed = (fingerprint + kick * GOLDEN) * GOLDEN;
    return (int) (((mixed ^ (mixed >>> 32)) * GOLDEN) >>> 62);
  }

  /** Returns the keys of all places that are not free. */
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

  /** Calls for each place that is not free. */
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

  /** Looks at a place that is not free. */
  interface Visitor {
    void visit(int bucket, long fingerprint) throws IOException;
  }

  /** Begins an update of the filter, before its first change. */
  final void beginUpdate() {
    if (versions != null) {
      versions.beginUpdate();
    }
  }

  final void endUpdate(boolean isStashEmpty) {
    if (versions != null) {
      versions.endUpdate(isStashEmpty);
    }
  }

  void clear() {
    if (versions != null) {
      versions.beginAll();
    }
    Arrays.fill(bytes, (byte) 0);
    if (versions != null) {
      versions.endAll();
    }
  }

  FingerprintTable copy() {
    return new FingerprintTable(
        buckets, width, bytes.clone(), versions == null ? null : new BucketVersions(buckets));
  }

  long memoryBytes() {
    return bytes.length + (versions == null ? 0 : concurrentBytes(buckets));
  }
}
