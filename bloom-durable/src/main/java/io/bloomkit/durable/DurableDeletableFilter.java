package io.bloomkit.durable;

import io.bloomkit.DeletableFilter;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.internal.Arguments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@link DurableFilter} from which elements can be removed: of the kinds counting, blocked
 * counting, cuckoo, dynamic and expiring.
 *
 * <p><b>Remove only what was added.</b> See {@link DeletableFilter}.
 *
 * @param <T> the type of the elements
 */
public final class DurableDeletableFilter<T> extends DurableFilter<T> {

  private DurableDeletableFilter(DurableFolder<T> folder) {
    super(folder);
  }

  /**
   * Equivalent to {@link #open(Path, FilterBuilder.OfDeletable, SyncPolicy)} with {@link
   * SyncPolicy#EVERY_SECOND}.
   */
  public static <T> DurableDeletableFilter<T> open(
      Path folder, FilterBuilder.OfDeletable<? super T> builder) throws IOException {
    return open(folder, builder, SyncPolicy.EVERY_SECOND);
  }

  /**
   * Opens the filter in a folder, as {@link DurableFilter#open(Path, FilterBuilder, SyncPolicy)}.
   */
  public static <T> DurableDeletableFilter<T> open(
      Path folder, FilterBuilder.OfDeletable<? super T> builder, SyncPolicy policy)
      throws IOException {
    return new DurableDeletableFilter<>(DurableFolder.open(folder, builder, policy));
  }

  /**
   * Removes one occurrence of an element, as {@link DeletableFilter#remove} of the filter does.
   *
   * @return true if one was removed; false if nothing was changed
   * @throws java.io.UncheckedIOException if the log cannot be written
   */
  public boolean remove(T element) {
    return removeHash(strategy().hash(Objects.requireNonNull(element, "element")));
  }

  /** Equivalent to {@link #remove} of an element with a given hash. */
  public boolean removeHash(long hash) {
    return log.remove(hash, isEachDurable);
  }

  /**
   * Equivalent to {@link #remove} of a long, without boxing it. Throws {@link
   * IllegalStateException} if the strategy is not a {@link LongHashStrategy}.
   */
  public boolean removeLong(long element) {
    return removeHash(LongHashStrategy.hashLong(strategy(), element));
  }

  /**
   * Removes the hashes from {@code offset} to {@code offset + length - 1} one after another.
   *
   * @return the number of removals that returned true
   * @throws IndexOutOfBoundsException if the range does not lie within the array
   * @throws java.io.UncheckedIOException if the log cannot be written; the first ones may be
   *     removed then
   */
  public long removeHashes(long[] hashes, int offset, int length) {
    return removeHashes(hashes, offset, length, null);
  }

  /**
   * Removes many hashes in the same way, and answers each: sets {@code wasRemoved[i]} to what
   * {@code removeHash(hashes[i])} returns.
   *
   * @param wasRemoved takes the answers; may be null
   * @return the number of removals that returned true
   * @throws IndexOutOfBoundsException if the range does not lie within both arrays
   * @throws java.io.UncheckedIOException if the log cannot be written; the first ones may be
   *     removed then
   */
  public long removeHashes(long[] hashes, int offset, int length, boolean @Nullable [] wasRemoved) {
    Arguments.checkBatch(hashes, offset, length, wasRemoved);
    long removed = 0;
    for (int i = offset; i < offset + length; i++) {
      boolean isRemoved = log.remove(hashes[i], false);
      removed += isRemoved ? 1 : 0;
      if (wasRemoved != null) {
        wasRemoved[i] = isRemoved;
      }
    }
    if (isEachDurable) {
      log.sync();
    }
    return removed;
  }
}
