package io.bloomkit.cuckoo;

import io.bloomkit.cuckoo.ChunkDirectory.Changes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A set of fingerprints that expire: the contents of an {@link ExpiringCuckooFilter}. The chunks
 * and their directory are those of {@link DynamicFingerprints}, and so are the rules for threads.
 *
 * <p>The stamp of a fingerprint is the epoch X in which it expires, modulo 2<sup>stampBits</sup>.
 * It is alive in epoch E if E &lt; X. An update first sweeps its chunk to the present epoch E: it
 * removes what has expired. A new X is in (E, E + 2<sup>stampBits</sup>]. So every X in a chunk is
 * in (c, c + 2<sup>stampBits</sup>], where c is the epoch of its last sweep, and stamps are exact
 * however long the chunk was idle. Queries sweep nothing.
 *
 * <p>After some updates of a chunk, a cursor moves on by one chunk and sweeps it. So chunks without
 * updates are swept too, and memory follows the number of live elements.
 */
final class ExpiringFingerprints {

  /**
   * The cursor moves when these bits of the version of an updated chunk are 0: after about 64
   * updates.
   */
  private static final int CURSOR_PERIOD = 0x7f;

  /** The result of a change of a chunk that must be swept before: the caller tries again. */
  private static final long BEHIND = -2;

  private static final ChunkQuery EXPIRY = Chunk::expiryOfFingerprint;

  private static final ChunkChange ADD =
      (chunk, fingerprint, epochs, epoch, sizes) ->
          isUpToDate(chunk, epoch)
              ? chunk.addFingerprintUntil(fingerprint, chunk.sweptTo() + epochs)
              : BEHIND;

  private static final ChunkChange REMOVE =
      (chunk, fingerprint, copy, epoch, sizes) ->
          isUpToDate(chunk, epoch) ? (chunk.removeFingerprint(fingerprint) ? 1 : 0) : BEHIND;

  private static final ChunkChange SWEEP =
      (chunk, none, no, epoch, sizes) -> isUpToDate(chunk, epoch) ? 0 : chunk.sweepTo(epoch);

  final EpochClock clock;
  private volatile ChunkDirectory chunks;

  /** The number of fingerprints in the tables: those that are alive, and those not yet swept. */
  private final LongAdder stored = new LongAdder();

  /** The first hash of the chunk that is swept next. Races between threads do no harm. */
  private volatile long sweepCursor;

  ExpiringFingerprints(TableSizes sizes, EpochClock clock) {
    this(new ChunkDirectory(sizes), clock);
  }

  ExpiringFingerprints(ChunkDirectory chunks, EpochClock clock) {
    this.chunks = chunks;
    this.clock = clock;
  }

  ChunkDirectory chunks() {
    return chunks;
  }

  /** Returns whether the fingerprint of a hash is alive. Reads the clock only if it is stored. */
  boolean containsHash(long hash) {
    long expiry = expiryOf(hash);
    return expiry != Chunk.ABSENT && clock.now() < expiry;
  }

  private long expiryOf(long hash) {
    Chunk chunk = chunks.chunkOf(hash);
    int version = chunk.version();
    if ((version & 1) == 0) {
      long expiry = chunk.expiryOfFingerprint(chunk.shape.fingerprintOf(hash));
      if (chunk.isStillAt(version)) {
        return expiry;
      }
    }
    return chunks.readAgain(EXPIRY, hash);
  }

  /** Does the same for many hashes. Reads the clock once. Returns the number of live ones. */
  int containsAll(long[] hashes, int offset, int length, boolean[] answers) {
    long now = clock.now();
    int positives = 0;
    for (int i = offset; i < offset + length; i++) {
      boolean isAlive = now < expiryOf(hashes[i]);
      answers[i] = isAlive;
      positives += isAlive ? 1 : 0;
    }
    return positives;
  }

  /**
   * Returns the milliseconds or insertions until the fingerprint of a hash expires; 0 if it is not
   * alive.
   */
  long remaining(long hash) {
    long expiry = expiryOf(hash);
    return expiry == Chunk.ABSENT ? 0 : clock.until(expiry);
  }

  /**
   * Sweeps an empty chunk, which costs nothing. Returns whether a chunk is swept to an epoch, so
   * that it may be changed in it. Requires the monitor.
   */
  private static boolean isUpToDate(Chunk chunk, long epoch) {
    if (chunk.size() == 0) {
      chunk.sweepTo(epoch); // perhaps back, if the clock started again
    }
    return chunk.sweptTo() >= epoch;
  }

