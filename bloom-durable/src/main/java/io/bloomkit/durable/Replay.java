package io.bloomkit.durable;

import java.util.Arrays;

/**
 * Repeats the updates of a log on a filter. Where updates of different hashes commute, collects
 * additions and removals and repeats them in large batches, additions first. That is correct
 * because the log has only removals that succeeded.
 *
 * <p>Removing all elements can take as long as reading the snapshot, and a log may say so every few
 * bytes. So except for filters of times, it is left until a batch of later updates is repeated.
 */
final class Replay {

  private static final int MIN_CAPACITY = 1 << 10;

  /** The most updates that are kept in their order. */
  private static final int MAX_KEPT = 1 << 16;

  private final Updates updates;
  private final Batch additions = new Batch();
  private final Batch removals = new Batch();

  /** Updates that do not commute. Those of small frames take no more memory than others. */
  private final Frame kept = new Frame();

  /** Whether all elements are to be removed before anything else. */
  private boolean isCleared;

  private int clears;

  /** The most updates in a batch: as many as memory allowed. */
  private int batch = Integer.MAX_VALUE;

  private long count;

  Replay(Updates updates) {
    this.updates = updates;
    kept.type = LogFormat.MIXED;
  }

  private static final class Batch {

    long[] hashes = new long[MIN_CAPACITY];
    int count;

    void reserve(int length, int most) {
      if (count + length > hashes.length) {
        int doubled = (int) Math.min(most, 2L * hashes.length);
        hashes = Arrays.copyOf(hashes, Math.max(count + length, doubled));
      }
    }

    void add(long[] more, int offset, int length) {
      System.arraycopy(more, offset, hashes, count, length);
      count += length;
    }
  }

  /** Returns the number of updates so far. */
  long count() {
    return count;
  }

  /** Returns how many times all elements were removed from the filter. */
  int clears() {
    return clears;
  }

  /** Repeats the updates of a frame, now or in a later call. */
  void repeat(Frame frame) {
    count += frame.count;
    if (frame.type == LogFormat.CLEARED) {
      forget();
      isCleared = true;
      if (updates.areExpiring()) {
        finish();
      }
    } else if (updates.commute()) {
      collect(frame);
    } else if (updates.areExpiring()) {
      repeatInOrder(frame);
    } else {
      kept.append(frame);
      if (kept.count > MAX_KEPT) {
        finish();
      }
    }
  }

  private void forget() {
    additions.count = 0;
    removals.count = 0;
    kept.count = 0;
  }

  private void collect(Frame frame) {
    int most = Math.min(batch, updates.batch());
    if (additions.count + removals.count > most - frame.count) {
      finish();
    }
    try {
      reserve(frame.count, most);
    } catch (OutOfMemoryError e) { // for a larger batch
      batch = additions.count + removals.count;
      finish();
      reserve(frame.count, batch);
    }
    int start = 0;
    while (start < frame.count) {
      int end = endOfRun(frame, start);
      (frame.isRemoval(start) ? removals : additions).add(frame.hashes, start, end - start);
      start = end;
    }
  }

  private void reserve(int count, int most) {
    additions.reserve(count, most);
    removals.reserve(count, most);
  }

  private void repeatInOrder(Frame frame) {
    int start = 0;
    while (start < frame.count) {
      int end = endOfRun(frame, start);
      if (frame.isRemoval(start)) {
        updates.removeAll(frame.hashes, start, end - start, frame.epoch);
      } else {
        updates.addAll(frame.hashes, start, end - start, frame.epoch, null);
      }
      start = end;
    }
  }

  /** Returns the end of the additions, or the removals, from an index on. */
  private static int endOfRun(Frame frame, int start) {
    if (frame.type != LogFormat.MIXED) {
      return frame.count;
    }
    boolean isRemoval = frame.isRemoval(start);
    int end = start + 1;
    while (end < frame.count && frame.isRemoval(end) == isRemoval) {
      end++;
    }
    return end;
  }

  /** Repeats the updates that were collected. */
  void finish() {
    if (isCleared) {
      updates.clear();
      clears++;
      isCleared = false;
    }
    updates.addAll(additions.hashes, 0, additions.count, 0, null);
    additions.count = 0;
    updates.removeAll(removals.hashes, 0, removals.count, 0);
    repeatInOrder(kept);
    forget();
  }
}
