package io.bloomkit;

import io.bloomkit.internal.PrefersLargeBatches;
import java.util.Arrays;
import java.util.Objects;

/**
 * Collects single hashes, and adds them to a filter or removes them from it in batches, which takes
 * less time per hash. For a caller that gets its elements one by one and needs no answer for each:
 *
 * <pre>{@code
 * HashBatches additions = HashBatches.adding(filter);
 * while (records.hasNext()) {
 *   additions.add(filter.strategy().hash(records.next()));
 * }
 * additions.finish();
 * }</pre>
 *
 * <p>The filter holds all hashes only after {@link #finish}.
 *
 * <p><b>Cost.</b> A batch has 128 hashes, unless the filter is much faster in large batches, as
 * {@code DynamicCuckooFilter} is. Then a batch has as many hashes as all batches before it, so each
 * element of a filter that is filled from empty is moved once on average; at most 2<sup>21</sup>
 * hashes, which take 16 MiB.
 *
 * <p>Single-writer, even for a thread-safe filter: each thread needs its own batches.
 */
public final class HashBatches {

  /** The length of the first batches. In a large filter, they may take half of the time of one. */
  private static final int MIN_LENGTH = 128;

  private static final int MAX_LENGTH = 1 << 21;

  private static final long[] NONE = {};

  /** Adds hashes in a range of an array to a filter, or removes them, and returns how many. */
  @FunctionalInterface
  private interface Update {
    long apply(long[] hashes, int offset, int length);
  }

  private final Update update;
  private final int maxLength;
  private long[] hashes = NONE;
  private int count;

  /** The length of the present batch. */
  private int length = MIN_LENGTH;

  private HashBatches(Object filter, Update update) {
    this.update = update;
    this.maxLength = filter instanceof PrefersLargeBatches ? MAX_LENGTH : MIN_LENGTH;
  }

  /** Returns batches whose hashes are added to a filter, by {@link InsertableFilter#addHashes}. */
  public static HashBatches adding(InsertableFilter<?> filter) {
    return new HashBatches(Objects.requireNonNull(filter, "filter"), filter::addHashes);
  }

  /**
   * Returns batches whose hashes are removed from a filter, by {@link
   * DeletableFilter#removeHashes}.
   */
  public static HashBatches removing(DeletableFilter<?> filter) {
    return new HashBatches(Objects.requireNonNull(filter, "filter"), filter::removeHashes);
  }

  /**
   * Adds a hash to the filter or removes it, now or in a later call.
   *
   * @return the result of the bulk operation on the hashes up to this one, if it was called now;
   *     otherwise 0
   * @throws IllegalStateException as the bulk operation. After an exception or error of it, the
   *     hashes that waited are dropped
   */
  public long add(long hash) {
    if (count == hashes.length) {
      hashes = Arrays.copyOf(hashes, Math.min(length, Math.max(MIN_LENGTH / 8, 2 * count)));
    }
    hashes[count++] = hash;
    if (count < length) {
      return 0;
    }
    long result = update();
    length = Math.min(maxLength, 2 * length);
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
    int pending = count;
    count = 0;
    return pending == 0 ? 0 : update.apply(hashes, 0, pending);
  }
}
