package io.bloomkit.counting.dynamic;

import io.bloomkit.internal.Words;
import java.util.ArrayList;
import java.util.List;

/**
 * The distinct fingerprints of all chunks in ascending order, sorted chunk by chunk as they are
 * read: those of one chunk are in memory.
 */
final class SortedFingerprints implements Words {

  private final List<Chunk> chunks = new ArrayList<>();

  /** The number of fingerprints before each chunk, and at last that of all. */
  private final List<Long> starts = new ArrayList<>();

  private int current = -1;
  private long[] fingerprints = {};

  SortedFingerprints(ChunkDirectory directory) {
    starts.add(0L);
    directory.forEach(
        chunk -> {
          chunks.add(chunk);
          starts.add(size() + chunk.size());
        });
  }

  @Override
  public long size() {
    return starts.get(starts.size() - 1);
  }

  @Override
  public long get(long index) {
    if (current < 0 || index < starts.get(current) || index >= starts.get(current + 1)) {
      open(index);
    }
    Chunk chunk = chunks.get(current);
    return chunk.prefix * chunk.shape.fingerprints
        + fingerprints[(int) (index - starts.get(current))];
  }

  private void open(long index) {
    int from = 0;
    int to = chunks.size();
    while (to - from > 1) {
      int middle = (from + to) >>> 1;
      if (starts.get(middle) <= index) {
        from = middle;
      } else {
        to = middle;
      }
    }
    current = from;
    fingerprints = chunks.get(from).sorted();
  }
}
