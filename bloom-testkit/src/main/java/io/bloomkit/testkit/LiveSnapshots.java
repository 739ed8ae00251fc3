package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterFormatException;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;

/** Takes snapshots of a filter that other threads change: see {@link LiveSnapshotContract}. */
final class LiveSnapshots {

  private static final int WRITERS = 2;
  private static final int SAVERS = 2;

  /** The largest number of elements of each writer in the filter. */
  private static final long HELD = 5_000;

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final double FPP = 1e-6;

  private final LiveSnapshotContract contract;
  private final FilterKind kind;

  LiveSnapshots(LiveSnapshotContract contract) {
    this.contract = contract;
    this.kind = contract.kind();
  }

  /** Returns a filter that stays so empty that no query is a false positive. */
  private StorableFilter<Long> newFilter() {
    return CreatedFilter.of(10 * WRITERS * HELD, FPP, contract::newFilter);
  }

  /**
   * Runs rounds with a new filter each until a time has passed. Returns the number of snapshots.
   */
  long run(long nanos) throws Exception {
    long end = System.nanoTime() + nanos;
    long snapshots = 0;
    do {
      snapshots += new Round(newFilter()).run(end);
    } while (System.nanoTime() - end < 0);
    return snapshots;
  }

  /** The numbers of updates of each writer at one moment. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Progress(long[] added, long[] removed) {}

  /** One filter. Writer w adds the elements w, w + 2, w + 4, …, and removes them in this order. */
  private final class Round {

    private final StorableFilter<Long> filter;
    private final boolean isDeletable;
    private final AtomicLongArray addsBegun = new AtomicLongArray(WRITERS);
    private final AtomicLongArray addsEnded = new AtomicLongArray(WRITERS);
    private final AtomicLongArray removalsBegun = new AtomicLongArray(WRITERS);
    private final AtomicLongArray removalsEnded = new AtomicLongArray(WRITERS);
    private volatile boolean isOver;

    Round(StorableFilter<Long> filter) {
      this.filter = filter;
      this.isDeletable = filter instanceof DeletableFilter<?>;
    }

    long run(long end) throws Exception {
      ExecutorService threads = Executors.newCachedThreadPool();
      try {
        List<Future<?>> others = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          int writer = i;
          others.add(threads.submit(() -> add(writer)));
          if (isDeletable) {
            others.add(threads.submit(() -> remove(writer)));
          }
        }
        List<Future<Long>> savers = new ArrayList<>();
        for (int i = 0; i < SAVERS; i++) {
          Callable<Long> saver = () -> save(end);
          savers.add(threads.submit(saver));
        }
        long snapshots = 0;
        try {
          for (Future<Long> saver : savers) {
            snapshots += saver.get();
          }
        } finally {
          isOver = true;
        }
        for (Future<?> other : others) {
          other.get();
        }
        return snapshots;
      } finally {
        isOver = true;
        threads.shutdown();
      }
    }

    private static long element(int writer, long index) {
      return writer + WRITERS * index;
    }

    private void add(int writer) {
      for (long i = 0; !isOver && (isDeletable || i < HELD); ) {
        if (i - removalsEnded.get(writer) < HELD) {
          addsBegun.set(writer, i + 1);
          kind.addHash(filter, LONGS.hashLong(element(writer, i)));
          addsEnded.set(writer, ++i);
        } else {
          Thread.onSpinWait();
        }
      }
    }

    private void remove(int writer) {
      for (long i = 0; !isOver; ) {
        if (addsEnded.get(writer) - i > HELD / 2) {
          removalsBegun.set(writer, i + 1);
          DeletableFilter<?> deletable = (DeletableFilter<?>) filter;
          assertTrue(deletable.removeHash(LONGS.hashLong(element(writer, i))), "removal");
          removalsEnded.set(writer, ++i);
        } else {
          Thread.onSpinWait();
        }
      }
    }

    /** Saves until the time is over or, if nothing can be removed, until all has been added. */
    private long save(long end) throws FilterFormatException {
      long snapshots = 0;
      boolean isLast = false;
      while (!isLast) {
        isLast = System.nanoTime() - end >= 0 || (!isDeletable && isComplete());
        Progress before = new Progress(values(addsEnded), values(removalsEnded));
        StorableFilter<Long> snapshot = snapshot(snapshots);
        Progress after = new Progress(values(addsBegun), values(removalsBegun));
        check(snapshot, before, after);
        snapshots++;
      }
      return snapshots;
    }

    private boolean isComplete() {
      return Arrays.stream(values(addsEnded)).allMatch(added -> added == HELD);
    }

    private StorableFilter<Long> snapshot(long number) throws FilterFormatException {
      if (number % 4 == 3 && kind.isMergeable()) {
        StorableFilter<Long> merged = newFilter();
        kind.merge(merged, filter);
        return merged;
      }
      if (number % 4 == 1) { // whatever they return
        Object other = newFilter();
        assertTrue(
            filter.hashCode() == other.hashCode() || !filter.equals(other),
            "equal filters have different hash codes");
        assertTrue(filter.equals(filter), "a filter that does not equal itself");
        assertTrue(filter.estimate(64).elements().value() >= 0, "estimate of the elements");
      }
      return kind.fromBytes(filter.toBytes(), LONGS);
    }

    private void check(StorableFilter<Long> snapshot, Progress before, Progress after) {
      long least = 0;
      long most = 0;
      for (int writer = 0; writer < WRITERS; writer++) {
        for (long i = after.removed[writer]; i < before.added[writer]; i++) {
          assertTrue(snapshot.mightContain(element(writer, i)), "a lost element");
        }
        least += Math.max(0, before.added[writer] - after.removed[writer]);
        most += after.added[writer] - before.removed[writer];
      }
      OptionalLong count = snapshot.elementCount();
      if (filter.elementCount().isPresent()) {
        assertTrue(
            count.isPresent() && count.getAsLong() >= least && count.getAsLong() <= most,
            () -> "a count of " + count);
      }
      if (snapshot instanceof DeletableFilter<Long> deletable) {
        checkIsWhole(deletable, before, after);
      }
    }

    /**
     * Removes everything that can be in a snapshot, which must then be empty. What is certainly in
     * it goes first: an element that is not in it may share the fingerprint of one that is, and its
     * removal would take that one.
     */
    private void checkIsWhole(DeletableFilter<Long> snapshot, Progress before, Progress after) {
      for (int writer = 0; writer < WRITERS; writer++) {
        for (long i = after.removed[writer]; i < before.added[writer]; i++) {
          assertTrue(snapshot.remove(element(writer, i)), "an element that cannot be removed");
        }
      }
      for (int writer = 0; writer < WRITERS; writer++) {
        for (long i = before.removed[writer]; i < after.added[writer]; i++) {
          if (i < after.removed[writer] || i >= before.added[writer]) {
            snapshot.remove(element(writer, i));
          }
        }
      }
      assertTrue(
          snapshot.approximateElementCount() == 0,
          () -> "parts of " + snapshot.approximateElementCount() + " elements");
    }
  }

  private static long[] values(AtomicLongArray counts) {
    long[] values = new long[counts.length()];
    Arrays.setAll(values, counts::get);
    return values;
  }
}
