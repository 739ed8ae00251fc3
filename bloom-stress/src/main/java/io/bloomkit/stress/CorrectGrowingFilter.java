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
class CorrectGrowingFilter implements RacedDeletableFilter {

  static final int POSITIONS = 64;
  static final int HASHES = 2;

  private static final int BITS = 4;
  private static final int MIN_CAPACITY = 4;

  /** A table of hashes, which is not changed once {@link #isReplaced} is set. */
  static final class Table {

    final StampedLock lock = new StampedLock();
    final int index;
    private final long[] hashes;
    private int size;
    boolean isReplaced;

    Table(int index, int capacity, long... hashes) {
      this.index = index;
      this.hashes = Arrays.copyOf(hashes, capacity);
      this.size = hashes.length;
    }

    long[] stored() {
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

  volatile Table[] tables = {new Table(0, MIN_CAPACITY)};

  /** Returns a new filter of the same kind. */
  CorrectGrowingFilter newFilter() {
    return new CorrectGrowingFilter();
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
        merge(table);
      }
    }
    table.lock.tryUnlockWrite();
    return found >= 0;
  }

  /**
   * Replaces a table and its neighbour by one table, if they hold few hashes and no other thread
   * changes the neighbour.
   */
  private void merge(Table table) {
    Table other = tables[1 - table.index];
    if (tryLock(other)) {
      long[] stored = table.stored();
      long[] others = other.stored();
      if (!other.isReplaced && stored.length + others.length < MIN_CAPACITY) {
        long[] all = Arrays.copyOf(stored, stored.length + others.length);
        System.arraycopy(others, 0, all, stored.length, others.length);
        tables = new Table[] {new Table(0, MIN_CAPACITY, all)};
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
    long count = LongStream.of(table.stored()).filter(stored -> stored == hash).count();
    table.lock.tryUnlockWrite();
    return count;
  }

  private long[] sorted() {
    return Arrays.stream(tables)
        .flatMapToLong(table -> LongStream.of(table.stored()))
        .sorted()
        .toArray();
  }

  @Override
  public final RacedDeletableFilter copy() {
    CorrectGrowingFilter copy = newFilter();
    copy.tables =
        Arrays.stream(tables)
            .map(table -> new Table(table.index, table.hashes.length, table.stored()))
            .toArray(Table[]::new);
    return copy;
  }

  @Override
  public final boolean hasSameContents(RacedFilter other) {
    return other instanceof CorrectGrowingFilter that && Arrays.equals(sorted(), that.sorted());
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
  public final BitSet occupied() {
    BitSet occupied = new BitSet();
    for (long hash : sorted()) {
      occupy(occupied, hash);
    }
    return occupied;
  }

  /**
   * Sets two positions in the half given by the first bit of a hash; the following bits select the
   * positions.
   */
  static void occupy(BitSet occupied, long hash) {
    int half = (int) (hash >>> 63) * POSITIONS / 2;
    occupied.set(half + (int) (hash << 1 >>> (Long.SIZE - BITS)));
    occupied.set(half + (1 << BITS) + (int) (hash << (1 + BITS) >>> (Long.SIZE - BITS)));
  }
}
