package io.bloomkit.bench.subject;

import io.bloomkit.format.FilterKind;

/**
 * A baseline that is not a filter: one random read of eight bytes per key from an array as large as
 * a filter. A filter that touches one cache line cannot be faster. The reads are independent of
 * each other.
 */
final class ReadOfMemory implements Maker {

  private final FilterKind kind;

  ReadOfMemory(FilterKind kind) {
    this.kind = kind;
  }

  @Override
  public LongFilter longs(int elements, double fpp, int strategy) {
    long bytes = kind.layout(elements, fpp).memoryBytes();
    return new Reads(new long[(int) (bytes / Long.BYTES)]);
  }

  private static final class Reads extends LongFilter {

    private final long[] words;
    private long sum;

    Reads(long[] words) {
      this.words = words;
    }

    /**
     * Returns the word at the index given by the upper half of a key. The keys are random, so they
     * need no hash.
     */
    private long read(long key) {
      return words[(int) ((key >>> Integer.SIZE) * words.length >>> Integer.SIZE)];
    }

    @Override
    public boolean add(long key) {
      sum += read(key);
      return true;
    }

    @Override
    public boolean mightContain(long key) {
      return read(key) >= 0; // always true, but the compiler cannot know
    }

    @Override
    public void addAll(long[] keys, int from, int to) {
      sum += countPositives(keys, from, to);
    }

    @Override
    public int countPositives(long[] keys, int from, int to) {
      int positive = 0;
      for (int i = from; i < to; i++) {
        positive += mightContain(keys[i]) ? 1 : 0;
      }
      return positive;
    }

    @Override
    public long bits() {
      return (long) words.length * Long.SIZE;
    }
  }
}
