package io.bloomkit.cuckoo;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The fingerprints of all elements whose hashes share their first bits. Chunks replace each other
 * as the filter grows and shrinks.
 *
 * <p>The chunk itself is a set with one copy of each fingerprint, and numbers its fingerprints from
 * 0. In a {@link DynamicFingerprints}, {@link ExtraCopies} counts the others.
 *
 * <p>The thread that changes a chunk holds its monitor, and {@link #beginChange} and {@link
 * #endChange} make the version odd meanwhile (a sequence lock: H. Boehm, <i>Can seqlocks get along
 * with programming language memory models?</i>, MSPC 2012). What a reader without the monitor has
 * read is valid if {@link #version} was even before and {@link #isStillAt} returns true afterwards.
 * {@link ChunkDirectory} does both, for all queries and all changes.
 *
 * <p>In an {@link ExpiringCuckooFilter}, the stamp of a fingerprint is the epoch X in which it
 * expires, modulo 2<sup>stampBits</sup>. With c = {@link #sweptTo}, all X are in (c, c +
 * 2<sup>stampBits</sup>], so c and the stamp determine X exactly, however long ago c was.
 */
final class Chunk extends FingerprintSet {

  /** The bytes of an empty chunk without its table, estimated from the fields. */
  static final long EMPTY_BYTES = OBJECT_BYTES + 32;

  /** The {@linkplain #expiryOfFingerprint expiry} of a fingerprint that is absent. */
  static final long ABSENT = Long.MIN_VALUE;

  private static final VarHandle VERSION = versionHandle();

  /** The first {@link TableShape#depth} bits of the hashes, as a number. */
  final long prefix;

  /** The directory of a chunk that was divided but kept its entry in another one; else null. */
  volatile Chunk @Nullable [] parts;

  /** Odd while a thread changes this chunk, and forever after this chunk was replaced. */
  private int version;

  private boolean isReplaced;

  /** The epoch to which this chunk was last swept; 0 in a filter without stamps. */
  private long sweptTo;

  /** The copies of fingerprints beyond the first one; null if there are none. */
  private @Nullable ExtraCopies extraCopies;

  Chunk(TableShape shape, long prefix) {
    super(shape);
    this.prefix = prefix;
  }

  /** Creates a chunk with the contents of a filled table that is swept to an epoch. */
  Chunk(TableFiller filled, long prefix, long sweptTo) {
    this(filled, prefix, sweptTo, null);
  }

  private Chunk(TableFiller filled, long prefix, long sweptTo, @Nullable ExtraCopies extraCopies) {
    super(filled);
    this.prefix = prefix;
    this.sweptTo = sweptTo;
    this.extraCopies = extraCopies;
  }

  /** Creates an independent copy of a chunk. */
  Chunk(Chunk other) {
    super(other);
    this.prefix = other.prefix;
    this.sweptTo = other.sweptTo;
    this.extraCopies = other.copyOfExtraCopies();
  }

  private @Nullable ExtraCopies copyOfExtraCopies() {
    return extraCopies == null ? null : extraCopies.copy();
  }

  private @Nullable ExtraCopies remarkedExtraCopies() {
    return extraCopies == null ? null : extraCopies.remarked();
  }

  /** Returns an empty chunk whose directory has two other chunks, the halves of a divided one. */
  static Chunk ofParts(TableShape shape, Chunk first, Chunk second) {
    Chunk chunk = new Chunk(shape, first.prefix >>> 1);
    chunk.parts = new Chunk[] {first, second};
    return chunk;
  }

  private static VarHandle versionHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(Chunk.class, "version", int.class);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the field is in this class", e);
    }
  }

  /** Returns the version. A reader without the monitor calls this before it reads anything else. */
  int version() {
    return (int) VERSION.getAcquire(this);
  }

  /** Returns whether this chunk is unchanged since {@link #version} returned the given number. */
  boolean isStillAt(int version) {
    VarHandle.acquireFence(); // keeps earlier reads before that of the version
    return (int) VERSION.getOpaque(this) == version;
  }

  /** Makes the version odd before a change is visible. Requires the monitor. */
  void beginChange() {
    VERSION.setOpaque(this, version + 1);
    VarHandle.releaseFence();
  }

  void endChange() {
    VERSION.setRelease(this, version + 1);
  }

  /**
   * Marks this chunk as replaced. To be called before the directory has the new chunk. The caller
   * must hold the monitor until then, so threads that still find this chunk wait.
   */
  void setReplaced() {
    isReplaced = true;
    beginChange();
  }

  /** Returns whether another chunk has replaced this one. Requires the monitor. */
  boolean isReplaced() {
    return isReplaced;
  }

  /** Returns the epoch to which this chunk was last swept. */
  long sweptTo() {
    return sweptTo;
  }

  /**
   * Removes the fingerprints that expire in an epoch or before it. The epoch must not be before the
   * last one, unless this chunk is empty. Requires the monitor, and {@link #beginChange} if readers
   * may find this chunk.
   *
   * @return the number of removed fingerprints
   */
  int sweepTo(long epoch) {
    int removed = removeStamped(sweptTo, epoch - sweptTo);
    sweptTo = epoch;
    return removed;
  }

  /** Returns the number of fingerprints that expire after an epoch. */
  int liveAfter(long epoch) {
    return size() - countStamped(sweptTo, epoch - sweptTo);
  }

  /** Returns the epoch in which a fingerprint expires, or {@link #ABSENT}. */
  long expiryOfFingerprint(long fingerprint) {
    long bit = findStamp(fingerprint);
    return bit < 0 ? ABSENT : expiryOfStamp(stampAt(bit));
  }

  /** Returns the epoch in which a fingerprint with a stamp expires. */
  long expiryOfStamp(long stamp) {
    return sweptTo + 1 + ((stamp - sweptTo - 1) & shape.stamps().mask);
  }

  /**
   * Adds a fingerprint, or defers its expiry.
   *
   * @param expiry from {@link #sweptTo} + 1 to {@link #sweptTo} + 2<sup>stampBits</sup>; if the
   *     fingerprint is present and expires later, its expiry remains
   * @return the result of {@link #addFingerprint(long)}
   */
  int addFingerprintUntil(long fingerprint, long expiry) {
    long stamp = expiry & shape.stamps().mask;
    long bit = findStamp(fingerprint);
    if (bit < 0) {
      return addAbsentFingerprint(fingerprint, stamp);
    }
    if (expiryOfStamp(stampAt(bit)) < expiry) {
      setStampAt(bit, stamp);
    }
    return HELD;
  }

  /** Returns the fingerprint of all hashes that this chunk holds as 0. */
  long firstFingerprint() {
    return prefix * shape.fingerprints;
  }

  long firstHash() {
    return firstHash(prefix, shape.depth);
  }

  /** Returns the lowest hash after those of this chunk; 0 after the last chunk. */
  long endOfHashes() {
    return firstHash(prefix + 1, shape.depth);
  }

  /** Returns the lowest hash that has a prefix of some bits. */
  static long firstHash(long prefix, int depth) {
    return depth == 0 ? 0 : prefix << (Long.SIZE - depth);
  }

  /** Returns the number of copies of all fingerprints. */
  long total() {
    return size() + (extraCopies == null ? 0 : extraCopies.total());
  }

  /** Calls a visitor for each distinct fingerprint, ascending, with its number of copies. */
  void forEach(FingerprintVisitor visitor) {
    long first = firstFingerprint();
    for (long fingerprint : sorted()) {
      visitor.visit(first + fingerprint, countFingerprint(fingerprint));
    }
  }

  /**
   * Calls a visitor with all copies of fingerprints beyond the first one: for each power of two in
   * their number, in any order.
   */
  void forEachExtraCopy(FingerprintVisitor visitor) {
    if (extraCopies != null) {
      extraCopies.forEach(firstFingerprint(), visitor);
    }
  }

  /** Returns the number of copies of a fingerprint. */
  long countFingerprint(long fingerprint) {
    if (!containsFingerprint(fingerprint)) {
      return 0;
    }
    return extraCopies == null ? 1 : 1 + extraCopies.countFingerprint(fingerprint);
  }

  /**
   * Adds copies of a fingerprint. If memory runs out, throws and changes nothing.
   *
   * @param copies at least 1
   * @return the result of {@link #addFingerprint(long)}
   */
  int addFingerprint(long fingerprint, long copies, TableSizes sizes) {
    int added = addFingerprint(fingerprint);
    if (added != NO_ROOM && copies > added) {
      boolean done = false;
      try {
        addExtraCopies(fingerprint, copies - added, sizes);
        done = true;
      } finally {
        if (!done && added == ADDED) {
          removeFingerprint(fingerprint);
        }
      }
    }
    return added;
  }

  /** Adds copies, at least 1, of a fingerprint of which this chunk holds one. */
  private void addExtraCopies(long fingerprint, long copies, TableSizes sizes) {
    if (extraCopies == null) {
      extraCopies = new ExtraCopies(shape.depth);
    }
    extraCopies.addFingerprint(fingerprint, copies, sizes);
  }

  /**
   * Removes a number of copies of a fingerprint, or all of them if there are fewer.
   *
   * @return the number of copies before
   */
  long removeFingerprint(long fingerprint, long copies, TableSizes sizes) {
    ExtraCopies extra = extraCopies;
    if (extra == null || !extra.isMarked(fingerprint)) {
      return removeFingerprint(fingerprint) ? 1 : 0;
    }
    return removeCounted(extra, fingerprint, copies, sizes);
  }

  private long removeCounted(ExtraCopies extra, long fingerprint, long copies, TableSizes sizes) {
    long before = countFingerprint(fingerprint);
    if (before <= copies) {
      removeFingerprint(fingerprint);
    }
    if (before > 1) {
      long after = Math.max(before - copies - 1, 0);
      extra.setCount(fingerprint, before - 1, after, sizes);
      extra.shrink((before - 1) & ~after, sizes);
      dropIfEmpty(extra);
    }
    return before;
  }

  private void dropIfEmpty(ExtraCopies extra) {
    if (extra.isEmpty()) {
      extraCopies = null;
    }
  }

  /**
   * Removes a copy of a fingerprint if there is one. Shrinks no table, so the copy can be added
   * again. Allocates memory only if a set of copies has no room.
   *
   * @return the number of copies before
   */
  long removeFingerprintWithoutShrinking(long fingerprint, TableSizes sizes) {
    return removeWithoutShrinking(extraCopies, fingerprint, sizes);
  }

  private long removeWithoutShrinking(
      @Nullable ExtraCopies extra, long fingerprint, TableSizes sizes) {
    if (extra == null || !extra.isMarked(fingerprint)) {
      return removeFingerprint(fingerprint) ? 1 : 0;
    }
    long before = countFingerprint(fingerprint);
    if (before == 1) {
      removeFingerprint(fingerprint);
    } else if (before > 1) {
      extra.setCount(fingerprint, before - 1, before - 2, sizes);
    }
    return before;
  }

  /**
   * Shrinks the sets of extra copies that hold few fingerprints. Requires the monitor.
   *
   * @throws OutOfMemoryError if memory runs out; the contents have not changed then
   */
  void shrinkExtraCopies(TableSizes sizes) {
    if (extraCopies != null) {
      extraCopies.shrink(sizes);
      dropIfEmpty(extraCopies);
    }
  }

  /**
   * Fills the empty set of a bit of the number of extra copies, with fingerprints of this chunk.
   */
  void fillExtraCopies(int bit, FingerprintBuffer fingerprints, TableSizes sizes) {
    if (extraCopies == null) {
      extraCopies = new ExtraCopies(shape.depth);
    }
    extraCopies.fillBit(bit, fingerprints, firstFingerprint(), sizes);
  }

  /** Returns a chunk with this one's contents in another table. Do not use this one afterwards. */
  Chunk inTableOf(int minSizeIndex, TableSizes sizes) {
    return new Chunk(resized(minSizeIndex, sizes), prefix, sweptTo, remarkedExtraCopies());
  }

  /**
   * Returns a chunk with this one's contents and a copy of each of some further fingerprints, or
   * null if they are clustered or repeated and do not suit a table of the right size. Flags those
   * that are there already as {@link BulkUpdate#UNCHANGED}. Do not use this chunk after it was
   * replaced by the result.
   *
   * @param fingerprints of the whole filter, all of this chunk
   * @param expected the estimated number of fingerprints that are absent and distinct
   */
  @Nullable Chunk refilled(long[] fingerprints, int from, int to, int expected, TableSizes sizes) {
    int depth = shape.depth;
    int count = (int) Math.min(size() + (long) expected, shape.fingerprints);
    int sizeIndex = Math.max(sizes.sizeIndexFor(count), sizes.minSizeIndex(depth));
    long first = firstFingerprint();
    TableFiller table =
        sizes.filled(
            depth,
            sizeIndex,
            sizes.maxSizeIndex(depth, sizeIndex, count),
            it -> copyTo(it, 0) && it.addAbsentFingerprints(fingerprints, from, to, -first));
    if (table == null) {
      return null;
    }
    int held = to - from - (table.size() - size());
    boolean isCopied = held > 0; // so this chunk remains unchanged if memory runs out
    Chunk chunk =
        new Chunk(table, prefix, sweptTo, isCopied ? copyOfExtraCopies() : remarkedExtraCopies());
    for (int i = from; held > 0; i++) {
      if (fingerprints[i] < 0) {
        chunk.addExtraCopies((fingerprints[i] & ~BulkUpdate.UNCHANGED) - first, 1, sizes);
        held--;
      }
    }
    int smaller = Math.max(sizes.sizeIndexFor(chunk.size()), sizes.minSizeIndex(depth));
    if (smaller + 1 < chunk.shape.sizeIndex) { // many fingerprints were repeated
      chunk = chunk.inTableOf(smaller, sizes);
    }
    return sizes.shouldShrink(chunk) ? null : chunk;
  }

  /**
   * Returns a chunk with this one's contents without a copy of each of some fingerprints, in tables
   * of the same sizes. Flags the absent ones as {@link BulkUpdate#UNCHANGED}.
   *
   * @param fingerprints of the whole filter, all of this chunk
   */
  Chunk without(long[] fingerprints, int from, int to, TableSizes sizes) {
    Chunk rest = new Chunk(this);
    long first = firstFingerprint();
    ExtraCopies extra = rest.extraCopies;
    for (int i = from; i < to; i++) {
      if (rest.removeWithoutShrinking(extra, fingerprints[i] - first, sizes) == 0) {
        fingerprints[i] |= BulkUpdate.UNCHANGED;
      }
    }
    return rest;
  }

  /** Returns two chunks with the first and the second half of this one's fingerprints. */
  Chunk[] halved(TableSizes sizes) {
    if (size() == 0) { // as when a file is read: no tables before their contents
      TableShape empty = sizes.shape(shape.depth + 1, 0);
      Chunk[] halves = {new Chunk(empty, prefix << 1), new Chunk(empty, (prefix << 1) | 1)};
      halves[0].sweptTo = sweptTo;
      halves[1].sweptTo = sweptTo;
      return halves;
    }
    TableFiller[] halves = halves(sizes);
    @Nullable ExtraCopies[] halvesOfCopies =
        extraCopies == null ? new @Nullable ExtraCopies[2] : extraCopies.halves(sizes);
    return new Chunk[] {
      new Chunk(halves[0], prefix << 1, sweptTo, halvesOfCopies[0]),
      new Chunk(halves[1], (prefix << 1) | 1, sweptTo, halvesOfCopies[1])
    };
  }

  /**
   * Returns a chunk with the contents of two halves, or null if their fingerprints are clustered
   * and do not fit into a table of the right size. Requires that both are swept to one epoch.
   */
  static @Nullable Chunk joined(Chunk first, Chunk second, TableSizes sizes) {
    int count = first.size() + second.size();
    int depth = first.shape.depth - 1;
    int sizeIndex = Math.max(sizes.sizeIndexToShrinkTo(count), sizes.minSizeIndex(depth));
    TableFiller both =
        joined(first, second, sizes, sizeIndex, sizes.maxSizeIndex(depth, sizeIndex, count));
    return both == null
        ? null
        : new Chunk(
            both,
            first.prefix >>> 1,
            first.sweptTo,
            ExtraCopies.joined(depth, first.extraCopies, second.extraCopies, sizes));
  }

  /** Holds the monitor, since updates replace the table and the sets. */
  @Override
  synchronized long memoryBytes() {
    return super.memoryBytes()
        + EMPTY_BYTES
        - OBJECT_BYTES
        + (extraCopies == null ? 0 : extraCopies.memoryBytes());
  }
}
