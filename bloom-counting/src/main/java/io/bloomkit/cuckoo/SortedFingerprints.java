package io.bloomkit.cuckoo;

import io.bloomkit.internal.Words;
import java.util.ArrayList;
import java.util.List;

/**
 * A view of the distinct fingerprints of all chunks, with their stamps if there are any, in
 * ascending order. It sorts a chunk when it is read and keeps the sorted entries of that one chunk
 * only.
 */
final class SortedFingerprints implements Words {

  private final List<Chunk> chunks = new ArrayList<>();

  /** The number of fingerprints before each chunk; the last entry is that of all chunks. */
  private final List<Long> starts = new ArrayList<>();

  private int current = -1;
  private long[] fingerprints = {};

  SortedFingerprints(List<Chunk> all) {
    starts.add(0L);
    all.forEach(
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
    return (chunk.firstFingerprint() << chunk.shape.stampBits)
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
