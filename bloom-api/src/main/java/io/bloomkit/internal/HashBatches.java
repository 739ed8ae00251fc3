package io.bloomkit.internal;

import java.util.Arrays;

/**
 * Collects single hashes and adds them to a filter, or removes them from it, in batches. A batch is
 * small, unless the filter is {@linkplain FasterInBulk faster in bulk}. Then it has as many hashes
 * as all batches before it, so each element of a filter that is filled from empty is moved once on
 * average; at most {@value #MOST}, which take 16 MiB. Not thread-safe.
 */
public final class HashBatches {

  /** The length of the first batches. In a large filter, they may take half of the time of one. */
  private static final int LEAST = 128;

  private static final int MOST = 1 << 21;

  private static final long[] NONE = {};

  /** A filter that large batches of hashes change in less time per hash than small ones. */
  public interface FasterInBulk {}

  /** Adds hashes in a range of an array to a filter, or removes them, and returns how many. */
  @FunctionalInterface
  public interface Update {
    long apply(long[] hashes, int offset, int length);
  }

  private final Update update;
  private final int most;
  private long[] hashes = NONE;
  private int count;

  /** The length of the present batch. */
  private int length = LEAST;

  /**
   * Creates batches for a filter.
   *
   * @param update its bulk operation
   */
  public HashBatches(Object filter, Update update) {
    this.update = update;
    this.most = filter instanceof FasterInBulk ? MOST : LEAST;
  }

  /**
   * Adds or removes a hash, now or in a later call.
   *
   * @return the result of the bulk operation on the hashes up to this one, if it was called now;
   *     otherwise 0
   * @throws IllegalStateException as the bulk operation. After an exception or error of it, the
   *     hashes that waited are dropped
   */
  public long add(long hash) {
    if (count == hashes.length) {
      hashes = Arrays.copyOf(hashes, Math.min(length, Math.max(LEAST / 8, 2 * count)));
    }
    hashes[count++] = hash;
    if (count < length) {
      return 0;
    }
    long result = update();
    length = Math.min(most, 2 * length);
    return result;
  }

  /**
   * Adds or removes all hashes that wait, and frees the memory for them.
   *
   * @return the result of the bulk operation on them
   * @throws IllegalStateException as the bulk operation, with the same effect as for {@link #add}
   */
  public long finish() {
    long result = update();
    hashes = NONE;
    return result;
  }

  private long update() {
    int waiting = count;
    count = 0;
    return waiting == 0 ? 0 : update.apply(hashes, 0, waiting);
  }
}
