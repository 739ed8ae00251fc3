package io.bloomkit.durable;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.internal.PrefersLargeBatches;
import io.bloomkit.internal.format.ExpiringUpdates;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.Variant;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** The updates of a filter of any kind, and what a log must know about them. */
final class Updates {

  /** The kinds whose contents depend on the order of the updates of different hashes. */
  private static final Variant[] IN_ORDER = {Variant.CUCKOO, Variant.SCALABLE};

  private static final int MIN_BATCH = 1 << 20;
  private static final int MIN_LARGE_BATCH = 1 << 22;
  private static final int MAX_BATCH = 1 << 27;

  /** A larger number takes less memory and more time. */
  private static final int ELEMENTS_PER_BATCHED = 3;

  private final StorableFilter<?> filter;
  private final InsertableFilter<?> insertable;
  private final @Nullable DeletableFilter<?> deletable;
  private final @Nullable ExpiringUpdates expiring;
  private final boolean isInOrder;

  private Updates(StorableFilter<?> filter, InsertableFilter<?> insertable) {
    this.filter = filter;
    this.insertable = insertable;
    this.deletable = filter instanceof DeletableFilter<?> d ? d : null;
    this.expiring = filter instanceof ExpiringUpdates.Source source ? source.updates() : null;
    boolean inOrder = expiring != null && !expiring.isOfTime();
    for (Variant variant : IN_ORDER) {
      inOrder |= filter.getClass().getName().equals(variant.className());
    }
    this.isInOrder = inOrder;
  }

  static Updates of(StorableFilter<?> filter) {
    if (filter instanceof InsertableFilter<?> insertable
        && filter instanceof FilterContents.Source) {
      return new Updates(filter, insertable);
    }
    throw new IllegalArgumentException(
        "the builder must build filters of this library to which elements can be added, got "
            + filter.getClass());
  }

  StorableFilter<?> filter() {
    return filter;
  }

  /** Returns whether updates of different hashes must be repeated in their order. */
  boolean areInOrder() {
    return isInOrder;
  }

  /** Returns whether several threads may update the filter at the same time. */
  boolean areConcurrent() {
    return insertable.isConcurrent();
  }

  /** Returns whether elements expire, of a time or of a number of insertions. */
  boolean areExpiring() {
    return expiring != null;
  }

  /** Returns whether updates may be repeated as all additions first, and then all removals. */
  boolean commute() {
    return !isInOrder && expiring == null;
  }

  /** Returns how many updates to make at once. Requires {@link #commute}. */
  int batch() {
    if (!(filter instanceof PrefersLargeBatches)) {
      return MIN_BATCH;
    }
    long worthwhile = filter.approximateElementCount() / ELEMENTS_PER_BATCHED;
    return (int) Math.max(MIN_LARGE_BATCH, Math.min(MAX_BATCH, worthwhile));
  }

  /**
   * Returns whether an addition that returns false must be repeated. It changes the filter, or it
   * is a false positive of layers that are others next time: those of a scalable filter depend on
   * whether it is concurrent.
   */
  boolean changeByRepeats() {
    return deletable != null || expiring != null || isInOrder;
  }

  /** Returns whether updates have epochs. */
  boolean haveEpochs() {
    return expiring != null && expiring.isOfTime();
  }

  /** Returns the present epoch by the clock of the filter. Requires {@link #haveEpochs}. */
  long epoch() {
    return expiring == null ? 0 : expiring.epoch();
  }

  /** Returns a number that is equal for hashes whose updates do not commute. */
  long orderOf(long hash) {
    return expiring == null ? hash : expiring.fingerprintOf(hash);
  }

  boolean add(long hash, long epoch) {
    return expiring == null ? insertable.addHash(hash) : expiring.addHash(hash, epoch);
  }

  /**
   * Adds many hashes.
   *
   * @param wasNew takes what {@link #add} would have returned for each; null if nobody asks
   */
  long addAll(long[] hashes, int offset, int length, long epoch, boolean @Nullable [] wasNew) {
    if (expiring == null) {
      return insertable.addHashes(hashes, offset, length, wasNew);
    }
    long added = 0;
    for (int i = offset; i < offset + length; i++) {
      boolean isNew = add(hashes[i], epoch);
      added += isNew ? 1 : 0;
      if (wasNew != null) {
        wasNew[i] = isNew;
      }
    }
    return added;
  }

  boolean remove(long hash, long epoch) {
    if (expiring != null) {
      return expiring.removeHash(hash, epoch);
    }
    return deletable != null && deletable.removeHash(hash);
  }

  void removeAll(long[] hashes, int offset, int length, long epoch) {
    if (deletable != null) {
      deletable.removeHashes(hashes, offset, length);
      return;
    }
    for (int i = offset; i < offset + length; i++) {
      remove(hashes[i], epoch);
    }
  }

  /** Removes all elements. Does not read the clock. */
  void clear() {
    if (expiring == null) {
      insertable.clear();
    } else {
      expiring.clear();
    }
  }

  /** Returns whether the filter has removals. */
  boolean canRemove() {
    return deletable != null || expiring != null;
  }

  /** Writes the filter. Does not read the clock. */
  void writeTo(OutputStream out) throws IOException {
    FilterContents contents = expiring == null ? FilterContents.of(filter) : expiring.contents();
    contents.writeTo(out);
  }
}