  /**
   * Adds the fingerprint of a hash, or defers its expiry.
   *
   * @param epochs the number of epochs until it expires, counting the present one, from 1 to
   *     2<sup>stampBits</sup>
   * @return whether the fingerprint was not alive
   */
  boolean addHash(long hash, int epochs) {
    return addHash(hash, clock.beginAddition(clock.now()), epochs);
  }

  /**
   * Does the same in a given epoch, without reading the clock. In a window of insertions, the epoch
   * is ignored.
   */
  boolean addHashAt(long hash, long epoch, int epochs) {
    return addHash(hash, clock.beginAddition(clock.presentAt(epoch)), epochs);
  }

  /**
   * Does the same for many hashes. Reads the clock once.
   *
   * @param asked set to whether the fingerprint of a hash was not alive, at the index of the hash;
   *     null if nobody asks
   * @return how many were not alive
   * @throws OutOfMemoryError if memory runs out; the fingerprints that were not alive are removed
   *     again
   */
  long addHashes(long[] hashes, int offset, int length, int epochs, boolean @Nullable [] asked) {
    long now = clock.now();
    if (BulkUpdate.isAdditionFaster(length, stored())) {
      long epoch = clock.beginAdditions(now, length);
      if (epoch != EpochClock.SEVERAL) {
        ExpiringAddition addition =
            new ExpiringAddition(this, hashes, offset, length, epochs, epoch, asked);
        addition.run();
        return addition.added();
      }
    }
    boolean[] answers = asked == null ? new boolean[offset + length] : asked;
    long added = 0;
    int next = offset;
    try {
      for (; next < offset + length; next++) {
        if ((next - offset) % ChunkDirectory.PREFETCHED == 0) {
          chunks.prefetch(hashes, next, offset + length);
        }
        answers[next] = addHash(hashes[next], clock.beginAddition(now), epochs);
        added += answers[next] ? 1 : 0;
      }
    } catch (Error e) {
      while (next-- > offset) {
        if (answers[next]) {
          undoAddition(hashes[next], now);
        }
      }
      throw e;
    }
    return added;
  }

  /** Removes the fingerprint of a hash, unless that needs memory that there is not. */
  void undoAddition(long hash, long now) {
    try {
      removeHash(hash, now);
    } catch (VirtualMachineError | LinkageError e) {
      // The caller throws the first one. Other fingerprints may need no memory.
    }
  }

  /**
   * Adds fingerprints in a range of an array, to a chunk or those that replace it. Flags those that
   * were alive as {@link BulkUpdate#UNCHANGED}.
   *
   * @return how many were not alive
   * @throws OutOfMemoryError if memory runs out; those that were not alive are removed again
   */
  long addFingerprints(Chunk start, long[] fingerprints, int from, int to, int epochs, long now) {
    Chunk chunk = start;
    long added = 0;
    int next = from;
    try {
      while (next < to) {
        Changes changes = chunks.changeInTurn(chunk, ADD, epochs, now, fingerprints, next, to);
        if (changes != null) {
          boolean isBehind = changes.next() == next;
          stored.add(changes.distinct());
          added += changes.changed();
          next = changes.next();
          changes.throwFailure();
          if (isBehind) {
            sweep(chunk, now);
          }
          sweepNext(now);
        }
        if (next < to) {
          long fingerprint = fingerprints[next] & ~BulkUpdate.UNCHANGED;
          chunk = chunks.chunkOf(chunks.sizes.space.prefixOf(fingerprint));
        }
      }
    } catch (Error e) {
      while (next-- > from) {
        if (fingerprints[next] >= 0) {
          undoAddition(chunks.sizes.space.hashOf(fingerprints[next]), now);
        }
      }
      throw e;
    }
    return added;
  }

  boolean addHash(long hash, long now, int epochs) {
    while (true) {
      Chunk chunk = chunks.chunkOf(hash);
      long added = chunks.change(chunk, ADD, chunk.shape.fingerprintOf(hash), epochs, now);
      if (added >= 0) {
        if (added == FingerprintSet.ADDED) {
          stored.increment();
        }
        moveCursor(chunk, now);
        return added == FingerprintSet.ADDED;
      }
      if (added == BEHIND) {
        sweep(chunk, now);
      }
    }
  }

  /** After some updates of a chunk, sweeps the chunk at the cursor. */
  private void moveCursor(Chunk updated, long now) {
    if ((updated.version() & CURSOR_PERIOD) == 0) {
      sweepNext(now);
    }
  }

  private void sweepNext(long now) {
    Chunk next = chunks.chunkOf(sweepCursor);
    sweepCursor = next.endOfHashes();
    sweep(next, now);
  }

