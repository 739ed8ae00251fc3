package io.bloomkit.internal.filter;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import io.bloomkit.MembershipFilter;
import io.bloomkit.internal.format.FilterContents;
import java.util.Arrays;

/**
 * Collects single hashes and adds them to a filter, or removes them from it, in batches. A batch is
 * small, unless the filter is {@linkplain FilterContents.Source#isFasterInBulk faster in bulk}.
 * Then it has as many hashes as all batches before it, so each element of a filter that is filled
 * from empty is moved once on average; at most {@value #MOST}, which take 16 MiB. Not thread-safe.
 */
public final class HashBatches {

  /** The length of the first batches. In a large filter, they may take half of the time of one. */
  private static final int LEAST = 128;

  private static final int MOST = 1 << 21;

  private static final long[] NONE = {};

  private interface Update {
    long apply(long[] hashes, int offset, int length);
  }

  private final Update update;
  private final int most;
  private long[] hashes = NONE;
  private int count;

  /** The length of the present batch. */
  private int length = LEAST;

  private HashBatches(InsertableFilter<?> filter, Update update) {
    this.update = update;
    this.most = isFasterInBulk(filter) ? MOST : LEAST;
  }

  /** Returns whether large batches change a filter in less time per hash than small ones. */
  public static boolean isFasterInBulk(MembershipFilter<?> filter) {
    return filter instanceof FilterContents.Source source && source.isFasterInBulk();
  }

  /** Returns batches to add to a filter. */
  public static HashBatches adding(InsertableFilter<?> filter) {
    return new HashBatches(filter, filter::addHashes);
  }

  /** Returns batches to remove from a filter. */
  public static HashBatches removing(DeletableFilter<?> filter) {
    return new HashBatches(filter, filter::removeHashes);
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
