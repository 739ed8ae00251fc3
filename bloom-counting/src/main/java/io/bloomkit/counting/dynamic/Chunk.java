package io.bloomkit.counting.dynamic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The fingerprints of all elements whose hashes share their first bits, and how often each is held.
 * Replaced by others as the filter grows and shrinks.
 *
 * <p>This set holds each fingerprint once. Its further copies are counted in binary: a fingerprint
 * is in the set of bit i if the number of its further copies has that bit.
 *
 * <p>In a concurrent filter, the thread that changes a chunk holds its monitor, and {@link
 * #beginChange} and {@link #endChange} make the version odd meanwhile (a sequence lock: H. Boehm,
 * <i>Can seqlocks get along with programming language memory models?</i>, MSPC 2012). A reader
 * without the monitor believes what it read if {@link #version} was even and {@link #isStillAt}
 * returns true.
 */
final class Chunk extends FingerprintSet {

  /** Of an empty chunk without its table, estimated from the fields. */
  static final long EMPTY_BYTES = OBJECT_BYTES + 24;

  private static final VarHandle VERSION = versionHandle();

  private static final FingerprintSet[] NO_FURTHER = {};

  /** The first bits of the hashes, as a number of {@link TableShape#depth} bits. */
  final long prefix;

  final boolean isConcurrent;

  /** The directory of a chunk that was divided where the filter's has no more bits; else null. */
  volatile Chunk @Nullable [] parts;

  /** Odd while a thread changes this chunk, and for good once another one takes its place. */
  private int version;

  private boolean isReplaced;

  /** A set per bit of the number of further copies; the last one is not empty. */
  private FingerprintSet[] further = NO_FURTHER;

  /** Makes an empty chunk. */
  Chunk(TableShape shape, long prefix, boolean isConcurrent) {
    super(shape);
    this.prefix = prefix;
    this.isConcurrent = isConcurrent;
  }

  /** Makes a chunk of a filled table. */
  Chunk(TableFiller filled, long prefix, boolean isConcurrent) {
    super(filled);
    this.prefix = prefix;
    this.isConcurrent = isConcurrent;
  }

  /** Makes an independent copy of a chunk. */
  Chunk(Chunk other) {
    super(other);
    this.prefix = other.prefix;
    this.isConcurrent = other.isConcurrent;
    this.parts = other.parts;
    this.further = other.further.clone();
    Arrays.setAll(further, bit -> new FingerprintSet(further[bit]));
  }

  /** Returns a chunk that holds nothing itself and leads to two others, the halves of one. */
  static Chunk ofParts(TableShape shape, Chunk first, Chunk second) {
    Chunk chunk = new Chunk(shape, first.prefix >>> 1, false);
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

  /** Returns the version, for reading without the monitor. Nothing of it was read before. */
  int version() {
    return (int) VERSION.getAcquire(this);
  }

  /** Returns whether nothing has changed since {@link #version} returned an even number. */
  boolean isStillAt(int version) {
    VarHandle.acquireFence(); // all that was read before this was read before the version
    return (int) VERSION.getOpaque(this) == version;
  }

  /** Requires the monitor. What is written from here on shows only with an odd version. */
  void beginChange() {
    VERSION.setOpaque(this, version + 1);
    VarHandle.releaseFence();
  }

  void endChange() {
    VERSION.setRelease(this, version + 1);
  }

  /**
   * Ends the use of this chunk, before another one is found in its place. Requires the monitor in a
   * concurrent filter, until that is done: who finds this one meanwhile waits there.
   */
  void setReplaced() {
    isReplaced = true;
    beginChange();
  }

  /** Returns whether another chunk took the place of this one. Requires the monitor. */
  boolean isReplaced() {
    return isReplaced;
  }

  /** Returns how many copies of a fingerprint are held. */
  long count(long fingerprint) {
    if (!contains(fingerprint)) {
      return 0;
    }
    long copies = 1;
    for (int bit = 0; bit < further.length; bit++) {
      copies += further[bit].contains(fingerprint) ? 1L << bit : 0;
    }
    return copies;
  }

  /**
   * Adds copies, at least 1, of a fingerprint.
   *
   * @return as {@link #add(long)}
   */
  int add(long fingerprint, long copies, TableSizes sizes) {
    int added = add(fingerprint);
    if (added != NO_ROOM && copies > added) {
      addFurther(fingerprint, copies - added, sizes);
    }
    return added;
  }

  /** Adds copies, at least 1, of a fingerprint that is held. */
  private void addFurther(long fingerprint, long copies, TableSizes sizes) {
    if (copies == 1) {
      increment(fingerprint, sizes);
    } else {
      long before = count(fingerprint) - 1;
      setFurther(fingerprint, before, before + copies, sizes);
    }
  }

  private void increment(long fingerprint, TableSizes sizes) {
    int bit = 0;
    while (bit < further.length && further[bit].contains(fingerprint)) {
      bit++;
    }
    include(fingerprint, bit, sizes); // may run out of memory, before anything has changed
    for (int lower = 0; lower < bit; lower++) {
      further[lower].remove(fingerprint);
    }
  }

  /**
   * Removes a number of copies of a fingerprint, or all if there are fewer.
   *
   * @return how many there were
   */
  long removeCopies(long fingerprint, long copies, TableSizes sizes) {
    if (further.length == 0) { // one search of the table instead of two
      return remove(fingerprint) ? 1 : 0;
    }
    long before = count(fingerprint);
    if (before <= copies) {
      remove(fingerprint);
    }
    if (before > 1) {
      setFurther(fingerprint, before - 1, Math.max(before - copies - 1, 0), sizes);
    }
    return before;
  }

  private void setFurther(long fingerprint, long before, long after, TableSizes sizes) {
    for (long added = after & ~before; added != 0; added &= added - 1) {
      include(fingerprint, Long.numberOfTrailingZeros(added), sizes);
    }
    for (long removed = before & ~after; removed != 0; removed &= removed - 1) {
      exclude(fingerprint, Long.numberOfTrailingZeros(removed), sizes);
    }
    further = withoutEmptyEnd(further);
  }

  private void include(long fingerprint, int bit, TableSizes sizes) {
    makeRoomFor(bit, sizes);
    while (further[bit].add(fingerprint) == NO_ROOM) {
      further[bit] = new FingerprintSet(further[bit].resized(further[bit].shape.rung + 1, sizes));
    }
  }

  private void makeRoomFor(int bit, TableSizes sizes) {
    int bits = further.length;
    if (bit >= bits) {
      FingerprintSet[] more = Arrays.copyOf(further, bit + 1);
      for (int i = bits; i < more.length; i++) {
        more[i] = new FingerprintSet(sizes.shape(shape.depth, 0));
      }
      further = more;
    }
  }

  private void exclude(long fingerprint, int bit, TableSizes sizes) {
    FingerprintSet set = further[bit];
    set.remove(fingerprint);
    int rung = sizes.rungToShrinkTo(set.size());
    if (set.isSparse() && rung < set.shape.rung) {
      try {
        further[bit] = new FingerprintSet(set.resized(rung, sizes));
      } catch (OutOfMemoryError e) {
        // The larger table holds the same.
      }
    }
  }

  /** Fills the set of a bit, which must be empty, with fingerprints that are held. */
  void fillFurther(int bit, FingerprintBuffer fingerprints, TableSizes sizes) {
    makeRoomFor(bit, sizes);
    int count = fingerprints.size();
    long first = prefix * shape.fingerprints;
    further[bit] =
        new FingerprintSet(
            sizes.filled(
                shape.depth,
                sizes.rungFor(count),
                table -> fingerprints.addTo(table, count, -first)));
  }

  /** Returns a chunk with the contents of this one, which is then of no use, in another table. */
  Chunk inTableOf(int leastRung, TableSizes sizes) {
    Chunk chunk = new Chunk(resized(leastRung, sizes), prefix, isConcurrent);
    chunk.further = further;
    return chunk;
  }

  /** Returns two chunks with the first and the second half of this one's fingerprints. */
  Chunk[] halved(TableSizes sizes) {
    if (size() == 0) { // as when a file is read: tables would be allocated before what fills them
      TableShape empty = sizes.shape(shape.depth + 1, 0);
      return new Chunk[] {
        new Chunk(empty, prefix << 1, isConcurrent),
        new Chunk(empty, (prefix << 1) | 1, isConcurrent)
      };
    }
    TableFiller[] halves = halves(sizes);
    TableFiller[][] furtherHalves = new TableFiller[further.length][];
    Arrays.setAll(furtherHalves, bit -> further[bit].halves(sizes));
    Chunk[] chunks = new Chunk[2];
    for (int i = 0; i < chunks.length; i++) {
      int index = i;
      chunks[i] = new Chunk(halves[i], (prefix << 1) | i, isConcurrent);
      chunks[i].further = sets(further.length, bit -> furtherHalves[bit][index]);
    }
    return chunks;
  }

  /**
   * Returns a chunk with the contents of two halves, or null if they differ too little for that.
   */
  static @Nullable Chunk joined(Chunk first, Chunk second, TableSizes sizes) {
    int count = first.size() + second.size();
    int rung = sizes.rungToShrinkTo(count);
    TableFiller both =
        joined(first, second, sizes, sizes.mostRung(first.shape.depth - 1, rung, count));
    if (both == null) {
      return null;
    }
    Chunk joined = new Chunk(both, first.prefix >>> 1, first.isConcurrent);
    FingerprintSet empty = new FingerprintSet(sizes.shape(first.shape.depth, 0));
    joined.further =
        sets(
            Math.max(first.further.length, second.further.length),
            bit ->
                Objects.requireNonNull(
                    joined(
                        bit < first.further.length ? first.further[bit] : empty,
                        bit < second.further.length ? second.further[bit] : empty,
                        sizes,
                        Integer.MAX_VALUE)));
    return joined;
  }

  private static @Nullable TableFiller joined(
      FingerprintSet first, FingerprintSet second, TableSizes sizes, int mostRung) {
    long length = first.shape.fingerprints;
    return sizes.filled(
        first.shape.depth - 1,
        sizes.rungToShrinkTo(first.size() + second.size()),
        mostRung,
        table -> first.copyTo(table, 0) && second.copyTo(table, length));
  }

  /** Returns sets of filled tables, without the empty ones at the end. */
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

  @Override
  long memoryBytes() {
    long bytes = super.memoryBytes() + EMPTY_BYTES - OBJECT_BYTES;
    for (FingerprintSet set : further) {
      bytes += ChunkDirectory.REFERENCE_BYTES + set.memoryBytes();
    }
    return bytes;
  }
}