  /** Sweeps a chunk, and lets it shrink. Requires that the caller holds no monitor of a chunk. */
  private void sweep(Chunk chunk, long epoch) {
    if (removeExpired(chunk, epoch) > 0 && chunks.sizes.shouldShrinkAfterSweep(chunk)) {
      shrink(chunk, epoch);
    }
  }

  /** Sweeps a chunk. Returns the number of removed fingerprints. */
  private long removeExpired(Chunk chunk, long epoch) {
    long removed = chunks.change(chunk, SWEEP, 0, 0, epoch);
    if (removed > 0) {
      stored.add(-removed);
    }
    return removed;
  }

  private void shrinkIfSparse(Chunk chunk, long epoch) {
    if (chunks.sizes.shouldShrink(chunk)) {
      shrink(chunk, epoch);
    }
  }

  /** Sweeps the neighbor of a chunk, since chunks of one epoch can be joined, and then shrinks. */
  private void shrink(Chunk sparse, long epoch) {
    Chunk buddy;
    synchronized (sparse) { // so the directory has it
      buddy = sparse.isReplaced() ? null : chunks.buddyOf(sparse);
    }
    if (buddy != null) {
      removeExpired(buddy, epoch);
    }
    chunks.shrink(sparse);
  }

  /** Removes the fingerprint of a hash. Returns whether it was alive. */
  boolean removeHash(long hash) {
    return removeHash(hash, clock.now());
  }

  /** Does the same in a given epoch, as {@link #addHashAt}. */
  boolean removeHashAt(long hash, long epoch) {
    return removeHash(hash, clock.presentAt(epoch));
  }

  private boolean removeHash(long hash, long now) {
    while (true) {
      Chunk chunk = chunks.chunkOf(hash);
      long removed = chunks.change(chunk, REMOVE, chunk.shape.fingerprintOf(hash), 1, now);
      if (removed >= 0) {
        if (removed > 0) {
          stored.decrement();
          shrinkIfSparse(chunk, now);
        }
        moveCursor(chunk, now);
        return removed > 0;
      }
      if (removed == BEHIND) {
        sweep(chunk, now);
      }
    }
  }

  /** Sweeps all chunks to the present epoch, so memory is that of the live fingerprints. */
  void sweepAll() {
    long now = clock.now();
    chunks.forEachChunk(
        chunk -> {
          removeExpired(chunk, now);
          if (chunks.sizes.shouldShrinkAfterSweep(chunk)) {
            shrink(chunk, now);
          }
          return true;
        });
  }

  /**
   * Returns the number of live fingerprints; approximate while other threads write. Costs a pass
   * over the tables.
   */
  long live() {
    long now = clock.now();
    long[] live = {0};
    chunks.forEachChunk(
        chunk -> {
          synchronized (chunk) {
            live[0] += chunk.isReplaced() ? 0 : chunk.liveAfter(now);
            return !chunk.isReplaced();
          }
        });
    return live[0];
  }

  /** Returns the number of stored fingerprints, live or not yet swept, in constant time. */
  long stored() {
    return Math.max(0, stored.sum());
  }

  /**
   * Copies of all chunks, swept to one epoch.
   *
   * @param clock a copy of the clock, at that epoch or before
   */
  record Snapshot(List<Chunk> chunks, EpochClock clock) {

    long epoch() {
      return clock.latest();
    }

    long size() {
      return chunks.stream().mapToLong(Chunk::size).sum();
    }

    SortedFingerprints sorted() {
      return new SortedFingerprints(chunks);
    }

    private Snapshot sweptTo(long later) {
      chunks.forEach(chunk -> chunk.sweepTo(later));
      return this;
    }

    private boolean isSameAs(Snapshot other) {
      SortedFingerprints mine = sorted();
      SortedFingerprints others = other.sorted();
      boolean isSame = mine.size() == others.size();
      for (long i = 0; i < mine.size() && isSame; i++) {
        isSame = mine.get(i) == others.get(i);
      }
      return isSame;
    }
  }

  /**
   * Returns copies of all chunks, swept to the present epoch, whatever other threads do: each
   * change that happened before the call is in them, and each other one wholly or not at all.
   */
  Snapshot snapshot() {
    clock.now();
    return latestSnapshot();
  }

  /** Does the same at the latest epoch that was seen, without reading the clock. */
  Snapshot latestSnapshot() {
    List<Chunk> copies = chunks.copies();
    EpochClock time = clock.copy(); // afterwards: no chunk was swept to a later epoch
    return new Snapshot(copies, time).sweptTo(time.latest());
  }

