package io.bloomkit.cuckoo;

import io.bloomkit.internal.WordArrays;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The copies of the fingerprints of a {@link Chunk} beyond the first one, in a {@link
 * DynamicFingerprints}. A chunk without such copies has no object of this class.
 *
 * <p>The copies are counted in binary, by one set per bit: a fingerprint is in the set of bit i if
 * bit i of the number of its extra copies is set.
 *
 * <p>A bit is set in the marks for each fingerprint with extra copies, and perhaps for others: a
 * Bloom filter with one hash function. So a removal need not search the sets for most fingerprints.
 */
final class ExtraCopies {

  /** The bytes of an object without its arrays and sets, estimated from the header and fields. */
  static final long OBJECT_BYTES = 32;

  /** Bytes of the header of an array. */
  private static final long ARRAY_BYTES = 16;

  /** The most fingerprints per word for which marks are made. A fifth of the bits is then set. */
  private static final int MARKS_PER_WORD = 12;

  /** If most fingerprints have several copies, marks do not pay. */
  private static final int MAX_MARK_WORDS = 16;

  private static final FingerprintSet[] NO_SETS = {};

  /** The depth of the chunk. */
  private final int depth;

  /** One set per bit; the last is empty only after an error and in bulk removals. */
  private FingerprintSet[] sets;

  private long[] marks;

  /** The number of further fingerprints that may be marked before the marks are computed anew. */
  private int freeMarks;

  /** Creates an object without copies, for a chunk of a depth. */
  ExtraCopies(int depth) {
    this(depth, NO_SETS);
  }

  /** Creates an object of the copies in sets, and marks their fingerprints. */
  private ExtraCopies(int depth, FingerprintSet[] sets) {
    this.depth = depth;
    this.sets = sets;
    this.marks = WordArrays.allocate(markWords(sizeOfSets()));
    mark();
  }

  /** Returns an independent copy. */
  ExtraCopies copy() {
    FingerprintSet[] copies = sets.clone();
    Arrays.setAll(copies, bit -> new FingerprintSet(copies[bit]));
    return new ExtraCopies(depth, copies);
  }

  /** Returns the same copies with marks computed anew. Do not use this object afterwards. */
  ExtraCopies remarked() {
    return new ExtraCopies(depth, sets);
  }

  /** Returns whether there are no copies, so the chunk need not keep this object. */
  boolean isEmpty() {
    return sets.length == 0;
  }

  /** Returns whether a fingerprint is marked. If it is not, it has no extra copies. */
  boolean isMarked(long fingerprint) {
    return ((marks[wordOf(marks, fingerprint)] >>> fingerprint) & 1) != 0;
  }

  static void mark(long[] marks, long fingerprint) {
    marks[wordOf(marks, fingerprint)] |= 1L << fingerprint;
  }

  private static int wordOf(long[] marks, long fingerprint) {
    return (int) (fingerprint >>> 6) & (marks.length - 1);
  }

  private void computeMarks() {
    int wordCount = markWords(sizeOfSets());
    if (wordCount != marks.length) {
      marks = WordArrays.allocate(wordCount);
    } else {
      Arrays.fill(marks, 0);
    }
    mark();
  }

  /** Marks the fingerprints with extra copies. As many more may be marked afterwards. */
  private void mark() {
    for (FingerprintSet set : sets) {
      set.markIn(marks);
    }
    freeMarks = Math.max(MARKS_PER_WORD, sizeOfSets());
  }

  private int sizeOfSets() {
    int size = 0;
    for (FingerprintSet set : sets) {
      size += set.size();
    }
    return size;
  }

  private static int markWords(double fingerprints) {
    int wordCount = 1;
    while (wordCount < fingerprints / MARKS_PER_WORD && wordCount < MAX_MARK_WORDS) {
      wordCount *= 2;
    }
    return wordCount;
  }

  /** Returns the bytes of the marks of a number of fingerprints with extra copies. */
  static long markBytes(double fingerprints) {
    return ARRAY_BYTES + (long) Long.BYTES * markWords(fingerprints);
  }

