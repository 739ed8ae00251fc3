package io.bloomkit.cli.dedup;

import io.bloomkit.InsertableFilter;

/** Remembers lines in a filter, which may be durable. */
abstract class FilteredLines implements SeenLines {

  private final InsertableFilter<byte[]> filter;

  FilteredLines(InsertableFilter<byte[]> filter) {
    this.filter = filter;
  }

  @Override
  public final boolean isFirst(long hash, long check) {
    return filter.addHash(hash);
  }

  @Override
  public final void areFirst(long[] hashes, long[] checks, int count, boolean[] first) {
    filter.addHashes(hashes, 0, count, first);
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