  /** Returns an independent copy, whatever other threads do. */
  ExpiringFingerprints copy() {
    Snapshot snapshot = snapshot();
    ExpiringFingerprints copy =
        new ExpiringFingerprints(ChunkDirectory.of(chunks.sizes, snapshot.chunks), snapshot.clock);
    copy.stored.add(snapshot.size());
    return copy;
  }

  /**
   * Adds the live fingerprints of other sets of the same space and epochs, one set after another;
   * of two expiries, the later one remains. The clocks are joined. Nothing is changed if memory
   * runs out.
   */
  void merge(List<ExpiringFingerprints> others) {
    ExpiringFingerprints merged = copy();
    List<Runnable> joins = new ArrayList<>();
    for (ExpiringFingerprints other : others) {
      Snapshot added = other.snapshot();
      EpochClock time = added.clock;
      boolean isEmpty = merged.stored() == 0;
      boolean isOtherEmpty = added.size() == 0;
      long difference = merged.clock.join(time, isEmpty, isOtherEmpty);
      long epoch = merged.clock.latest();
      added.sweptTo(epoch - difference).chunks.forEach(it -> merged.addAll(it, difference, epoch));
      joins.add(() -> clock.join(time, isEmpty, isOtherEmpty));
    }
    joins.forEach(Runnable::run);
    become(merged);
  }

  /**
   * Adds the fingerprints of a chunk of another set. Takes no locks where it need not, so no other
   * thread may use this set.
   *
   * @param difference between an epoch of this set and the same one of the other set
   */
  private void addAll(Chunk other, long difference, long epoch) {
    long first = other.firstFingerprint();
    int stampBits = other.shape.stampBits;
    long stampMask = other.shape.stamps().mask;
    Chunk[] last = {chunks.chunkOf(other.firstHash())};
    other.forEachUnsorted(
        entry -> {
          long expiry = other.expiryOfStamp(entry & stampMask) + difference;
          last[0] = addUntil(last[0], first + (entry >> stampBits), expiry, epoch);
        });
  }

  /** Adds a fingerprint, mostly to a given chunk. Returns the one that has it. */
  private Chunk addUntil(Chunk probable, long fingerprint, long expiry, long epoch) {
    Chunk chunk = probable;
    while (true) {
      long inChunk = fingerprint - chunk.firstFingerprint();
      if (chunk.isReplaced() || Long.compareUnsigned(inChunk, chunk.shape.fingerprints) >= 0) {
        chunk = chunks.chunkOf(chunks.sizes.space.prefixOf(fingerprint));
      } else if (!isUpToDate(chunk, epoch)) {
        sweep(chunk, epoch);
      } else {
        int added = chunk.addFingerprintUntil(inChunk, expiry);
        if (added != FingerprintSet.NO_ROOM) {
          stored.add(added);
          return chunk;
        }
        chunks.grow(chunk);
      }
    }
  }

  private void become(ExpiringFingerprints other) {
    stored.add(other.stored() - stored());
    chunks = other.chunks;
  }

  /** Removes all fingerprints. The clock starts again, also if it was set back. */
  void clear() {
    ExpiringFingerprints empty = new ExpiringFingerprints(chunks.sizes, clock);
    clock.restart();
    become(empty);
  }

  /** Removes all fingerprints. The clock goes on and is not read. */
  void clearAtPresentTime() {
    become(new ExpiringFingerprints(chunks.sizes, clock));
  }

  /** Returns whether another set of the same space and epochs has the same live fingerprints. */
  boolean holdsTheSameAs(ExpiringFingerprints other) {
    Snapshot mine = snapshot();
    Snapshot others = other.snapshot();
    long epoch = Math.max(mine.epoch(), others.epoch());
    return mine.clock.isComparableTo(others.clock)
        && mine.sweptTo(epoch).isSameAs(others.sweptTo(epoch));
  }

  /**
   * Returns a loader of the entries of a file into this empty set, whose clock is at the position
   * of the file. Requires that no other thread uses it.
   */
  AscendingLoader loader() {
    chunks.chunkOf(0).sweepTo(clock.latest());
    return new AscendingLoader(
        (depth, prefix, buffer, count) -> {
          boolean isFilled = chunks.fill(depth, prefix, buffer, count);
          stored.add(isFilled ? count : 0);
          return isFilled;
        },
        chunks.sizes,
        new FingerprintBuffer());
  }

  /** Costs a pass over the tables, but not over their contents. */
  long memoryBytes() {
    return chunks.memoryBytes();
  }
}
