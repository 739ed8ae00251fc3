package io.bloomkit.cli.experiment.clicks;

import it.unimi.dsi.fastutil.Hash;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.objects.ObjectOpenHashSet;
import java.util.UUID;

/** Remembers every click forever, in an exact set. */
final class ExactClicks implements ClickFilter {

  /** A header of twelve bytes and two longs, rounded up to a multiple of eight. */
  private static final int BYTES_PER_UUID = 32;

  /** The size of a reference in a heap of less than 32 GiB; it is twice that in a larger heap. */
  private static final int BYTES_PER_REFERENCE = 4;

  private static final long MAX_BYTES_OF_SHORT_REFERENCES = 32L << 30;

  private final ObjectOpenHashSet<UUID> ids = new ObjectOpenHashSet<>();

  @Override
  public boolean isFirst(UUID id, long millis) {
    return ids.add(id);
  }

  /**
   * {@inheritDoc} The result is computed for the usual object layout, since Java does not report
   * it.
   */
  @Override
  public long memoryBytes() {
    return memoryBytes(ids.size());
  }

  /**
   * Returns a lower bound of the memory of the ids and of a table of references to them. This set
   * supports up to 800 million ids; for more, the result is that of a set with a larger table.
   */
  static long memoryBytes(long ids) {
    long places = HashCommon.nextPowerOfTwo((long) Math.ceil(ids / Hash.DEFAULT_LOAD_FACTOR));
    long bytes = BYTES_PER_UUID * ids + BYTES_PER_REFERENCE * places;
    return bytes < MAX_BYTES_OF_SHORT_REFERENCES ? bytes : bytes + BYTES_PER_REFERENCE * places;
  }
}
