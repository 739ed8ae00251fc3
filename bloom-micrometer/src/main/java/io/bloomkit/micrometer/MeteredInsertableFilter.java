package io.bloomkit.micrometer;

import io.bloomkit.InsertableFilter;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A {@link MeteredFilter} that also counts insertions. Create one with {@link
 * FilterMetrics#bind(InsertableFilter)}. An insertion that throws is not counted.
 *
 * @param <T> the type of the elements
 */
public sealed class MeteredInsertableFilter<T> extends MeteredFilter<T>
    implements InsertableFilter<T> permits MeteredDeletableFilter {

  private final InsertableFilter<T> filter;
  final LongAdder insertions;

  MeteredInsertableFilter(InsertableFilter<T> filter, FilterMeters meters) {
    super(filter, meters);
    this.filter = filter;
    this.insertions = meters.counter("insertions", "Insertions, including repeated ones");
  }

  @Override
  public InsertableFilter<T> filter() {
    return filter;
  }

  @Override
  public final boolean addHash(long hash) {
    boolean added = filter.addHash(hash);
    insertions.increment();
    return added;
  }

  @Override
  public final long addHashes(long[] hashes, int offset, int length, boolean @Nullable [] wasNew) {
    long added = filter.addHashes(hashes, offset, length, wasNew);
    insertions.add(length);
    return added;
  }

  @Override
  public final boolean isConcurrent() {
    return filter.isConcurrent();
  }

  /** {@inheritDoc} The counts in the registry are not reset. */
  @Override
  public final void clear() {
    filter.clear();
  }
}