  /** Returns the number of all extra copies. */
  long total() {
    long total = 0;
    for (int bit = 0; bit < sets.length; bit++) {
      total += (long) sets[bit].size() << bit;
    }
    return total;
  }

  /** Returns the number of extra copies of a fingerprint. */
  long countFingerprint(long fingerprint) {
    if (!isMarked(fingerprint)) {
      return 0;
    }
    long copies = 0;
    for (int bit = 0; bit < sets.length; bit++) {
      copies += sets[bit].containsFingerprint(fingerprint) ? 1L << bit : 0;
    }
    return copies;
  }

  /** Calls a visitor with the copies of fingerprints by powers of two, in any order. */
  void forEach(long firstFingerprint, FingerprintVisitor visitor) {
    for (int bit = 0; bit < sets.length; bit++) {
      long copies = 1L << bit;
      sets[bit].forEachUnsorted(
          fingerprint -> visitor.visit(firstFingerprint + fingerprint, copies));
    }
  }

  /** Adds copies, at least 1. If memory runs out, throws and changes nothing. */
  void addFingerprint(long fingerprint, long copies, TableSizes sizes) {
    if (copies == 1) {
      increment(fingerprint, sizes);
    } else {
      long before = countFingerprint(fingerprint);
      setCount(fingerprint, before, before + copies, sizes);
      shrink(before & ~(before + copies), sizes);
    }
  }

  private void increment(long fingerprint, TableSizes sizes) {
    int bit = 0;
    while (bit < sets.length && sets[bit].containsFingerprint(fingerprint)) {
      bit++;
    }
    include(fingerprint, bit, sizes); // if memory runs out here, nothing has changed
    for (int lower = 0; lower < bit; lower++) {
      sets[lower].removeFingerprint(fingerprint);
    }
  }

  /** Sets the number of extra copies, or changes nothing if it throws for lack of memory. */
  void setCount(long fingerprint, long before, long after, TableSizes sizes) {
    long added = after & ~before;
    long remaining = added;
    try {
      for (; remaining != 0; remaining &= remaining - 1) {
        include(fingerprint, Long.numberOfTrailingZeros(remaining), sizes);
      }
    } finally {
      for (long back = remaining == 0 ? 0 : added ^ remaining; back != 0; back &= back - 1) {
        sets[Long.numberOfTrailingZeros(back)].removeFingerprint(fingerprint);
      }
    }
    for (long removed = before & ~after; removed != 0; removed &= removed - 1) {
      sets[Long.numberOfTrailingZeros(removed)].removeFingerprint(fingerprint);
    }
  }

  private void include(long fingerprint, int bit, TableSizes sizes) {
    makeRoomFor(bit, sizes);
    if (freeMarks == 0) {
      computeMarks();
    }
    mark(marks, fingerprint);
    freeMarks--;
    while (sets[bit].addFingerprint(fingerprint) == FingerprintSet.NO_ROOM) {
      sets[bit] = new FingerprintSet(sets[bit].resized(sets[bit].shape.sizeIndex + 1, sizes));
    }
  }

  private void makeRoomFor(int bit, TableSizes sizes) {
    int bits = sets.length;
    if (bit >= bits) {
      FingerprintSet[] more = Arrays.copyOf(sets, bit + 1);
      for (int i = bits; i < more.length; i++) {
        more[i] = new FingerprintSet(sizes.shape(depth, 0));
      }
      sets = more;
    }
  }

  /**
   * Shrinks the sets with few fingerprints.
   *
   * @throws OutOfMemoryError if memory runs out; the contents have not changed then
   */
  void shrink(TableSizes sizes) {
    for (int bit = 0; bit < sets.length; bit++) {
      shrinkSet(bit, sizes);
    }
    sets = withoutEmptyEnd(sets);
  }

  /** Shrinks the sets of some bits if they hold few fingerprints, until memory runs out. */
  void shrink(long bits, TableSizes sizes) {
    try {
      for (long remaining = bits; remaining != 0; remaining &= remaining - 1) {
        shrinkSet(Long.numberOfTrailingZeros(remaining), sizes);
      }
      sets = withoutEmptyEnd(sets);
    } catch (VirtualMachineError | LinkageError e) {
      // Out of memory. Keeps larger tables and the marks, which are still true. Empty sets hold
      // nothing.
    }
  }

