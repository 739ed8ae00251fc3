package io.bloomkit.cuckoo;

import io.bloomkit.internal.WordArrays;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A multiset of the fingerprints of all elements whose hashes share their first bits. Chunks
 * replace each other as the filter grows and shrinks.
 *
 * <p>The chunk itself is a set with one copy of each fingerprint. Further copies are counted in
 * binary, by one more set per bit: a fingerprint is in the set of bit i if bit i of the number of
 * its further copies is set.
 *
 * <p>The thread that changes a chunk holds its monitor, and {@link #beginChange} and {@link
 * #endChange} make the version odd meanwhile (a sequence lock: H. Boehm, <i>Can seqlocks get along
 * with programming language memory models?</i>, MSPC 2012). What a reader without the monitor has
 * read is valid if {@link #version} was even before and {@link #isStillAt} returns true afterwards.
 *
 * <p>In an {@link ExpiringCuckooFilter}, there is one copy of each fingerprint. Its stamp is the
 * epoch X in which it expires, modulo 2<sup>stampBits</sup>. With c = {@link #sweptTo}, all X are
 * in (c, c + 2<sup>stampBits</sup>], so c and the stamp determine X exactly, however long ago c
 * was.
 */
final class Chunk extends FingerprintSet {

  /** The bytes of an empty chunk without its table, estimated from the fields. */
  static final long EMPTY_BYTES = OBJECT_BYTES + 40;

  /** Bytes of the header of an array. */
  private static final long ARRAY_BYTES = 16;

  /** The most fingerprints per word for which marks are made. A fifth of the bits is then set. */
  private static final int MARKS_PER_WORD = 12;

  /** If most fingerprints have several copies, marks do not pay. */
  private static final int MOST_MARK_WORDS = 16;

  private static final VarHandle VERSION = versionHandle();

  private static final FingerprintSet[] NO_MULTIPLICITY_BITS = {};

  /** The marks of all chunks without further copies. Not written: {@link #freeMarks} is 0. */
  private static final long[] NO_MARKS = {0};

  /** The first {@link TableShape#depth} bits of the hashes, as a number. */
  final long prefix;

  /** The directory of a chunk that was divided but kept its entry in another one; else null. */
  volatile Chunk @Nullable [] parts;

  /** Odd while a thread changes this chunk, and forever after this chunk was replaced. */
  private int version;

  private boolean isReplaced;

  /** The epoch to which this chunk was last swept; 0 in a filter without stamps. */
  private long sweptTo;

  /**
   * One set per bit of the number of further copies; the last is empty only after an error and in
   * bulk removals.
   */
  private FingerprintSet[] multiplicityBits = NO_MULTIPLICITY_BITS;

  /**
   * Has a bit set for each fingerprint with several copies, and perhaps more: a Bloom filter with
   * one hash function. So a removal need not look for copies of most fingerprints.
   */
  private long[] marks = NO_MARKS;

  /** The number of further fingerprints that may be marked before the marks are computed anew. */
  private int freeMarks;

  Chunk(TableShape shape, long prefix) {
    super(shape);
    this.prefix = prefix;
  }

  /** Creates a chunk with the contents of a filled table that is swept to an epoch. */
  Chunk(TableFiller filled, long prefix, long sweptTo) {
    super(filled);
    this.prefix = prefix;
    this.sweptTo = sweptTo;
  }

  /** Creates an independent copy of a chunk. */
  Chunk(Chunk other) {
    super(other);
    this.prefix = other.prefix;
    this.sweptTo = other.sweptTo;
    setMultiplicityBits(other.copiedMultiplicityBits());
  }

  private FingerprintSet[] copiedMultiplicityBits() {
    FingerprintSet[] copies = multiplicityBits.clone();
    Arrays.setAll(copies, bit -> new FingerprintSet(copies[bit]));
    return copies;
  }

  private void setMultiplicityBits(FingerprintSet[] sets) {
    multiplicityBits = sets;
    computeMarks();
  }

  /** Marks the fingerprints that have several copies. As many more may be marked afterwards. */
  private void computeMarks() {
    if (multiplicityBits.length == 0) {
      marks = NO_MARKS;
      freeMarks = 0;
      return;
    }
    int count = sizeOfMultiplicityBits();
    int words = markWords(count);
    if (words != marks.length || marks == NO_MARKS) {
      marks = WordArrays.allocate(words);
    } else {
      Arrays.fill(marks, 0);
    }
    for (FingerprintSet set : multiplicityBits) {
      set.markIn(marks);
    }
    freeMarks = Math.max(MARKS_PER_WORD, count);
  }

  private int sizeOfMultiplicityBits() {
    int size = 0;
    for (FingerprintSet set : multiplicityBits) {
      size += set.size();
    }
    return size;
  }

  private static int markWords(double fingerprints) {
    int words = 1;
    while (words < fingerprints / MARKS_PER_WORD && words < MOST_MARK_WORDS) {
      words *= 2;
    }
    return words;
  }

  /** Returns the bytes of the marks of a number of fingerprints with several copies. */
  static long markBytes(double fingerprints) {
    return ARRAY_BYTES + (long) Long.BYTES * markWords(fingerprints);
  }

  static void mark(long[] marks, long fingerprint) {
    marks[wordOf(marks, fingerprint)] |= 1L << fingerprint;
  }

  private boolean isMarked(long fingerprint) {
    return ((marks[wordOf(marks, fingerprint)] >>> fingerprint) & 1) != 0;
  }

  private static int wordOf(long[] marks, long fingerprint) {
    return (int) (fingerprint >>> 6) & (marks.length - 1);
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

  /** Returns whether this chunk must be swept to an epoch before it is changed in it. */
  boolean isBehind(long epoch) {
    return sweptTo < epoch || size() == 0;
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

  /** Returns the epoch in which a fingerprint expires; {@link Long#MIN_VALUE} if absent. */
  long expiry(long fingerprint) {
    long position = find(fingerprint);
    return position < 0 ? Long.MIN_VALUE : expiryOf(stampAt(position));
  }

  /** Returns the epoch in which a fingerprint with a stamp expires. */
  long expiryOf(long stamp) {
    return sweptTo + 1 + ((stamp - sweptTo - 1) & ((1L << shape.stampBits) - 1));
  }

  /**
   * Adds a fingerprint, or defers its expiry.
   *
   * @param expiry from {@link #sweptTo} + 1 to {@link #sweptTo} + 2<sup>stampBits</sup>; if the
   *     fingerprint is present and expires later, its expiry remains
   * @return the result of {@link #add(long)}
   */
  int addUntil(long fingerprint, long expiry) {
    long stamp = expiry & ((1L << shape.stampBits) - 1);
    long position = find(fingerprint);
    if (position < 0) {
      return addAbsent(fingerprint, stamp);
    }
    if (expiryOf(stampAt(position)) < expiry) {
      setStampAt(position, stamp);
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
    long total = size();
    for (int bit = 0; bit < multiplicityBits.length; bit++) {
      total += (long) multiplicityBits[bit].size() << bit;
    }
    return total;
  }

  /** Calls a visitor for each distinct fingerprint, ascending, with its number of copies. */
  void forEach(FingerprintVisitor visitor) {
    long first = firstFingerprint();
    for (long fingerprint : sorted()) {
      visitor.visit(first + fingerprint, count(fingerprint));
    }
  }

  /**
   * Calls a visitor with all copies of fingerprints beyond the first one: for each power of two in
   * their number, in any order.
   */
  void forEachFurther(FingerprintVisitor visitor) {
    long first = firstFingerprint();
    for (int bit = 0; bit < multiplicityBits.length; bit++) {
      long copies = 1L << bit;
      multiplicityBits[bit].forEachUnsorted(
          fingerprint -> visitor.visit(first + fingerprint, copies));
    }
  }

  long count(long fingerprint) {
    if (!contains(fingerprint)) {
      return 0;
    }
    if (!isMarked(fingerprint)) {
      return 1;
    }
    long copies = 1;
    for (int bit = 0; bit < multiplicityBits.length; bit++) {
      copies += multiplicityBits[bit].contains(fingerprint) ? 1L << bit : 0;
    }
    return copies;
  }

  /**
   * Adds copies of a fingerprint.
   *
   * @param copies at least 1
   * @return the result of {@link #add(long)}
   */
  int add(long fingerprint, long copies, TableSizes sizes) {
    int added = add(fingerprint);
    if (added != NO_ROOM && copies > added) {
      addMultiplicity(fingerprint, copies - added, sizes);
    }
    return added;
  }

  /** Adds copies, at least 1, of a fingerprint of which this chunk holds one. */
  private void addMultiplicity(long fingerprint, long copies, TableSizes sizes) {
    if (copies == 1) {
      increment(fingerprint, sizes);
    } else {
      long before = count(fingerprint) - 1;
      setMultiplicity(fingerprint, before, before + copies, sizes);
      shrinkMultiplicityBits(before & ~(before + copies), sizes);
    }
  }

  private void increment(long fingerprint, TableSizes sizes) {
    int bit = 0;
    while (bit < multiplicityBits.length && multiplicityBits[bit].contains(fingerprint)) {
      bit++;
    }
    include(fingerprint, bit, sizes); // if memory runs out here, nothing has changed
    for (int lower = 0; lower < bit; lower++) {
      multiplicityBits[lower].remove(fingerprint);
    }
  }

  /**
   * Removes a number of copies of a fingerprint, or all of them if there are fewer.
   *
   * @return the number of copies before
   */
  long removeCopies(long fingerprint, long copies, TableSizes sizes) {
    if (!isMarked(fingerprint)) {
      return remove(fingerprint) ? 1 : 0;
    }
    return removeCounted(fingerprint, copies, sizes);
  }

  /**
   * Removes a copy of a fingerprint if there is one. Shrinks no table, so the copy can be added
   * again. Allocates memory only if a set of copies has no room.
   *
   * @return the number of copies before
   */
  long removeOne(long fingerprint, TableSizes sizes) {
    if (!isMarked(fingerprint)) {
      return remove(fingerprint) ? 1 : 0;
    }
    long before = count(fingerprint);
    if (before == 1) {
      remove(fingerprint);
    } else if (before > 1) {
      setMultiplicity(fingerprint, before - 1, before - 2, sizes);
    }
    return before;
  }

  private long removeCounted(long fingerprint, long copies, TableSizes sizes) {
    long before = count(fingerprint);
    if (before <= copies) {
      remove(fingerprint);
    }
    if (before > 1) {
      long after = Math.max(before - copies - 1, 0);
      setMultiplicity(fingerprint, before - 1, after, sizes);
      shrinkMultiplicityBits((before - 1) & ~after, sizes);
    }
    return before;
  }

  /** Sets the number of further copies, or changes nothing if it throws for lack of memory. */
  private void setMultiplicity(long fingerprint, long before, long after, TableSizes sizes) {
    long added = after & ~before;
    long left = added;
    try {
      for (; left != 0; left &= left - 1) {
        include(fingerprint, Long.numberOfTrailingZeros(left), sizes);
      }
    } finally {
      for (long back = left == 0 ? 0 : added ^ left; back != 0; back &= back - 1) {
        multiplicityBits[Long.numberOfTrailingZeros(back)].remove(fingerprint);
      }
    }
    for (long removed = before & ~after; removed != 0; removed &= removed - 1) {
      multiplicityBits[Long.numberOfTrailingZeros(removed)].remove(fingerprint);
    }
  }

  /**
   * Shrinks the sets of further copies that hold few fingerprints. Requires the monitor.
   *
   * @throws OutOfMemoryError if memory runs out; the contents have not changed then
   */
  void shrinkMultiplicityBits(TableSizes sizes) {
    for (int bit = 0; bit < multiplicityBits.length; bit++) {
      shrinkMultiplicityBit(bit, sizes);
    }
    dropEmptyEnd();
  }

  private void dropEmptyEnd() {
    multiplicityBits = withoutEmptyEnd(multiplicityBits);
    if (multiplicityBits.length == 0 && marks != NO_MARKS) {
      computeMarks();
    }
  }

  /** Shrinks the tables of some bits if they hold few fingerprints, until memory runs out. */
  private void shrinkMultiplicityBits(long bits, TableSizes sizes) {
    try {
      for (long left = bits; left != 0; left &= left - 1) {
        shrinkMultiplicityBit(Long.numberOfTrailingZeros(left), sizes);
      }
      dropEmptyEnd();
    } catch (VirtualMachineError | LinkageError e) {
      // Out of memory. Keeps larger tables and the marks, which are still true. Empty sets hold
      // nothing.
    }
  }

  private void include(long fingerprint, int bit, TableSizes sizes) {
    makeRoomFor(bit, sizes);
    if (freeMarks == 0) {
      computeMarks();
    }
    mark(marks, fingerprint);
    freeMarks--;
    while (multiplicityBits[bit].add(fingerprint) == NO_ROOM) {
      multiplicityBits[bit] =
          new FingerprintSet(
              multiplicityBits[bit].resized(multiplicityBits[bit].shape.sizeIndex + 1, sizes));
    }
  }

  private void makeRoomFor(int bit, TableSizes sizes) {
    int bits = multiplicityBits.length;
    if (bit >= bits) {
      FingerprintSet[] more = Arrays.copyOf(multiplicityBits, bit + 1);
      for (int i = bits; i < more.length; i++) {
        more[i] = new FingerprintSet(sizes.shape(shape.depth, 0));
      }
      multiplicityBits = more;
    }
  }

  private void shrinkMultiplicityBit(int bit, TableSizes sizes) {
    FingerprintSet set = multiplicityBits[bit];
    int sizeIndex = sizes.sizeIndexToShrinkTo(set.size());
    if (set.isSparse() && sizeIndex < set.shape.sizeIndex) {
      multiplicityBits[bit] = new FingerprintSet(set.resized(sizeIndex, sizes));
      if (markWords(sizeOfMultiplicityBits()) < marks.length) { // so there are few left
        computeMarks();
      }
    }
  }

  /** Fills the set of a bit, which must be empty, with fingerprints that this chunk holds. */
  void fillMultiplicityBit(int bit, FingerprintBuffer fingerprints, TableSizes sizes) {
    makeRoomFor(bit, sizes);
    int count = fingerprints.size();
    long first = firstFingerprint();
    multiplicityBits[bit] =
        new FingerprintSet(
            sizes.filled(
                shape.depth,
                sizes.sizeIndexFor(count),
                table -> fingerprints.addTo(table, count, -first)));
    computeMarks();
  }

  /** Returns a chunk with this one's contents in another table. Do not use this one afterwards. */
  Chunk inTableOf(int leastSizeIndex, TableSizes sizes) {
    Chunk chunk = new Chunk(resized(leastSizeIndex, sizes), prefix, sweptTo);
    chunk.setMultiplicityBits(multiplicityBits);
    return chunk;
  }

  /**
   * Returns a chunk with this one's contents and a copy of each of some further fingerprints, or
   * null if they are clustered or repeated and do not suit a table of the right size. Changes the
   * order of the fingerprints. Do not use this chunk after it was replaced by the result.
   *
   * @param expected the estimated number of fingerprints that are absent and distinct
   */
  @Nullable Chunk refilled(long[] fingerprints, int from, int to, int expected, TableSizes sizes) {
    int depth = shape.depth;
    int count = (int) Math.min(size() + (long) expected, shape.fingerprints);
    int sizeIndex = Math.max(sizes.sizeIndexFor(count), sizes.leastSizeIndex(depth));
    long first = firstFingerprint();
    TableFiller table =
        sizes.filled(
            depth,
            sizeIndex,
            sizes.mostSizeIndex(depth, sizeIndex, count),
            it -> copyTo(it, 0) && it.addAbsent(fingerprints, from, to, -first));
    if (table == null) {
      return null;
    }
    Chunk chunk = new Chunk(table, prefix, sweptTo);
    int endOfHeld = to - (chunk.size() - size());
    if (endOfHeld == from) {
      chunk.setMultiplicityBits(multiplicityBits);
    } else {
      // Copies, so this chunk remains unchanged if memory runs out.
      chunk.setMultiplicityBits(copiedMultiplicityBits());
      for (int i = from; i < endOfHeld; i++) {
        chunk.addMultiplicity(fingerprints[i] - first, 1, sizes);
      }
    }
    int smaller = Math.max(sizes.sizeIndexFor(chunk.size()), sizes.leastSizeIndex(depth));
    if (smaller + 1 < chunk.shape.sizeIndex) { // many fingerprints were repeated
      chunk = chunk.inTableOf(smaller, sizes);
    }
    return sizes.isShrunk(chunk) ? null : chunk;
  }

  /**
   * Returns a chunk with this one's contents without a copy of each of some fingerprints, in tables
   * of the same sizes. Moves the absent ones to the start of the range.
   */
  Chunk without(long[] fingerprints, int from, int to, TableSizes sizes) {
    Chunk rest = new Chunk(this);
    long first = firstFingerprint();
    int absent = from;
    for (int i = from; i < to; i++) {
      long fingerprint = fingerprints[i];
      if (rest.removeOne(fingerprint - first, sizes) == 0) {
        fingerprints[i] = fingerprints[absent];
        fingerprints[absent++] = fingerprint;
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
    TableFiller[][] halvesOfBits = new TableFiller[multiplicityBits.length][];
    Arrays.setAll(halvesOfBits, bit -> multiplicityBits[bit].halves(sizes));
    Chunk[] chunks = new Chunk[2];
    for (int i = 0; i < chunks.length; i++) {
      int index = i;
      chunks[i] = new Chunk(halves[i], (prefix << 1) | i, sweptTo);
      chunks[i].setMultiplicityBits(sets(multiplicityBits.length, bit -> halvesOfBits[bit][index]));
    }
    return chunks;
  }

  /**
   * Returns a chunk with the contents of two halves, or null if their fingerprints are clustered
   * and do not fit into a table of the right size. Requires that both are swept to one epoch.
   */
  static @Nullable Chunk joined(Chunk first, Chunk second, TableSizes sizes) {
    int count = first.size() + second.size();
    int depth = first.shape.depth - 1;
    int sizeIndex = Math.max(sizes.sizeIndexToShrinkTo(count), sizes.leastSizeIndex(depth));
    TableFiller both =
        joined(first, second, sizes, sizeIndex, sizes.mostSizeIndex(depth, sizeIndex, count));
    if (both == null) {
      return null;
    }
    Chunk joined = new Chunk(both, first.prefix >>> 1, first.sweptTo);
    FingerprintSet empty = new FingerprintSet(sizes.shape(first.shape.depth, 0));
    joined.setMultiplicityBits(
        sets(
            Math.max(first.multiplicityBits.length, second.multiplicityBits.length),
            bit ->
                joined(
                    bit < first.multiplicityBits.length ? first.multiplicityBits[bit] : empty,
                    bit < second.multiplicityBits.length ? second.multiplicityBits[bit] : empty,
                    sizes)));
    return joined;
  }

  private static TableFiller joined(FingerprintSet first, FingerprintSet second, TableSizes sizes) {
    int sizeIndex = sizes.sizeIndexToShrinkTo(first.size() + second.size());
    return Objects.requireNonNull(joined(first, second, sizes, sizeIndex, Integer.MAX_VALUE));
  }

  private static @Nullable TableFiller joined(
      FingerprintSet first,
      FingerprintSet second,
      TableSizes sizes,
      int leastSizeIndex,
      int mostSizeIndex) {
    long length = first.shape.fingerprints;
    return sizes.filled(
        first.shape.depth - 1,
        leastSizeIndex,
        mostSizeIndex,
        table -> first.copyTo(table, 0) && second.copyTo(table, length));
  }

  /** Returns sets with the contents of filled tables, without the empty sets at the end. */
  private static FingerprintSet[] sets(int length, IntFunction<TableFiller> filled) {
    FingerprintSet[] sets = new FingerprintSet[length];
    Arrays.setAll(sets, bit -> new FingerprintSet(filled.apply(bit)));
    return withoutEmptyEnd(sets);
  }

  private static FingerprintSet[] withoutEmptyEnd(FingerprintSet[] sets) {
    int length = sets.length;
    while (length > 0 && sets[length - 1].size() == 0) {
      length--;
    }
    return length == sets.length ? sets : Arrays.copyOf(sets, length);
  }

  /** Holds the monitor, since updates replace the table and the sets. */
  @Override
  synchronized long memoryBytes() {
    long bytes = super.memoryBytes() + EMPTY_BYTES - OBJECT_BYTES;
    bytes += marks == NO_MARKS ? 0 : ARRAY_BYTES + (long) Long.BYTES * marks.length;
    for (FingerprintSet set : multiplicityBits) {
      bytes += ChunkDirectory.REFERENCE_BYTES + set.memoryBytes();
    }
    return bytes;
  }
}
