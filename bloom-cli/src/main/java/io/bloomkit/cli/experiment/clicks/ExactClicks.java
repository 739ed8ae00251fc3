package io.bloomkit.cli.experiment.clicks;

import it.unimi.dsi.fastutil.Hash;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.objects.ObjectOpenHashSet;
import java.util.UUID;

/** Remembers every click forever, in an exact set. */
final class ExactClicks implements ClickFilter {

  /** A header of twelve bytes and two longs, rounded up to eight. */
  private static final int BYTES_PER_UUID = 32;

  /** In a heap of less than 32 GiB; in a larger one they take twice that. */
  private static final int BYTES_PER_REFERENCE = 4;

  private static final long MOST_BYTES_OF_SHORT_REFERENCES = 32L << 30;

  private final ObjectOpenHashSet<UUID> ids = new ObjectOpenHashSet<>();

  @Override
  public boolean isFirst(UUID id, long millis) {
    return ids.add(id);
  }

  /** {@inheritDoc} Computed, for the usual layout of objects: Java does not tell. */
  @Override
  public long memoryBytes() {
    return memoryBytes(ids.size());
  }

  /**
   * Returns what the ids and a table of references to them take, at the least. This set ends at 800
   * million ids; for more it is what a set with a larger table would take.
   */
  static long memoryBytes(long ids) {
    long places = HashCommon.nextPowerOfTwo((long) Math.ceil(ids / Hash.DEFAULT_LOAD_FACTOR));
    long bytes = BYTES_PER_UUID * ids + BYTES_PER_REFERENCE * places;
    return bytes < MOST_BYTES_OF_SHORT_REFERENCES ? bytes : bytes + BYTES_PER_REFERENCE * places;
  }
}
