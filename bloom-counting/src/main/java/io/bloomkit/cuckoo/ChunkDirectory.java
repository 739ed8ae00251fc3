package io.bloomkit.cuckoo;

import io.bloomkit.internal.WordArrays;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds a {@link Chunk} by the first bits of a hash, and lets single chunks grow, divide, shrink
 * and join (extendible hashing: R. Fagin et al., <i>Extendible hashing</i>, ACM TODS 4, 1979).
 *
 * <p>The directory has at most {@value #MAX_PER_CHUNK} entries per chunk, a few more than evenly
 * spread hashes need. If a division required more, the divided chunk keeps its entry and gets a
 * small directory of its own. So hashes that share many bits, because of an attacker or a weak
 * strategy, cost time but little memory.
 *
 * <p>A thread that replaces a chunk holds its monitor. A thread that joins two chunks holds the
 * monitors of both and takes that of the first one first. A thread that divides a chunk then takes
 * the monitors of the halves. The monitor of this object guards the directories and is always taken
 * last. Queries read the directories without it; {@link Chunk#version} shows whether the chunk they
 * found has been replaced meanwhile.
 */
final class ChunkDirectory {

  private static final VarHandle ENTRIES = MethodHandles.arrayElementVarHandle(Chunk[].class);

  /** The largest number of entries of the directory per chunk. */
  private static final long MAX_PER_CHUNK = 8;

  private static final int MAX_BITS = 24;
  private static final int MAX_ENTRIES = 1 << MAX_BITS;

  /** The largest number of entries of the directory of a chunk. */
  private static final int MAX_PARTS = 1 << 4;

  static final long REFERENCE_BYTES = 4;

  private static final int OPTIMISTIC_READS = 8;

  /** How many hashes are {@linkplain #prefetch prefetched} at once. */
  static final int PREFETCHED = 64;

  /** With fewer entries, the tables of a directory are in the cache already. */
  private static final int MIN_PREFETCHED_ENTRIES = 1 << 11;

  /** The most changes of a chunk while queries wait: for about a microsecond. */
  private static final int MAX_CHANGES = 64;

  /**
   * The result of a change if another chunk has replaced the given one, which has not changed: the
   * caller tries again.
   */
  static final long REPLACED = FingerprintSet.NO_ROOM;

  final TableSizes sizes;
  private volatile Chunk[] chunks;

  /** The number of chunks, without those that have a directory. */
  private int chunkCount;

  /** The number of chunks that have only one entry in {@link #chunks}. */
  private int deepest;

  /**
   * Creates a directory of empty chunks of the {@linkplain TableSizes#smallest smallest} shape.
   *
   * @throws IllegalArgumentException if there would be more than {@value #MAX_ENTRIES} of them
   */
  ChunkDirectory(TableSizes sizes) {
    this(sizes, sizes.smallest);
  }

  private ChunkDirectory(TableSizes sizes, TableShape shape) {
    if (shape.depth > MAX_BITS) {
      throw new IllegalArgumentException(
          "allocated() makes at most 2^"
              + MAX_BITS
              + " tables, but maxElements requires 2^"
              + shape.depth);
    }
    this.sizes = sizes;
    this.chunkCount = 1 << shape.depth;
    this.deepest = shape.depth == 0 ? 0 : chunkCount;
    this.chunks = emptyChunks(shape, chunkCount);
  }

  private static Chunk[] emptyChunks(TableShape shape, int count) {
    Chunk[] empty = {};
    try {
      empty = new Chunk[Math.max(2, count)];
      for (int prefix = 0; prefix < count; prefix++) {
        empty[prefix] = new Chunk(shape, prefix);
      }
    } catch (OutOfMemoryError e) {
      Arrays.fill(empty, null); // makes room for the message
      throw WordArrays.outOfMemory("a set of tables", count * shape.tableBytes(), e);
    }
    if (count == 1) {
      empty[1] = empty[0];
    }
    return empty;
  }

  /** Returns the chunk of a hash. Another thread may be replacing that chunk. */
  Chunk chunkOf(long hash) {
    Chunk[] all = chunks;
    Chunk chunk = (Chunk) ENTRIES.getAcquire(all, index(hash, all));
    return chunk.parts == null ? chunk : partOf(chunk, hash);
  }

  private static Chunk partOf(Chunk chunk, long hash) {
    Chunk found = chunk;
    for (Chunk[] parts = found.parts; parts != null; parts = found.parts) {
      found = (Chunk) ENTRIES.getAcquire(parts, index(hash << found.shape.depth, parts));
    }
    return found;
  }

  /** Returns the index of the entry of a hash in a directory: its first bits. */
  private static int index(long hash, Chunk[] directory) {
    return (int) (hash >>> (Long.SIZE - bits(directory)));
  }

  private static int bits(Chunk[] directory) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(directory.length);
  }

  /**
   * Reads what the chunk of a hash has of it. It reads without the monitor of the chunk, and then
   * checks whether the chunk was changed or replaced meanwhile. After {@value #OPTIMISTIC_READS}
   * failed reads, it waits for the monitor.
   *
   * <p>Queries make the first such read themselves, and then call this: the compiler does not
   * inline this method into each of them.
   */
  long readAgain(ChunkQuery query, long hash) {
    for (int read = 1; read < OPTIMISTIC_READS; read++) {
      Chunk chunk = chunkOf(hash);
      int version = chunk.version();
      if ((version & 1) == 0) {
        long result = query.apply(chunk, chunk.shape.fingerprintOf(hash));
        if (chunk.isStillAt(version)) {
          return result;
        }
      }
      Thread.onSpinWait();
    }
    return readLocked(query, hash);
  }

  /** Reads what the chunk of a hash has of it, under the monitor of the chunk. */
  long readLocked(ChunkQuery query, long hash) {
    while (true) {
      Chunk chunk = chunkOf(hash);
      synchronized (chunk) {
        if (!chunk.isReplaced()) {
          return query.apply(chunk, chunk.shape.fingerprintOf(hash));
        }
      }
    }
  }

  /**
   * Loads the buckets of the next hashes of a range into the cache, {@value #PREFETCHED} at most,
   * so that their cache misses overlap. An update has too many branches for that.
   */
  void prefetch(long[] hashes, int from, int end) {
    int to = chunks.length < MIN_PREFETCHED_ENTRIES ? from : Math.min(end, from + PREFETCHED);
    long sum = 0;
    for (int i = from; i < to; i++) {
      Chunk chunk = chunkOf(hashes[i]);
      sum += chunk.loadBuckets(chunk.shape.fingerprintOf(hashes[i]));
    }
    use(sum);
  }

  private void prefetch(Chunk chunk, long[] fingerprints, int from, int end) {
    int to = chunks.length < MIN_PREFETCHED_ENTRIES ? from : end;
    long first = chunk.firstFingerprint();
    long sum = 0;
    for (int i = from; i < to; i++) {
      long inChunk = (fingerprints[i] & ~BulkUpdate.UNCHANGED) - first;
      if (Long.compareUnsigned(inChunk, chunk.shape.fingerprints) < 0) {
        sum += chunk.loadBuckets(inChunk);
      }
    }
    use(sum);
  }

  /**
   * Keeps the compiler from removing the loads that made a sum. The class {@code Prefetch} would
   * need memory to be loaded, which a batch that is taken back may lack.
   */
  private static void use(long sum) {
    if (sum == TableShape.GOLDEN) {
      Thread.onSpinWait();
    }
  }

  /**
   * Changes the contents of a chunk under its monitor, so that queries detect the change. If the
   * chunk has no room, replaces it by a larger one or by two.
   *
   * @return the result of the change, or {@link #REPLACED}
   */
  long change(Chunk chunk, ChunkChange change, long fingerprint, long amount, long epoch) {
    synchronized (chunk) {
      if (chunk.isReplaced()) {
        return REPLACED;
      }
      long result;
      chunk.beginChange();
      try {
        result = change.apply(chunk, fingerprint, amount, epoch, sizes);
      } finally {
        chunk.endChange();
      }
      if (result == FingerprintSet.NO_ROOM) {
        grow(chunk); // queries continue while another table is filled
      }
      return result;
    }
  }

  /**
   * What {@link #changeInTurn} did.
   *
   * @param next the end of the fingerprints with which the chunk was changed
   * @param changed with how many of them it was not {@link BulkUpdate#UNCHANGED}
   * @param distinct how many more fingerprints the chunk has
   * @param failure why the change with the next one failed, or the growth for it; null if neither
   *     did
   */
  record Changes(int next, int changed, int distinct, @Nullable Error failure) {

    /** Throws what made the next change fail. */
    void throwFailure() {
      if (failure != null) {
        throw failure;
      }
    }
  }

  /**
   * Changes the contents of a chunk with one fingerprint after another, while holding its monitor
   * once. Ends before one that is not of this chunk, or whose change has a negative result; if the
   * chunk has no room for it, replaces the chunk as {@link #change} does. Also ends after {@value
   * #MAX_CHANGES}, for those who wait. Flags those whose result is 0 as {@link
   * BulkUpdate#UNCHANGED}.
   *
   * @param fingerprints of the whole filter; those of the range may have that flag
   * @return null if another chunk has replaced the given one, which has not changed
   */
  @Nullable Changes changeInTurn(
      Chunk chunk,
      ChunkChange change,
      long amount,
      long epoch,
      long[] fingerprints,
      int from,
      int to) {
    int end = Math.min(to, from + MAX_CHANGES);
    prefetch(chunk, fingerprints, from, end);
    synchronized (chunk) {
      if (chunk.isReplaced()) {
        return null;
      }
      int before = chunk.size();
      int next = from;
      int changed = 0;
      long first = chunk.firstFingerprint();
      long result = 0;
      Error failure = null;
      chunk.beginChange();
      try {
        for (; next < end; next++) {
          long fingerprint = fingerprints[next] & ~BulkUpdate.UNCHANGED;
          long inChunk = fingerprint - first;
          if (Long.compareUnsigned(inChunk, chunk.shape.fingerprints) >= 0) {
            break;
          }
          result = change.apply(chunk, inChunk, amount, epoch, sizes);
          if (result < 0) {
            break;
          }
          changed += result > 0 ? 1 : 0;
          fingerprints[next] = result > 0 ? fingerprint : fingerprint | BulkUpdate.UNCHANGED;
        }
      } catch (Error e) { // out of memory; the caller takes the changes before it back
        failure = e;
      } finally {
        chunk.endChange();
      }
      int distinct = chunk.size() - before;
      if (result == FingerprintSet.NO_ROOM && failure == null) {
        failure = failureOfGrowth(chunk);
      }
      return new Changes(next, changed, distinct, failure);
    }
  }

  private @Nullable Error failureOfGrowth(Chunk full) {
    try {
      grow(full);
      return null;
    } catch (Error e) {
      return e;
    }
  }

  /**
   * Replaces a chunk that has no room by one in a larger table or by two. Requires the monitor of
   * the chunk.
   */
  void grow(Chunk full) {
    if (sizes.shouldDivide(full)) {
      divide(full);
    } else {
      replace(full, full.inTableOf(full.shape.sizeIndex + 1, sizes));
    }
  }

  /**
   * Puts fingerprints into the empty chunk with a depth and a prefix. Divides chunks until there is
   * one of that depth.
   *
   * @param count the number of fingerprints to put, the lowest ones in the buffer
   * @return false if the fingerprints are clustered and do not fit into a table for their number;
   *     nothing has changed then. At the greatest depth, a larger table is used instead.
   */
  boolean fill(int depth, long prefix, FingerprintBuffer fingerprints, int count) {
    int sizeIndex = sizes.sizeIndexFor(count);
    int maxSizeIndex = sizes.maxSizeIndex(depth, sizeIndex, count);
    long first = prefix * sizes.space.fingerprints(depth);
    TableFiller table =
        sizes.filled(depth, sizeIndex, maxSizeIndex, it -> fingerprints.addTo(it, count, -first));
    if (table == null) {
      return false;
    }
    Chunk empty = emptyChunk(depth, Chunk.firstHash(prefix, depth));
    replace(empty, new Chunk(table, prefix, empty.sweptTo()));
    return true;
  }

  synchronized void replace(Chunk old, Chunk chunk) {
    old.setReplaced();
    put(chunk);
  }

  /** Replaces a chunk by two. Requires the monitor of the chunk. */
  void divide(Chunk full) {
    Chunk[] halves = full.halved(sizes);
    replace(full, halves[0], halves[1]);
    for (Chunk half : halves) {
      synchronized (half) {
        if (!half.isReplaced() && sizes.isCluster(half)) {
          divide(half);
        }
      }
    }
  }

  private synchronized void replace(Chunk whole, Chunk first, Chunk second) {
    int depth = whole.shape.depth;
    Chunk owner = ownerOf(whole.prefix, depth);
    boolean hasOneEntry = entries(depth, owner) == 1;
    if (hasOneEntry && directoryOf(owner).length > maxEntries(owner) / 2) {
      Chunk parts = Chunk.ofParts(sizes.shape(depth, 0), first, second);
      whole.setReplaced();
      put(parts);
      chunkCount++;
      return;
    }
    if (hasOneEntry) {
      doubleDirectoryOf(owner);
    }
    chunkCount++;
    whole.setReplaced();
    put(first);
    put(second);
    if (owner == null && depth + 1 == bits(chunks)) {
      deepest += 2;
    }
  }

  private long maxEntries(@Nullable Chunk owner) {
    return owner == null ? Math.min(MAX_ENTRIES, MAX_PER_CHUNK * chunkCount) : MAX_PARTS;
  }

  private void doubleDirectoryOf(@Nullable Chunk owner) {
    Chunk[] directory = directoryOf(owner);
    Chunk[] doubled = new Chunk[2 * directory.length];
    for (int i = 0; i < doubled.length; i++) {
      doubled[i] = directory[i / 2];
    }
    if (owner == null) {
      chunks = doubled;
      deepest = 0;
    } else {
      owner.parts = doubled;
    }
  }

  /**
   * Replaces a chunk with few fingerprints by one in a smaller table, or joins it with its
   * neighbor. Changes nothing if memory runs out or another thread was faster. The caller must not
   * hold the monitor of any chunk.
   */
  void shrink(Chunk sparse) {
    try {
      joinOrShrink(sparse);
    } catch (VirtualMachineError | LinkageError e) {
      // Out of memory, perhaps while a lambda was linked. The removal is done. Keeps the larger
      // table, which has the same contents.
    }
  }

  private void joinOrShrink(Chunk sparse) {
    Chunk joined = joined(sparse);
    if (joined == null) {
      shrinkAlone(sparse);
    }
    while (joined != null) { // the joined chunk may now fit together with its neighbor
      joined = joined(joined);
    }
  }

  private void shrinkAlone(Chunk sparse) {
    synchronized (sparse) {
      int sizeIndex =
          Math.max(
              sizes.sizeIndexToShrinkTo(sparse.size()), sizes.minSizeIndex(sparse.shape.depth));
      if (!sparse.isReplaced()
          && sizes.shouldShrinkAlone(sparse)
          && sizeIndex < sparse.shape.sizeIndex) {
        Chunk smaller = sparse.inTableOf(sizeIndex, sizes);
        if (smaller.shape.sizeIndex
            < sparse.shape.sizeIndex) { // else its fingerprints are clustered
          replace(sparse, smaller);
        }
      }
    }
  }

  private @Nullable Chunk joined(Chunk sparse) {
    Chunk buddy;
    synchronized (sparse) { // so the directory has it
      buddy = sparse.isReplaced() ? null : buddyOf(sparse);
    }
    if (buddy == null) {
      return null;
    }
    boolean isFirst = (sparse.prefix & 1) == 0;
    Chunk first = isFirst ? sparse : buddy;
    Chunk second = isFirst ? buddy : sparse;
    synchronized (first) {
      synchronized (second) {
        if (first.isReplaced()
            || second.isReplaced()
            || first.sweptTo() != second.sweptTo()
            || !sizes.shouldJoin(first.shape.depth, first.size() + second.size())) {
          return null;
        }
        return join(first, second);
      }
    }
  }

  /** Returns the chunk that a chunk can be joined with; null if there is none. */
  synchronized @Nullable Chunk buddyOf(Chunk chunk) {
    int depth = chunk.shape.depth;
    if (depth == sizes.smallest.depth) {
      return null;
    }
    Chunk owner = ownerOf(chunk.prefix, depth);
    Chunk buddy = directoryOf(owner)[firstEntry(chunk.prefix ^ 1, depth, owner)];
    return buddy.shape.depth == depth && buddy.parts == null ? buddy : null;
  }

  private @Nullable Chunk join(Chunk first, Chunk second) {
    TableShape half = first.shape;
    Chunk joined = Chunk.joined(first, second, sizes);
    if (joined == null) {
      return null;
    }
    synchronized (this) {
      Chunk owner = ownerOf(first.prefix, half.depth);
      first.setReplaced();
      second.setReplaced();
      put(joined); // replaces the owner if these two were its only parts
      chunkCount--;
      if (owner == null && half.depth == bits(chunks)) {
        deepest -= 2;
        while (deepest == 0 && chunks.length > 2) {
          halve();
        }
      }
    }
    return joined;
  }

  private void halve() {
    Chunk[] all = chunks;
    Chunk[] halved = new Chunk[all.length / 2];
    for (int i = 0; i < halved.length; i++) {
      halved[i] = all[2 * i];
    }
    deepest = 0;
    for (Chunk chunk : halved) {
      deepest += chunk.shape.depth == bits(halved) ? 1 : 0;
    }
    chunks = halved;
  }

  /**
   * Returns the chunk whose directory has the chunk of a prefix and depth; null for {@link
   * #chunks}.
   */
  private @Nullable Chunk ownerOf(long prefix, int depth) {
    long hash = Chunk.firstHash(prefix, depth);
    Chunk owner = null;
    Chunk found = chunks[index(hash, chunks)];
    for (Chunk[] parts = found.parts; parts != null && found.shape.depth < depth; ) {
      owner = found;
      found = parts[index(hash << owner.shape.depth, parts)];
      parts = found.parts;
    }
    return owner;
  }

  /** Returns how many first bits of a hash the directory of a chunk, or the main one, skips. */
  private static int base(@Nullable Chunk owner) {
    return owner == null ? 0 : owner.shape.depth;
  }

  private Chunk[] directoryOf(@Nullable Chunk owner) {
    return owner == null ? chunks : Objects.requireNonNull(owner.parts);
  }

  /** Stores a chunk in all entries of its prefix. */
  private void put(Chunk chunk) {
    int depth = chunk.shape.depth;
    Chunk owner = ownerOf(chunk.prefix, depth);
    int first = firstEntry(chunk.prefix, depth, owner);
    for (int i = first; i < first + entries(depth, owner); i++) {
      ENTRIES.setRelease(directoryOf(owner), i, chunk);
    }
  }

  /** Returns the index of the first directory entry of the chunk with a prefix. */
  private int firstEntry(long prefix, int depth, @Nullable Chunk owner) {
    return (int) (prefix * entries(depth, owner)) & (directoryOf(owner).length - 1);
  }

  private int entries(int depth, @Nullable Chunk owner) {
    return directoryOf(owner).length >>> (depth - base(owner));
  }

  /**
   * Returns copies of all chunks in the order of their fingerprints, while other threads may change
   * and replace chunks. Each change that happened before the call is in them, and each other one
   * wholly or not at all.
   */
  List<Chunk> copies() {
    List<Chunk> copies = new ArrayList<>();
    long from = 0; // the first hash not yet covered
    try {
      do {
        Chunk copy = copyFrom(from);
        copies.add(copy);
        from = copy.endOfHashes();
      } while (from != 0);
    } catch (OutOfMemoryError e) {
      copies.clear(); // makes room for the message
      throw WordArrays.outOfMemory("a copy", memoryBytes(), e);
    }
    return copies;
  }

  /** Returns a copy of the part from a hash on of the chunk of that hash. */
  private Chunk copyFrom(long hash) {
    Chunk copy = null;
    while (copy == null) {
      Chunk chunk = chunkOf(hash);
      synchronized (chunk) {
        copy = chunk.isReplaced() ? null : new Chunk(chunk);
      }
    }
    // The chunk may have been joined with one before, of which there is a copy already.
    while (copy.firstHash() != hash) {
      Chunk[] halves = copy.halved(sizes);
      copy = Long.compareUnsigned(halves[1].firstHash(), hash) <= 0 ? halves[1] : halves[0];
    }
    return copy;
  }

  /**
   * Replaces each chunk by an empty one, then joins them again, while other threads may change and
   * replace chunks.
   *
   * @param cleared accepts each chunk that was replaced, under its monitor
   */
  void clear(Consumer<Chunk> cleared) {
    forEachChunk(
        chunk -> {
          synchronized (chunk) {
            if (chunk.isReplaced()) {
              return false;
            }
            int depth = chunk.shape.depth;
            replace(chunk, new Chunk(sizes.shape(depth, sizes.minSizeIndex(depth)), chunk.prefix));
            cleared.accept(chunk);
            return true;
          }
        });
    shrinkAll();
  }

  /**
   * {@linkplain #shrink Shrinks} all chunks that have few fingerprints, and their sets of extra
   * copies, until memory runs out: each further attempt could cost a garbage collection.
   */
  void shrinkAll() {
    long from = 0; // the first hash not yet covered
    try {
      do { // the first half of each pair has been joined before the second one comes
        Chunk chunk = chunkOf(from);
        synchronized (chunk) {
          if (!chunk.isReplaced()) {
            chunk.shrinkExtraCopies(sizes);
          }
        }
        if (sizes.shouldShrink(chunk)) {
          joinOrShrink(chunk);
        }
        from = chunk.endOfHashes();
      } while (from != 0);
    } catch (VirtualMachineError | LinkageError e) {
      // Out of memory. Keeps the other tables.
    }
  }

  /** Calls a function for chunks that cover all hashes, again where it returned false. */
  void forEachChunk(Predicate<Chunk> function) {
    long from = 0; // the first hash not yet covered
    boolean isAll = false;
    while (!isAll) {
      Chunk chunk = chunkOf(from);
      if (function.test(chunk)) {
        from = chunk.endOfHashes();
        isAll = from == 0;
      }
    }
  }

  /** Returns a directory of chunks that cover all hashes. It keeps the chunks. */
  static ChunkDirectory of(TableSizes sizes, List<Chunk> chunks) {
    ChunkDirectory directory = new ChunkDirectory(sizes, sizes.shape(0, 0));
    for (Chunk chunk : chunks) {
      directory.replace(directory.emptyChunk(chunk.shape.depth, chunk.firstHash()), chunk);
    }
    return directory;
  }

  /** Returns the empty chunk of a depth that a hash belongs to; divides chunks to that end. */
  private Chunk emptyChunk(int depth, long hash) {
    Chunk empty = chunkOf(hash);
    while (empty.shape.depth < depth) {
      divide(empty);
      empty = chunkOf(hash);
    }
    return empty;
  }

  /** Returns the number of bytes of all tables and directories. Costs a pass over the chunks. */
  long memoryBytes() {
    return memoryBytes(chunks, 0);
  }

  private static long memoryBytes(Chunk[] directory, int base) {
    long bytes = REFERENCE_BYTES * directory.length;
    for (int i = 0; i < directory.length; ) {
      Chunk chunk = directory[i];
      bytes += chunk.memoryBytes();
      bytes += chunk.parts == null ? 0 : memoryBytes(chunk.parts, chunk.shape.depth);
      i += directory.length >>> (chunk.shape.depth - base);
    }
    return bytes;
  }
}
