package io.bloomkit.micrometer;

import io.bloomkit.DeletableFilter;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A {@link MeteredInsertableFilter} that also counts removals. Create one with {@link
 * FilterMetrics#bind(DeletableFilter)}.
 *
 * <p>A removal that returns false is counted as refused. Refused removals indicate that the
 * application removes elements that it did not add. A removal that throws is not counted.
 *
 * @param <T> the type of the elements
 */
public final class MeteredDeletableFilter<T> extends MeteredInsertableFilter<T>
    implements DeletableFilter<T> {

  private final DeletableFilter<T> filter;
  private final LongAdder removed;
  private final LongAdder refused;

  MeteredDeletableFilter(DeletableFilter<T> filter, FilterMeters meters) {
    super(filter, meters);
    this.filter = filter;
    this.removed = meters.counter("removals", "Removals", "result", "removed");
    this.refused = meters.counter("removals", "Removals", "result", "refused");
  }

  @Override
  public DeletableFilter<T> filter() {
    return filter;
  }

  /** {@inheritDoc} Each copy is counted. */
  @Override
  public boolean addHash(long hash, long copies) {
    boolean added = filter.addHash(hash, copies);
    insertions.add(copies);
    return added;
  }

  @Override
  public boolean removeHash(long hash) {
    boolean isRemoved = filter.removeHash(hash);
    (isRemoved ? removed : refused).increment();
    return isRemoved;
  }

  /** {@inheritDoc} Each copy is counted. */
  @Override
  public boolean removeHash(long hash, long copies) {
    boolean isRemoved = filter.removeHash(hash, copies);
    (isRemoved ? removed : refused).add(copies);
    return isRemoved;
  }

  @Override
  public long removeHashes(long[] hashes, int offset, int length, boolean @Nullable [] wasRemoved) {
    long successful = filter.removeHashes(hashes, offset, length, wasRemoved);
    removed.add(successful);
    refused.add(length - successful);
    return successful;
  }

  @Override
  public long countHash(long hash) {
    return filter.countHash(hash);
  }
}