  private void shrinkSet(int bit, TableSizes sizes) {
    FingerprintSet set = sets[bit];
    int sizeIndex = sizes.sizeIndexToShrinkTo(set.size());
    if (set.isSparse() && sizeIndex < set.shape.sizeIndex) {
      sets[bit] = new FingerprintSet(set.resized(sizeIndex, sizes));
      if (markWords(sizeOfSets()) < marks.length) { // so there are few left
        computeMarks();
      }
    }
  }

  /**
   * Fills the set of a bit, which must be empty, with fingerprints of the chunk.
   *
   * @param firstFingerprint the fingerprint in the buffer that the chunk holds as 0
   */
  void fillBit(int bit, FingerprintBuffer fingerprints, long firstFingerprint, TableSizes sizes) {
    makeRoomFor(bit, sizes);
    int count = fingerprints.size();
    sets[bit] =
        new FingerprintSet(
            sizes.filled(
                depth,
                sizes.sizeIndexFor(count),
                table -> fingerprints.addTo(table, count, -firstFingerprint)));
    computeMarks();
  }

  /** Returns the copies of the first and the second half of the fingerprints; null for none. */
  @Nullable ExtraCopies[] halves(TableSizes sizes) {
    TableFiller[][] halves = new TableFiller[sets.length][];
    Arrays.setAll(halves, bit -> sets[bit].halves(sizes));
    return new @Nullable ExtraCopies[] {
      of(depth + 1, sets.length, bit -> halves[bit][0]),
      of(depth + 1, sets.length, bit -> halves[bit][1])
    };
  }

  /** Returns the copies of the fingerprints of two chunks in the chunk that joins them. */
  static @Nullable ExtraCopies joined(
      int depth, @Nullable ExtraCopies first, @Nullable ExtraCopies second, TableSizes sizes) {
    if (first == null && second == null) {
      return null;
    }
    FingerprintSet empty = new FingerprintSet(sizes.shape(depth + 1, 0));
    int length = Math.max(bits(first), bits(second));
    return of(depth, length, bit -> joined(set(first, bit, empty), set(second, bit, empty), sizes));
  }

  private static int bits(@Nullable ExtraCopies copies) {
    return copies == null ? 0 : copies.sets.length;
  }

  private static FingerprintSet set(@Nullable ExtraCopies copies, int bit, FingerprintSet empty) {
    return copies != null && bit < copies.sets.length ? copies.sets[bit] : empty;
  }

  private static TableFiller joined(FingerprintSet first, FingerprintSet second, TableSizes sizes) {
    int sizeIndex = sizes.sizeIndexToShrinkTo(first.size() + second.size());
    return Objects.requireNonNull(
        FingerprintSet.joined(first, second, sizes, sizeIndex, Integer.MAX_VALUE));
  }

  /** Returns the copies in filled tables; null if there are none. */
  private static @Nullable ExtraCopies of(int depth, int length, IntFunction<TableFiller> filled) {
    FingerprintSet[] sets = new FingerprintSet[length];
    Arrays.setAll(sets, bit -> new FingerprintSet(filled.apply(bit)));
    FingerprintSet[] used = withoutEmptyEnd(sets);
    return used.length == 0 ? null : new ExtraCopies(depth, used);
  }

  private static FingerprintSet[] withoutEmptyEnd(FingerprintSet[] sets) {
    int length = sets.length;
    while (length > 0 && sets[length - 1].size() == 0) {
      length--;
    }
    return length == sets.length ? sets : Arrays.copyOf(sets, length);
  }

  long memoryBytes() {
    long bytes = OBJECT_BYTES + ARRAY_BYTES + (long) Long.BYTES * marks.length;
    for (FingerprintSet set : sets) {
      bytes += ChunkDirectory.REFERENCE_BYTES + set.memoryBytes();
    }
    return bytes;
  }
}
