package io.bloomkit.stress;

import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.LongStream;

/**
 * The simplest concurrent filter that grows and shrinks correctly. It stores hashes in one table,
 * or in two tables by their first bit, and replaces these tables by others. Some of the {@link
 * BrokenFilters} break one of its methods.
 */
class SoundGrowingFilter implements RacedDeletableFilter {

  static final int POSITIONS = 64;
  static final int HASHES = 2;

  private static final int BITS = 4;
  private static final int LEAST_ROOM = 4;

  /** A table of hashes, which is not changed once {@link #isReplaced} is set. */
  static final class Table {

    final StampedLock lock = new StampedLock();
    final int index;
    private final long[] hashes;
    private int size;
    boolean isReplaced;

    Table(int index, int room, long... hashes) {
      this.index = index;
      this.hashes = Arrays.copyOf(hashes, room);
      this.size = hashes.length;
    }

    long[] held() {
      return Arrays.copyOf(hashes, size);
    }

    /** Returns the index of a hash, or −1 if it is absent. */
    private int find(long hash) {
      int length = size;
      for (int i = 0; i < length; i++) {
        if (hashes[i] == hash) {
          return i;
        }
      }
      return -1;
    }

    private void remove(int found) {
      hashes[found] = hashes[size - 1];
      hashes[--size] = 0;
    }
  }

  volatile Table[] tables = {new Table(0, LEAST_ROOM)};

  /** Returns a new filter of the same kind. */
  SoundGrowingFilter newFilter() {
    return new SoundGrowingFilter();
  }

  final Table tableOf(long hash) {
    Table[] all = tables;
    return all[all.length == 1 ? 0 : (int) (hash >>> 63)];
  }

  @Override
  public final boolean mightContain(long hash) {
    while (true) {
      Table table = tableOf(hash);
      long stamp = table.lock.tryOptimisticRead();
      boolean contains = table.find(hash) >= 0;
      if (isValid(table, stamp)) {
        return contains;
      }
      Thread.onSpinWait();
    }
  }

  boolean isValid(Table table, long stamp) {
    return table.lock.validate(stamp);
  }

  /** Locks and returns the table of a hash. */
  Table locked(long hash) {
    while (true) {
      Table table = tableOf(hash);
      table.lock.writeLock();
      if (!table.isReplaced) {
        return table;
      }
      table.lock.tryUnlockWrite();
    }
  }

  @Override
  public final boolean add(long hash) {
    Table table = locked(hash);
    boolean isNew = table.find(hash) < 0;
    if (table.size < table.hashes.length) {
      table.hashes[table.size++] = hash;
    } else {
      long[] all = Arrays.copyOf(table.hashes, table.size + 1);
      all[table.size] = hash;
      grow(table, all);
    }
    table.lock.tryUnlockWrite();
    return isNew;
  }

  private synchronized void grow(Table table, long[] hashes) {
    if (tables.length == 1) {
      tables = new Table[] {half(0, hashes), half(1, hashes)};
    } else {
      Table[] replaced = tables.clone();
      replaced[table.index] = new Table(table.index, 2 * hashes.length, hashes);
      tables = replaced;
    }
    table.isReplaced = true;
  }

  private static Table half(int index, long[] hashes) {
    return new Table(
        index,
        2 * hashes.length,
        LongStream.of(hashes).filter(hash -> hash >>> 63 == index).toArray());
  }

  @Override
  public final boolean remove(long hash) {
    Table table = locked(hash);
    int found = table.find(hash);
    if (found >= 0) {
      table.remove(found);
      if (tables.length == 2) {
        join(table);
      }
    }
    table.lock.tryUnlockWrite();
    return found >= 0;
  }

  /**
   * Replaces a table and its neighbour by one table, if they hold few hashes and no other thread
   * changes the neighbour.
   */
  private void join(Table table) {
    Table other = tables[1 - table.index];
    if (tryLock(other)) {
      long[] held = table.held();
      long[] others = other.held();
      if (!other.isReplaced && held.length + others.length < LEAST_ROOM) {
        long[] all = Arrays.copyOf(held, held.length + others.length);
        System.arraycopy(others, 0, all, held.length, others.length);
        tables = new Table[] {new Table(0, LEAST_ROOM, all)};
        table.isReplaced = true;
        other.isReplaced = true;
      }
      unlock(other);
    }
  }

  boolean tryLock(Table other) {
    return other.lock.tryWriteLock() != 0;
  }

  void unlock(Table other) {
    other.lock.tryUnlockWrite();
  }

  @Override
  public final long count(long hash) {
    Table table = locked(hash);
    long count = LongStream.of(table.held()).filter(held -> held == hash).count();
    table.lock.tryUnlockWrite();
    return count;
  }

  private long[] sorted() {
    return Arrays.stream(tables)
        .flatMapToLong(table -> LongStream.of(table.held()))
        .sorted()
        .toArray();
  }

  @Override
  public final RacedDeletableFilter copy() {
    SoundGrowingFilter copy = newFilter();
    copy.tables =
        Arrays.stream(tables)
            .map(table -> new Table(table.index, table.hashes.length, table.held()))
            .toArray(Table[]::new);
    return copy;
  }

  @Override
  public final boolean holdsTheSameAs(RacedFilter other) {
    return other instanceof SoundGrowingFilter that && Arrays.equals(sorted(), that.sorted());
  }

  @Override
  public final long bytes() {
    return Arrays.stream(tables).mapToLong(table -> 100 + 8L * table.hashes.length).sum();
  }

  @Override
  public final long positions() {
    return POSITIONS;
  }

  @Override
  public final int hashes() {
    return HASHES;
  }

  @Override
  public final BitSet taken() {
    BitSet taken = new BitSet();
    for (long hash : sorted()) {
      take(taken, hash);
    }
    return taken;
  }

  /**
   * Sets two positions in the half given by the first bit of a hash; the following bits select the
   * positions.
   */
  static void take(BitSet taken, long hash) {
    int half = (int) (hash >>> 63) * POSITIONS / 2;
    taken.set(half + (int) (hash << 1 >>> (Long.SIZE - BITS)));
    taken.set(half + (1 << BITS) + (int) (hash << (1 + BITS) >>> (Long.SIZE - BITS)));
  }
}
