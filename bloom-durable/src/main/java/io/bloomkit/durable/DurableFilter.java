package io.bloomkit.durable;

import io.bloomkit.FilterEstimate;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.InsertableFilter;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.Arguments;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A filter in a folder that survives the process: after a crash, opening the folder again gives a
 * filter with every update that was durable.
 *
 * <pre>{@code
 * try (DurableFilter<String> seen =
 *     DurableFilter.open(
 *         Path.of("seen"),
 *         ClassicBloomFilter.builder(HashStrategies.utf8()).expecting(10_000_000, 0.01))) {
 *   if (seen.add(url)) {
 *     // not seen before, in this run or in an earlier one
 *   }
 * }
 * }</pre>
 *
 * <p>The folder has a snapshot of the filter and a log of the updates since. An update changes the
 * filter in memory and appends 8 bytes to the log, and 32 for each force and each batch. Opening
 * reads the snapshot and repeats the log. Every kind of filter that can be stored works: classic,
 * blocked, counting, blocked counting, cuckoo, dynamic, expiring and scalable. For removals, see
 * {@link DurableDeletableFilter}.
 *
 * <p><b>Durability.</b> The {@link SyncPolicy} says when an update is durable: by default, at most
 * a second and the time of two forces and the writes before them later. A crash leaves the updates
 * up to one moment, and none after it. If the disk is full or fails, updates throw {@link
 * java.io.UncheckedIOException} from then on, or {@link IllegalStateException} if an error such as
 * {@link OutOfMemoryError} stopped the log; queries go on. An update that throws it may be in
 * memory, whole or in part, and may or may not be there after the folder is opened again. What was
 * durable stays so.
 *
 * <p><b>Compaction.</b> Once the log is longer than the snapshot, and than 64 MiB, a background
 * thread makes a new snapshot from the old one and the log, and deletes both. Updates go on
 * meanwhile. It has a filter of its own, so it needs as much memory as the filter, and twice as
 * much for {@code DynamicCuckooFilter} and {@code ExpiringCuckooFilter}, while it runs.
 *
 * <p><b>Threads.</b> A durable filter is thread-safe if its filter is: if the builder is {@code
 * concurrent()}, or the filter is always thread-safe. Otherwise it requires external
 * synchronization, but not against the background threads of this class. Bulk additions run one at
 * a time. All updates of a cuckoo filter, of a scalable filter and of a window of insertions do so
 * too, because their order matters.
 *
 * <p><b>Element count.</b> Of a classic or blocked filter, additions that return false are not in
 * the log. So {@link #elementCount} does not count them after the folder is opened again.
 *
 * <p>Every method throws {@link NullPointerException} if an argument is null that may not be. After
 * {@link #close}, updates and {@link #sync} throw {@link IllegalStateException}.
 *
 * @param <T> the type of the elements
 */
public sealed class DurableFilter<T> implements InsertableFilter<T>, Closeable
    permits DurableDeletableFilter {

  private final DurableFolder<T> folder;
  final UpdateLog log;
  final boolean isEachDurable;
  private final StorableFilter<T> filter;

  DurableFilter(DurableFolder<T> folder) {
    this.folder = folder;
    this.log = folder.log();
    this.isEachDurable = folder.policy() == SyncPolicy.EVERY_UPDATE;
    this.filter = folder.filter();
  }

  /**
   * Equivalent to {@link #open(Path, FilterBuilder, SyncPolicy)} with {@link
   * SyncPolicy#EVERY_SECOND}.
   */
  public static <T> DurableFilter<T> open(Path folder, FilterBuilder<? super T> builder)
      throws IOException {
    return open(folder, builder, SyncPolicy.EVERY_SECOND);
  }

  /**
   * Opens the filter in a folder, or creates it with an empty filter if the folder is empty or does
   * not exist. Costs the reading of the snapshot, and about as much as the bulk addition of the
   * updates in the log.
   *
   * @param folder a folder of its own, on a file system whose locks and forces can be relied on
   * @param builder builds the empty filter, or reads the snapshot. Its kind, hash strategy and
   *     size, if it has one, must be those of the folder.
   * @throws FilterFormatException if a file is damaged, does not belong to the folder, is of
   *     another kind, strategy or size, or of a newer version; nothing is changed, except that a
   *     missing file {@code lock} is created. A damaged end of the log, as a crash leaves it, is no
   *     such error: see {@link #recovery}.
   * @throws FileSystemException if the folder is in use, is no folder, has other files only, or
   *     lacks a file; nothing is changed, except as above
   * @throws IOException if the folder cannot be read or written
   */
  public static <T> DurableFilter<T> open(
      Path folder, FilterBuilder<? super T> builder, SyncPolicy policy) throws IOException {
    return new DurableFilter<>(DurableFolder.open(folder, builder, policy));
  }

  /**
   * Returns whether {@link #create} takes a folder: it does not exist, is empty, or has only what
   * an interrupted creation has left.
   *
   * @throws IOException if it cannot be read
   */
  public static boolean canCreate(Path folder) throws IOException {
    try {
      return !DurableFolder.hasFilter(folder);
    } catch (AccessDeniedException e) {
      throw e;
    } catch (FilterFormatException | FileSystemException e) { // a damaged one, or other files
      return false;
    }
  }

  /**
   * Creates a folder whose filter is a given one, such as one that was kept in a file so far. If
   * the process ends meanwhile, call it again: {@link #open(Path, FilterBuilder)} would begin with
   * an empty filter.
   *
   * @param folder a folder that is empty or does not exist
   * @param filter any filter of this library to which elements can be added; not modified
   * @throws FileSystemException if the folder has a filter or other files
   * @throws IOException if the folder cannot be written
   */
  public static void create(Path folder, StorableFilter<?> filter) throws IOException {
    DurableFolder.create(folder, filter);
  }

  /**
   * {@inheritDoc}
   *
   * @throws java.io.UncheckedIOException if the log cannot be written
   */
  @Override
  public final boolean addHash(long hash) {
    return log.add(hash, isEachDurable);
  }

  /**
   * Adds many hashes, and answers each, as {@link InsertableFilter#addHashes(long[], int, int,
   * boolean[])} of the filter does. Other updates wait meanwhile. After a crash, only the first
   * ones may be there.
   *
   * @param wasNew takes the answers; may be null
   * @return the number of additions that returned true
   * @throws IndexOutOfBoundsException if the range does not lie within both arrays
   * @throws IllegalStateException if the filter is full; nothing is added
   * @throws java.io.UncheckedIOException if the log cannot be written
   */
  @Override
  public final long addHashes(long[] hashes, int offset, int length, boolean @Nullable [] wasNew) {
    Arguments.checkBatch(hashes, offset, length, wasNew);
    return log.addAll(hashes, offset, length, wasNew, isEachDurable);
  }

  /**
   * Removes all elements at one moment. Queries may run meanwhile only if {@link
   * InsertableFilter#clear} of the filter allows it. The time of a filter with a time to live goes
   * on, so after a clock that was far ahead, only a new folder helps.
   *
   * @throws java.io.UncheckedIOException if the log cannot be written
   */
  @Override
  public final void clear() {
    log.clear(isEachDurable);
  }

  @Override
  public final boolean isConcurrent() {
    return log.isConcurrent();
  }

  @Override
  public final boolean mightContainHash(long hash) {
    return filter.mightContainHash(hash);
  }

  @Override
  public final int mightContainHashes(long[] hashes, int offset, int length, boolean[] answers) {
    return filter.mightContainHashes(hashes, offset, length, answers);
  }

  @Override
  public final double expectedFpp() {
    return filter.expectedFpp();
  }

  @Override
  public final long approximateElementCount() {
    return filter.approximateElementCount();
  }

  @Override
  public final FilterEstimate estimate(int lines) {
    return filter.estimate(lines);
  }

  @Override
  public final OptionalLong elementCount() {
    return filter.elementCount();
  }

  @Override
  public final Optional<FilterPlan> plan() {
    return filter.plan();
  }

  @Override
  public final boolean isOverfull() {
    return filter.isOverfull();
  }

  @Override
  public final long memoryBytes() {
    return filter.memoryBytes();
  }

  @Override
  public final HashStrategy<? super T> strategy() {
    return filter.strategy();
  }

  /**
   * Returns the filter in memory, to read what only its class has, such as {@link
   * io.bloomkit.DeletableFilter#count}, and to write it to a file. It is always the same object, of
   * the class of the builder. It remains valid after {@link #close}. Never change it: such changes
   * are lost.
   */
  public final StorableFilter<T> filter() {
    return filter;
  }

  /**
   * Makes all updates durable that happened before the call.
   *
   * @throws java.io.UncheckedIOException if the log cannot be written. After the folder is opened
   *     again, the updates since the last sync may be there up to some moment, or none of them.
   */
  public final void sync() {
    log.sync();
  }

  /**
   * Makes a new snapshot now and deletes the log before it. Updates go on meanwhile. Waits if a
   * compaction is running. Usually needs no call: see the class comment.
   *
   * @throws IOException if the snapshot cannot be written; the log then remains
   */
  public final void compact() throws IOException {
    folder.compact();
  }

  /** Returns what was found when the folder was opened. */
  public final Recovery recovery() {
    return folder.recovery();
  }

  /** Returns the number of bytes of the log, which opening would repeat. Constant time. */
  public final long logBytes() {
    return log.bytes();
  }

  /** Returns when updates last became durable, or when the folder was opened. Constant time. */
  public final Instant lastSync() {
    return log.lastSync();
  }

  /** Returns how many times the log was forced to the disk since the folder was opened. */
  public final long forces() {
    return log.forces();
  }

  /**
   * Returns whether the log has failed, so that all updates throw. Constant time. A failed log
   * works again only after {@link #close} and {@code open}.
   */
  public final boolean hasFailed() {
    return log.hasFailed();
  }

  /**
   * Makes all updates durable, ends the background threads and unlocks the folder. Waits for a
   * write that has begun, also if the log has failed. Does nothing if this is closed already, which
   * it is not after an {@link Error}.
   *
   * @throws IOException if the log cannot be written, or could not be written before: as for {@link
   *     #sync}
   */
  @Override
  public final void close() throws IOException {
    folder.close();
  }

  /** Returns the folder and the filter, for logs. */
  @Override
  public final String toString() {
    return "DurableFilter[" + folder.path() + ", logBytes=" + logBytes() + ", " + filter + "]";
  }
}
