package io.bloomkit.cli.dedup;

import io.bloomkit.InsertableFilter;
import io.bloomkit.durable.DurableFilter;
import org.jspecify.annotations.Nullable;

/** Remembers lines in a filter, in this run only or durably. */
abstract class FilteredLines implements SeenLines {

  private final InsertableFilter<byte[]> filter;

  /** The durable filter whose filter it is; null if lines are remembered in this run only. */
  private final @Nullable DurableFilter<byte[]> durable;

  FilteredLines(InsertableFilter<byte[]> filter, @Nullable DurableFilter<byte[]> durable) {
    this.filter = filter;
    this.durable = durable;
  }

  @Override
  public final boolean isFirst(long hash, long check) {
    return durable == null ? filter.addHash(hash) : durable.addHash(hash);
  }

  @Override
  public final void areFirst(long[] hashes, long[] checks, int count, boolean[] first) {
    if (durable == null) {
      filter.addHashes(hashes, 0, count, first);
    } else {
      SeenLines.super.areFirst(hashes, checks, count, first);
    }
  }

  @Override
  public final boolean mightContain(long hash) {
    return filter.mightContainHash(hash);
  }

  @Override
  public final double expectedFpp() {
    return filter.expectedFpp();
  }

  @Override
  public final long memoryBytes() {
    return filter.memoryBytes();
  }
}
